//! Legal moves: one generator, and what is built on it.
//!
//! The generator hands sets of moves to a sink. A list, a count, an early exit and a search for
//! one move are different sinks, compiled apart; colour and stage are constants of each instance.

mod legality;
mod sinks;

use core::ops::ControlFlow;

use self::sinks::{Any, Counter};
use crate::board::castling::Wing;
use crate::{Bitboard, Board, Color, Move, MoveList, Piece, Rank, Square, attacks};

/// Which moves are asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// All of them.
    All,
    /// Captures, en passant and promotions.
    Captures,
    /// The rest, castling among them.
    Quiets,
}

/// Takes the sets of moves that the generator finds.
pub(crate) trait Sink {
    /// What an early exit carries: nothing can be made of `Infallible`, which then costs nothing.
    type Break;

    /// Moves of one piece, none of them special.
    fn piece(&mut self, piece: Piece, from: Square, to: Bitboard) -> ControlFlow<Self::Break>;
    /// Moves of pawns to squares `delta` from where they stand, not to the last rank.
    fn pawns(&mut self, to: Bitboard, delta: i8) -> ControlFlow<Self::Break>;
    /// Moves of pawns to the last rank.
    fn promotions(&mut self, to: Bitboard, delta: i8) -> ControlFlow<Self::Break>;
    /// One capture en passant.
    fn en_passant(&mut self, from: Square, to: Square) -> ControlFlow<Self::Break>;
    /// One castling.
    fn castle(&mut self, king: Square, rook: Square) -> ControlFlow<Self::Break>;
}

impl Board {
    /// Every legal move.
    #[inline]
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        let _ = self.generate(Stage::All, &mut list);
        list
    }

    /// The legal captures, en passant included, and every promotion, capturing or not.
    #[inline]
    pub fn captures(&self) -> MoveList {
        let mut list = MoveList::new();
        let _ = self.generate(Stage::Captures, &mut list);
        list
    }

    /// The legal moves that are not among [`captures`](Self::captures), castling among them.
    #[inline]
    pub fn quiets(&self) -> MoveList {
        let mut list = MoveList::new();
        let _ = self.generate(Stage::Quiets, &mut list);
        list
    }

    /// How many legal moves there are; much quicker than to list them.
    #[inline]
    pub fn count_legal_moves(&self) -> usize {
        let mut counter = Counter(0);
        let _ = self.generate(Stage::All, &mut counter);
        counter.0 as usize
    }

    /// Whether there is any legal move; quicker than to count them.
    #[inline]
    pub fn has_legal_moves(&self) -> bool {
        self.generate(Stage::All, &mut Any).is_break()
    }

    #[inline]
    pub(crate) fn generate<S: Sink>(&self, stage: Stage, sink: &mut S) -> ControlFlow<S::Break> {
        match (self.turn(), stage) {
            (Color::White, Stage::All) => self.generate_for::<S, true, true, true>(sink),
            (Color::Black, Stage::All) => self.generate_for::<S, false, true, true>(sink),
            (Color::White, Stage::Captures) => self.generate_for::<S, true, true, false>(sink),
            (Color::Black, Stage::Captures) => self.generate_for::<S, false, true, false>(sink),
            (Color::White, Stage::Quiets) => self.generate_for::<S, true, false, true>(sink),
            (Color::Black, Stage::Quiets) => self.generate_for::<S, false, false, true>(sink),
        }
    }

    fn generate_for<S: Sink, const WHITE: bool, const CAPTURES: bool, const QUIETS: bool>(
        &self,
        sink: &mut S,
    ) -> ControlFlow<S::Break> {
        let us = if WHITE { Color::White } else { Color::Black };
        let own = self.color(us);
        let enemy = self.color(!us);
        let occupied = self.occupied();
        let king = self.king(us);
        let targets = match (CAPTURES, QUIETS) {
            (true, true) => !own,
            (true, false) => enemy,
            (false, true) => !occupied,
            (false, false) => Bitboard::EMPTY,
        };

        // With the king lifted out, so that it cannot hide behind itself.
        let attacked = self.attacks_by(!us, occupied.without(king));
        let steps = attacks::king_attacks(king) & (targets - attacked);
        if steps.any() {
            sink.piece(Piece::King, king, steps)?;
        }
        let checkers = self.checkers();
        let blocks = match checkers.first() {
            None => Bitboard::FULL,
            Some(_) if checkers.has_more_than_one() => return ControlFlow::Continue(()),
            Some(checker) => attacks::between(king, checker) | checkers,
        };
        if QUIETS && checkers.is_empty() {
            self.generate_castling::<S>(us, king, attacked, sink)?;
        }

        self.generate_pawns::<S, WHITE, CAPTURES, QUIETS>(king, blocks, sink)?;
        let targets = targets & blocks;
        let pinned = self.pinned();
        for from in own & (self.pieces(Piece::Knight) - pinned) {
            let to = attacks::knight_attacks(from) & targets;
            if to.any() {
                sink.piece(Piece::Knight, from, to)?;
            }
        }
        for piece in [Piece::Bishop, Piece::Rook, Piece::Queen] {
            for from in own & self.pieces(piece) {
                let mut to = attacks::piece_attacks(piece, us, from, occupied) & targets;
                if pinned.contains(from) {
                    to &= attacks::line(king, from);
                }
                if to.any() {
                    sink.piece(piece, from, to)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn generate_pawns<S: Sink, const WHITE: bool, const CAPTURES: bool, const QUIETS: bool>(
        &self,
        king: Square,
        blocks: Bitboard,
        sink: &mut S,
    ) -> ControlFlow<S::Break> {
        let us = if WHITE { Color::White } else { Color::Black };
        let pawns = self.colored(us, Piece::Pawn);
        let enemy = self.color(!us);
        let empty = !self.occupied();
        let last = Rank::Eighth.relative_to(us).bitboard();
        let third = Rank::Third.relative_to(us).bitboard();
        let (forward, left, right): (i8, i8, i8) = if WHITE { (8, 7, 9) } else { (-8, -9, -7) };
        let not_a = !crate::File::A.bitboard();
        let not_h = !crate::File::H.bitboard();

        // A pinned pawn may move along its pin: upwards on the king's file, to one side on a
        // diagonal. The lines through the king say which of the pinned stand on which.
        let pinned = self.pinned();
        let free = pawns - pinned;
        let held = pawns & pinned;
        let along = |delta: i8| -> Bitboard {
            if held.is_empty() {
                free
            } else {
                let stay = |from: &Square| {
                    let to = Square::wrapping((*from as i8 + delta) as u8);
                    attacks::line(king, *from).contains(to)
                };
                held.into_iter().filter(stay).collect::<Bitboard>() | free
            }
        };

        if CAPTURES {
            let to_left = shift(along(left) & not_a, left) & enemy & blocks;
            let to_right = shift(along(right) & not_h, right) & enemy & blocks;
            sink_if(to_left - last, |to| sink.pawns(to, left))?;
            sink_if(to_right - last, |to| sink.pawns(to, right))?;
            sink_if(to_left & last, |to| sink.promotions(to, left))?;
            sink_if(to_right & last, |to| sink.promotions(to, right))?;
            if let Some(target) = self.en_passant() {
                for from in attacks::pawn_attacks(!us, target) & pawns {
                    if self.en_passant_is_safe(from, target) {
                        sink.en_passant(from, target)?;
                    }
                }
            }
        }
        let once = shift(along(forward), forward) & empty;
        if CAPTURES {
            sink_if(once & last & blocks, |to| sink.promotions(to, forward))?;
        }
        if QUIETS {
            let twice = shift(once & third, forward) & empty & blocks;
            sink_if((once & blocks) - last, |to| sink.pawns(to, forward))?;
            sink_if(twice, |to| sink.pawns(to, 2 * forward))?;
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn generate_castling<S: Sink>(
        &self,
        us: Color,
        king: Square,
        attacked: Bitboard,
        sink: &mut S,
    ) -> ControlFlow<S::Break> {
        for rook in self.castling_rooks() & Rank::First.relative_to(us).bitboard() {
            if self.can_castle(us, king, rook, attacked) {
                sink.castle(king, rook)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether the king may castle with a rook that has the right, out of check, when the enemy
    /// attacks the squares of `attacked`.
    #[inline]
    fn can_castle(&self, us: Color, king: Square, rook: Square, attacked: Bitboard) -> bool {
        let wing = Wing::of(king, rook);
        let king_path = attacks::between(king, wing.king_target(us)).with(wing.king_target(us));
        let rook_path = attacks::between(rook, wing.rook_target(us)).with(wing.rook_target(us));
        let others = self.occupied().without(king).without(rook);
        // In Chess960 the rook may be what hides the king from an enemy behind it; it is pinned
        // then, and the king would stand in the open on the other side of it.
        (others & (king_path | rook_path)).is_empty()
            && (attacked & king_path).is_empty()
            && !self.pinned().contains(rook)
    }
}

/// The squares `delta` from those of the set; squares beyond the first or last rank are lost.
#[inline(always)]
const fn shift(set: Bitboard, delta: i8) -> Bitboard {
    if delta > 0 {
        Bitboard(set.0 << delta)
    } else {
        Bitboard(set.0 >> -delta)
    }
}

/// Calls `sink` with a set that is not empty.
#[inline(always)]
fn sink_if<B>(set: Bitboard, sink: impl FnOnce(Bitboard) -> ControlFlow<B>) -> ControlFlow<B> {
    if set.any() {
        sink(set)
    } else {
        ControlFlow::Continue(())
    }
}

/// A move of a pawn found by its target.
#[inline(always)]
fn origin(to: Square, delta: i8) -> Square {
    Square::wrapping((to as i8).wrapping_sub(delta) as u8)
}

impl Sink for MoveList {
    type Break = core::convert::Infallible;

    #[inline(always)]
    fn piece(&mut self, _: Piece, from: Square, to: Bitboard) -> ControlFlow<Self::Break> {
        for to in to {
            self.push(Move::normal(from, to));
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, delta: i8) -> ControlFlow<Self::Break> {
        for to in to {
            self.push(Move::normal(origin(to, delta), to));
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, delta: i8) -> ControlFlow<Self::Break> {
        for to in to {
            for piece in Piece::PROMOTIONS {
                self.push(Move::promoting(origin(to, delta), to, piece));
            }
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) -> ControlFlow<Self::Break> {
        self.push(Move::en_passant(from, to));
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn castle(&mut self, king: Square, rook: Square) -> ControlFlow<Self::Break> {
        self.push(Move::castle(king, rook));
        ControlFlow::Continue(())
    }
}
