//! An analysis resumes where an earlier one ended, if the earlier one's table is still there. Other searches start
//! at depth 1.

mod common;

use common::{Engine, position};
use skewer_movegen::Board;
use skewer_search::bench::POSITIONS;
use skewer_search::{Limits, Mode, Position};
use skewer_tt::RawEntry;
use skewer_types::{Depth, Rng};

const MIDDLEGAME: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8";

fn analysis(depth: Depth) -> Limits {
    Limits {
        mode: Mode::Infinite,
        ..Limits::depth(depth)
    }
}

/// A new engine with the hash table of an engine that has analysed to depth 12.
fn with_table_of_an_analysis(fen: &str) -> (Engine, skewer_search::SearchResult) {
    let mut engine = Engine::new();
    let outcome = engine.search_fen(fen, &analysis(12));
    engine.worker.clear();
    (engine, outcome)
}

#[test]
fn the_same_depth_needs_no_search_and_the_next_fewer_nodes() {
    let (mut engine, before) = with_table_of_an_analysis(MIDDLEGAME);
    let again = engine.search_fen(MIDDLEGAME, &analysis(12));
    assert_eq!(
        (again.best, again.score, again.depth),
        (before.best, before.score, 12)
    );
    assert_eq!(again.nodes, 0);
    assert!(again.pv.len() > 1, "only one move: {:?}", again.pv);

    let further = engine.search_fen(MIDDLEGAME, &analysis(13));
    assert_eq!(engine.reports[0].depth, 12);
    assert_eq!(further.depth, 13);
    engine.forget();
    let from_nothing = engine.search_fen(MIDDLEGAME, &analysis(13));
    assert!(
        further.nodes < from_nothing.nodes,
        "{} against {}",
        further.nodes,
        from_nothing.nodes
    );
}

#[test]
fn less_depth_than_the_table_has_is_answered_from_it() {
    let (mut engine, before) = with_table_of_an_analysis(MIDDLEGAME);
    let outcome = engine.search_fen(MIDDLEGAME, &analysis(10));
    assert_eq!(
        (outcome.best, outcome.depth, outcome.nodes),
        (before.best, 10, 0)
    );
}

#[test]
fn a_search_that_plays_begins_at_depth_one() {
    let (mut engine, _) = with_table_of_an_analysis(MIDDLEGAME);
    let several = Limits {
        multi_pv: 2,
        ..analysis(6)
    };
    let root = position(MIDDLEGAME);
    let chosen = Limits {
        search_moves: vec![root.board().legal_moves()[0]],
        ..analysis(6)
    };
    for limits in [Limits::depth(6), several, chosen] {
        engine.search(&root, &limits);
        assert_eq!(engine.reports[0].depth, 1, "{limits:?}");
    }
}

#[test]
fn the_table_keeps_no_score_of_a_part_of_the_root_moves() {
    // One move takes the queen.
    let root = position("3qk3/ppp2ppp/8/8/8/5N2/PPP2PPP/3RK3 w - - 0 1");
    let mut engine = Engine::new();
    let several = Limits {
        multi_pv: 3,
        ..Limits::depth(9)
    };
    let best = engine.search(&root, &several).best;
    engine.search(&root, &analysis(9));
    let resumed = &engine.reports[0];
    assert!(resumed.depth > 7);
    assert_eq!(resumed.pv.first().copied(), best);
    engine.forget();
    let chosen = Limits {
        search_moves: vec![root.board().legal_moves()[0]],
        ..Limits::depth(9)
    };
    engine.search(&root, &chosen);
    engine.search(&root, &analysis(9));
    assert_eq!(engine.reports[0].depth, 1);
}

#[test]
fn near_the_fifty_move_rule_the_table_is_not_trusted() {
    for (clock, first) in [(50, 4), (70, 1)] {
        let fen = MIDDLEGAME.replace("0 8", &format!("{clock} 60"));
        let (mut engine, _) = with_table_of_an_analysis(&fen);
        engine.search_fen(&fen, &analysis(4));
        assert_eq!(engine.reports[0].depth, first, "{fen}");
    }
}

#[test]
fn any_table_entry_is_tolerated() {
    let mut rng = Rng::new(3);
    let mut resumed = 0;
    for fen in POSITIONS {
        let mut engine = Engine::new();
        let root = position(fen);
        let mut garbage = |board: &Board| {
            let bits = rng.next_u64();
            let moves = board.legal_moves();
            let Some(&mv) = rng.choose(&moves) else {
                return;
            };
            engine.table.store_raw(
                board.key(),
                RawEntry {
                    mv: mv.bits(),
                    score: (bits >> 16) as i16,
                    eval: 0,
                    depth: (bits >> 48) as Depth % 128,
                    bound: 3,
                    was_pv: false,
                },
            );
        };
        garbage(root.board());
        for mv in &root.board().legal_moves() {
            let child = root.board().play(mv);
            garbage(&child);
            for reply in &child.legal_moves() {
                garbage(&child.play(reply));
            }
        }
        // `search` checks every line. An entry deeper than the limit is answered without a search.
        let outcome = engine.search(&Position::new(*root.board()), &analysis(4));
        resumed += u32::from(outcome.nodes == 0);
    }
    assert!(resumed > 10, "{resumed}");
}
