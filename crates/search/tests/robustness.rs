//! Properties of a search under any limits, table contents and signals: a legal answer, lines that
//! match their scores, and the same number of nodes on every run.

mod common;

use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use common::{Engine, board, evaluations, position, uci};
use skewer_eval::{Evaluator, HandWritten};
use skewer_movegen::Board;
use skewer_search::{Clock, Limits, Mode, Position, SearchControl, TimeSource, bench::POSITIONS};
use skewer_tt::RawEntry;
use skewer_types::{Depth, Rng, Score, Techniques};

const SHARP: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn one_thread_searches_the_same_nodes_on_every_run() {
    let mut engine = Engine::new();
    let nodes = |engine: &mut Engine| -> Vec<u64> {
        engine.forget();
        POSITIONS[..12]
            .iter()
            .map(|fen| engine.search_fen(fen, &Limits::depth(7)).nodes)
            .collect()
    };
    let first = nodes(&mut engine);
    // A search in between has no effect.
    engine.search_fen(SHARP, &Limits::nodes(20_000));
    assert_eq!(nodes(&mut engine), first);
    assert_eq!(nodes(&mut Engine::new()), first);
}

#[test]
fn every_node_limit_has_a_legal_answer_and_is_kept() {
    for fen in [SHARP, POSITIONS[10], POSITIONS[23], POSITIONS[35]] {
        let mut engine = Engine::new();
        let first = engine.search_fen(fen, &Limits::depth(1)).nodes;
        for limit in (1..3000).step_by(97) {
            engine.forget();
            let outcome = engine.search_fen(fen, &Limits::nodes(limit));
            assert!(outcome.best.is_some());
            assert!(
                outcome.nodes <= limit.max(first),
                "{limit}: {}",
                outcome.nodes
            );
        }
    }
}

#[test]
fn a_stop_before_the_search_begins_is_not_lost_and_depth_one_is_finished() {
    let mut engine = Engine::new();
    let control = SearchControl::new(Limits::default());
    control.stop();
    let outcome = engine.search_under(&control, &position(SHARP));
    assert!(outcome.best.is_some());
    assert_eq!(outcome.depth, 1);
    // The stop does not affect the next search.
    let outcome = engine.search_fen(SHARP, &Limits::depth(4));
    assert_eq!(outcome.depth, 4);
}

#[test]
fn any_table_entry_is_tolerated() {
    let mut rng = Rng::new(1);
    for fen in POSITIONS {
        let mut engine = Engine::new();
        let root = board(fen);
        // Random entries for the root and the two plies below it: moves of other positions, any score.
        let mut garbage = |key: u64| {
            let bits = rng.next_u64();
            engine.table.store_raw(
                key,
                RawEntry {
                    mv: bits as u16,
                    score: (bits >> 16) as i16,
                    eval: (bits >> 32) as i16,
                    depth: (bits >> 48) as Depth % 40,
                    bound: (bits >> 56) as u8 & 3,
                    was_pv: bits >> 63 != 0,
                },
            );
        };
        garbage(root.key());
        for mv in &root.legal_moves() {
            let child = root.play(mv);
            garbage(child.key());
            for reply in &child.legal_moves() {
                garbage(child.play(reply).key());
            }
        }
        // With such entries scores may be anything, so only the moves are checked.
        let control = SearchControl::new(Limits::depth(5));
        let outcome = engine.search_unchecked(&control, &Position::new(root));
        assert!(root.is_legal(outcome.best.expect("an answer")), "{fen}");
        for mv in outcome.pv.iter().scan(root, |board, &mv| {
            let legal = board.is_legal(mv);
            *board = board.play(mv);
            Some(legal)
        }) {
            assert!(mv, "{fen}: {:?}", outcome.pv);
        }
    }
}

#[test]
fn lines_are_legal_and_match_their_scores_in_random_games() {
    // `search` checks the lines of every iteration.
    let mut rng = Rng::new(2);
    let evaluations = evaluations();
    for game in 0..24 {
        let mut engine = Engine::by(&evaluations[game % 2]);
        let mut position = Position::new(board(POSITIONS[game % POSITIONS.len()]));
        for _ in 0..30 {
            let moves = position.board().legal_moves();
            if moves.is_empty() || position.board().halfmove_clock() >= 100 {
                break;
            }
            let outcome = engine.search(&position, &Limits::nodes(1_500));
            let mv = if rng.below(4) == 0 {
                moves[rng.below(moves.len())]
            } else {
                outcome.best.unwrap()
            };
            position.play(mv);
        }
    }
}

#[test]
fn each_technique_can_be_switched() {
    let nodes = |techniques, fen: &str| {
        let mut engine = Engine::toggling(techniques);
        engine.search_fen(fen, &Limits::depth(10)).nodes
    };
    let all: Vec<(&str, u64)> = POSITIONS
        .iter()
        .map(|fen| (*fen, nodes(Techniques::empty(), fen)))
        .collect();
    // Techniques whose effect shows only in time, mates, repetitions, deeper searches or near the fifty-move rule.
    let elsewhere = Techniques::TIME_BY_NODES
        | Techniques::TIME_BY_STABILITY
        | Techniques::TIME_BY_SCORE
        | Techniques::FIFTY_MOVE_BUCKET
        | Techniques::MATE_DISTANCE_PRUNING
        | Techniques::NULL_MOVE_VERIFICATION
        | Techniques::UPCOMING_REPETITION;
    for (name, technique) in Techniques::all().iter_names() {
        // One position that shows the difference suffices.
        assert!(
            elsewhere.contains(technique)
                || all.iter().any(|&(fen, all)| nodes(technique, fen) != all),
            "{name} changes nothing"
        );
    }
}

/// Plain minimax over the same evaluation and the same rules of draws.
fn minimax(
    eval: &mut HandWritten,
    board: &Board,
    keys: &mut Vec<u64>,
    ply: usize,
    depth: u32,
) -> Score {
    let mated = board.in_check() && !board.has_legal_moves();
    let repeated = keys[..keys.len() - 1]
        .iter()
        .skip(1)
        .any(|&key| key == board.key());
    if ply > 0 && !mated && (board.halfmove_clock() >= 100 || repeated) {
        return Score::DRAW;
    }
    if mated {
        return Score::mated_in(ply);
    }
    if depth == 0 {
        return eval.evaluate(board);
    }
    let moves = board.legal_moves();
    if moves.is_empty() {
        return Score::DRAW;
    }
    let mut best = -Score::INFINITE;
    for mv in &moves {
        let after = board.play(mv);
        eval.push(board, mv, &after);
        keys.push(after.key());
        best = best.max(-minimax(eval, &after, keys, ply + 1, depth - 1));
        keys.pop();
        eval.pop();
    }
    best
}

#[test]
fn with_everything_off_the_search_is_minimax() {
    for fen in [
        POSITIONS[1],
        POSITIONS[23],
        POSITIONS[31],
        "7k/8/5K2/8/8/8/8/R7 w - - 95 80",
        "8/8/8/8/8/3k4/2p5/2K5 w - - 0 1",
    ] {
        let root = board(fen);
        for depth in 1..=3 {
            let mut engine = Engine::without(Techniques::all());
            let outcome = engine.search_fen(fen, &Limits::depth(depth));
            let mut eval = HandWritten::new(&root);
            let exact = minimax(&mut eval, &root, &mut vec![root.key()], 0, depth as u32);
            assert_eq!(outcome.score, exact, "{fen} at depth {depth}");
            // Techniques that prune nothing do not change the score.
            let keep = Techniques::PRINCIPAL_VARIATION_SEARCH
                | Techniques::ASPIRATION_WINDOWS
                | Techniques::KILLERS
                | Techniques::QUIET_HISTORY
                | Techniques::QUIET_DELTA
                | Techniques::CONTINUATION_HISTORY;
            let mut engine = Engine::without(Techniques::all() - keep);
            let outcome = engine.search_fen(fen, &Limits::depth(depth));
            assert_eq!(
                outcome.score, exact,
                "{fen} at depth {depth}, exact techniques"
            );
        }
    }
}

#[test]
fn only_the_wanted_root_moves_are_searched() {
    let mut engine = Engine::new();
    let root = board(SHARP);
    let wanted = vec![uci(&root, "a2a3"), uci(&root, "g2g4")];
    let limits = Limits {
        search_moves: wanted.clone(),
        ..Limits::depth(6)
    };
    let outcome = engine.search(&Position::new(root), &limits);
    assert!(wanted.contains(&outcome.best.unwrap()));
    // A list of only illegal moves does not restrict the search.
    let limits = Limits {
        search_moves: vec![uci(&Board::STARTPOS, "e2e4")],
        ..Limits::depth(3)
    };
    assert!(engine.search(&Position::new(root), &limits).best.is_some());
}

#[test]
fn several_lines_are_different_and_in_order() {
    let mut engine = Engine::new();
    let limits = Limits {
        multi_pv: 4,
        ..Limits::depth(7)
    };
    engine.search_fen(SHARP, &limits);
    let last: Vec<_> = engine.reports[engine.reports.len() - 4..].to_vec();
    for (index, report) in last.iter().enumerate() {
        assert_eq!((report.multi_pv, report.depth), (index + 1, 7));
        for other in &last[..index] {
            assert!(other.score >= report.score);
            assert_ne!(other.pv[0], report.pv[0]);
        }
    }
    // There are never more lines than moves.
    let limits = Limits {
        multi_pv: 500,
        ..Limits::depth(3)
    };
    engine.search_fen("7k/8/8/8/8/8/8/K7 w - - 0 1", &limits);
    assert_eq!(engine.reports.last().unwrap().multi_pv, 3);
}

/// Clients keep the last line of each number.
#[test]
fn several_lines_are_one_list_wherever_a_search_is_cut() {
    for nodes in (300..6000).step_by(97) {
        let mut engine = Engine::new();
        let limits = Limits {
            multi_pv: 3,
            nodes: Some(nodes),
            ..Limits::default()
        };
        let outcome = engine.search_fen(SHARP, &limits);
        let list: Vec<_> = (1..=3)
            .map(|number| {
                let of_number = |report: &&skewer_search::Report| report.multi_pv == number;
                engine.reports.iter().rfind(of_number).unwrap()
            })
            .collect();
        assert_eq!(list[0].pv.first(), outcome.best.as_ref(), "{nodes} nodes");
        for pair in list.windows(2) {
            assert_eq!(pair[0].depth, pair[1].depth, "{nodes} nodes");
            assert!(pair[0].score >= pair[1].score, "{nodes} nodes");
        }
        assert_ne!(list[0].pv[0], list[1].pv[0], "{nodes} nodes");
        assert_ne!(list[0].pv[0], list[2].pv[0], "{nodes} nodes");
        assert_ne!(list[1].pv[0], list[2].pv[0], "{nodes} nodes");
    }
}

fn clock(milliseconds: u64) -> Limits {
    Limits::clock(Clock {
        remaining: Duration::from_millis(milliseconds),
        increment: Duration::ZERO,
        moves_to_go: None,
    })
}

#[test]
fn time_measured_in_nodes_is_repeatable() {
    let limits = Limits {
        time_source: TimeSource::Nodes {
            per_millisecond: NonZeroU32::new(100).unwrap(),
        },
        ..clock(3_000)
    };
    let spent = |limits: &Limits| Engine::new().search_fen(POSITIONS[9], limits).nodes;
    let nodes = spent(&limits);
    assert_eq!(nodes, spent(&limits));
    // No more than the cap of 70% of the clock (at 100 nodes a millisecond), and a fair share.
    assert!((1_000..=210_600).contains(&nodes), "{nodes}");
    let longer = Limits {
        clock: clock(30_000).clock,
        ..limits
    };
    assert!(spent(&longer) > nodes);
}

#[test]
fn no_clock_however_short_is_a_problem() {
    for milliseconds in [0, 1, 5, 40] {
        let mut engine = Engine::new();
        let limits = Limits {
            move_overhead: Duration::from_millis(10),
            ..clock(milliseconds)
        };
        let outcome = engine.search_fen(POSITIONS[9], &limits);
        assert!(outcome.best.is_some());
    }
}

#[test]
fn pondering_ignores_the_clock_until_the_move_is_played() {
    let mut engine = Engine::new();
    let limits = Limits {
        mode: Mode::Ponder,
        ..clock(1)
    };
    // With a clock of a millisecond the search goes on until another limit is met.
    let ponder = Limits {
        nodes: Some(60_000),
        ..limits.clone()
    };
    let outcome = engine.search_fen(POSITIONS[9], &ponder);
    assert!(outcome.nodes >= 60_000);
    // With the move played, it ends by its clock.
    let control = SearchControl::new(limits);
    control.ponder_hit();
    let begun = Instant::now();
    engine.search_under(&control, &position(POSITIONS[9]));
    assert!(begun.elapsed() < Duration::from_mins(1));
}

#[test]
fn a_search_without_end_takes_no_notice_of_the_clock() {
    let mut engine = Engine::new();
    let limits = Limits {
        mode: Mode::Infinite,
        nodes: Some(60_000),
        ..clock(1)
    };
    assert!(engine.search_fen(POSITIONS[9], &limits).nodes >= 60_000);
}

#[test]
fn an_aborted_iteration_does_not_leave_a_losing_score_behind() {
    // Wherever a search is cut, its score is not a loss, unless the score of its last finished iteration is a loss
    // too.
    let mut engine = Engine::new();
    for fen in [POSITIONS[10], POSITIONS[17], POSITIONS[28]] {
        for limit in (500..12_000).step_by(577) {
            engine.forget();
            let outcome = engine.search_fen(fen, &Limits::nodes(limit));
            engine.forget();
            let finished = engine.search_fen(fen, &Limits::depth(outcome.depth));
            assert!(
                !outcome.score.is_loss() || finished.score.is_loss(),
                "{fen}"
            );
        }
    }
}
