//! Lines of moves: the main line of a game, and lines as text.

use std::ops::Range;

use skewer_movegen::{Board, CastlingMode, Move};
use skewer_pgn::PgnGame;

use crate::formulas::Eval;

/// The main line of a game.
#[derive(Debug)]
pub struct MainLine {
    /// The positions: the start, and the position after each move.
    pub boards: Vec<Board>,
    /// The moves; `None` for a null move.
    pub moves: Vec<Option<Move>>,
    /// How castling is written.
    pub mode: CastlingMode,
}

impl MainLine {
    /// The main line of `game`.
    pub fn of(game: &PgnGame) -> Self {
        let mut boards = vec![game.start().board];
        let mut moves = Vec::new();
        for id in game.mainline() {
            let node = game.node(id);
            moves.push(node.mv());
            boards.push(*node.board());
        }
        Self {
            boards,
            moves,
            mode: game.start().mode,
        }
    }

    /// A single position.
    pub fn position(board: Board, mode: CastlingMode) -> Self {
        Self {
            boards: vec![board],
            moves: Vec::new(),
            mode,
        }
    }

    /// The index of the first position from which at most `most` moves, none of them null, lead to position `ply`.
    /// Positions before a null move are no repetitions, because the rules have no pass.
    pub(crate) fn reach(&self, ply: usize, most: usize) -> usize {
        let first = ply.saturating_sub(most);
        let null = self.moves[first..ply].iter().rposition(Option::is_none);
        null.map_or(first, |null| first + null + 1)
    }

    /// Whether a draw can be claimed in position `ply`, by threefold repetition or by the fifty-move rule. It cannot be
    /// where another rule has ended the game; see [`Eval::at_end`].
    pub fn is_drawn(&self, ply: usize) -> bool {
        let board = &self.boards[ply];
        if Eval::at_end(board).is_some() {
            return false;
        }
        let first = self.reach(ply, usize::from(board.halfmove_clock()));
        let past = &self.boards[first..ply];
        let earlier = past.iter().filter(|past| past.key() == board.key());
        board.claim(1 + earlier.count()).is_some()
    }

    /// The ranges of positions that workers analyse, of `split` positions each; one range of all positions for 0.
    pub fn segments(&self, split: usize) -> Vec<Range<usize>> {
        let size = if split == 0 { self.boards.len() } else { split };
        (0..self.boards.len())
            .step_by(size)
            .map(|a| a..(a + size).min(self.boards.len()))
            .collect()
    }
}

/// The moves of a line in standard notation.
pub fn sans(board: &Board, moves: &[Move]) -> Vec<String> {
    texts(board, moves, |at, mv| at.san(mv).to_string())
}

/// The moves of a line in the notation of UCI.
pub fn uci(board: &Board, mode: CastlingMode, moves: &[Move]) -> Vec<String> {
    texts(board, moves, |at, mv| at.uci_in(mv, mode).to_string())
}

/// The moves of a line as texts. `text` writes a move in its position.
fn texts(board: &Board, moves: &[Move], text: impl Fn(&Board, Move) -> String) -> Vec<String> {
    let mut at = *board;
    moves
        .iter()
        .map(|&mv| {
            let text = text(&at, mv);
            at = at.play(mv);
            text
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The positions of a game in which a draw can be claimed, by the FEN of its start and its moves in SAN, with `--`
    /// for null moves.
    fn drawn(fen: &str, moves: &[&str]) -> Vec<usize> {
        let mut line = MainLine::position(fen.parse().unwrap(), CastlingMode::Standard);
        for &text in moves {
            let board = line.boards[line.moves.len()];
            let mv = (text != "--").then(|| board.parse_san(text).unwrap());
            line.moves.push(mv);
            line.boards.push(match mv {
                Some(mv) => board.play(mv),
                None => board.play_null().unwrap(),
            });
        }
        (0..line.boards.len())
            .filter(|&ply| line.is_drawn(ply))
            .collect()
    }

    /// A position is drawn when it stands for the third time, and not before. So is a position after a hundred plies
    /// without a capture or a pawn move, unless it is mate.
    #[test]
    fn draws_that_stand_on_the_board() {
        let shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"].repeat(3);
        assert_eq!(
            drawn(&Board::STARTPOS.to_string(), &shuffle),
            [8, 9, 10, 11, 12]
        );
        assert_eq!(
            drawn("7k/8/8/8/8/8/8/KQ6 w - - 98 80", &["Ka2", "Kg7"]),
            [2]
        );
        assert!(drawn("7k/8/6K1/8/8/8/8/1Q6 w - - 99 80", &["Qb8"]).is_empty());
    }

    /// A position from before a null move does not count for a repetition after it: passing would bring back any
    /// position.
    #[test]
    fn null_moves_bring_no_repetition() {
        let start = Board::STARTPOS.to_string();
        assert!(drawn(&start, &["--"; 12]).is_empty());
        let shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"];
        let cut = [&shuffle[..], &["--", "--"], &shuffle].concat();
        assert!(drawn(&start, &cut).is_empty());
        // After the null moves the start stands for the first time.
        let again = [&["--", "--"][..], &shuffle, &shuffle].concat();
        assert_eq!(drawn(&start, &again), [10]);
    }
}
