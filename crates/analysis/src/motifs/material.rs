//! What lines win and lose, in hundredths of a pawn, after all exchanges.

use skewer_movegen::{Board, Color, Move, Piece};

/// Plies of a line that are played before exchanges are counted: what comes later is seldom forced.
const PLIES: usize = 8;

/// Captures in a row that are counted at the end of a line.
const DEPTH: u32 = 8;

/// The usual values of the pieces.
pub(super) fn value(piece: Piece) -> i32 {
    match piece {
        Piece::Pawn => 100,
        Piece::Knight | Piece::Bishop => 300,
        Piece::Rook => 500,
        Piece::Queen => 900,
        Piece::King => 10_000,
    }
}

/// The material of `color` less that of the other side, without kings.
fn balance(board: &Board, color: Color) -> i32 {
    [
        Piece::Pawn,
        Piece::Knight,
        Piece::Bishop,
        Piece::Rook,
        Piece::Queen,
    ]
    .into_iter()
    .map(|piece| {
        let of = |color| (board.pieces(piece) & board.color(color)).count() as i32;
        value(piece) * (of(color) - of(!color))
    })
    .sum()
}

/// The balance of the side to move when both sides go on capturing and promoting as long as it pays.
fn settled(board: &Board, depth: u32, mut least: i32, most: i32) -> i32 {
    let now = balance(board, board.turn());
    // A side in check may have no choice, but what it could do otherwise is not known here.
    if depth == 0 || now >= most {
        return now;
    }
    least = least.max(now);
    let mut captures: Vec<Move> = board.captures().iter().copied().collect();
    let worth = |mv: &Move| board.captured(*mv).map_or(0, value) - value(board.moved(*mv)) / 100;
    captures.sort_by_key(|mv| -worth(mv));
    for mv in captures {
        let found = -settled(&board.play(mv), depth - 1, -most, -least);
        if found >= most {
            return found;
        }
        least = least.max(found);
    }
    least
}

/// The balance of `color` after exchanges.
pub(super) fn after_exchanges(board: &Board, color: Color) -> i32 {
    let found = settled(board, DEPTH, -100_000, 100_000);
    if board.turn() == color { found } else { -found }
}

/// What `color` wins by a line from `board`, compared with `start`. It is negative for a loss.
pub(super) fn won(board: &Board, line: &[Move], color: Color, start: &Board) -> i32 {
    let mut at = *board;
    for &mv in line.iter().take(PLIES) {
        at = at.play(mv);
    }
    after_exchanges(&at, color) - balance(start, color)
}

/// What the side to move wins by its first move and exchanges, compared with `start`.
pub(super) fn won_at_once(board: &Board, mv: Move, start: &Board) -> i32 {
    won(board, &[mv], board.turn(), start)
}
