//! Games from any Chess960 start, with moves chosen by numbers. At every position captures and quiets
//! make up all moves, the count equals the list's length, and the incrementally updated board equals
//! the board read from its FEN.

#![no_main]

use libfuzzer_sys::fuzz_target;
use skewer_movegen::{Board, CastlingMode, Move, Scharnagl};

fuzz_target!(|input: (u16, u16, Vec<u16>)| {
    let (white, black, picks) = input;
    let start = |n: u16| Scharnagl::new(n % Scharnagl::COUNT).unwrap_or(Scharnagl::STANDARD);
    let mut board = Board::double_chess960(start(white), start(black));
    for pick in picks.into_iter().take(300) {
        let all = board.legal_moves();
        let (captures, quiets) = (board.captures(), board.quiets());
        assert_eq!(all.len(), captures.len() + quiets.len());
        assert_eq!(all.len(), board.count_legal_moves());
        assert!(captures.iter().chain(quiets.iter()).all(|mv| all.contains(mv)));
        if let Some(mv) = Move::from_bits(pick) {
            assert_eq!(board.is_legal(mv), all.contains(&mv));
        }
        let Some(mv) = all.get(usize::from(pick) % all.len().max(1)) else { break };
        board = board.play(*mv);
        let fen = board.to_fen_in(CastlingMode::Chess960).to_string();
        assert_eq!(Board::from_fen(&fen), Ok(board));
    }
});
