//! Any text as a FEN: what is accepted is written and read back as the same position, and its
//! moves can be generated and played.

#![no_main]

use libfuzzer_sys::fuzz_target;
use skewer_movegen::{Board, CastlingMode};

fuzz_target!(|text: &str| {
    let Ok(board) = Board::from_fen(text) else { return };
    for mode in [CastlingMode::Standard, CastlingMode::Chess960] {
        assert_eq!(Board::from_fen(&board.to_fen_in(mode).to_string()), Ok(board));
    }
    let moves = board.legal_moves();
    assert_eq!(moves.len(), board.count_legal_moves());
    for mv in &moves {
        assert!(board.is_legal(mv));
        let next = board.play(mv);
        assert_eq!(board.gives_check(mv), next.in_check());
        assert_eq!(Board::from_fen(&next.to_string()), Ok(next));
    }
});
