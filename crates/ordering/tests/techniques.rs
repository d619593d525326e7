//! What each ordering technique does to the order of moves: every test fails if its technique is
//! lost (`tools/dev/protected` checks that).

use skewer_movegen::{Board, Move, Piece};
use skewer_ordering::{
    Checks, ContinuationKey, Guide, Histories, MoveContext, MovePicker, Stage, attacked_by,
};
use skewer_types::Techniques;

fn board(fen: &str) -> Board {
    fen.parse().expect("a legal position")
}

fn uci(board: &Board, text: &str) -> Move {
    board.parse_uci(text).expect("a legal move")
}

fn context(board: &Board) -> MoveContext {
    MoveContext {
        attacked: attacked_by(board, !board.turn()).all,
        continuation: [ContinuationKey::NONE; 4],
        pawn_key: 0,
        ply: 0,
    }
}

/// The moves of a node in order, by these techniques. `delta` is the change of the piece-square
/// score.
fn order(
    set: Techniques,
    board: &Board,
    histories: &Histories,
    delta: impl Fn(Piece, Move) -> i32,
) -> Vec<(Move, Stage)> {
    let threats = attacked_by(board, !board.turn());
    let context = context(board);
    let guide = Guide {
        checks: None,
        histories,
        context: &context,
        threats: &threats,
    };
    let mut picker = MovePicker::new(None, [None; 2], None);
    std::iter::from_fn(|| {
        let mv = picker.next(set, board, guide, &delta)?;
        Some((mv, picker.stage()))
    })
    .collect()
}

fn place(moves: &[(Move, Stage)], mv: Move) -> usize {
    let found = moves.iter().position(|&(other, _)| other == mv);
    found.expect("every legal move is given")
}

#[test]
fn see_ordering_puts_losing_captures_last() {
    // The queen can take a pawn that a pawn defends.
    let board = board("4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1");
    let loses = uci(&board, "d2d6");
    let histories = Histories::new();
    let moves = order(Techniques::SEE_ORDERING, &board, &histories, |_, _| 0);
    assert_eq!(moves.last(), Some(&(loses, Stage::BadCaptures)));
    let moves = order(Techniques::empty(), &board, &histories, |_, _| 0);
    assert_eq!(moves.first(), Some(&(loses, Stage::GoodCaptures)));
}

#[test]
fn capture_history_prefers_captures_that_failed_high() {
    // Two pawns can take the same knight.
    let board = board("4k3/8/8/3n4/2P1P3/8/8/4K3 w - - 0 1");
    let mut histories = Histories::new();
    for text in ["c4d5", "e4d5"] {
        histories.clear();
        let wanted = uci(&board, text);
        histories.update_capture(&board, wanted, &context(&board), 1000);
        // Both captures have the piece, the square and the victim in common.
        let score = histories.capture(
            Techniques::CAPTURE_HISTORY,
            &board,
            wanted,
            &context(&board),
        );
        assert!(score > 0);
        let none = histories.capture(Techniques::empty(), &board, wanted, &context(&board));
        assert_eq!(none, 0);
    }
    // A rook and a bishop can each take a knight.
    let board = self::board("4k3/8/1n6/8/3n4/8/1R6/4K1B1 w - - 0 1");
    let (rook, bishop) = (uci(&board, "b2b6"), uci(&board, "g1d4"));
    for (best, other) in [(rook, bishop), (bishop, rook)] {
        histories.clear();
        histories.update_capture(&board, best, &context(&board), 2000);
        let moves = order(Techniques::CAPTURE_HISTORY, &board, &histories, |_, _| 0);
        assert!(place(&moves, best) < place(&moves, other), "{best:?}");
    }
}

/// Asserts, for each of several moves, that after `learn` has rewarded it, its sum of histories is greater than the sum
/// of another move if only `technique` is on, and that both sums are 0 without techniques.
fn rewarded_moves_come_first(
    technique: Techniques,
    learn: impl Fn(&mut Histories, &Board, Move, &MoveContext),
) {
    let board = Board::STARTPOS;
    let mut context = context(&board);
    context.continuation[0] = ContinuationKey::new(&board, uci(&board, "g1f3"));
    for text in ["a2a3", "b1c3", "h2h4"] {
        let mv = uci(&board, text);
        let mut histories = Histories::new();
        learn(&mut histories, &board, mv, &context);
        let sums = |set| {
            let sum = |mv| histories.quiet_sum(set, &board, mv, &context);
            (sum(mv), sum(uci(&board, "e2e4")))
        };
        let (with, other) = sums(technique);
        assert!(with > other, "{text}: {with} and {other}");
        assert_eq!(sums(Techniques::empty()), (0, 0));
    }
}

#[test]
fn quiet_history_prefers_quiet_moves_that_failed_high() {
    rewarded_moves_come_first(
        Techniques::QUIET_HISTORY,
        |histories, board, mv, context| {
            histories.update_quiet(Techniques::empty(), board, mv, context, 1500);
        },
    );
}

#[test]
fn pawn_history_prefers_moves_that_failed_high_with_the_same_pawns() {
    rewarded_moves_come_first(Techniques::PAWN_HISTORY, |histories, board, mv, context| {
        histories.update_quiet(Techniques::empty(), board, mv, context, 1500);
    });
    let board = Board::STARTPOS;
    let mut context = context(&board);
    let mv = uci(&board, "g1f3");
    let mut histories = Histories::new();
    histories.update_quiet(Techniques::empty(), &board, mv, &context, 1500);
    context.pawn_key = 1;
    let sum = histories.quiet_sum(Techniques::PAWN_HISTORY, &board, mv, &context);
    assert_eq!(sum, 0, "other pawns, another history");
}

#[test]
fn continuation_history_prefers_moves_that_failed_high_after_the_same_move() {
    rewarded_moves_come_first(
        Techniques::CONTINUATION_HISTORY,
        |histories, board, mv, context| {
            histories.update_quiet(Techniques::empty(), board, mv, context, 1500);
        },
    );
    let board = Board::STARTPOS;
    let mut context = context(&board);
    context.continuation[0] = ContinuationKey::new(&board, uci(&board, "g1f3"));
    let mv = uci(&board, "e2e4");
    let mut histories = Histories::new();
    histories.update_quiet(Techniques::empty(), &board, mv, &context, 1500);
    context.continuation[0] = ContinuationKey::new(&board, uci(&board, "b1c3"));
    let sum = histories.quiet_sum(Techniques::CONTINUATION_HISTORY, &board, mv, &context);
    assert_eq!(sum, 0, "another move before, another history");
}

#[test]
fn low_ply_history_prefers_moves_that_failed_high_at_the_same_ply() {
    let board = Board::STARTPOS;
    let context = context(&board);
    let first = |set, histories: &Histories| order(set, &board, histories, |_, _| 0)[0].0;
    for text in ["d2d4", "b1c3", "h2h4"] {
        let mv = uci(&board, text);
        let learnt_at = |ply| {
            let mut histories = Histories::new();
            let context = MoveContext { ply, ..context };
            histories.update_quiet(Techniques::empty(), &board, mv, &context, 1500);
            histories
        };
        let mut histories = learnt_at(context.ply);
        assert_eq!(first(Techniques::LOW_PLY_HISTORY, &histories), mv);
        assert_ne!(first(Techniques::empty(), &histories), mv);
        let elsewhere = learnt_at(context.ply + 1);
        assert_ne!(first(Techniques::LOW_PLY_HISTORY, &elsewhere), mv);
        histories.clear_low_plies();
        assert_ne!(first(Techniques::LOW_PLY_HISTORY, &histories), mv);
    }
}

#[test]
fn threat_history_keeps_attacked_squares_apart() {
    let board = Board::STARTPOS;
    let safe = context(&board);
    let mv = uci(&board, "g1f3");
    let attacked = MoveContext {
        attacked: mv.to().bitboard(),
        ..safe
    };
    let set = Techniques::QUIET_HISTORY | Techniques::THREAT_HISTORY;
    let mut histories = Histories::new();
    histories.update_quiet(set, &board, mv, &safe, 1500);
    assert!(histories.quiet_sum(set, &board, mv, &safe) > 0);
    assert_eq!(histories.quiet_sum(set, &board, mv, &attacked), 0);
    // Without this technique attacked and safe squares share a history.
    let set = Techniques::QUIET_HISTORY;
    let mut histories = Histories::new();
    histories.update_quiet(set, &board, mv, &safe, 1500);
    assert!(histories.quiet_sum(set, &board, mv, &attacked) > 0);
}

#[test]
fn check_ordering_puts_checks_that_lose_nothing_first() {
    // The rook has two checks, on a8 and e2.
    let board = board("4k3/8/3p4/8/8/8/R7/5K2 w - - 0 1");
    let checks = Checks::new(&board);
    let (histories, context) = (Histories::new(), context(&board));
    let threats = attacked_by(&board, !board.turn());
    let first = |set| {
        let guide = Guide {
            checks: Some(&checks),
            histories: &histories,
            context: &context,
            threats: &threats,
        };
        MovePicker::new(None, [None; 2], None).next(set, &board, guide, |_, _| 0)
    };
    let check = uci(&board, "a2a8");
    let safe = uci(&board, "a2e2");
    let with = first(Techniques::CHECK_ORDERING);
    assert!([Some(check), Some(safe)].contains(&with), "{with:?}");
    let without = first(Techniques::empty());
    assert!(![Some(check), Some(safe)].contains(&without), "{without:?}");
}

#[test]
fn counter_moves_answer_the_move_they_refuted() {
    let board = Board::STARTPOS;
    let mut context = context(&board);
    context.continuation[0] = ContinuationKey::new(&board, uci(&board, "g1f3"));
    let mv = uci(&board, "e2e4");
    let mut histories = Histories::new();
    histories.set_counter(&context, mv);
    let counter = |set| histories.counter(set, &context);
    assert_eq!(counter(Techniques::COUNTER_MOVES), Some(mv));
    assert_eq!(counter(Techniques::empty()), None);
}

#[test]
fn quiet_delta_prefers_moves_that_raise_the_piece_square_score() {
    let board = Board::STARTPOS;
    let histories = Histories::new();
    for text in ["a2a3", "b1c3", "h2h4"] {
        let wanted = uci(&board, text);
        let delta = |_, mv| if mv == wanted { 50 } else { 0 };
        let moves = order(Techniques::QUIET_DELTA, &board, &histories, delta);
        assert_eq!(moves[0].0, wanted);
        let moves = order(Techniques::empty(), &board, &histories, delta);
        let plain = order(Techniques::empty(), &board, &histories, |_, _| 0);
        assert_eq!(moves, plain);
    }
}
