//! Any text as a UCI move in any position: what is accepted is legal and read back.

#![no_main]

use libfuzzer_sys::fuzz_target;
use skewer_movegen::{Board, CastlingMode};

fuzz_target!(|input: (&str, &str)| {
    let (fen, text) = input;
    let board = Board::from_fen(fen).unwrap_or_default();
    if let Ok(mv) = board.parse_uci(text) {
        assert!(board.is_legal(mv));
        let text = board.uci_in(mv, CastlingMode::Chess960).to_string();
        assert_eq!(board.parse_uci(&text), Ok(mv));
    }
});
