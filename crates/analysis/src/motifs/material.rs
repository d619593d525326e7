//! What lines win and lose, in hundredths of a pawn and in pieces, after all exchanges.

use skewer_movegen::{Board, Color, Move, Piece};

/// Numbers of plies, from the position before a weak move, after which exchanges are counted. Moves after the tenth ply
/// are seldom forced. Material that is won after only some of these numbers of plies is seldom kept.
pub(super) const HORIZONS: [usize; 4] = [4, 6, 8, 10];

/// Captures in a row that are counted at the end of a line.
const DEPTH: u32 = 8;

/// The pieces that are counted, the most valuable first.
const COUNTED: [Piece; 5] = [
    Piece::Queen,
    Piece::Rook,
    Piece::Bishop,
    Piece::Knight,
    Piece::Pawn,
];

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

fn count(board: &Board, piece: Piece, color: Color) -> i32 {
    (board.pieces(piece) & board.color(color)).count() as i32
}

/// The material of `color` less the material of the other side, without kings.
fn balance(board: &Board, color: Color) -> i32 {
    COUNTED
        .into_iter()
        .map(|piece| value(piece) * (count(board, piece, color) - count(board, piece, !color)))
        .sum()
}

/// The balance of the side to move when both sides go on capturing and promoting as long as it pays, and the position
/// after these moves.
fn settled(board: &Board, depth: u32, mut least: i32, most: i32) -> (i32, Board) {
    let now = balance(board, board.turn());
    // A side in check may stand pat as well, although it may have no quiet move: the search looks at captures alone.
    if depth == 0 || now >= most {
        return (now, *board);
    }
    least = least.max(now);
    let mut end = *board;
    let mut captures: Vec<Move> = board.captures().iter().copied().collect();
    let worth = |mv: &Move| board.captured(*mv).map_or(0, value) - value(board.moved(*mv)) / 100;
    captures.sort_by_key(|mv| -worth(mv));
    for mv in captures {
        let (found, at) = settled(&board.play(mv), depth - 1, -most, -least);
        if -found > least {
            (least, end) = (-found, at);
        }
        if least >= most {
            break;
        }
    }
    (least, end)
}

/// What a side wins by a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Won {
    /// Hundredths of a pawn; negative for a loss.
    pub(super) worth: i32,
    /// The position after the line and the exchanges.
    pub(super) end: Board,
}

/// What `color` wins by the first `plies` moves of a line from `board`, compared with `start`.
pub(super) fn won(board: &Board, line: &[Move], plies: usize, color: Color, start: &Board) -> Won {
    let mut at = *board;
    for &mv in line.iter().take(plies) {
        at = at.play(mv);
    }
    let (found, end) = settled(&at, DEPTH, -100_000, 100_000);
    let balance_there = if at.turn() == color { found } else { -found };
    Won {
        worth: balance_there - balance(start, color),
        end,
    }
}

/// What the side to move wins by this move and the exchanges after it, compared with `start`.
pub(super) fn won_at_once(board: &Board, mv: Move, start: &Board) -> i32 {
    won(board, &[mv], 1, board.turn(), start).worth
}

/// What the side to move wins by captures, in hundredths of a pawn; 0 if none pays.
pub(super) fn best_capture(board: &Board) -> i32 {
    settled(board, DEPTH, -100_000, 100_000).0 - balance(board, board.turn())
}

/// Pieces that one side wins, and pieces that it gives for them, in the order of `COUNTED`. Equal pieces on both
/// sides, and a bishop for a knight, are left out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Trade {
    won: [u8; 5],
    given: [u8; 5],
}

impl Trade {
    /// What `color` wins from `start` to `end`. `None` if a pawn has promoted, or nothing is left to be named.
    pub(super) fn between(start: &Board, end: &Board, color: Color) -> Option<Self> {
        let missing =
            |side: Color| COUNTED.map(|piece| count(start, piece, side) - count(end, piece, side));
        let (mut won, mut given) = (missing(!color), missing(color));
        if won.iter().chain(&given).any(|&count| count < 0) {
            return None;
        }
        let [bishop, knight] = [2, 3];
        let same = (0..COUNTED.len()).map(|piece| (piece, piece));
        for (ours, theirs) in same.chain([(bishop, knight), (knight, bishop)]) {
            let both = won[ours].min(given[theirs]);
            won[ours] -= both;
            given[theirs] -= both;
        }
        let counts = |of: [i32; 5]| of.map(|count| count as u8);
        let trade = Self {
            won: counts(won),
            given: counts(given),
        };
        (trade.won != [0; 5]).then_some(trade)
    }

    /// The trade in words: "a knight", "two pawns", "a rook for a bishop".
    pub fn text(&self) -> String {
        let won = list(self.won);
        if self.given == [0; 5] {
            won
        } else {
            format!("{won} for {}", list(self.given))
        }
    }
}

/// Pieces in words: "a rook and two pawns".
fn list(counts: [u8; 5]) -> String {
    const NUMBERS: [&str; 8] = [
        "two", "three", "four", "five", "six", "seven", "eight", "nine",
    ];
    let words: Vec<String> = COUNTED
        .into_iter()
        .zip(counts)
        .filter(|&(_, count)| count > 0)
        .map(|(piece, count)| {
            let name = super::name_of_piece(piece);
            match count {
                1 => format!("a {name}"),
                count => format!("{} {name}s", NUMBERS[usize::from(count - 2).min(7)]),
            }
        })
        .collect();
    match words.as_slice() {
        [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        words => words.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A trade names what is left when equal pieces are taken off both sides.
    #[test]
    fn trades_in_words() {
        let board = |fen: &str| Board::from_fen(fen).unwrap();
        for (start, end, text) in [
            (
                "4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1",
                "4k3/8/8/3R4/8/8/8/4K3 b - - 0 1",
                Some("a knight"),
            ),
            (
                "4k3/8/2r5/3b4/8/8/8/3RKN2 w - - 0 1",
                "4k3/8/8/8/8/8/8/3RK3 w - - 0 1",
                Some("a rook"),
            ),
            (
                "q3k3/8/8/8/8/8/8/R3KN2 w - - 0 1",
                "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
                Some("a queen for a rook and a knight"),
            ),
            (
                "4k3/ppp5/8/8/8/8/8/4KN2 w - - 0 1",
                "4k3/p7/8/8/8/8/8/4K3 w - - 0 1",
                Some("two pawns for a knight"),
            ),
            (
                "4k3/8/8/8/8/8/8/4KN2 w - - 0 1",
                "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
                None,
            ),
            // A promotion is no trade.
            (
                "4k3/1P6/8/8/8/8/8/4K3 w - - 0 1",
                "1Q2k3/8/8/8/8/8/8/4K3 b - - 0 1",
                None,
            ),
        ] {
            let trade = Trade::between(&board(start), &board(end), Color::White);
            assert_eq!(trade.map(|trade| trade.text()).as_deref(), text, "{start}");
        }
    }
}
