//! The picker returns every legal move once for any hints, and static exchange evaluation agrees with a
//! search of the captures.

use skewer_movegen::{Board, Move, Piece};
use skewer_ordering::{
    ContinuationKey, Guide, Histories, MoveContext, MovePicker, Stage, attacked_by, see,
};
use skewer_types::{DefaultTechniques, TechniqueSet, Techniques};

const FENS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "8/8/8/2k5/3Pp3/8/8/4K2R b - d3 0 1",
    "4k3/8/8/8/8/8/4r3/4K2R w K - 0 1",
];

fn context(board: &Board) -> MoveContext {
    MoveContext {
        attacked: attacked_by(board, !board.turn()).all,
        continuation: [ContinuationKey::NONE; 4],
        pawn_key: 0,
        ply: 0,
    }
}

fn picked(
    set: impl TechniqueSet,
    board: &Board,
    histories: &Histories,
    mut picker: MovePicker,
) -> Vec<(Move, Stage)> {
    let threats = attacked_by(board, !board.turn());
    let context = context(board);
    let guide = Guide {
        checks: None,
        histories,
        context: &context,
        threats: &threats,
    };
    let mut moves = Vec::new();
    while let Some(mv) = picker.next(set, board, guide, |_, mv| i32::from(mv.bits() % 100)) {
        moves.push((mv, picker.stage()));
    }
    moves
}

fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<Move> {
    let mut moves: Vec<Move> = moves.into_iter().collect();
    moves.sort();
    moves
}

#[test]
fn every_legal_move_is_returned_once_for_any_hints() {
    let histories = Histories::new();
    for fen in FENS {
        let board: Board = fen.parse().unwrap();
        let legal = sorted(board.legal_moves());
        let illegal = Board::STARTPOS.legal_moves();
        for hash in core::iter::once(None).chain(legal.iter().copied().map(Some)) {
            for killers in [
                [None, None],
                [legal.first().copied(), legal.last().copied()],
                [legal.last().copied(), legal.last().copied()],
                [illegal.first().copied(), hash],
            ] {
                let counter = legal.get(legal.len() / 2).copied();
                let picker = MovePicker::new(hash, killers, counter);
                let moves = picked(DefaultTechniques, &board, &histories, picker.clone());
                assert_eq!(sorted(moves.iter().map(|&(mv, _)| mv)), legal, "{fen}");
                if hash.is_some() {
                    assert_eq!(moves.first().map(|&(mv, _)| mv), hash);
                }
                let moves = picked(Techniques::empty(), &board, &histories, picker);
                assert_eq!(sorted(moves.iter().map(|&(mv, _)| mv)), legal, "{fen}");
            }
        }
    }
}

#[test]
fn the_captures_picker_returns_losing_captures_last() {
    let histories = Histories::new();
    for fen in FENS {
        let board: Board = fen.parse().unwrap();
        let picker = MovePicker::captures(None);
        let moves = picked(DefaultTechniques, &board, &histories, picker);
        let all = board.captures();
        assert_eq!(
            sorted(moves.iter().map(|&(mv, _)| mv)),
            sorted(all.iter().copied())
        );
        let bad = moves
            .iter()
            .position(|&(_, stage)| stage == Stage::BadCaptures);
        for &(_, stage) in &moves[bad.unwrap_or(moves.len())..] {
            assert_eq!(stage, Stage::BadCaptures);
        }
        let winning = MovePicker::winning(None, 100);
        let expected = all
            .iter()
            .copied()
            .filter(|mv| matches!(mv.promotion(), None | Some(Piece::Queen)))
            .filter(|&mv| see::at_least(&board, mv, 100));
        let moves = picked(DefaultTechniques, &board, &histories, winning);
        assert_eq!(
            sorted(moves.iter().map(|&(mv, _)| mv)),
            sorted(expected),
            "{fen}"
        );
    }
}

#[test]
fn quiet_moves_that_failed_high_are_returned_first() {
    let board = Board::STARTPOS;
    let context = context(&board);
    let mv = board.parse_uci("a2a3").unwrap();
    let mut histories = Histories::new();
    for _ in 0..40 {
        histories.update_quiet(DefaultTechniques, &board, mv, &context, 1500);
    }
    let picker = MovePicker::new(None, [None; 2], None);
    let moves = picked(DefaultTechniques, &board, &histories, picker);
    assert_eq!(moves[0].0, mv);
    // A history stays within its bounds after any number of updates.
    for _ in 0..10_000 {
        histories.update_quiet(DefaultTechniques, &board, mv, &context, 1_000_000);
    }
    let most = histories.quiet_sum(DefaultTechniques, &board, mv, &context);
    assert!((1..100_000).contains(&most), "{most}");
    histories.clear();
    assert_eq!(
        histories.quiet_sum(DefaultTechniques, &board, mv, &context),
        0
    );
}

/// The value of an exchange by a search of all captures on the square; each side may stop.
fn exchange(board: &Board, mv: Move) -> i32 {
    let after = board.play(mv);
    let mut best_reply = 0;
    for reply in &after.captures() {
        if reply.to() == mv.to() && reply.promotion().is_none() {
            best_reply = best_reply.max(exchange(&after, reply));
        }
    }
    see::gain(board, mv) - best_reply
}

#[test]
fn exchange_values_agree_with_a_search_of_the_captures() {
    // Positions without pins and promotions, where capturing with the cheapest piece is best.
    for (fen, text) in [
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5"),
        (
            "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1",
            "d3e5",
        ),
        ("4k3/2p5/3p4/8/8/8/3R4/4K3 w - - 0 1", "d2d6"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5"),
        ("3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5"),
        ("4k3/8/4p3/3p4/2B1P3/8/8/3QK3 w - - 0 1", "c4d5"),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "d4e3"),
    ] {
        let board: Board = fen.parse().unwrap();
        let mv = board.parse_uci(text).unwrap();
        let value = exchange(&board, mv);
        assert!(see::at_least(&board, mv, value), "{fen} {text} {value}");
        assert!(
            !see::at_least(&board, mv, value + 1),
            "{fen} {text} {value}"
        );
    }
}

#[test]
fn a_pinned_piece_takes_no_part() {
    // A bishop takes a pawn that a pawn defends; the knight could take back, were it not pinned.
    let pinned = "4r1k1/8/2p5/3p4/2B5/4N3/8/4K3 w - - 0 1";
    let free = "5rk1/8/2p5/3p4/2B5/4N3/8/4K3 w - - 0 1";
    for (fen, holds) in [(pinned, false), (free, true)] {
        let board: Board = fen.parse().unwrap();
        let mv = board.parse_uci("c4d5").unwrap();
        // The bishop is lost for two pawns if the knight can take back, for one pawn if it cannot.
        let one = see::gain(&board, mv) - see::value(Piece::Bishop);
        assert_eq!(see::at_least(&board, mv, one + 1), holds, "{fen}");
    }
}
