//! The rules of the texts, each tested in a position in which any other rule would give another answer.

use skewer_movegen::{Board, Move};
use skewer_types::Bound;

use super::{Context, Entry, Searcher, Verify};
use crate::chess::config::{Config, ConsecutiveNullMoves, Ideas, NullMove, Quiescence};
use crate::chess::position::Position;
use crate::chess::positions::{ZUGZWANG, from_fen};
use crate::game::{End, INFINITE, Value, Window};
use crate::params::chess as params;
use crate::trace::Step;

/// White is two queens up, and no threat is near.
const QUEENS: &str = "4k3/8/8/8/8/8/8/Q3K2Q w - - 0 1";

/// A node after a quiet move.
const INNER: Context = Context {
    ply: 1,
    last: None,
    noisy: false,
    null_moves: 0,
    verify: Verify::Done,
    extended: false,
};

fn searcher(null_move: NullMove) -> Searcher {
    Searcher::new(Config {
        null_move,
        ..Config::PLAIN
    })
}

fn with(ideas: Ideas) -> Searcher {
    Searcher::new(Config::PLAIN.with(ideas))
}

fn uci(position: &Position, text: &str) -> Move {
    position.board().parse_uci(text).expect("a legal move")
}

/// A window in which `position` fails high by passing: far below its evaluation.
fn below(position: &Position) -> Window {
    Window::null(position.evaluate() - 500)
}

/// The windows with which the nodes after a null move were entered, each beside the window of its parent.
fn passes(searcher: Searcher) -> Vec<(Window, Window)> {
    let recording = searcher.recording().expect("recorded");
    let mut open: Vec<Window> = Vec::new();
    let mut passes = Vec::new();
    for step in &recording.steps {
        match *step {
            Step::Enter { node, window } => {
                if recording.places[node].label == "pass" {
                    passes.push((*open.last().expect("a parent"), window));
                }
                open.push(window);
            }
            Step::Leave { .. } => {
                open.pop();
            }
            _ => {}
        }
    }
    passes
}

/// The lines of the nodes that were entered, in order: the moves from the root, joined.
fn lines(searcher: Searcher) -> Vec<String> {
    let recording = searcher.recording().expect("recorded");
    let line = |mut node: usize| {
        let mut labels = Vec::new();
        while let Some(parent) = recording.places[node].parent {
            labels.insert(0, recording.places[node].label.clone());
            node = parent;
        }
        labels.join(" ")
    };
    let entered = recording.steps.iter().filter_map(|step| match *step {
        Step::Enter { node, .. } => Some(line(node)),
        _ => None,
    });
    entered.collect()
}

// The null move (Moreland).

#[test]
fn a_null_move_is_searched_with_a_null_window_below_beta_also_in_an_open_window() {
    let position = from_fen(QUEENS);
    let window = Window {
        alpha: position.evaluate() - 700,
        beta: position.evaluate() - 500,
    };
    for (ideas, asked) in [
        (Ideas::empty(), Window::null(window.beta)),
        (Ideas::NULL_MOVE_OPEN_WINDOW, window),
    ] {
        let mut searcher = Searcher::new(Config {
            null_move: NullMove::Plain { reduction: 2 },
            ..Config::PLAIN.with(ideas)
        });
        searcher.record();
        assert_eq!(searcher.probe(&position, 3, window), window.beta);
        assert_eq!(passes(searcher), [(window, asked.flip())]);
    }
}

#[test]
fn a_null_move_cuts_at_beta_and_not_below() {
    let position = from_fen(QUEENS);
    let reduction = 2;
    // At depth 1 the opponent is at the horizon, and has nothing to take.
    let holds = |beta| {
        let mut searcher = searcher(NullMove::Plain { reduction });
        searcher.null_move_holds(&position, 1, Window::null(beta))
    };
    assert!(holds(position.evaluate()) && !holds(position.evaluate() + 1));
}

#[test]
fn the_reduction_of_a_null_move_is_taken_off_besides_its_own_ply() {
    // White is mated in one move unless Black has no ply to find it.
    let position = from_fen(crate::chess::positions::HORIZON);
    for reduction in 1..=4 {
        for depth in 1..=8 {
            let mut searcher = searcher(NullMove::Plain { reduction });
            let holds = searcher.null_move_holds(&position, depth, Window::null(100));
            assert_eq!(
                holds,
                depth - 1 - reduction < 1,
                "R={reduction}, depth {depth}"
            );
        }
    }
}

#[test]
fn null_moves_in_a_row_count_until_a_real_move() {
    let position = from_fen(QUEENS);
    for (consecutive, most) in [
        (ConsecutiveNullMoves::One, 1),
        (ConsecutiveNullMoves::Two, 2),
        (ConsecutiveNullMoves::Unlimited, 3),
    ] {
        let mut searcher = Searcher::new(Config {
            null_move: NullMove::Plain { reduction: 0 },
            consecutive,
            ..Config::PLAIN
        });
        searcher.record();
        searcher.probe(&position, 3, below(&position));
        let lines = lines(searcher);
        let passes = |line: &&String| line.split(' ').take_while(|&mv| mv == "pass").count();
        assert_eq!(lines.iter().map(|line| passes(&line)).max(), Some(most));
        if consecutive == ConsecutiveNullMoves::One {
            // After a pass and a king's move White may pass again.
            assert!(
                lines.iter().any(|line| line == "pass Kd8 pass"),
                "{lines:?}"
            );
        }
    }
}

#[test]
fn the_side_that_passes_needs_pieces_and_its_opponent_none() {
    let holds = |fen: &str, ideas: Ideas| {
        let position = from_fen(fen);
        let mut searcher = Searcher::new(Config {
            null_move: NullMove::Plain { reduction: 2 },
            ..Config::PLAIN.with(ideas)
        });
        searcher.null_move_holds(&position, 2, below(&position))
    };
    let pawns = "n3k3/8/8/8/8/8/PPPPPPP1/4K3 w - - 0 1";
    let piece = "4k3/ppp5/8/8/8/8/8/Q3K3 w - - 0 1";
    let needs = Ideas::NULL_NEEDS_PIECES;
    assert!(holds(piece, needs) && !holds(pawns, needs));
    assert!(holds(pawns, Ideas::empty()), "by default pawns are enough");
}

#[test]
fn the_watched_pattern_is_a_queen_and_a_pawn_of_the_opponent_on_either_wing() {
    let holds = |fen: &str| {
        let position = from_fen(fen);
        let mut searcher = Searcher::new(Config {
            null_move: NullMove::Plain { reduction: 2 },
            ..Config::PLAIN.with(Ideas::WATCH_QUEEN_AND_PAWN)
        });
        searcher.null_move_holds(&position, 1, below(&position))
    };
    for (fen, allowed) in [
        ("7k/8/8/8/8/5p1q/8/R3K3 w - - 0 1", false),
        ("6k1/8/8/8/8/q1p5/8/4K2R w - - 0 1", false),
        ("r3k3/8/5P1Q/8/8/8/8/7K b - - 0 1", false),
        ("1r2k3/8/Q1P5/8/8/8/8/7K b - - 0 1", false),
        // The queen of one wing with the pawn of the other, either alone, or on the other's side.
        ("7k/8/8/8/8/2p4q/8/R3K3 w - - 0 1", true),
        ("7k/8/8/8/8/7q/8/R3K3 w - - 0 1", true),
        ("7k/8/8/8/8/5p2/8/R3K3 w - - 0 1", true),
        ("r3k3/8/8/8/8/5P1Q/8/7K b - - 0 1", true),
    ] {
        assert_eq!(holds(fen), allowed, "{fen}");
    }
}

#[test]
fn against_the_watched_pattern_a_node_gets_a_ply_or_its_null_moves_reduce_by_one() {
    // White, a rook ahead, is mated next move. The search sees the mate only if it has a ply left
    // for Black's move.
    let position = from_fen(crate::chess::positions::HORIZON);
    let apart = from_fen("6k1/5pp1/7p/8/8/2N3pq/PPP2P1P/R4RK1 w - - 0 1");
    let probe = |position: &Position, reduction, depth, ideas| {
        let mut searcher = Searcher::new(Config {
            null_move: NullMove::Plain { reduction },
            ..Config::PLAIN.with(ideas)
        });
        let holds = searcher.null_move_holds(position, depth, Window::null(100));
        let mut searcher = with(ideas);
        searcher.search(position, 1, Window::FULL, INNER);
        (holds, searcher.effort.nodes > 1)
    };
    for reduction in 1..=4 {
        let smaller = Ideas::SMALLER_R_QUEEN_AND_PAWN;
        for depth in 2..=6 {
            // With R=1 the mate is hidden from two plies alone.
            assert_eq!(probe(&position, reduction, depth, smaller).0, depth == 2);
            let plain = depth - 1 - reduction < 1;
            assert_eq!(probe(&position, reduction, depth, Ideas::empty()).0, plain);
        }
    }
    let extend = Ideas::EXTEND_QUEEN_AND_PAWN;
    assert!(probe(&position, 2, 1, extend).1, "one ply becomes two");
    assert!(!probe(&apart, 2, 1, extend).1, "another pattern");
    assert!(!probe(&position, 2, 1, Ideas::empty()).1, "not by default");
    // Once in a line: White's next node has no ply more.
    let depths = |depth| {
        let mut searcher = with(extend);
        searcher.record();
        searcher.search(&position, depth, Window::FULL, INNER);
        let line = lines(searcher)
            .into_iter()
            .map(|line| line.split(' ').count());
        line.max()
    };
    assert_eq!((depths(1), depths(2)), (Some(2), Some(3)));
}

#[test]
fn a_position_that_two_passes_bring_back_is_no_repetition() {
    let config = |consecutive| Config {
        null_move: NullMove::Plain { reduction: 0 },
        consecutive,
        ..Config::PLAIN.with(Ideas::PATH_DRAWS)
    };
    // White passes, and Black would pass as well: the third node has the position of the first.
    let position = from_fen("4k3/8/8/8/8/8/8/Q3K2Q w - - 10 20");
    let mut searcher = Searcher::new(config(ConsecutiveNullMoves::Two));
    searcher.probe(&position, 3, below(&position));
    assert_eq!(searcher.effort.visits.ended(End::Drawn), 0);
    assert_eq!(searcher.since_null_move, 0, "a null move is taken back");
    // Nor does a pass repeat a position of the game, here the position with Black to move.
    let passed = position.play_null().expect("no check");
    let mut searcher = Searcher::new(config(ConsecutiveNullMoves::One));
    searcher.remember_game(&[passed.board().key(), 1, 2, 3]);
    searcher.probe(&position, 2, below(&position));
    assert_eq!(searcher.effort.visits.ended(End::Drawn), 0);
    // A repetition by real moves counts: the kings go out and back.
    let mut searcher = Searcher::new(config(ConsecutiveNullMoves::One));
    searcher.search_to_depth(&position, 5);
    assert!(searcher.effort.visits.ended(End::Drawn) > 0);
}

// Verified null moves (Tabibi and Netanyahu).

#[test]
fn in_the_search_of_a_null_move_cut_offs_are_verified_too() {
    let position = from_fen(QUEENS);
    // The null move leaves three plies: Black moves, and White may pass with two.
    let mut searcher = searcher(NullMove::Verified);
    searcher.record();
    assert!(searcher.null_move_holds(&position, 7, below(&position)));
    assert_eq!(searcher.effort.visits.ended(End::NullMove), 0);
    assert!(!passes(searcher).is_empty());
}

#[test]
fn a_search_of_one_ply_cannot_be_verified_and_makes_no_null_move() {
    let position = from_fen(QUEENS);
    for (depth, expected) in [(1, 0), (2, 1)] {
        let mut searcher = searcher(NullMove::Verified);
        searcher.record();
        searcher.probe(&position, depth, below(&position));
        assert_eq!(passes(searcher).len(), expected, "depth {depth}");
    }
}

#[test]
fn the_verifying_search_is_a_ply_shallower_and_its_null_moves_are_not_verified() {
    let position = from_fen(QUEENS);
    let mut searcher = searcher(NullMove::Verified);
    searcher.probe(&position, 6, below(&position));
    assert!(searcher.effort.visits.ended(End::NullMove) > 0);
    let entry = searcher.table[&position.board().key()];
    assert_eq!(entry.depth, 5);
}

#[test]
fn the_search_after_a_refuted_verification_verifies_again_below() {
    // Each of White's king moves costs some of its evaluation, and a pass does not: beta is what a pass keeps.
    // After any of them Black can pass and still stand above its own beta.
    let position = from_fen("b6k/8/8/8/8/8/8/6K1 w - - 0 1");
    let window = Window::null(position.evaluate());
    for depth in 3..=4 {
        let mut searcher = searcher(NullMove::Verified);
        searcher.record();
        assert_eq!(searcher.probe(&position, depth, window), window.alpha);
        let recording = searcher.recording().expect("recorded");
        let is_move = |place: &&usize| {
            let place = &recording.places[**place];
            place.parent == Some(0) && place.label != "pass"
        };
        let places: Vec<_> = (0..recording.places.len()).collect();
        let moves: Vec<_> = places.iter().filter(is_move).collect();
        assert_eq!(moves.len(), 3, "f1, f2 and h2");
        for &mv in moves {
            let ends = recording.steps.iter().filter_map(|step| match *step {
                Step::Leave { node, end, .. } if node == mv => Some(end),
                _ => None,
            });
            // In the verifying search Black's pass cuts at once, and then only with a search of its own.
            let ends: Vec<_> = ends.collect();
            assert_eq!(ends, [End::NullMove, End::Cutoff], "depth {depth}");
        }
    }
}

#[test]
fn a_null_move_that_verification_refutes_leads_to_a_search_of_the_whole_depth() {
    let position = from_fen(ZUGZWANG);
    for depth in 4..=6 {
        let mut searcher = searcher(NullMove::Verified);
        let window = Window::null(-300);
        assert!(searcher.null_move_holds(&position, depth, window));
        assert_eq!(searcher.probe(&position, depth, window), window.alpha);
        assert_eq!(searcher.table[&position.board().key()].depth, depth);
    }
}

// Futility pruning and forward pruning.

#[test]
fn mates_are_settled_if_neither_end_of_the_window_is_a_mate() {
    let careful = with(Ideas::MATES_FIRST);
    let (mate, bound) = (params::MATE - 5, params::MATE_BOUND);
    for (alpha, beta, settled) in [
        (0, 1, true),
        (-INFINITE, INFINITE, true),
        (-mate, 0, false),
        (0, mate, false),
        (mate, mate + 1, false),
        (-bound, 0, false),
        (1 - bound, bound - 1, true),
        (0, params::MATE, false),
        (0, params::MATE + 1, true),
    ] {
        assert_eq!(
            careful.mates_are_settled(alpha, beta),
            settled,
            "{alpha} {beta}"
        );
        assert!(with(Ideas::empty()).mates_are_settled(alpha, beta));
    }
}

#[test]
fn futility_waits_for_mates_in_both_forms_only_if_it_is_told_to() {
    let position = from_fen("6k1/5ppp/8/8/8/8/5PPP/Q5K1 w - - 0 1");
    let after = position.play(uci(&position, "a1b1"));
    let arrival = Context { ply: 2, ..INNER };
    for (ideas, expected) in [(Ideas::empty(), true), (Ideas::MATES_FIRST, false)] {
        let searcher = with(ideas | Ideas::FUTILITY_NODE | Ideas::FUTILITY_PARENT);
        let window = Window {
            alpha: -params::MATE + 3,
            beta: 0,
        };
        assert_eq!(searcher.futile_node(&position, 1, window, INNER), expected);
        let alpha = params::MATE - 3;
        let skipped = searcher.futile_move(&position, &after, 1, alpha, arrival, INNER);
        assert_eq!(skipped, expected);
    }
}

#[test]
fn forward_pruning_skips_late_quiet_moves_but_no_check_and_no_evasion() {
    let quiet = from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    let in_check = from_fen("4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1");
    let skips = |position: &Position, mv: &str, depth, place, ply| {
        let context = Context { ply, ..INNER };
        let mv = uci(position, mv);
        with(Ideas::FORWARD_PRUNING).implausible(position, mv, depth, place, context)
    };
    for (depth, width) in [(0, 6), (1, 6), (2, 8), (3, 10), (4, 14), (9, 14)] {
        assert!(!skips(&quiet, "a1a2", depth, width, 1), "depth {depth}");
        assert!(skips(&quiet, "a1a2", depth, width + 1, 1), "depth {depth}");
    }
    assert!(!skips(&quiet, "a1a8", 1, 99, 1), "a check");
    assert!(!skips(&in_check, "e1d1", 1, 99, 1), "an evasion");
    assert!(!skips(&quiet, "a1a2", 1, 99, 0), "at the root");
    let plain = with(Ideas::empty());
    assert!(!plain.implausible(&quiet, uci(&quiet, "a1a2"), 1, 99, INNER));
}

#[test]
fn forward_pruning_counts_quiet_moves_alone() {
    // At a depth of one ply six quiet moves are searched, whatever captures come before them.
    for (fen, captures) in [
        ("7k/8/8/8/8/8/4P3/4K2B w - - 0 1", 0),
        ("7k/8/8/3p1p2/4P3/8/8/4K2B w - - 0 1", 2),
    ] {
        let position = from_fen(fen);
        let mut searcher = with(Ideas::FORWARD_PRUNING);
        searcher.search(&position, 1, Window::FULL, INNER);
        let moves = position.board().legal_moves();
        let checks = moves.iter().filter(|&&mv| position.board().gives_check(mv));
        assert_eq!(checks.count(), 0);
        assert_eq!(searcher.effort.horizons, 6 + captures, "{fen}");
        let skipped = moves.len() as u64 - 6 - captures;
        assert_eq!(searcher.effort.skipped, skipped, "{fen}");
    }
}

// What a node learns, and what it takes from the table.

#[test]
fn a_quiet_move_that_fails_high_is_the_first_killer_and_the_killer_before_it_the_second() {
    let position = from_fen("4k3/8/8/8/3p4/2P5/P7/4K2R w - - 0 1");
    let [a3, a4, rook, capture] = ["a2a3", "a2a4", "h1h2", "c3d4"].map(|mv| uci(&position, mv));
    let mut searcher = with(Ideas::empty());
    let mut learn = |mv, value| {
        let window = Window { alpha: 0, beta: 10 };
        searcher.learn(&position, 2, window, value, Some(mv), 3);
        searcher.killers[3]
    };
    assert_eq!(learn(a3, 5), [None; 2], "best, but no cut-off");
    assert_eq!(learn(a3, 10), [Some(a3), None]);
    assert_eq!(learn(a4, 10), [Some(a4), Some(a3)]);
    assert_eq!(
        learn(a4, 12),
        [Some(a4), Some(a3)],
        "it is not entered twice"
    );
    assert_eq!(learn(capture, 10), [Some(a4), Some(a3)]);
    assert_eq!(learn(rook, 10), [Some(rook), Some(a4)]);
    let other_plies = searcher
        .killers
        .iter()
        .enumerate()
        .filter(|(ply, _)| *ply != 3);
    assert!(
        other_plies
            .into_iter()
            .all(|(_, killers)| *killers == [None; 2])
    );
}

#[test]
fn the_history_grows_by_the_square_of_the_depth_for_any_best_quiet_move() {
    let position = from_fen("4k3/8/8/8/3p4/2P5/P7/4K2R w - - 0 1");
    let [quiet, other, capture] = ["a2a3", "a2a4", "c3d4"].map(|mv| uci(&position, mv));
    let mut searcher = with(Ideas::empty());
    let window = Window { alpha: 0, beta: 10 };
    for (mv, depth, value) in [(quiet, 3, 5), (quiet, 2, 10), (capture, 9, 10)] {
        searcher.learn(&position, depth, window, value, Some(mv), 1);
    }
    searcher.learn(&position, 9, window, 0, None, 1);
    let turn = position.board().turn();
    let known = [quiet, other, capture].map(|mv| searcher.history.get(turn, mv));
    assert_eq!(known, [9 + 4, 0, 0]);
    assert_eq!(searcher.history.get(!turn, quiet), 0);
}

#[test]
fn an_entry_keeps_its_move_until_there_is_another() {
    let position = from_fen(QUEENS);
    let key = position.board().key();
    let [one, other] = ["a1a2", "h1h2"].map(|mv| uci(&position, mv));
    let mut searcher = with(Ideas::empty());
    let window = Window { alpha: 0, beta: 10 };
    for (best, value, bound, expected) in [
        (Some(one), 5, Bound::Exact, one),
        (None, 0, Bound::Upper, one),
        (Some(other), 10, Bound::Lower, other),
    ] {
        searcher.learn(&position, 4, window, value, best, 1);
        let entry = searcher.table[&key];
        assert_eq!((entry.depth, entry.value, entry.bound), (4, value, bound));
        assert_eq!(entry.best, Some(expected));
    }
}

#[test]
fn a_value_of_the_table_settles_a_node_at_its_depth_if_its_bound_decides() {
    let known = |ideas, bound, value, depth, context| {
        let entry = Entry {
            depth: 3,
            value,
            bound,
            best: None,
        };
        let window = Window { alpha: 0, beta: 10 };
        with(ideas).known_value(Some(entry), depth, window, context)
    };
    let value = |bound, value| known(Ideas::HASH_VALUE, bound, value, 3, INNER);
    // Values inside the window, at its ends and beyond; fail-hard.
    for (bound, cuts) in [
        (
            Bound::Exact,
            [Some(0), Some(0), Some(5), Some(10), Some(10)],
        ),
        (Bound::Lower, [None, None, None, Some(10), Some(10)]),
        (Bound::Upper, [Some(0), Some(0), None, None, None]),
    ] {
        assert_eq!(
            [-5, 0, 5, 10, 15].map(|v| value(bound, v)),
            cuts,
            "{bound:?}"
        );
    }
    let exact = |ideas, depth, context| known(ideas, Bound::Exact, 5, depth, context).is_some();
    assert!(!exact(Ideas::empty(), 3, INNER), "switched off");
    for depth in [2, 4] {
        assert!(!exact(Ideas::HASH_VALUE, depth, INNER), "depth {depth}");
    }
    assert!(
        !exact(Ideas::HASH_VALUE, 3, Context { ply: 0, ..INNER }),
        "at the root"
    );
    let unverified = Context {
        verify: Verify::Wanted,
        ..INNER
    };
    assert!(
        !exact(Ideas::HASH_VALUE, 3, unverified),
        "found by other rules"
    );
    // A mate's value depends on the distance from the root.
    for mate in [params::MATE_BOUND, -params::MATE_BOUND] {
        assert_eq!(value(Bound::Exact, mate), None);
    }
    assert_eq!(value(Bound::Exact, params::MATE_BOUND - 1), Some(10));
}

#[test]
fn a_node_tries_the_best_move_of_the_last_node_with_the_same_parent() {
    let position = from_fen(QUEENS);
    for mv in ["h1g2", "e1d2"] {
        let mut searcher = with(Ideas::EARLY_CANDIDATES);
        searcher.siblings[1] = Some(uci(&position, mv));
        searcher.record();
        searcher.search(&position, 1, Window::FULL, INNER);
        let san = position.board().san(uci(&position, mv)).to_string();
        assert_eq!(lines(searcher)[1], san);
    }
}

#[test]
fn a_node_leaves_its_best_move_to_its_siblings_and_not_to_its_cousins() {
    // Whatever White's king does, Black promotes.
    let position = from_fen("k7/8/8/8/8/8/6p1/K7 w - - 0 1");
    let mut searcher = with(Ideas::EARLY_CANDIDATES);
    searcher.siblings[1] = Some(Move::normal(
        skewer_movegen::Square::A8,
        skewer_movegen::Square::B8,
    ));
    searcher.record();
    let thought = searcher.search_to_depth(&position, 2);
    let best = format!("{:?}", searcher.siblings[1].expect("a best move"));
    assert_eq!(best, "g2g1q");
    assert_eq!(searcher.siblings[0], thought.best);
    let lines = lines(searcher);
    assert_eq!(lines[..3], ["", "Kb1", "Kb1 g1=Q+"], "{lines:?}");
}

// The frame: depth, ends of the game, windows.

#[test]
fn a_node_in_check_is_searched_a_ply_deeper_with_the_check_extension() {
    let position = from_fen("4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1");
    let nodes = |ideas| {
        let mut searcher = with(ideas);
        searcher.search(&position, 0, Window::FULL, INNER);
        (searcher.effort.nodes, searcher.effort.horizons)
    };
    let evasions = position.board().legal_moves().len() as u64;
    assert_eq!(nodes(Ideas::empty()), (0, 1));
    assert_eq!(nodes(Ideas::CHECK_EXTENSION), (1, evasions));
}

#[test]
fn mates_count_their_distance_and_stalemates_nothing() {
    for (fen, depth, ply, value) in [
        (
            "R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1",
            0,
            3,
            3 - params::MATE,
        ),
        (
            "R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1",
            2,
            3,
            3 - params::MATE,
        ),
        ("k7/8/1Q6/8/8/8/8/7K b - - 0 1", 0, 3, 0),
        ("k7/8/1Q6/8/8/8/8/7K b - - 0 1", 2, 3, 0),
    ] {
        let mut searcher = with(Ideas::empty());
        let context = Context { ply, ..INNER };
        let found = searcher.search(&from_fen(fen), depth, Window::FULL, context);
        assert_eq!(found, value, "{fen}, depth {depth}");
    }
}

#[test]
fn values_stay_inside_the_window() {
    let queens = from_fen(QUEENS);
    let mated = from_fen("R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1");
    let stalemate = from_fen("k7/8/1Q6/8/8/8/8/7K b - - 0 1");
    for (position, expected) in [(queens, [10, 10]), (mated, [5, -10]), (stalemate, [5, 0])] {
        for depth in 0..=2 {
            let windows = [(5, 10), (-10, 10)];
            let values = windows.map(|(alpha, beta)| {
                let window = Window { alpha, beta };
                with(Ideas::empty()).search(&position, depth, window, INNER)
            });
            assert_eq!(values, expected, "depth {depth}");
        }
    }
}

#[test]
fn a_hundred_plies_without_progress_and_a_repetition_are_draws_below_the_root() {
    let drawn = |clock: u32, keys: &[u64], ideas| {
        let position = from_fen(&format!("4k3/8/8/8/8/8/8/Q3K2Q w - - {clock} 90"));
        let mut searcher = with(ideas);
        searcher.remember_game(keys);
        searcher.drawn(&position)
    };
    let key = from_fen(QUEENS).board().key();
    let draws = Ideas::PATH_DRAWS;
    assert!(drawn(100, &[], draws) && !drawn(99, &[], draws));
    assert!(!drawn(100, &[], Ideas::empty()));
    assert!(drawn(4, &[key, 1, 2, 3], draws));
    assert!(
        !drawn(3, &[key, 1, 2, 3], draws),
        "before the last capture or pawn move"
    );
    assert!(!drawn(4, &[key, 1, 2, 3], Ideas::empty()));
    // At the root a move is wanted, whatever the position was worth.
    let position = from_fen("4k3/8/8/8/8/8/8/Q3K2Q w - - 4 90");
    let mut searcher = with(draws);
    searcher.remember_game(&[position.board().key(), 1, 2, 3]);
    assert!(searcher.search_to_depth(&position, 1).best.is_some());
}

#[test]
fn negascout_searches_a_move_again_only_inside_the_window() {
    let position = from_fen(QUEENS);
    // A leaf is worth its evaluation: the value of the move for White.
    let after = position.play(uci(&position, "e1d1"));
    let value = -after.evaluate();
    let cost = |ideas, alpha, beta, has_best| {
        let mut searcher = Searcher::new(Config {
            quiescence: Quiescence::Off,
            ..Config::PLAIN.with(ideas)
        });
        let window = Window { alpha, beta };
        let found = searcher.move_value(&after, 0, window, INNER, has_best);
        let effort = searcher.effort;
        (
            found,
            effort.horizons,
            effort.researches,
            effort.visits.null_windows,
        )
    };
    let (low, high): (Value, Value) = (value - 50, value + 50);
    let scout = Ideas::NEGASCOUT;
    assert_eq!(
        cost(scout, low, high, true),
        (value, 2, 1, 1),
        "it is better"
    );
    assert_eq!(
        cost(scout, value, high, true),
        (value, 1, 0, 1),
        "it is no better"
    );
    assert_eq!(
        cost(scout, low, low + 1, true).1,
        1,
        "beta is reached at once"
    );
    assert_eq!(
        cost(scout, low, high, false),
        (value, 1, 0, 0),
        "the first move"
    );
    assert_eq!(cost(Ideas::empty(), low, high, true), (value, 1, 0, 0));
}

#[test]
fn deepening_stops_at_the_limit_and_keeps_the_last_whole_iteration() {
    let position = Position::new(Board::STARTPOS);
    let mut whole = with(Ideas::HASH_MOVE);
    let third = whole.think(&position, super::Limits::depth(3));
    let nodes = whole.effort.total();
    for (limit, depth) in [(0, 1), (nodes, 3), (nodes + 1, 3)] {
        let mut searcher = with(Ideas::HASH_MOVE);
        let thought = searcher.think(&position, super::Limits::nodes(limit));
        assert_eq!(thought.depth, depth, "{limit} nodes");
        if depth == 3 {
            assert_eq!(thought, third);
        }
        assert!(!searcher.stopped && searcher.nodes == u64::MAX);
    }
}
