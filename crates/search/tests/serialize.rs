//! Reports and results as text for people, and in few bytes for programs.

use std::time::Duration;

use skewer_movegen::{Board, Move};
use skewer_search::{Line, Report, SearchResult};
use skewer_types::{Bound, Score};

fn line(text: &[&str]) -> Line {
    let mut board = Board::STARTPOS;
    text.iter()
        .map(|text| {
            let mv = board.parse_uci(text).unwrap();
            board = board.play(mv);
            mv
        })
        .collect()
}

fn report() -> Report {
    Report {
        depth: 7,
        seldepth: 9,
        multi_pv: 1,
        lines: 1,
        score: Score::mate_in(5),
        bound: Bound::Exact,
        nodes: 1_000_000_007,
        time: Duration::from_micros(1_500_250),
        hashfull: 12,
        tb_hits: 0,
        pv: line(&["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "e1g1"]),
    }
}

#[test]
fn json_has_moves_in_uci_notation_and_is_read_back() {
    let report = report();
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["pv"][0], "e2e4");
    assert_eq!(json["pv"][6], "e1h1:castle");
    assert_eq!(
        (&json["bound"], &json["depth"]),
        (&"Exact".into(), &7.into())
    );
    assert_eq!(serde_json::from_value::<Report>(json).unwrap(), report);

    let result = SearchResult {
        best: report.pv.first().copied(),
        ponder: None,
        score: Score::new(-31),
        depth: 7,
        pv: report.pv,
        nodes: 5,
    };
    let json = serde_json::to_value(&result).unwrap();
    assert_eq!(
        (&json["best"], &json["score"]),
        (&"e2e4".into(), &(-31).into())
    );
    assert!(json["ponder"].is_null());
    assert_eq!(
        serde_json::from_value::<SearchResult>(json).unwrap(),
        result
    );
}

#[test]
fn programs_get_each_move_in_two_bytes() {
    let config = bincode::config::standard().with_fixed_int_encoding();
    let bytes = |report: &Report| bincode::serde::encode_to_vec(report, config).unwrap();
    let (all, mut less) = (report(), report());
    less.pv.truncate(4);
    assert_eq!(
        bytes(&all).len() - bytes(&less).len(),
        3 * size_of::<Move>()
    );
    let (read, _) = bincode::serde::decode_from_slice::<Report, _>(&bytes(&all), config).unwrap();
    assert_eq!(read, all);
}

#[test]
fn lines_with_too_many_moves_are_refused() {
    let mut json = serde_json::to_value(report()).unwrap();
    let mv = json["pv"][0].clone();
    json["pv"] = vec![mv; 1000].into();
    assert!(serde_json::from_value::<Report>(json).is_err());
}
