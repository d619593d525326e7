//! The rules of move ordering, each tested in a position in which any other rule would give another order.

use skewer_movegen::Move;

use super::{Hints, History, Moves, by_victim, is_passed, promising};
use crate::chess::config::{Config, Ideas, QuietOrder};
use crate::chess::position::Position;
use crate::chess::positions::from_fen;

fn uci(position: &Position, text: &str) -> Move {
    position.board().parse_uci(text).expect("a legal move")
}

/// The moves in the order of `ideas`, the hints in UCI notation: hash move, killers, last move, sibling's move.
fn order(position: &Position, ideas: Ideas, hints: Hints) -> Vec<String> {
    let config = Config {
        quiet_order: QuietOrder::Generated,
        ..Config::PLAIN.with(ideas)
    };
    let history = History::new();
    let mut moves = Moves::new(position, &config, &history, hints);
    std::iter::from_fn(|| moves.next(&history))
        .map(|mv| format!("{mv:?}"))
        .collect()
}

#[test]
fn captures_are_by_victim_and_then_by_the_cheaper_attacker() {
    // The rook takes the queen; the pawn and the knight take a rook; a pawn takes a knight.
    let position = from_fen("1k5q/8/8/3r4/4P3/n1N5/1P6/4K2R w - - 0 1");
    let board = position.board();
    let mut captures = board.captures().to_vec();
    by_victim(board, &mut captures);
    let order: Vec<_> = captures.iter().map(|mv| format!("{mv:?}")).collect();
    assert_eq!(order, ["h1h8", "e4d5", "c3d5", "b2a3"]);
    // A promotion is worth the piece that it makes, besides what it takes.
    let position = from_fen("1k1r4/4P3/8/8/8/7q/6P1/K7 w - - 0 1");
    let board = position.board();
    let mut captures = board.captures().to_vec();
    by_victim(board, &mut captures);
    let mut order: Vec<_> = captures.iter().map(|mv| format!("{mv:?}")).collect();
    order[2..4].sort();
    assert_eq!(order[..5], ["e7d8q", "e7d8r", "e7e8q", "g2h3", "e7d8b"]);
}

#[test]
fn early_candidates_are_recaptures_the_siblings_move_captures_promising_moves_and_the_rest() {
    // Black has just taken on d5. White can take back with a pawn or the rook, and could win a queen.
    let position = from_fen("k7/7q/8/3n4/4P1N1/8/P6R/K2R4 w - - 0 1");
    let last = Some(Move::normal(
        skewer_movegen::Square::F6,
        skewer_movegen::Square::D5,
    ));
    let sibling = Some(uci(&position, "a1b2"));
    let hints = Hints {
        last,
        sibling,
        ..Hints::default()
    };
    let early = order(&position, Ideas::EARLY_CANDIDATES, hints);
    assert_eq!(early[..4], ["e4d5", "d1d5", "a1b2", "h2h7"]);
    let none = Hints::default();
    let early = order(&position, Ideas::EARLY_CANDIDATES, none);
    assert_eq!(early[..3], ["h2h7", "e4d5", "d1d5"], "nothing was taken");
    let all = order(&position, Ideas::empty(), hints);
    assert_eq!(all[..3], ["h2h7", "e4d5", "d1d5"], "not by default");
    // The hash move comes first, and every move comes exactly once.
    let hash = Some(uci(&position, "a2a4"));
    let hints = Hints {
        hash,
        sibling: hash,
        ..hints
    };
    let mut early = order(&position, Ideas::EARLY_CANDIDATES, hints);
    assert_eq!(early[..4], ["a2a4", "e4d5", "d1d5", "h2h7"]);
    early.sort();
    early.dedup();
    assert_eq!(early.len(), position.board().legal_moves().len());
}

#[test]
fn promising_moves_come_after_captures_and_before_other_quiet_moves() {
    // The pawn on e5 is passed; the one on a2 is too far from its last rank. The rook can take a pawn.
    let position = from_fen("7k/7p/8/4P3/8/8/P7/K6R w - - 0 1");
    let none = Hints::default();
    let early = order(&position, Ideas::EARLY_CANDIDATES, none);
    assert_eq!(early[..2], ["h1h7", "e5e6"]);
    let all = order(&position, Ideas::empty(), none);
    assert_eq!(all[0], "h1h7");
    assert_ne!(all[1], "e5e6", "not by default");
}

#[test]
fn a_siblings_move_that_is_not_legal_here_is_not_tried() {
    let position = from_fen("k7/8/8/8/8/8/8/K6R w - - 0 1");
    let sibling = Some(Move::normal(
        skewer_movegen::Square::H7,
        skewer_movegen::Square::H8,
    ));
    let hints = Hints {
        sibling,
        ..Hints::default()
    };
    let early = order(&position, Ideas::EARLY_CANDIDATES, hints);
    assert_eq!(early.len(), position.board().legal_moves().len());
}

#[test]
fn a_promotion_on_the_square_of_the_last_move_takes_nothing_back() {
    // The last move ended on b8, where the pawn promotes without capturing. Only a capture is a recapture.
    let position = from_fen("8/1P6/k7/8/8/8/3p4/K3R3 w - - 0 1");
    let last = Some(Move::normal(
        skewer_movegen::Square::A8,
        skewer_movegen::Square::B8,
    ));
    let hints = Hints {
        last,
        ..Hints::default()
    };
    let with = order(&position, Ideas::EARLY_CANDIDATES, hints);
    let without = order(&position, Ideas::EARLY_CANDIDATES, Hints::default());
    assert_eq!(with, without);
}

#[test]
fn promising_queen_moves_come_nearer_to_the_king_and_end_within_three_steps() {
    let (far, near, nearest) = (
        "6k1/8/8/8/8/8/8/QK6 w - - 0 1",
        "6k1/8/8/4Q3/8/8/8/1K6 w - - 0 1",
        "6k1/8/5Q2/8/8/8/8/1K6 w - - 0 1",
    );
    // The distance to the king is counted in moves of a king.
    for (fen, mv, expected) in [
        (far, "a1e5", true),  // from seven steps to three
        (far, "a1d4", false), // to four
        (near, "e5f6", true),
        (nearest, "f6e5", false), // away
        (nearest, "f6e6", false), // as near as before
    ] {
        let position = from_fen(fen);
        assert_eq!(
            promising(position.board(), uci(&position, mv)),
            expected,
            "{mv}"
        );
    }
}

#[test]
fn promising_pawn_moves_are_of_passed_pawns_from_the_fourth_rank_on() {
    let is = |fen: &str, mv: &str| {
        let position = from_fen(fen);
        promising(position.board(), uci(&position, mv))
    };
    let passed = "4k3/7p/8/P7/1P6/2P5/8/4K3 w - - 0 1";
    assert!(is(passed, "a5a6") && is(passed, "b4b5"));
    assert!(!is(passed, "c3c4"), "on the third rank");
    let black = "4k3/8/2p5/1p6/p7/8/7P/4K3 b - - 0 1";
    assert!(is(black, "a4a3") && is(black, "b5b4") && !is(black, "c6c5"));
    assert!(
        !is("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a7"),
        "other pieces"
    );
}

#[test]
fn a_pawn_is_passed_if_no_enemy_pawn_is_ahead_on_its_file_or_beside_it() {
    let square = skewer_movegen::Square::D5;
    let white = skewer_movegen::Color::White;
    for (fen, expected) in [
        ("k7/8/8/3P4/8/8/8/4K3 w - - 0 1", true),
        ("k7/3p4/8/3P4/8/8/8/4K3 w - - 0 1", false),
        ("k7/2p5/8/3P4/8/8/8/4K3 w - - 0 1", false),
        ("k7/8/4p3/3P4/8/8/8/4K3 w - - 0 1", false),
        ("k7/1p3p2/8/3P4/8/8/8/4K3 w - - 0 1", true), // two files away
        ("k7/8/8/2pPp3/8/8/8/4K3 w - - 0 1", true),   // beside it, no longer ahead
        ("k7/8/8/3P4/3p4/8/8/4K3 w - - 0 1", true),   // behind it
        ("k7/3P4/8/3P4/8/8/8/4K3 w - - 0 1", true),   // its own side's
    ] {
        let position = from_fen(fen);
        assert_eq!(
            is_passed(position.board(), square, white),
            expected,
            "{fen}"
        );
    }
}

#[test]
fn killers_are_two_and_history_grows_by_the_square_of_the_depth() {
    let position = from_fen("4k3/8/8/8/8/8/P6P/4K3 w - - 0 1");
    let [first, second] = ["h2h4", "h2h3"].map(|mv| Some(uci(&position, mv)));
    let killers = Hints {
        killers: [first, second],
        ..Hints::default()
    };
    let with = order(&position, Ideas::KILLERS, killers);
    assert_eq!(with[..2], ["h2h4", "h2h3"]);
    let without = order(&position, Ideas::empty(), killers);
    assert_ne!(without[..2], ["h2h4", "h2h3"], "not by default");
    let mut history = History::new();
    let turn = position.board().turn();
    history.reward(turn, uci(&position, "h2h3"), 3);
    history.reward(turn, uci(&position, "h2h3"), 2);
    assert_eq!(history.get(turn, uci(&position, "h2h3")), 13);
    assert_eq!(history.get(turn, uci(&position, "h2h4")), 0);
    assert_eq!(history.get(!turn, uci(&position, "h2h3")), 0);
}

#[test]
fn each_move_is_counted_when_it_is_generated_and_once() {
    let position = from_fen("k7/7q/8/3n4/4P1N1/8/P6R/K2R4 w - - 0 1");
    let board = position.board();
    let [captures, quiets] = [board.captures(), board.quiets()].map(|moves| moves.len() as u64);
    let history = History::new();
    let counts = |ideas, taken| {
        let config = Config::PLAIN.with(ideas);
        let mut moves = Moves::new(&position, &config, &history, Hints::default());
        for _ in 0..taken {
            moves.next(&history);
        }
        (moves.generated, moves.check_tests)
    };
    assert_eq!(counts(Ideas::empty(), 0), (captures + quiets, 0));
    let early = Ideas::EARLY_CANDIDATES;
    assert_eq!(counts(early, 0), (0, 0));
    assert_eq!(counts(early, captures), (captures, 0));
    assert_eq!(counts(early, 99), (captures + quiets, 0));
    assert_eq!(counts(Ideas::CHECKS_FIRST, 1).1, quiets);
}

#[test]
fn the_best_bucket_at_once_has_the_order_of_three_buckets_and_generates_no_more_than_is_asked_for()
{
    for position in crate::chess::positions::varied() {
        let board = position.board();
        let captures = board.captures().len() as u64;
        let history = History::new();
        let moves = |quiet_order| {
            let config = Config {
                quiet_order,
                ..Config::PLAIN
            };
            let mut moves = Moves::new(&position, &config, &history, Hints::default());
            let mut seen = Vec::new();
            while let Some(mv) = moves.next(&history) {
                seen.push((mv, moves.generated, moves.spared()));
            }
            seen
        };
        let (listed, at_once) = (moves(QuietOrder::Buckets), moves(QuietOrder::BestAtOnce));
        let order =
            |moves: &[(Move, u64, u64)]| moves.iter().map(|(mv, ..)| *mv).collect::<Vec<_>>();
        assert_eq!(order(&listed), order(&at_once));
        let quiets = board.quiets().to_vec();
        for (mv, generated, spared) in at_once {
            let gains = |mv: Move| position.gain(mv) > crate::params::chess::SMALL_GAIN;
            let before = quiets.iter().position(|&other| other == mv);
            let expected = match before {
                // A capture: the quiet moves are not begun.
                None => (captures, 0),
                // The generator has gone as far as this move.
                Some(before) if gains(mv) => {
                    let before = before as u64 + 1;
                    (captures + before, quiets.len() as u64 - before)
                }
                Some(_) => (captures + quiets.len() as u64, 0),
            };
            assert_eq!((generated, spared), expected, "{mv:?} in {board}");
        }
    }
}

#[test]
fn what_the_best_bucket_at_once_leaves_is_ordered_by_killers_and_history() {
    let position = from_fen("4k3/8/8/8/8/8/P6P/4K3 w - - 0 1");
    let killer = uci(&position, "e1d1");
    let hints = Hints {
        hash: Some(uci(&position, "h2h3")),
        killers: [Some(killer), None],
        ..Hints::default()
    };
    let config = Config {
        quiet_order: QuietOrder::BestAtOnce,
        ..Config::PLAIN.with(Ideas::KILLERS)
    };
    let history = History::new();
    let mut moves = Moves::new(&position, &config, &history, hints);
    let order: Vec<_> = std::iter::from_fn(|| moves.next(&history)).collect();
    assert_eq!(
        order[0],
        uci(&position, "h2h3"),
        "the hash move, and not again"
    );
    let best = order[1..]
        .iter()
        .take_while(|&&mv| position.gain(mv) > crate::params::chess::SMALL_GAIN);
    assert_eq!(order[1 + best.count()], killer);
    assert_eq!(order.len(), position.board().legal_moves().len());
}

#[test]
fn checks_come_before_killers_and_killers_before_history() {
    let position = from_fen("4k3/8/8/8/8/8/P7/4K2R w - - 0 1");
    let [killer, often] = ["a2a4", "h1h2"].map(|mv| uci(&position, mv));
    let hints = Hints {
        killers: [Some(killer), None],
        ..Hints::default()
    };
    let config = Config {
        quiet_order: QuietOrder::Generated,
        ..Config::PLAIN.with(Ideas::CHECKS_FIRST | Ideas::KILLERS | Ideas::HISTORY)
    };
    let mut history = History::new();
    history.reward(position.board().turn(), often, 9);
    let mut moves = Moves::new(&position, &config, &history, hints);
    let order = [(); 3].map(|()| format!("{:?}", moves.next(&history).expect("a move")));
    assert_eq!(order, ["h1h8", "a2a4", "h1h2"]);
}
