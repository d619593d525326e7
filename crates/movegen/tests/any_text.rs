//! Parsers do not panic on any text, and what they accept is valid.

use proptest::prelude::*;
use skewer_movegen::{Board, Move};

/// Plays the legal moves with these numbers, modulo their count.
fn played(picks: &[usize]) -> Board {
    let mut board = Board::STARTPOS;
    for pick in picks {
        let moves = board.legal_moves();
        if moves.is_empty() {
            break;
        }
        board = board.play(moves[pick % moves.len()]);
    }
    board
}

/// A character that FENs have, so that many texts can be read, or any other character.
fn fen_char() -> impl Strategy<Value = char> {
    let known: Vec<char> = "pnbrqkPNBRQK12345678/-wbabcdefgh0 ".chars().collect();
    prop_oneof![3 => prop::sample::select(known), 1 => prop::char::any()]
}

proptest! {
    #[test]
    fn any_fen(text in ".{0,90}") {
        let _ = Board::from_fen(&text);
        let _ = Board::from_fen_strict(&text);
    }

    #[test]
    fn nearly_a_fen(
        picks in prop::collection::vec(0..218_usize, 0..80),
        at in 0..80_usize,
        c in fen_char(),
    ) {
        let mut fen: Vec<char> = played(&picks).to_string().chars().collect();
        let at = at % fen.len();
        fen[at] = c;
        if let Ok(board) = Board::from_fen(&fen.into_iter().collect::<String>()) {
            prop_assert_eq!(board.legal_moves().len(), board.count_legal_moves());
            for mv in &board.legal_moves() {
                let next = board.play(mv);
                prop_assert_eq!(Board::from_fen(&next.to_string()), Ok(next));
            }
        }
    }

    #[test]
    fn any_move_text(picks in prop::collection::vec(0..218_usize, 0..80), text in ".{0,9}") {
        let board = played(&picks);
        for mv in [board.parse_san(&text), board.parse_uci(&text)].into_iter().flatten() {
            prop_assert!(board.is_legal(mv));
        }
    }

    #[test]
    fn nearly_a_move(
        picks in prop::collection::vec(0..218_usize, 0..80),
        text in "[NBRQKPabcdefgh]?[a-h]?[1-8]?[x-]?[a-h][1-8](=?[NBRQnbrq])?[+#!?]{0,2}",
    ) {
        let board = played(&picks);
        if let Ok(mv) = board.parse_san(&text) {
            prop_assert!(board.is_legal(mv));
        }
    }

    #[test]
    fn any_bits(picks in prop::collection::vec(0..218_usize, 0..80), bits: u16) {
        let board = played(&picks);
        if let Some(mv) = Move::from_bits(bits) {
            prop_assert_eq!(board.is_legal(mv), board.legal_moves().contains(&mv));
        }
    }
}
