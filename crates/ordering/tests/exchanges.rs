//! What a series of captures on one square is worth: exact values for positions in which a wrong rule would give
//! another value.

use skewer_movegen::{Board, Piece};
use skewer_ordering::{attacked_by, see};

/// The greatest threshold that the exchange begun by `text` reaches, with and without the attacked squares known.
fn worth(fen: &str, text: &str) -> i32 {
    let board: Board = fen.parse().expect("a legal position");
    let mv = board.parse_uci(text).expect("a legal move");
    let attacked = attacked_by(&board, !board.turn()).all;
    let reached = |threshold| {
        let reached = see::at_least(&board, mv, threshold);
        let known = see::at_least_given(&board, mv, threshold, attacked);
        assert_eq!(reached, known, "{fen} {text} {threshold}");
        reached
    };
    let thresholds: Vec<i32> = (-1200..=2200).collect();
    let worth = thresholds.partition_point(|&threshold| reached(threshold));
    thresholds[worth - 1]
}

/// Asserts what exchanges are worth. Each case has a FEN, a move, the pieces gained and the pieces lost.
fn assert_worth(cases: &[(&str, &str, &[Piece], &[Piece])]) {
    let sum = |pieces: &[Piece]| pieces.iter().map(|&piece| see::value(piece)).sum::<i32>();
    for (fen, text, gained, lost) in cases {
        assert_eq!(worth(fen, text), sum(gained) - sum(lost), "{fen} {text}");
    }
}

use Piece::{Knight, Pawn, Queen, Rook};

#[test]
fn a_capture_gains_the_victim_and_loses_the_captor_if_it_is_taken_back() {
    assert_worth(&[
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", &[Pawn], &[]),
        (
            "4k3/2p5/3p4/8/8/8/3R4/4K3 w - - 0 1",
            "d2d6",
            &[Pawn],
            &[Rook],
        ),
        (
            "4k3/8/4p3/3n4/8/2N5/8/4K3 w - - 0 1",
            "c3d5",
            &[Knight],
            &[Knight],
        ),
        // A quiet move may put a piece where it is taken.
        ("4k3/2p5/8/8/8/8/3R4/4K3 w - - 0 1", "d2d6", &[], &[Rook]),
        ("4k3/2p5/8/8/8/8/3R4/4K3 w - - 0 1", "d2d5", &[], &[]),
        // Castling exchanges nothing.
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", &[], &[]),
    ]);
}

#[test]
fn each_side_stops_when_going_on_would_lose() {
    assert_worth(&[
        // The queen does not take the knight, which a pawn defends.
        ("3qk3/8/8/3p4/4P3/2N5/8/4K3 w - - 0 1", "c3d5", &[Pawn], &[]),
        // The rook does not take the pawn that has taken the knight, because the queen defends it.
        (
            "3qk3/8/4p3/3p4/8/2N5/8/3RK3 w - - 0 1",
            "c3d5",
            &[Pawn],
            &[Knight],
        ),
    ]);
}

#[test]
fn a_piece_takes_part_once_the_piece_before_it_on_its_line_has_captured() {
    assert_worth(&[
        // Behind the piece that moves: a rook behind a rook, a bishop behind a pawn.
        ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", &[Pawn], &[]),
        (
            "4k3/8/2p5/3p4/4P3/5B2/8/4K3 w - - 0 1",
            "e4d5",
            &[Pawn],
            &[],
        ),
        // Behind a piece that takes back, after a capture by a knight: a bishop behind a pawn, a queen behind a bishop,
        // a rook behind a rook, a queen behind a rook, a bishop and a rook behind a queen.
        (
            "4k3/8/2p2n2/3p4/4P3/2N2B2/8/4K3 w - - 0 1",
            "c3d5",
            &[Pawn, Pawn],
            &[Knight],
        ),
        (
            "3rk3/8/5n2/3p4/8/2N2B2/6Q1/4K3 w - - 0 1",
            "c3d5",
            &[Pawn],
            &[],
        ),
        (
            "3rk3/8/5n2/3p4/8/2N5/3R4/3RK3 w - - 0 1",
            "c3d5",
            &[Pawn],
            &[],
        ),
        (
            "3rk3/8/5n2/3p4/8/2N5/3R4/3QK3 w - - 0 1",
            "c3d5",
            &[Pawn],
            &[],
        ),
        (
            "3qk3/8/5n2/3p4/8/2N2Q2/6B1/4K3 w - - 0 1",
            "c3d5",
            &[Pawn],
            &[],
        ),
        (
            "3qk3/8/5n2/3p4/8/2N5/3Q4/3RK3 w - - 0 1",
            "c3d5",
            &[Pawn],
            &[],
        ),
        // The opponent's second rook.
        (
            "3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1",
            "d2d5",
            &[Pawn],
            &[Rook],
        ),
    ]);
}

#[test]
fn a_piece_that_has_captured_takes_no_further_part() {
    assert_worth(&[
        // The bishop from f3 takes back, and the rook on d8 takes this bishop. White has no further capture, because
        // the bishop on c1 does not see d5.
        (
            "3rk3/8/5n2/3p4/8/2N2B2/8/2B1K3 w - - 0 1",
            "c3d5",
            &[Pawn],
            &[Knight],
        ),
        // The same with a rook on d2 in place of the bishop on f3, and with queens in place of this bishop and of the
        // rook on d8. White's pieces on c1 and h1 do not see d5.
        (
            "3rk3/8/5n2/3p4/8/2N5/3R4/4K2R w - - 0 1",
            "c3d5",
            &[Pawn],
            &[Knight],
        ),
        (
            "3qk3/8/5n2/3p4/8/2N2Q2/8/2B1K2R w - - 0 1",
            "c3d5",
            &[Pawn],
            &[Knight],
        ),
    ]);
}

#[test]
fn a_pinned_piece_of_the_side_to_move_captures_along_the_pin_alone() {
    assert_worth(&[
        // The bishop on b2 is pinned by the bishop that the knight takes, and takes the queen on the same line.
        (
            "4k3/8/8/4q3/3b4/5N2/1B6/K7 w - - 0 1",
            "f3d4",
            &[Piece::Bishop],
            &[],
        ),
        // The knight on e3 is pinned on its file, and cannot take back.
        (
            "4r1k1/8/2p5/3p4/2B5/4N3/8/4K3 w - - 0 1",
            "c4d5",
            &[Pawn],
            &[Piece::Bishop],
        ),
        (
            "5rk1/8/2p5/3p4/2B5/4N3/8/4K3 w - - 0 1",
            "c4d5",
            &[Pawn, Pawn],
            &[Piece::Bishop],
        ),
    ]);
}

#[test]
fn a_king_captures_last_and_only_what_nothing_defends() {
    assert_worth(&[
        (
            "4k3/3p4/8/8/8/8/3R4/4K3 w - - 0 1",
            "d2d7",
            &[Pawn],
            &[Rook],
        ),
        ("4k3/3p4/8/8/8/8/3R4/3RK3 w - - 0 1", "d2d7", &[Pawn], &[]),
        // White's king takes the knight that has taken back, unless a bishop defends it.
        ("4k3/3n4/8/4p3/3K4/5N2/8/8 w - - 0 1", "f3e5", &[Pawn], &[]),
        (
            "1b2k3/3n4/8/4p3/3K4/5N2/8/8 w - - 0 1",
            "f3e5",
            &[Pawn],
            &[Knight],
        ),
    ]);
}

#[test]
fn a_promotion_gains_the_new_piece_for_the_pawn_and_may_lose_it() {
    assert_worth(&[
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", &[Queen], &[Pawn]),
        (
            "4k3/P7/8/8/8/8/8/4K3 w - - 0 1",
            "a7a8n",
            &[Knight],
            &[Pawn],
        ),
        ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", &[], &[Pawn]),
        (
            "1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1",
            "a7b8q",
            &[Rook, Queen],
            &[Pawn],
        ),
        (
            "1r1qk3/P7/8/8/8/8/8/4K3 w - - 0 1",
            "a7b8q",
            &[Rook],
            &[Pawn],
        ),
        (
            "1r1qk3/P7/8/8/8/8/8/4K3 w - - 0 1",
            "a7b8n",
            &[Rook],
            &[Pawn],
        ),
    ]);
}

#[test]
fn en_passant_opens_the_file_of_the_captured_pawn_too() {
    assert_worth(&[
        ("4k3/8/8/3pP3/8/8/8/6K1 w - d6 0 1", "e5d6", &[Pawn], &[]),
        // The rook on d2 sees d6 once the pawn on d5 is gone.
        (
            "4k3/8/8/3pP3/8/8/3r4/6K1 w - d6 0 1",
            "e5d6",
            &[Pawn],
            &[Pawn],
        ),
        // White's own rook behind the captured pawn.
        (
            "4k3/2p5/8/3pP3/8/8/3R4/6K1 w - d6 0 1",
            "e5d6",
            &[Pawn],
            &[],
        ),
    ]);
}
