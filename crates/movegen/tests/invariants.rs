//! What must hold in every position, checked along random games of standard chess, Chess960 and
//! double Chess960.

mod common;

use std::collections::HashSet;

use skewer_movegen::{Board, CastlingMode, Move, MoveList, perft};

fn set(moves: &MoveList) -> HashSet<Move> {
    let set: HashSet<Move> = moves.iter().copied().collect();
    assert_eq!(set.len(), moves.len(), "a move is listed twice");
    set
}

/// A board read from a FEN computes everything from nothing, so equality says that key, checkers,
/// pins, rights and en passant were kept rightly by `play`.
#[test]
fn kept_state_equals_recomputed() {
    let mut nodes = 0;
    common::walk(1, 600, 200, |board, _| {
        let fen = board.to_fen(CastlingMode::Chess960).to_string();
        let again = Board::from_fen_strict(&fen).unwrap();
        assert_eq!(*board, again, "{fen}");
        assert_eq!(board.key(), again.key(), "{fen}");
        assert_eq!(board.checkers(), again.checkers(), "{fen}");
        assert_eq!(board.pinned(), again.pinned(), "{fen}");
        let standard = board.to_string();
        assert_eq!(Board::from_fen_strict(&standard), Ok(*board), "{standard}");
        if let Some(passed) = board.play_null() {
            let fen = passed.to_fen(CastlingMode::Chess960).to_string();
            assert_eq!(Board::from_fen(&fen), Ok(passed), "{fen}");
        } else {
            assert!(board.in_check());
        }
        nodes += 1;
    });
    assert!(nodes > 50_000);
}

#[test]
fn stages_and_counts_agree() {
    common::walk(2, 600, 200, |board, _| {
        let all = set(&board.legal_moves());
        let captures = set(&board.captures());
        let quiets = set(&board.quiets());
        assert!(captures.is_disjoint(&quiets), "{board}");
        assert_eq!(&captures | &quiets, all, "{board}");
        for mv in &captures {
            assert!(board.is_capture(*mv) || mv.is_promotion(), "{board}: {mv}");
        }
        for mv in &quiets {
            assert!(
                !board.is_capture(*mv) && !mv.is_promotion(),
                "{board}: {mv}"
            );
        }
        assert_eq!(board.count_legal_moves(), all.len(), "{board}");
        assert_eq!(board.has_legal_moves(), !all.is_empty(), "{board}");
    });
}

#[test]
fn moves_say_what_they_do() {
    common::walk(3, 300, 200, |board, _| {
        for mv in &board.legal_moves() {
            let after = board.play(*mv);
            assert_eq!(board.gives_check(*mv), after.in_check(), "{board}: {mv}");
            assert_eq!(
                board.captured(*mv).is_some(),
                board.is_capture(*mv),
                "{board}: {mv}"
            );
            let men = board.occupied().count() - after.occupied().count();
            assert_eq!(men == 1, board.is_capture(*mv), "{board}: {mv}");
            assert_eq!(board.try_play(*mv), Ok(after));
        }
    });
}

#[test]
fn is_legal_over_all_encodings() {
    common::walk(4, 120, 120, |board, random| {
        if random.below(8) != 0 {
            return;
        }
        let legal = set(&board.legal_moves());
        for bits in 0..=u16::MAX {
            if let Some(mv) = Move::from_bits(bits) {
                assert_eq!(mv.bits(), bits);
                assert_eq!(
                    board.is_legal(mv),
                    legal.contains(&mv),
                    "{board}: {bits:#06x} {mv}"
                );
            }
        }
    });
}

/// Perft with no generator but `is_legal`.
fn perft_by_asking(board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    (1..=u16::MAX)
        .filter_map(Move::from_bits)
        .filter(|mv| board.is_legal(*mv))
        .map(|mv| perft_by_asking(&board.play(mv), depth - 1))
        .sum()
}

#[test]
fn perft_through_is_legal() {
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    ] {
        let board = Board::from_fen(fen).unwrap();
        assert_eq!(perft_by_asking(&board, 3), perft(&board, 3), "{fen}");
    }
}

#[test]
fn texts_are_read_back() {
    common::walk(5, 150, 200, |board, _| {
        let mut sans = HashSet::new();
        for mv in &board.legal_moves() {
            let san = board.san(*mv).to_string();
            assert_eq!(board.parse_san(&san), Ok(*mv), "{board}: {san}");
            assert!(sans.insert(san), "{board}: two moves are written alike");
            let uci = board.uci(*mv, CastlingMode::Chess960).to_string();
            assert_eq!(board.parse_uci(&uci), Ok(*mv), "{board}: {uci}");
            if board.is_standard_castling() {
                let uci = board.uci(*mv, CastlingMode::Standard).to_string();
                assert_eq!(board.parse_uci(&uci), Ok(*mv), "{board}: {uci}");
            }
        }
    });
}
