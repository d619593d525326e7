//! Legal moves: one generator, and what is built on it.
//!
//! The generator hands sets of moves to a sink. A list, a count, an early exit and a search for
//! one move are different sinks, compiled apart; colour and stage are constants of each instance.

mod children;
pub(crate) mod count;
mod legality;
mod sets;
mod sinks;

use core::ops::ControlFlow;

use self::count::{Safety, safety};
pub use self::sets::{MoveSet, Moves};
use self::sinks::{Any, Each};
use crate::board::castling::Wing;
use crate::board::men::Men;
use crate::lanes::{self, Lanes};
use crate::side::{Black, Side, White};
use crate::{Bitboard, Board, Color, MoveList, Piece, Square, attacks};

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
        self.list(Stage::All)
    }

    /// The legal captures, en passant included, and every promotion, capturing or not.
    #[inline]
    pub fn captures(&self) -> MoveList {
        self.list(Stage::Captures)
    }

    /// The legal moves that are not among [`captures`](Self::captures), castling among them.
    #[inline]
    pub fn quiets(&self) -> MoveList {
        self.list(Stage::Quiets)
    }

    #[inline]
    fn list(&self, stage: Stage) -> MoveList {
        let mut list = MoveList::new();
        let _ = self.generate(stage, &mut Each(|mv| list.push(mv)));
        list
    }

    /// How many legal moves there are; much quicker than to list them.
    #[inline]
    pub fn count_legal_moves(&self) -> usize {
        let count = match self.turn() {
            Color::White => count::count::<White>(&self.men, self.rights),
            Color::Black => count::count::<Black>(&self.men, self.rights),
        };
        count as usize
    }

    /// Whether there is any legal move; quicker than to count them.
    #[inline]
    pub fn has_legal_moves(&self) -> bool {
        self.generate(Stage::All, &mut Any).is_break()
    }

    #[inline]
    pub(crate) fn generate<K: Sink>(&self, stage: Stage, sink: &mut K) -> ControlFlow<K::Break> {
        match self.turn() {
            Color::White => self.generate_for::<White, K>(stage, sink),
            Color::Black => self.generate_for::<Black, K>(stage, sink),
        }
    }

    #[inline]
    fn generate_for<S: Side, K: Sink>(&self, stage: Stage, sink: &mut K) -> ControlFlow<K::Break> {
        let (men, rights) = (&self.men, self.rights);
        let safety = safety::<S>(men);
        match stage {
            Stage::All => generate::<S, K, true, true>(men, rights, &safety, sink),
            Stage::Captures => generate::<S, K, true, false>(men, rights, &safety, sink),
            Stage::Quiets => generate::<S, K, false, true>(men, rights, &safety, sink),
        }
    }
}

/// Hands the legal moves of `S` to a sink: captures and promotions, or the others, or both.
#[inline(always)]
pub(crate) fn generate<S: Side, K: Sink, const CAPTURES: bool, const QUIETS: bool>(
    men: &Men,
    rights: u64,
    safety: &Safety,
    sink: &mut K,
) -> ControlFlow<K::Break> {
    let own = men.color(S::COLOR);
    let enemy = men.color(S::Opponent::COLOR);
    let occupied = men.occupied();
    let king = Square::wrapping((men.pieces(Piece::King) & own).trailing_zeros() as u8);
    let targets = match (CAPTURES, QUIETS) {
        (true, true) => !own,
        (true, false) => enemy,
        (false, true) => !occupied,
        (false, false) => 0,
    };
    let steps = attacks::king_attacks(king).0 & targets & !safety.attacked;
    if steps != 0 {
        sink.piece(Piece::King, king, Bitboard(steps))?;
    }
    if safety.answers == 0 {
        return ControlFlow::Continue(());
    }
    if QUIETS && rights & S::BACK != 0 && safety.attacked & king.bitboard().0 == 0 {
        for rook in Bitboard(rights & S::BACK & !safety.pinned) {
            if may_castle::<S>(men, king, rook, safety.attacked) {
                sink.castle(king, rook)?;
            }
        }
    }
    generate_pawns::<S, K, CAPTURES, QUIETS>(men, rights, safety, sink)?;

    let targets = targets & safety.answers;
    for from in Bitboard(men.pieces(Piece::Knight) & own & !safety.pinned) {
        let to = attacks::knight_attacks(from).0 & targets;
        if to != 0 {
            sink.piece(Piece::Knight, from, Bitboard(to))?;
        }
    }
    let mut slide = |piece: Piece| -> ControlFlow<K::Break> {
        for from in Bitboard(men.pieces(piece) & own) {
            let mut to =
                attacks::piece_attacks(piece, S::COLOR, from, Bitboard(occupied)).0 & targets;
            if Bitboard(safety.pinned).contains(from) {
                to &= attacks::line(king, from).0;
            }
            if to != 0 {
                sink.piece(piece, from, Bitboard(to))?;
            }
        }
        ControlFlow::Continue(())
    };
    slide(Piece::Bishop)?;
    slide(Piece::Rook)?;
    slide(Piece::Queen)
}

#[inline(always)]
fn generate_pawns<S: Side, K: Sink, const CAPTURES: bool, const QUIETS: bool>(
    men: &Men,
    rights: u64,
    safety: &Safety,
    sink: &mut K,
) -> ControlFlow<K::Break> {
    let own = men.color(S::COLOR);
    let pawns = men.pieces(Piece::Pawn) & own;
    let empty = !men.occupied();
    let (straight, left, right) = count::pawns_by_way::<S>(pawns, safety);
    let once = S::forward(straight) & empty;
    if CAPTURES {
        let enemy = men.color(S::Opponent::COLOR) & safety.answers;
        let left = S::left(left) & enemy;
        let right = S::right(right) & enemy;
        if (left | right | once) & S::LAST != 0 {
            sink_if(left & S::LAST, |to| sink.promotions(to, S::LEFT))?;
            sink_if(right & S::LAST, |to| sink.promotions(to, S::RIGHT))?;
            let once = once & S::LAST & safety.answers;
            sink_if(once, |to| sink.promotions(to, S::FORWARD))?;
        }
        sink_if(left & !S::LAST, |to| sink.pawns(to, S::LEFT))?;
        sink_if(right & !S::LAST, |to| sink.pawns(to, S::RIGHT))?;
        if let Some(target) = Bitboard(rights & !Bitboard::BACK_RANKS.0).first() {
            let from = attacks::pawn_attacks(S::Opponent::COLOR, target);
            for from in from & Bitboard(pawns) {
                if men.en_passant_is_safe(S::COLOR, from, target) {
                    sink.en_passant(from, target)?;
                }
            }
        }
    }
    if QUIETS {
        let twice = S::forward(once & S::THIRD) & empty & safety.answers;
        sink_if(once & safety.answers & !S::LAST, |to| {
            sink.pawns(to, S::FORWARD)
        })?;
        sink_if(twice, |to| sink.pawns(to, 2 * S::FORWARD))?;
    }
    ControlFlow::Continue(())
}

/// Whether the king may castle with a rook that has the right and is not pinned, out of check,
/// when the enemy attacks the squares of `attacked`.
///
/// In Chess960 the rook may be what hides the king from an enemy behind it. It is pinned then,
/// and the king would stand in the open on the other side of it.
#[inline]
pub(crate) fn may_castle<S: Side>(men: &Men, king: Square, rook: Square, attacked: u64) -> bool {
    let wing = Wing::of(king, rook);
    let king_target = wing.king_target(S::COLOR);
    let rook_target = wing.rook_target(S::COLOR);
    let king_path = attacks::between(king, king_target).with(king_target);
    let rook_path = attacks::between(rook, rook_target).with(rook_target);
    let others = Bitboard(men.occupied()).without(king).without(rook);
    (others & (king_path | rook_path)).is_empty() && (Bitboard(attacked) & king_path).is_empty()
}

/// Every square that `color` attacks when `occupied` squares stop sliders.
pub(crate) fn attacks_by(men: &Men, color: Color, occupied: u64) -> u64 {
    let own = men.color(color);
    let sliders = lanes::axes(men.straight() & own, men.diagonal() & own);
    let pawns = men.pieces(Piece::Pawn) & own;
    let king = Bitboard(men.pieces(Piece::King) & own).first();
    let pawns = match color {
        Color::White => White::left(pawns) | White::right(pawns),
        Color::Black => Black::left(pawns) | Black::right(pawns),
    };
    Lanes::fill(sliders, !occupied).any()
        | count::knight_map(men.pieces(Piece::Knight) & own)
        | king.map_or(0, |king| attacks::king_attacks(king).0)
        | pawns
}

/// Calls `sink` with a set that is not empty.
#[inline(always)]
fn sink_if<B>(set: u64, sink: impl FnOnce(Bitboard) -> ControlFlow<B>) -> ControlFlow<B> {
    if set != 0 {
        sink(Bitboard(set))
    } else {
        ControlFlow::Continue(())
    }
}

/// A move of a pawn found by its target.
#[inline(always)]
pub(crate) fn origin(to: Square, delta: i8) -> Square {
    Square::wrapping((to as i8).wrapping_sub(delta) as u8)
}
