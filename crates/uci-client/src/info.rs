//! The `info` lines of an engine.

use std::iter::Peekable;
use std::str::FromStr;
use std::time::Duration;

pub use skewer_types::Bound;
use skewer_types::Score;

/// A score from the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InfoScore {
    /// Hundredths of a pawn, as the engine counts them.
    Centipawns(i32),
    /// Moves to mate; zero or negative if the side to move is mated.
    Mate(i32),
}

impl From<InfoScore> for Score {
    /// The same score. Evaluations are cut to the range of [`Score`], and mates to a hundred moves.
    fn from(score: InfoScore) -> Self {
        match score {
            InfoScore::Centipawns(value) => Self::new(value),
            InfoScore::Mate(moves) => {
                let moves = moves.clamp(-100, 100);
                if moves > 0 {
                    Self::mate_in(2 * moves as usize - 1)
                } else {
                    Self::mated_in((-2 * moves) as usize)
                }
            }
        }
    }
}

/// What an engine says about its search. Anything that it does not say is `None` or empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Info {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Which of the best lines this is, from 1; 1 if the engine does not say.
    pub multi_pv: u32,
    /// The score.
    pub score: Option<InfoScore>,
    /// What the score says.
    pub bound: Bound,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Time since `go`.
    pub time: Option<Duration>,
    /// Moves of the line, as the engine writes them.
    pub pv: Vec<String>,
}

impl Info {
    /// Reads a line. `None` if it is no `info` line, or is `info string`, whose text is free. A word that
    /// is unknown or has no number behind it is skipped.
    pub fn parse(line: &str) -> Option<Self> {
        let mut words = line.split_ascii_whitespace().peekable();
        if words.next() != Some("info") || words.peek() == Some(&"string") {
            return None;
        }
        let mut info = Self {
            depth: None,
            multi_pv: 1,
            score: None,
            bound: Bound::Exact,
            nodes: None,
            time: None,
            pv: Vec::new(),
        };
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = number(&mut words),
                "multipv" => info.multi_pv = number(&mut words).unwrap_or(1),
                "cp" => info.score = number(&mut words).map(InfoScore::Centipawns),
                "mate" => info.score = number(&mut words).map(InfoScore::Mate),
                "lowerbound" => info.bound = Bound::Lower,
                "upperbound" => info.bound = Bound::Upper,
                "nodes" => info.nodes = number(&mut words),
                "time" => info.time = number(&mut words).map(Duration::from_millis),
                // The line is the rest.
                "pv" => info.pv = words.by_ref().map(str::to_owned).collect(),
                // Their text holds no further words of the protocol.
                "string" | "refutation" | "currline" => break,
                _ => {}
            }
        }
        Some(info)
    }
}

/// The next word, if it is a number.
fn number<'a, T: FromStr>(words: &mut Peekable<impl Iterator<Item = &'a str>>) -> Option<T> {
    let number = words.peek()?.parse().ok()?;
    words.next();
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        let distance = |moves| Score::from(InfoScore::Mate(moves)).mate_distance();
        for moves in [2, -3, 100, -100, 0] {
            assert_eq!(distance(moves), Some(moves));
        }
        assert_eq!(distance(i32::MIN), Some(-100));
        assert_eq!(Score::from(InfoScore::Centipawns(-34)), Score::new(-34));
    }

    #[test]
    fn lines_are_read() {
        let line = "info depth 9 seldepth 12 multipv 2 score cp -34 lowerbound wdl 10 900 90 nodes 5 \
                    nps 7 hashfull 0 time 33 pv e2e4 e7e5";
        let info = Info::parse(line).unwrap();
        assert_eq!((info.depth, info.multi_pv), (Some(9), 2));
        assert_eq!(info.score, Some(InfoScore::Centipawns(-34)));
        assert_eq!(
            (info.bound, info.nodes, info.time),
            (Bound::Lower, Some(5), Some(Duration::from_millis(33)))
        );
        assert_eq!(info.pv, ["e2e4", "e7e5"]);
        let mate = Info::parse("info depth 3 score mate -3").unwrap();
        assert_eq!((mate.score, mate.multi_pv), (Some(InfoScore::Mate(-3)), 1));
        assert_eq!(Info::parse("info string score cp 5"), None);
        assert_eq!(Info::parse("bestmove e2e4"), None);
        for bad in [
            "info score cp",
            "info score cp x",
            "info depth -1",
            "info nodes 1e9",
        ] {
            let info = Info::parse(bad).unwrap();
            assert_eq!(
                (info.score, info.depth, info.nodes),
                (None, None, None),
                "{bad}"
            );
        }
    }
}
