//! The commands `d` and `eval`.

use std::fmt::Write as _;

use skewer_eval::HandWritten;
use skewer_movegen::{Board, CastlingMode, DrawRules, File, Rank, Square};
use skewer_search::Position;

use crate::evaluation::ChosenEvaluation;
use crate::output::Output;

/// Prints the board, its FEN, the side to move, the last move, the key, the pieces that give check and, if the game is
/// over by the rules, the result and why.
pub(crate) fn position(position: &Position, castling: CastlingMode, output: &Output) {
    const EDGE: &str = " +---+---+---+---+---+---+---+---+";
    let board = position.board();
    output.line(EDGE);
    for rank in Rank::ALL.into_iter().rev() {
        let mut line = String::new();
        for file in File::ALL {
            let square = Square::new(file, rank);
            let letter = match (board.color_at(square), board.piece_at(square)) {
                (Some(color), Some(piece)) => piece.letter(color),
                _ => ' ',
            };
            _ = write!(line, " | {letter}");
        }
        output.line(format_args!("{line} | {rank}"));
        output.line(EDGE);
    }
    output.line("   a   b   c   d   e   f   g   h");
    output.line(format_args!("Fen: {}", board.to_fen_in(castling)));
    let side = board.turn().fold("White", "Black");
    output.line(format_args!("Side to move: {side}"));
    if let Some((before, mv)) = position.last_move() {
        output.line(format_args!("Last move: {}", before.uci_in(mv, castling)));
    }
    output.line(format_args!("Key: {:016X}", board.key()));
    let checkers: Vec<String> = board
        .checkers()
        .into_iter()
        .map(|s| s.to_string())
        .collect();
    output.line(
        format_args!("Checkers: {}", checkers.join(" "))
            .to_string()
            .trim_end(),
    );
    if let Some(ending) = position.ending(DrawRules::Claimed) {
        output.line(format_args!("Result: {} ({ending})", ending.outcome()));
    }
}

/// Prints the hand-written evaluation term by term, and, if a network is in use, its name and its score of the
/// position.
pub(crate) fn evaluation(board: &Board, evaluation: &ChosenEvaluation, output: &Output) {
    for line in HandWritten::explain(board)
        .to_string()
        .lines()
        .filter(|line| !line.is_empty())
    {
        output.line(line.trim_end());
    }
    if let Some(network) = evaluation.explain(board) {
        output.line(network);
    }
}
