//! The generator of legal moves.
//!
//! It passes sets of moves to a sink. A list, a count and an early exit are different sinks; the
//! generator is compiled for each sink, colour and stage.

pub(crate) mod count;
mod illegality;
mod iterate;
mod legality;
mod safety;
mod sets;
mod sliders;
#[cfg(target_arch = "x86_64")]
mod vectors;

use core::ops::ControlFlow;

pub use self::illegality::IllegalReason;
pub use self::iterate::{Moves, MovesIter};
use self::safety::{Safety, attacked_by, check_mask};
pub use self::sets::MoveSet;
use self::sets::{Any, Each, Sets};
pub(crate) use self::sets::{Sink, Way, origin};
use self::sliders::Sliders as _;
use crate::board::castling::CastlingSide;
use crate::board::placement::Placement;
use crate::side::{Black, Side, White};
use crate::{Bitboard, Board, Color, Move, MoveList, Piece, Square, attacks};

/// Which moves to generate.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// All legal moves.
    All,
    /// Captures, en passant and promotions.
    Captures,
    /// All other moves, including castling.
    Quiets,
}

impl Board {
    /// Every legal move.
    #[inline]
    pub fn legal_moves(&self) -> MoveList {
        self.list(Stage::All)
    }

    /// The legal moves of the piece on `square`, in the order of [`legal_moves`](Self::legal_moves). Castling is
    /// among the moves of the king. Empty if no piece of the side to move stands there.
    ///
    /// ```
    /// use skewer_movegen::{Board, Square};
    ///
    /// let moves = Board::STARTPOS.legal_moves_from(Square::G1);
    /// assert_eq!(moves.len(), 2);
    /// assert!(moves.iter().all(|mv| mv.from() == Square::G1));
    /// ```
    pub fn legal_moves_from(&self, square: Square) -> MoveList {
        let mut moves = self.legal_moves();
        moves.retain(|mv| mv.from() == square);
        moves
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

    /// Calls `look` with every legal move.
    ///
    /// ```
    /// use skewer_movegen::Board;
    /// let mut checks = 0;
    /// let board = Board::STARTPOS;
    /// board.for_each_move(|mv| checks += u32::from(board.gives_check(mv)));
    /// assert_eq!(checks, 0);
    /// ```
    #[inline]
    pub fn for_each_move(&self, look: impl FnMut(Move)) {
        let _ = self.generate(Stage::All, &mut Each(look));
    }

    /// Calls `look` with every move of [`captures`](Self::captures), in the same order. Faster than a
    /// list, if each move is looked at once.
    ///
    /// ```
    /// use skewer_movegen::Board;
    /// let mut captures = 0;
    /// Board::STARTPOS.for_each_capture(|_| captures += 1);
    /// assert_eq!(captures, 0);
    /// ```
    #[inline]
    pub fn for_each_capture(&self, look: impl FnMut(Move)) {
        let _ = self.generate(Stage::Captures, &mut Each(look));
    }

    /// Calls `look` with the moves of [`quiets`](Self::quiets) as non-empty sets, in the same order.
    ///
    /// ```
    /// use skewer_movegen::{Bitboard, Board, Piece};
    /// let mut knights = Bitboard::EMPTY;
    /// Board::STARTPOS.for_each_quiet_set(|set| {
    ///     if set.piece() == Piece::Knight {
    ///         knights |= set.targets();
    ///     }
    /// });
    /// assert_eq!(knights.count(), 4);
    /// ```
    #[inline]
    pub fn for_each_quiet_set(&self, look: impl FnMut(MoveSet)) {
        let _ = self.generate(Stage::Quiets, &mut Sets(look));
    }

    #[inline]
    fn generate<K: Sink>(&self, stage: Stage, sink: &mut K) -> ControlFlow<K::Break> {
        match self.turn() {
            Color::White => self.generate_for::<White, K>(stage, sink),
            Color::Black => self.generate_for::<Black, K>(stage, sink),
        }
    }

    #[inline]
    fn generate_for<S: Side, K: Sink>(&self, stage: Stage, sink: &mut K) -> ControlFlow<K::Break> {
        let (placement, rights) = (&self.placement, self.rights);
        let king = self.king(S::COLOR);
        // Only king moves depend on the attacked squares, and a king that can capture nothing has no captures.
        let attacked = if stage == Stage::Captures
            && (attacks::king_attacks(king) & self.color(S::Opponent::COLOR)).is_empty()
        {
            !0
        } else {
            attacked_by::<S::Opponent>(placement, self.occupied().without(king).0)
        };
        let safety = Safety {
            attacked,
            check_mask: check_mask(king, self.checkers().0),
            pinned: self.pinned().0,
        };
        match stage {
            Stage::All => generate::<S, K, true, true>(placement, rights, &safety, sink),
            Stage::Captures => generate::<S, K, true, false>(placement, rights, &safety, sink),
            Stage::Quiets => generate::<S, K, false, true>(placement, rights, &safety, sink),
        }
    }
}

/// Attacks, checks and pins of the position with `S` to move.
#[inline(always)]
pub(crate) fn safety<S: Side>(placement: &Placement) -> Safety {
    count::Vectors::safety::<S>(placement).0
}

/// Passes the legal moves of `S` to a sink: captures and promotions, quiet moves, or both.
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
    pass(sink, Way::Piece(Piece::King, king), steps)?;
    if safety.check_mask == 0 {
        return ControlFlow::Continue(());
    }
    if QUIETS && rights & S::BACK != 0 && safety.attacked & king.bitboard().0 == 0 {
        for rook in Bitboard(rights & S::BACK & !safety.pinned) {
            if may_castle::<S>(placement, king, rook, safety.attacked) {
                pass(sink, Way::Castle(king), rook.bitboard().0)?;
            }
        }
    }
    generate_pawns::<S, K, CAPTURES, QUIETS>(placement, rights, safety, sink)?;

    let targets = targets & safety.check_mask;
    for from in Bitboard(placement.pieces(Piece::Knight) & own & !safety.pinned) {
        let to = attacks::knight_attacks(from).0 & targets;
        pass(sink, Way::Piece(Piece::Knight, from), to)?;
    }
    let mut slide = |piece: Piece| -> ControlFlow<K::Break> {
        for from in Bitboard(placement.pieces(piece) & own) {
            let mut to =
                attacks::piece_attacks(piece, S::COLOR, from, Bitboard(occupied)).0 & targets;
            if Bitboard(safety.pinned).contains(from) {
                to &= attacks::line(king, from).0;
            }
            pass(sink, Way::Piece(piece, from), to)?;
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
        let enemy = placement.color(S::Opponent::COLOR) & safety.check_mask;
        let left = S::left(left) & enemy;
        let right = S::right(right) & enemy;
        if (left | right | once) & S::LAST != 0 {
            pass(sink, Way::Promotions(S::LEFT), left & S::LAST)?;
            pass(sink, Way::Promotions(S::RIGHT), right & S::LAST)?;
            let once = once & S::LAST & safety.check_mask;
            pass(sink, Way::Promotions(S::FORWARD), once)?;
        }
        pass(sink, Way::Pawns(S::LEFT), left & !S::LAST)?;
        pass(sink, Way::Pawns(S::RIGHT), right & !S::LAST)?;
        if let Some(target) = Bitboard(rights & !Bitboard::BACK_RANKS.0).first() {
            let from = attacks::pawn_attacks(S::Opponent::COLOR, target);
            for from in from & Bitboard(pawns) {
                if placement.en_passant_is_safe(S::COLOR, from, target) {
                    pass(sink, Way::EnPassant(from), target.bitboard().0)?;
                }
            }
        }
    }
    if QUIETS {
        let twice = S::forward(once & S::THIRD) & empty & safety.check_mask;
        let once = once & safety.check_mask & !S::LAST;
        pass(sink, Way::Pawns(S::FORWARD), once)?;
        pass(sink, Way::Pawns(2 * S::FORWARD), twice)?;
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
    match color {
        Color::White => attacked_by::<White>(placement, occupied),
        Color::Black => attacked_by::<Black>(placement, occupied),
    }
}

/// Passes moves to a sink unless there are none.
#[inline(always)]
fn pass<K: Sink>(sink: &mut K, way: Way, to: u64) -> ControlFlow<K::Break> {
    if to == 0 {
        return ControlFlow::Continue(());
    }
    let to = Bitboard(to);
    sink.take(MoveSet { way, to })
}
