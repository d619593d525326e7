//! `d`, `eval` and `flip`.

use std::fmt::Write as _;

use skewer_eval::HandCrafted;
use skewer_movegen::{Board, CastlingMode, File, Rank, Square};
use skewer_search::Position;

use crate::evaluation::ChosenEvaluation;
use crate::output::Output;

/// Prints the board, its FEN, the side to move, the last move, the key and the pieces that give check.
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
}

/// Prints the hand-written evaluation term by term, and the number of the network in use.
pub(crate) fn evaluation(board: &Board, evaluation: &ChosenEvaluation, output: &Output) {
    for line in HandCrafted::explain(board)
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

/// The position with colours swapped: what White had, Black has.
pub(crate) fn flipped(board: &Board) -> Option<Board> {
    let fen = board.to_fen_in(CastlingMode::Chess960).to_string();
    let mut fields = fen.split(' ');
    let swap = |text: &str| -> String {
        text.chars()
            .map(|c| {
                if c.is_ascii_uppercase() {
                    c.to_ascii_lowercase()
                } else {
                    c.to_ascii_uppercase()
                }
            })
            .collect()
    };
    let placement: Vec<String> = fields.next()?.split('/').rev().map(swap).collect();
    let turn = if fields.next()? == "w" { "b" } else { "w" };
    let castling = swap(fields.next()?);
    let en_passant = fields
        .next()?
        .replace('3', "x")
        .replace('6', "3")
        .replace('x', "6");
    let counters: Vec<&str> = fields.collect();
    Board::from_fen(&format!(
        "{} {turn} {castling} {en_passant} {}",
        placement.join("/"),
        counters.join(" ")
    ))
    .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flipping_twice_changes_nothing() {
        for fen in [
            "rnbqkbnr/pp1ppppp/8/2pP4/8/8/PPP1PPPP/RNBQKBNR w KQkq c6 0 3",
            "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 5 20",
            "nrbbqkrn/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKRN w GBgb - 0 1",
        ] {
            let board = Board::from_fen(fen).unwrap();
            let once = flipped(&board).unwrap();
            assert_ne!(once.turn(), board.turn());
            assert_eq!(flipped(&once), Some(board), "{fen}");
        }
    }
}
