//! Checks for any bytes that an engine may write. The fuzzer uses them too.

use std::io::Cursor;
use std::time::Duration;

use skewer_uci_client::{Bounds, Go, Info, InfoScore, UciEngine};

/// Whatever an engine writes, the numbers that are accepted are possible, and a search ends with a short word or an
/// error.
pub(crate) fn check(bytes: &[u8]) {
    for line in String::from_utf8_lossy(bytes).lines() {
        let Ok(Some(info)) = Info::parse(line) else {
            continue;
        };
        assert!((1..=256).contains(&info.multi_pv), "{line}");
        assert!(info.depth.is_none_or(|depth| depth <= 1000), "{line}");
        let is_possible = match info.score {
            Some(InfoScore::Centipawns(score)) => score.abs() <= 1_000_000,
            Some(InfoScore::Mate(moves)) => moves.abs() <= 1000,
            None => true,
        };
        assert!(is_possible, "{line}");
    }
    let mut engine = UciEngine::over(
        std::io::sink(),
        Cursor::new(bytes.to_vec()),
        Bounds::default(),
    );
    let minute = Duration::from_mins(1);
    let go = Go::nodes(1);
    let thought = engine.think(
        "position startpos",
        &go,
        minute,
        &|| false,
        &0,
        |lines, _| *lines += 1,
    );
    if let Ok((answer, _)) = thought {
        assert!(answer.best.chars().count() <= 40);
        assert!(!answer.best.contains(|c: char| c.is_ascii_whitespace()));
    }
}
