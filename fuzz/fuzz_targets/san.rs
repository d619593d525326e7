//! Any text as SAN, after a few moves from the start: an accepted move is legal, and its own SAN is
//! read as the same move.

#![no_main]

use libfuzzer_sys::fuzz_target;
use skewer_movegen::Board;

fuzz_target!(|input: (Vec<u8>, &str)| {
    let (picks, text) = input;
    let mut board = Board::STARTPOS;
    for pick in picks.into_iter().take(120) {
        let moves = board.legal_moves();
        let Some(mv) = moves.get(usize::from(pick) % moves.len().max(1)) else { break };
        board = board.play(*mv);
    }
    if let Ok(mv) = board.parse_san(text) {
        assert!(board.is_legal(mv));
        assert_eq!(board.parse_san(&board.san(mv).to_string()), Ok(mv));
    }
});
