//! What earlier parts of a search have learnt about moves: which quiet moves and captures failed
//! high, and after which other moves.
//!
//! All tables hold 16-bit scores that are pulled back toward zero as they grow (gravity), so that
//! what was learnt last counts most and nothing overflows.

use skewer_movegen::{Bitboard, Board, Color, Move, Piece};
use skewer_types::{TechniqueSet, Techniques};

use crate::params;

/// Twelve pieces: six kinds of two colours.
const PIECES: usize = 2 * Piece::COUNT;
const SQUARES: usize = 64;
/// Every piece on every square.
const PIECE_SQUARES: usize = PIECES * SQUARES;
/// Pawn structures that the pawn history tells apart.
const PAWN_SLOTS: usize = 512;
/// Kinds of victim in the capture history: six, and none (a promotion that captures nothing).
const VICTIMS: usize = Piece::COUNT + 1;
/// How many moves back the continuation history looks.
pub(crate) const CONTINUATIONS: [usize; 4] = [1, 2, 4, 6];

/// 0..12: the kind of a piece and its colour in one number.
#[inline]
pub const fn colored_piece(color: Color, piece: Piece) -> usize {
    color.index() * Piece::COUNT + piece.index()
}

/// The step of a score toward `bonus`: full when the score is far from it, less as it comes near
/// its bound `max`, so that the score never leaves `-max..=max`.
#[inline]
fn gravitate(entry: &mut i16, bonus: i32, max: i32) {
    let bonus = bonus.clamp(-max, max);
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / max) as i16;
}

/// Names the piece that moved and the square it went to, as an index of the continuation history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContinuationKey(u16);

impl ContinuationKey {
    /// No move: a null move, or one before the root. Its history is always empty.
    pub const NONE: Self = Self(PIECE_SQUARES as u16);

    /// The key of `mv`, which is legal on `board`.
    #[inline]
    pub fn new(board: &Board, mv: Move) -> Self {
        Self(piece_to(board, mv) as u16)
    }

    /// The index inside, 0..=768, the last of them for no move.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Default for ContinuationKey {
    fn default() -> Self {
        Self::NONE
    }
}

#[inline]
fn piece_to(board: &Board, mv: Move) -> usize {
    colored_piece(board.turn(), board.moved(mv)) * SQUARES + mv.to().index()
}

/// What surrounds a move: everything but the move itself that the histories are indexed by.
#[derive(Debug, Clone, Copy)]
pub struct MoveContext {
    /// Squares that the opponent attacks.
    pub attacked: Bitboard,
    /// The moves 1, 2, 4 and 6 plies ago.
    pub continuation: [ContinuationKey; 4],
    /// A hash of the pawns.
    pub pawn_key: u64,
}

/// All that one search thread has learnt about moves.
#[derive(Debug, Clone)]
pub struct Histories {
    /// Butterfly boards: [colour][from attacked][to attacked][from][to].
    quiet: Box<[i16]>,
    /// [piece][to][to attacked][victim].
    capture: Box<[i16]>,
    /// [earlier piece and square][piece and square].
    continuation: Box<[i16]>,
    /// [pawn structure][piece and square].
    pawn: Box<[i16]>,
    /// [earlier piece and square]: the quiet move that refuted it last.
    counter: Box<[Option<Move>]>,
}

impl Default for Histories {
    fn default() -> Self {
        Self::new()
    }
}

impl Histories {
    /// Histories that know nothing. They take about 2 MB.
    pub fn new() -> Self {
        Self {
            quiet: zeros(2 * 4 * SQUARES * SQUARES),
            capture: zeros(PIECE_SQUARES * 2 * VICTIMS),
            continuation: zeros((PIECE_SQUARES + 1) * PIECE_SQUARES),
            pawn: zeros(PAWN_SLOTS * PIECE_SQUARES),
            counter: vec![None; PIECE_SQUARES + 1].into_boxed_slice(),
        }
    }

    /// Forgets everything, as for a new game.
    pub fn clear(&mut self) {
        self.quiet.fill(0);
        self.capture.fill(0);
        self.continuation.fill(0);
        self.pawn.fill(0);
        self.counter.fill(None);
    }

    #[inline]
    fn quiet_index(set: impl TechniqueSet, board: &Board, mv: Move, attacked: Bitboard) -> usize {
        let (from, to) = (mv.from(), mv.to());
        let threats = if set.has(Techniques::THREAT_HISTORY) {
            usize::from(attacked.contains(from)) * 2 + usize::from(attacked.contains(to))
        } else {
            0
        };
        ((board.turn().index() * 4 + threats) * SQUARES + from.index()) * SQUARES + to.index()
    }

    #[inline]
    fn capture_index(board: &Board, mv: Move, attacked: Bitboard) -> usize {
        let victim = board.captured(mv).map_or(Piece::COUNT, Piece::index);
        let defended = usize::from(attacked.contains(mv.to()));
        (piece_to(board, mv) * 2 + defended) * VICTIMS + victim
    }

    #[inline]
    fn pawn_index(pawn_key: u64, board: &Board, mv: Move) -> usize {
        (pawn_key as usize % PAWN_SLOTS) * PIECE_SQUARES + piece_to(board, mv)
    }

    /// The butterfly history of a quiet move.
    #[inline]
    pub fn quiet(
        &self,
        set: impl TechniqueSet,
        board: &Board,
        mv: Move,
        context: &MoveContext,
    ) -> i32 {
        if !set.has(Techniques::QUIET_HISTORY) {
            return 0;
        }
        i32::from(self.quiet[Self::quiet_index(set, board, mv, context.attacked)])
    }

    /// The history of a quiet move with this pawn structure.
    #[inline]
    pub fn pawn(
        &self,
        set: impl TechniqueSet,
        board: &Board,
        mv: Move,
        context: &MoveContext,
    ) -> i32 {
        if !set.has(Techniques::PAWN_HISTORY) {
            return 0;
        }
        i32::from(self.pawn[Self::pawn_index(context.pawn_key, board, mv)])
    }

    /// The history of a quiet move after the moves 1, 2, 4 and 6 plies ago.
    #[inline]
    pub fn continuation(
        &self,
        set: impl TechniqueSet,
        board: &Board,
        mv: Move,
        context: &MoveContext,
    ) -> [i32; 4] {
        if !set.has(Techniques::CONTINUATION_HISTORY) {
            return [0; 4];
        }
        let now = piece_to(board, mv);
        context
            .continuation
            .map(|key| i32::from(self.continuation[key.index() * PIECE_SQUARES + now]))
    }

    /// The history of a capture or promotion.
    #[inline]
    pub fn capture(
        &self,
        set: impl TechniqueSet,
        board: &Board,
        mv: Move,
        context: &MoveContext,
    ) -> i32 {
        if !set.has(Techniques::CAPTURE_HISTORY) {
            return 0;
        }
        i32::from(self.capture[Self::capture_index(board, mv, context.attacked)])
    }

    /// The sum that orders quiet moves and that reductions ask for.
    #[inline]
    pub fn quiet_sum(
        &self,
        set: impl TechniqueSet,
        board: &Board,
        mv: Move,
        context: &MoveContext,
    ) -> i32 {
        let continuation = self.continuation(set, board, mv, context);
        (self.quiet(set, board, mv, context) * params::quiet_history_weight()
            + self.pawn(set, board, mv, context) * params::pawn_history_weight()
            + continuation[0] * params::continuation_1_weight()
            + continuation[1] * params::continuation_2_weight()
            + continuation[2] * params::continuation_4_weight()
            + continuation[3] * params::continuation_6_weight())
            / 16
    }

    /// The quiet move that last refuted the move before this node.
    #[inline]
    pub fn counter(&self, set: impl TechniqueSet, context: &MoveContext) -> Option<Move> {
        if !set.has(Techniques::COUNTER_MOVES) {
            return None;
        }
        self.counter[context.continuation[0].index()]
    }

    /// Remembers the quiet move that refuted the move before this node.
    #[inline]
    pub fn set_counter(&mut self, context: &MoveContext, mv: Move) {
        let key = context.continuation[0];
        if key != ContinuationKey::NONE {
            self.counter[key.index()] = Some(mv);
        }
    }

    /// Moves every history of a quiet move by `bonus`, which may be negative.
    #[inline]
    pub fn update_quiet(
        &mut self,
        set: impl TechniqueSet,
        board: &Board,
        mv: Move,
        context: &MoveContext,
        bonus: i32,
    ) {
        let index = Self::quiet_index(set, board, mv, context.attacked);
        gravitate(&mut self.quiet[index], bonus, params::history_max());
        let index = Self::pawn_index(context.pawn_key, board, mv);
        gravitate(&mut self.pawn[index], bonus, params::pawn_history_max());
        self.update_continuation(piece_to(board, mv), context, bonus);
    }

    /// Moves the continuation histories of `now` (a move already made) by `bonus`.
    #[inline]
    pub fn update_continuation_of(
        &mut self,
        now: ContinuationKey,
        context: &MoveContext,
        bonus: i32,
    ) {
        if now != ContinuationKey::NONE {
            self.update_continuation(now.index(), context, bonus);
        }
    }

    #[inline]
    fn update_continuation(&mut self, now: usize, context: &MoveContext, bonus: i32) {
        for (key, plies) in context.continuation.into_iter().zip(CONTINUATIONS) {
            if key == ContinuationKey::NONE {
                continue;
            }
            // Moves further back say less.
            let bonus = if plies > 2 { bonus / 2 } else { bonus };
            gravitate(
                &mut self.continuation[key.index() * PIECE_SQUARES + now],
                bonus,
                params::continuation_max(),
            );
        }
    }

    /// Moves the history of a capture or promotion by `bonus`, which may be negative.
    #[inline]
    pub fn update_capture(&mut self, board: &Board, mv: Move, context: &MoveContext, bonus: i32) {
        let index = Self::capture_index(board, mv, context.attacked);
        gravitate(&mut self.capture[index], bonus, params::history_max());
    }
}

fn zeros(length: usize) -> Box<[i16]> {
    vec![0; length].into_boxed_slice()
}
