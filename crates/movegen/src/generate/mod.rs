//! The generator of legal moves.
//!
//! It passes sets of moves to a sink. A list, a count and an early exit are different sinks; the
//! generator is compiled for each sink, colour and stage.

mod children;
pub(crate) mod count;
mod illegality;
mod legality;
mod safety;
mod sets;
mod sinks;

use core::ops::ControlFlow;

pub use self::illegality::IllegalReason;
pub(crate) use self::safety::{Safety, safety};
pub use self::sets::{MoveSet, Moves};
use self::sinks::{Any, Each};
use crate::board::castling::CastlingSide;
use crate::board::placement::Placement;
use crate::lanes;
use crate::side::{Black, Side, White};
use crate::{Bitboard, Board, Color, MoveList, Piece, Square, attacks};

/// Which moves to generate.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// All of them.
    All,
    /// Captures, en passant and promotions.
    Captures,
    /// The rest, castling among them.
    Quiets,
}

/// Receives the sets of moves that the generator finds.
pub(crate) trait Sink {
    /// The value of an early exit; with `Infallible` the tests for one are compiled away.
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

    /// The number of legal moves; much faster than listing them.
    #[inline]
    pub fn count_legal_moves(&self) -> usize {
        let count = match self.turn() {
            Color::White => count::count::<White>(&self.placement, self.rights),
            Color::Black => count::count::<Black>(&self.placement, self.rights),
        };
        count as usize
    }

    /// Whether there is a legal move; faster than counting them.
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
        let (placement, rights) = (&self.placement, self.rights);
        let king = self.king(S::COLOR);
        // A king without anything to capture need not know what is attacked.
        let attacked = if stage == Stage::Captures
            && (attacks::king_attacks(king) & self.color(S::Opponent::COLOR)).is_empty()
        {
            !0
        } else {
            safety::attacked::<S>(placement)
        };
        let safety = Safety {
            attacked,
            answers: safety::answers(king, self.checkers().0),
            pinned: self.pinned().0,
        };
        match stage {
            Stage::All => generate::<S, K, true, true>(placement, rights, &safety, sink),
            Stage::Captures => generate::<S, K, true, false>(placement, rights, &safety, sink),
            Stage::Quiets => generate::<S, K, false, true>(placement, rights, &safety, sink),
        }
    }
}

/// Passes the legal moves of `S` to a sink: captures and promotions, the others, or both.
#[inline(always)]
pub(crate) fn generate<S: Side, K: Sink, const CAPTURES: bool, const QUIETS: bool>(
    placement: &Placement,
    rights: u64,
    safety: &Safety,
    sink: &mut K,
) -> ControlFlow<K::Break> {
    let own = placement.color(S::COLOR);
    let enemy = placement.color(S::Opponent::COLOR);
    let occupied = placement.occupied();
    let king = Square::wrapping((placement.pieces(Piece::King) & own).trailing_zeros() as u8);
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
            if may_castle::<S>(placement, king, rook, safety.attacked) {
                sink.castle(king, rook)?;
            }
        }
    }
    generate_pawns::<S, K, CAPTURES, QUIETS>(placement, rights, safety, sink)?;

    let targets = targets & safety.answers;
    for from in Bitboard(placement.pieces(Piece::Knight) & own & !safety.pinned) {
        let to = attacks::knight_attacks(from).0 & targets;
        if to != 0 {
            sink.piece(Piece::Knight, from, Bitboard(to))?;
        }
    }
    let mut slide = |piece: Piece| -> ControlFlow<K::Break> {
        for from in Bitboard(placement.pieces(piece) & own) {
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
    placement: &Placement,
    rights: u64,
    safety: &Safety,
    sink: &mut K,
) -> ControlFlow<K::Break> {
    let own = placement.color(S::COLOR);
    let pawns = placement.pieces(Piece::Pawn) & own;
    let empty = !placement.occupied();
    let (straight, left, right) = count::pawns_by_way::<S>(placement, pawns, safety.pinned);
    let once = S::forward(straight) & empty;
    if CAPTURES {
        let enemy = placement.color(S::Opponent::COLOR) & safety.answers;
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
                if placement.en_passant_is_safe(S::COLOR, from, target) {
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

/// Whether a king that is not in check may castle with `rook`, which has the right and is not
/// pinned; `attacked` holds the squares that the enemy attacks.
///
/// The pin matters in Chess960 only: there the rook can shield the king from a slider behind it.
#[inline]
pub(crate) fn may_castle<S: Side>(
    placement: &Placement,
    king: Square,
    rook: Square,
    attacked: u64,
) -> bool {
    let side = CastlingSide::of(king, rook);
    let king_target = side.king_target(S::COLOR);
    let rook_target = side.rook_target(S::COLOR);
    let king_path = attacks::between(king, king_target).with(king_target);
    let rook_path = attacks::between(rook, rook_target).with(rook_target);
    let others = Bitboard(placement.occupied()).without(king).without(rook);
    (others & (king_path | rook_path)).is_empty() && (Bitboard(attacked) & king_path).is_empty()
}

/// Every square that `color` attacks when `occupied` squares stop sliders.
pub(crate) fn attacks_by(placement: &Placement, color: Color, occupied: u64) -> u64 {
    let own = placement.color(color);
    let sliders = lanes::attacks(
        placement.straight() & own,
        placement.diagonal() & own,
        occupied,
    );
    let pawns = placement.pieces(Piece::Pawn) & own;
    let king = Bitboard(placement.pieces(Piece::King) & own).first();
    let pawns = match color {
        Color::White => White::left(pawns) | White::right(pawns),
        Color::Black => Black::left(pawns) | Black::right(pawns),
    };
    sliders
        | safety::knight_map(placement.pieces(Piece::Knight) & own)
        | king.map_or(0, |king| attacks::king_attacks(king).0)
        | pawns
}

/// Calls `sink` if the set is not empty.
#[inline(always)]
fn sink_if<B>(set: u64, sink: impl FnOnce(Bitboard) -> ControlFlow<B>) -> ControlFlow<B> {
    if set != 0 {
        sink(Bitboard(set))
    } else {
        ControlFlow::Continue(())
    }
}

/// The square from which a pawn moves by `delta` to `to`.
#[inline(always)]
pub(crate) fn origin(to: Square, delta: i8) -> Square {
    Square::wrapping((to as i8).wrapping_sub(delta) as u8)
}
