//! Lines of moves: the main line of a game, and lines as text.

use std::ops::Range;

use skewer_movegen::{Board, CastlingMode, Move};
use skewer_pgn::PgnGame;

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

    /// Whether position `ply` is drawn by threefold repetition or by the fifty-move rule. A position without a legal
    /// move is not, because mate and stalemate end the game first.
    pub fn is_drawn(&self, ply: usize) -> bool {
        let board = &self.boards[ply];
        if !board.has_legal_moves() {
            return false;
        }
        let clock = usize::from(board.halfmove_clock());
        if clock >= 100 {
            return true;
        }
        let past = &self.boards[ply.saturating_sub(clock)..ply];
        past.iter().filter(|past| past.key() == board.key()).count() >= 2
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

    /// A position is drawn when it stands for the third time, and not before. So is a position after a hundred plies
    /// without a capture or a pawn move, unless it is mate.
    #[test]
    fn draws_that_stand_on_the_board() {
        let drawn = |fen: &str, moves: &[&str]| {
            let mut line = MainLine::position(fen.parse().unwrap(), CastlingMode::Standard);
            for text in moves {
                let board = line.boards[line.moves.len()];
                let mv = board.parse_san(text).unwrap();
                line.moves.push(Some(mv));
                line.boards.push(board.play(mv));
            }
            (0..line.boards.len())
                .filter(|&ply| line.is_drawn(ply))
                .collect::<Vec<_>>()
        };
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
}
