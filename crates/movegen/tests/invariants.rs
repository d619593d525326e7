//! Invariants of every position, checked in random games of standard chess, Chess960 and double
//! Chess960.

mod common;

use std::collections::HashSet;

use skewer_movegen::{Board, CastlingMode, Move, MoveList};

fn set(moves: &MoveList) -> HashSet<Move> {
    let set: HashSet<Move> = moves.iter().copied().collect();
    assert_eq!(set.len(), moves.len(), "a move is listed twice");
    set
}

/// A board read from a FEN computes everything from scratch, so equality shows that `play` updates
/// key, checkers, pins, rights and en passant correctly.
#[test]
fn incremental_state_equals_recomputed_state() {
    let mut nodes = 0;
    common::walk(1, 600, 200, |board, _| {
        let fen = board.to_fen_in(CastlingMode::Chess960).to_string();
        let again = Board::from_fen_strict(&fen).unwrap();
        assert_eq!(*board, again, "{fen}");
        assert_eq!(board.key(), again.key(), "{fen}");
        assert_eq!(board.checkers(), again.checkers(), "{fen}");
        assert_eq!(board.pinned(), again.pinned(), "{fen}");
        let standard = board.to_string();
        assert_eq!(Board::from_fen_strict(&standard), Ok(*board), "{standard}");
        if let Some(passed) = board.play_null() {
            let fen = passed.to_fen_in(CastlingMode::Chess960).to_string();
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
            assert!(
                board.is_capture(*mv) || mv.is_promotion(),
                "{board}: {mv:?}"
            );
        }
        for mv in &quiets {
            assert!(
                !board.is_capture(*mv) && !mv.is_promotion(),
                "{board}: {mv:?}"
            );
        }
        assert_eq!(board.count_legal_moves(), all.len(), "{board}");
        assert_eq!(board.has_legal_moves(), !all.is_empty(), "{board}");
    });
}

/// Checks that `moves` makes the moves of the list one at a time, and that its length is the number of moves that
/// are left.
fn agrees_with_the_list(board: &Board) {
    let (moves, list) = (board.moves(), board.legal_moves());
    assert_eq!(
        (moves.len(), moves.is_empty()),
        (list.len(), list.is_empty()),
        "{board}"
    );
    let mut rest = moves.iter();
    for (at, mv) in list.iter().enumerate() {
        assert_eq!(rest.len(), list.len() - at, "{board}: before {mv:?}");
        assert_eq!(rest.next(), Some(*mv), "{board}");
    }
    assert_eq!((rest.len(), rest.next()), (0, None), "{board}");
}

#[test]
fn moves_without_a_list_are_the_moves_of_the_list() {
    common::walk(5, 600, 200, |board, _| agrees_with_the_list(board));
    // With as many sets as possible: pieces that all move, promotions in three ways, two captures en passant, castling.
    for fen in [
        "n2NBn2/1n2PBP1/Rb3NR1/2PpPQ2/3kn3/4N3/N7/R3K2R w KQ d6 0 1",
        "R3B2n/2B3P1/1nR2n1n/2PpP1k1/2N3b1/1N3B1B/2N2P2/R3K2R w KQ d6 0 1",
        "1N2n3/1k2BP2/2b2n2/nBPpPB2/2nN4/B2B3B/3N1P2/R3K2R w KQ d6 0 1",
    ] {
        let board: Board = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        agrees_with_the_list(&board);
    }
}

#[test]
fn checks_and_captures_are_predicted() {
    common::walk(3, 300, 200, |board, _| {
        for mv in &board.legal_moves() {
            let after = board.play(mv);
            assert_eq!(board.gives_check(mv), after.in_check(), "{board}: {mv:?}");
            assert_eq!(
                board.captured(mv).is_some(),
                board.is_capture(mv),
                "{board}: {mv:?}"
            );
            let captured = board.occupied().count() - after.occupied().count();
            assert_eq!(captured == 1, board.is_capture(mv), "{board}: {mv:?}");
            assert_eq!(board.try_play(mv), Ok(after));
        }
    });
}

#[test]
fn is_legal_over_all_encodings() {
    let mut positions = 0;
    common::walk(4, 120, 120, |board, rng| {
        if rng.u8(..8) != 0 {
            return;
        }
        positions += 1;
        let legal = set(&board.legal_moves());
        for bits in 0..=u16::MAX {
            if let Some(mv) = Move::from_bits(bits) {
                assert_eq!(mv.bits(), bits);
                assert_eq!(
                    board.is_legal(mv),
                    legal.contains(&mv),
                    "{board}: {bits:#06x} {mv:?}"
                );
            }
        }
    });
    assert!(positions > 1000, "{positions}");
}

#[test]
fn texts_are_read_back() {
    common::walk(5, 150, 200, |board, _| {
        let mut sans = HashSet::new();
        for mv in &board.legal_moves() {
            let san = board.san(mv).to_string();
            assert_eq!(board.parse_san(&san), Ok(mv), "{board}: {san}");
            assert!(sans.insert(san), "{board}: two moves have the same SAN");
            let uci = board.uci_in(mv, CastlingMode::Chess960).to_string();
            assert_eq!(board.parse_uci(&uci), Ok(mv), "{board}: {uci}");
            let uci = board.uci_in(mv, CastlingMode::Standard).to_string();
            assert_eq!(board.parse_uci(&uci), Ok(mv), "{board}: {uci}");
        }
    });
}
