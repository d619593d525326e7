//! Lines of moves: the main line of a game, and lines as text.

use std::ops::Range;

use skewer_movegen::{Board, CastlingMode, Move};
use skewer_pgn::PgnGame;

/// The main line of a game.
#[derive(Debug)]
pub struct MainLine {
    /// The positions: the start, and the one after each move.
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

    /// The ranges of positions that are analysed by one worker each.
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

/// The moves of a line as `text` writes each of them in its position.
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
