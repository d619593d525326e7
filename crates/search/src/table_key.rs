//! Keys and scores of the hash table with regard to the fifty-move rule, which a Zobrist key leaves out.

use skewer_movegen::{Board, Move, Piece};
use skewer_types::{Ply, Score, TechniqueSet, Techniques};

/// The hash table key of a position. Positions near the fifty-move rule have keys of their own.
#[inline]
pub(crate) fn table_key(board: &Board, set: impl TechniqueSet) -> u64 {
    with_clock(board.key(), board.halfmove_clock(), set)
}

/// The hash table key after `mv`, computed without making the move. It is wrong after castling, a
/// promotion or an en passant capture, and where castling or en passant rights change.
#[inline]
pub(crate) fn likely_key_after(board: &Board, mv: Move, set: impl TechniqueSet) -> u64 {
    let (from, to) = (mv.from().bitboard(), mv.to().bitboard());
    let irreversible = board.occupied() & to | board.pieces(Piece::Pawn) & from;
    let clock = if irreversible.any() {
        0
    } else {
        board.halfmove_clock().saturating_add(1)
    };
    with_clock(board.likely_key_after(mv), clock, set)
}

/// The hash table key of a position with this key and half-move clock.
#[inline]
fn with_clock(key: u64, clock: u8, set: impl TechniqueSet) -> u64 {
    /// The clock from which positions have keys of their own, and plies to a bucket.
    const FROM: u64 = 24;
    const BUCKET: u64 = 8;
    let clock = u64::from(clock);
    if clock < FROM || !set.has(Techniques::FIFTY_MOVE_BUCKET) {
        return key;
    }
    key ^ ((clock - FROM) / BUCKET + 1).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// Converts a hash score to a score relative to the root. A mate that is farther away than the fifty-move rule
/// allows becomes the greatest evaluation. So does a table win, whose distance is the number of plies to the capture
/// or pawn move that reaches the tables.
#[inline]
pub(crate) fn from_table(score: Score, ply: Ply, halfmove_clock: u8) -> Score {
    let left = 100 - i32::from(halfmove_clock.min(100));
    let decided = if score.is_mate() {
        Score::MATE
    } else {
        Score::TB_WIN
    };
    if score.is_decisive() && decided.raw() - score.raw().abs() > left {
        return if score.is_win() {
            Score::MAX_EVAL
        } else {
            -Score::MAX_EVAL
        };
    }
    score.relative_to_root(ply)
}
