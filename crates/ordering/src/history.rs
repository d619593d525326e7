//! History tables: which quiet moves and captures failed high earlier in the search, and after
//! which other moves.
//!
//! All tables hold 16-bit scores with gravity: an update moves the score toward a bound by less the
//! nearer it is, so that recent updates count most and nothing overflows.

mod context;
mod lookup;

use skewer_movegen::{Bitboard, Board, Color, Move, Piece};
use skewer_types::{TechniqueSet, Techniques};

pub use context::{CONTINUATIONS, ContinuationKey, MoveContext, PlayedMove, colored_piece};
pub use lookup::{PieceHistories, QuietHistories};

use crate::params;

/// Twelve pieces: six kinds of two colours.
const PIECES: usize = 2 * Piece::COUNT;
const SQUARES: usize = 64;
/// Every piece on every square.
const PIECE_SQUARES: usize = PIECES * SQUARES;
/// Entries of the pawn history, by pawn structure.
const PAWN_SLOTS: usize = 512;
/// Kinds of victim in the capture history: six, and none (a promotion that captures nothing).
const VICTIMS: usize = Piece::COUNT + 1;
/// Plies from the root that have a history of their own.
const LOW_PLIES: usize = 4;
/// Butterfly boards a colour: by whether the square left and the square reached are attacked.
const THREATS: usize = 4;

/// One score for every piece on every square.
type Row = [i16; PIECE_SQUARES];
/// One score for every pair of squares: [from][to].
type Butterfly = [i16; SQUARES * SQUARES];

/// The step of a score toward `bonus`: full when the score is far from it, less as it comes near
/// its bound `max`, so that the score never leaves `-max..=max`.
#[inline]
fn gravitate(entry: &mut i16, bonus: i32, max: i32) {
    let bonus = bonus.clamp(-max, max);
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / max) as i16;
}

/// The index of a move in a [`Butterfly`].
#[inline]
fn square_pair(mv: Move) -> usize {
    mv.from().index() * SQUARES + mv.to().index()
}

/// Rows that remember which of them were written, because clearing all of them takes longer than a
/// search of a few nodes.
#[derive(Debug, Clone)]
struct Rows {
    rows: Box<[Row]>,
    written: Box<[bool]>,
}

impl Rows {
    fn new(len: usize) -> Self {
        Self {
            rows: vec![[0; PIECE_SQUARES]; len].into_boxed_slice(),
            written: vec![false; len].into_boxed_slice(),
        }
    }

    #[inline]
    fn row(&self, index: usize) -> &Row {
        &self.rows[index]
    }

    #[inline]
    fn row_mut(&mut self, index: usize) -> &mut Row {
        self.written[index] = true;
        &mut self.rows[index]
    }

    fn clear(&mut self) {
        for (row, written) in self.rows.iter_mut().zip(&mut self.written) {
            if std::mem::take(written) {
                row.fill(0);
            }
        }
    }
}

/// Butterfly boards that remember which of their squares left were written, for the same reason.
#[derive(Debug, Clone)]
struct Butterflies {
    boards: Box<[Butterfly]>,
    /// The squares left whose scores were written since the board was empty.
    written: Box<[Bitboard]>,
}

impl Butterflies {
    fn new(count: usize) -> Self {
        Self {
            boards: vec![[0; SQUARES * SQUARES]; count].into_boxed_slice(),
            written: vec![Bitboard::EMPTY; count].into_boxed_slice(),
        }
    }

    /// The score of a move on the board of this number, to change; `None` if there is no such board.
    #[inline]
    fn entry(&mut self, board: usize, mv: Move) -> Option<&mut i16> {
        let scores = self.boards.get_mut(board)?;
        *self.written.get_mut(board)? |= mv.from().bitboard();
        Some(&mut scores[square_pair(mv)])
    }

    /// Takes a share, in hundredths, off every score.
    fn age(&mut self, share: i32) {
        self.each_written(|score| *score -= (i32::from(*score) * share / 100) as i16);
    }

    fn clear(&mut self) {
        self.each_written(|score| *score = 0);
        self.written.fill(Bitboard::EMPTY);
    }

    #[inline]
    fn each_written(&mut self, change: impl Fn(&mut i16)) {
        for (board, written) in self.boards.iter_mut().zip(&self.written) {
            let rows = board.as_chunks_mut::<SQUARES>().0;
            for from in *written {
                rows[from.index()].iter_mut().for_each(&change);
            }
        }
    }
}

/// The move histories of one search thread.
#[derive(Debug, Clone)]
pub struct Histories {
    /// Butterfly boards, [colour][from attacked, to attacked].
    quiet: Butterflies,
    /// [piece][to][to attacked][victim].
    capture: Box<[i16]>,
    /// By ply, below [`LOW_PLIES`].
    low_ply: Butterflies,
    /// By earlier piece and square.
    continuation: Rows,
    /// By pawn structure.
    pawn: Rows,
    /// [earlier piece and square]: the quiet move that refuted it last.
    counter: Box<[Option<Move>]>,
}

impl Default for Histories {
    fn default() -> Self {
        Self::new()
    }
}

impl Histories {
    /// Empty histories. They take about 2 MB.
    pub fn new() -> Self {
        Self {
            quiet: Butterflies::new(Color::COUNT * THREATS),
            capture: vec![0; PIECE_SQUARES * 2 * VICTIMS].into_boxed_slice(),
            low_ply: Butterflies::new(LOW_PLIES),
            continuation: Rows::new(PIECE_SQUARES + 1),
            pawn: Rows::new(PAWN_SLOTS),
            counter: vec![None; PIECE_SQUARES + 1].into_boxed_slice(),
        }
    }

    /// Forgets everything, as for a new game.
    pub fn clear(&mut self) {
        self.quiet.clear();
        self.capture.fill(0);
        self.continuation.clear();
        self.pawn.clear();
        self.counter.fill(None);
        self.clear_low_plies();
    }

    /// Takes a share, in hundredths, off what is known of moves by their squares alone. Call it before
    /// each search, because most of it comes from positions that the game has left.
    pub fn age(&mut self) {
        self.quiet.age(params::history_age());
    }

    /// Forgets what is kept by ply. Call it before each search, because the root has moved on.
    pub fn clear_low_plies(&mut self) {
        self.low_ply.clear();
    }

    #[inline]
    fn quiet_index(set: impl TechniqueSet, mv: Move, attacked: Bitboard) -> (usize, usize) {
        let (from, to) = (mv.from(), mv.to());
        let threats = if set.has(Techniques::THREAT_HISTORY) {
            usize::from(attacked.contains(from)) * 2 + usize::from(attacked.contains(to))
        } else {
            0
        };
        (threats, square_pair(mv))
    }

    #[inline]
    fn capture_index(played: PlayedMove, attacked: Bitboard) -> usize {
        let victim = played.captured.map_or(Piece::COUNT, Piece::index);
        let defended = usize::from(attacked.contains(played.mv.to()));
        (played.key.index() * 2 + defended) * VICTIMS + victim
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
        let played = PlayedMove::new(board, mv);
        i32::from(self.capture[Self::capture_index(played, context.attacked)])
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
        self.quiets(board, context).of(board.moved(mv)).sum(set, mv)
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
        let played = PlayedMove::new(board, mv);
        self.update_played_quiet(set, &played, context, bonus);
    }

    /// Moves every history of a quiet move that has been played by `bonus`. `context` is that of the
    /// position before the move.
    #[inline]
    pub fn update_played_quiet(
        &mut self,
        set: impl TechniqueSet,
        played: &PlayedMove,
        context: &MoveContext,
        bonus: i32,
    ) {
        self.update_butterfly(set, played, context.attacked, bonus);
        if played.key != ContinuationKey::NONE {
            let slot = context.pawn_key as usize % PAWN_SLOTS;
            let entry = &mut self.pawn.row_mut(slot)[played.key.index()];
            gravitate(entry, bonus, params::pawn_history_max());
        }
        if let Some(entry) = self.low_ply.entry(context.ply, played.mv) {
            gravitate(entry, bonus, params::low_ply_max());
        }
        self.update_continuation(played.key, context, bonus);
    }

    /// Moves the butterfly history of a quiet move that has been played by `bonus`. `attacked` are
    /// the squares that the opponent attacked before it.
    #[inline]
    pub fn update_butterfly(
        &mut self,
        set: impl TechniqueSet,
        played: &PlayedMove,
        attacked: Bitboard,
        bonus: i32,
    ) {
        let Some(color) = played.key.color() else {
            return;
        };
        let (threats, _) = Self::quiet_index(set, played.mv, attacked);
        if let Some(entry) = (self.quiet).entry(color.index() * THREATS + threats, played.mv) {
            gravitate(entry, bonus, params::history_max());
        }
    }

    /// Moves the continuation histories of the move `played` by `bonus`. `context` is that of the
    /// position before the move.
    #[inline]
    pub fn update_continuation(
        &mut self,
        played: ContinuationKey,
        context: &MoveContext,
        bonus: i32,
    ) {
        if played == ContinuationKey::NONE {
            return;
        }
        for (key, plies) in context.continuation.into_iter().zip(CONTINUATIONS) {
            if key == ContinuationKey::NONE {
                continue;
            }
            // Earlier moves are weaker evidence.
            let bonus = if plies > 2 { bonus / 2 } else { bonus };
            gravitate(
                &mut self.continuation.row_mut(key.index())[played.index()],
                bonus,
                params::continuation_max(),
            );
        }
    }

    /// Moves the history of a capture or promotion by `bonus`, which may be negative.
    #[inline]
    pub fn update_capture(&mut self, board: &Board, mv: Move, context: &MoveContext, bonus: i32) {
        let played = PlayedMove::new(board, mv);
        self.update_played_capture(&played, context, bonus);
    }

    /// Moves the history of a capture or promotion that has been played by `bonus`. `context` is that
    /// of the position before the move.
    #[inline]
    pub fn update_played_capture(
        &mut self,
        played: &PlayedMove,
        context: &MoveContext,
        bonus: i32,
    ) {
        if played.key != ContinuationKey::NONE {
            let index = Self::capture_index(*played, context.attacked);
            gravitate(&mut self.capture[index], bonus, params::history_max());
        }
    }
}

#[cfg(test)]
mod tests {
    use skewer_movegen::Square;

    use super::*;

    #[test]
    fn clearing_forgets_every_move() {
        let board = Board::STARTPOS;
        let moves = board.legal_moves();
        let context = MoveContext {
            attacked: Bitboard::EMPTY,
            continuation: [0, 1, 2, 3].map(|n| ContinuationKey::new(&board, moves[n])),
            pawn_key: 77,
            ply: 2,
        };
        let set = Techniques::all();
        let mut histories = Histories::new();
        for &mv in &moves {
            histories.update_quiet(set, &board, mv, &context, 500);
            histories.update_capture(&board, mv, &context, 500);
            assert!(histories.quiet_sum(set, &board, mv, &context) > 500);
            assert!(histories.capture(set, &board, mv, &context) > 400);
        }
        histories.set_counter(&context, moves[0]);
        histories.clear();
        for &mv in &moves {
            assert_eq!(histories.quiet_sum(set, &board, mv, &context), 0);
        }
        let Histories {
            quiet,
            capture,
            low_ply,
            continuation,
            pawn,
            counter,
        } = &histories;
        let boards = [&quiet.boards, &low_ply.boards].map(|boards| boards.as_flattened());
        let rows = [&continuation.rows, &pawn.rows].map(|rows| rows.as_flattened());
        let all = boards.into_iter().chain(rows).chain([&**capture]);
        assert!(all.flatten().all(|&score| score == 0));
        assert!(counter.iter().all(Option::is_none));
    }

    /// Every score that was written loses the same share, on every board and from every square.
    #[test]
    fn ageing_reaches_every_score() {
        let mut butterflies = Butterflies::new(3);
        let mut expected = Vec::new();
        for board in 0..3 {
            for from in Square::ALL {
                let to = Square::ALL[63 - from.index()];
                let score = (from.index() as i16 - 30) * 97;
                *butterflies.entry(board, Move::normal(from, to)).unwrap() = score;
                expected.push((
                    board,
                    square_pair(Move::normal(from, to)),
                    score - score / 4,
                ));
            }
        }
        butterflies.age(25);
        for (board, index, score) in expected {
            assert_eq!(butterflies.boards[board][index], score);
        }
        butterflies.clear();
        assert!(
            butterflies
                .boards
                .as_flattened()
                .iter()
                .all(|&score| score == 0)
        );
    }
}
