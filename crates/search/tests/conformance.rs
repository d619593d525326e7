//! Repeats, with this build of the libraries, the searches that every build must answer alike, to the node
//! (`.ci/run conformance`). An unintended change of the search changes some of these answers; after an intended
//! change, `.ci/conformance/check.py write` writes the new answers.

use std::fs;

use skewer_eval::Evaluation;
use skewer_movegen::{Board, CastlingMode};
use skewer_search::{Limits, Position, Report, Solo};
use skewer_tt::TableSize;
use skewer_types::Bound;

const SEARCHES: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../.ci/conformance/searches.csv"
);

/// The row of the table with the answer of this build: best move, score and nodes of the last line.
fn answered(row: &str) -> String {
    let fields: Vec<&str> = row.split(',').collect();
    let [fen, chess960, hash, lines, network, nodes, ..] = fields[..] else {
        panic!("not a search: {row}");
    };
    let evaluation = match network {
        "true" => Evaluation::built_in_network().expect("a build with a network"),
        _ => Evaluation::hand_written(),
    };
    let board: Board = fen.parse().expect("a legal position");
    let curve = evaluation.win_curve(&board);
    let size = TableSize::from_megabytes(hash.parse().expect("megabytes"));
    let mut solo = Solo::new(evaluation, size).expect("enough memory");
    let limits = Limits {
        multi_pv: lines.parse().expect("a number of lines"),
        nodes: Some(nodes.parse().expect("a number of nodes")),
        ..Limits::default()
    };
    let mut last: Option<Report> = None;
    let outcome = solo.search_with_report(&Position::new(board), &limits, &mut |report| {
        // A search of more than three seconds may repeat its best line.
        let is_known = last.as_ref().is_some_and(|old| {
            (old.depth, old.score, &old.pv) == (report.depth, report.score, &report.pv)
        });
        if report.multi_pv == 1 && report.bound == Bound::Exact && !is_known {
            last = Some(report.clone());
        }
    });
    let last = last.expect("a line");
    // If an aborted iteration has improved the last line, the better line is shown as one more line.
    let shown = (last.score, &last.pv) == (outcome.score, &outcome.pv);
    let nodes = if shown { last.nodes } else { outcome.nodes };
    let score = match outcome.score.mate_distance() {
        Some(moves) => format!("mate {moves}"),
        None => format!("cp {}", curve.centipawns(outcome.score)),
    };
    let mode = match chess960 {
        "true" => CastlingMode::Chess960,
        _ => CastlingMode::Standard,
    };
    let best = board.uci_in(outcome.best.expect("a legal move"), mode);
    format!("{},{best},{score},{nodes}", fields[..6].join(","))
}

#[test]
fn sixty_searches_have_the_answers_of_every_build_to_the_node() {
    let table = fs::read_to_string(SEARCHES).expect("the table of searches");
    let rows: Vec<&str> = table.lines().skip(1).collect();
    assert_eq!(rows.len(), 60);
    for row in rows {
        assert_eq!(answered(row), row);
    }
}
