//! The `info` lines of an engine.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

pub use skewer_types::Bound;
use skewer_types::Score;

use crate::error::EngineError;
use crate::params::{
    MOST_CENTIPAWNS, MOST_DEPTH, MOST_LINES, MOST_MATE, MOST_MILLISECONDS, MOST_NODES,
};

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
    /// Reads a line. `None` if it is no `info` line, or is `info string`, whose text is free. Unknown words are
    /// skipped.
    ///
    /// # Errors
    ///
    /// [`EngineError::Impossible`] if a number is missing, or is outside what a search can have.
    pub fn parse(line: &str) -> Result<Option<Self>, EngineError> {
        let mut words = line.split_ascii_whitespace();
        if words.next() != Some("info") {
            return Ok(None);
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
        let mut is_free = true;
        while let Some(word) = words.next() {
            match word {
                "string" if is_free => return Ok(None),
                "depth" => info.depth = Some(number(word, words.next(), 0..=MOST_DEPTH)?),
                "multipv" => info.multi_pv = number(word, words.next(), 1..=MOST_LINES)?,
                "cp" => {
                    let range = -MOST_CENTIPAWNS..=MOST_CENTIPAWNS;
                    info.score = Some(InfoScore::Centipawns(number(word, words.next(), range)?));
                }
                "mate" => {
                    let range = -MOST_MATE..=MOST_MATE;
                    info.score = Some(InfoScore::Mate(number(word, words.next(), range)?));
                }
                "lowerbound" => info.bound = Bound::Lower,
                "upperbound" => info.bound = Bound::Upper,
                "nodes" => info.nodes = Some(number(word, words.next(), 0..=MOST_NODES)?),
                "time" => {
                    let milliseconds = number(word, words.next(), 0..=MOST_MILLISECONDS)?;
                    info.time = Some(Duration::from_millis(milliseconds));
                }
                // The line is the rest.
                "pv" => info.pv = words.by_ref().map(str::to_owned).collect(),
                // Their text holds no further words of the protocol.
                "string" | "refutation" | "currline" => break,
                _ => {}
            }
            is_free = false;
        }
        Ok(Some(info))
    }
}

/// The word behind `name`, which must be a number of this range.
fn number<T: FromStr + PartialOrd + Display>(
    name: &str,
    word: Option<&str>,
    range: RangeInclusive<T>,
) -> Result<T, EngineError> {
    let number = word.and_then(|word| word.parse().ok());
    number
        .filter(|number| range.contains(number))
        .ok_or_else(|| {
            // The word may be as long as a line.
            let word: String = word.unwrap_or_default().chars().take(SHOWN).collect();
            EngineError::Impossible(format!("{name} {word}").trim_end().to_owned())
        })
}

/// How many characters of a refused word are kept.
pub(crate) const SHOWN: usize = 40;

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
        let read = |line| Info::parse(line).unwrap().unwrap();
        let info = read(line);
        assert_eq!((info.depth, info.multi_pv), (Some(9), 2));
        assert_eq!(info.score, Some(InfoScore::Centipawns(-34)));
        assert_eq!(
            (info.bound, info.nodes, info.time),
            (Bound::Lower, Some(5), Some(Duration::from_millis(33)))
        );
        assert_eq!(info.pv, ["e2e4", "e7e5"]);
        let mate = read("info depth 3 score mate -3");
        assert_eq!((mate.score, mate.multi_pv), (Some(InfoScore::Mate(-3)), 1));
        for other in ["info string score cp x", "bestmove e2e4", "", "information"] {
            assert_eq!(Info::parse(other), Ok(None), "{other}");
        }
        // What the text of a line holds is no number of the search.
        for free in ["info depth 2 string cp x", "info depth 2 currline 1 cp"] {
            assert_eq!(read(free).depth, Some(2), "{free}");
        }
    }

    #[test]
    fn numbers_that_no_search_has_are_refused() {
        for (line, named) in [
            ("info score cp", "cp"),
            ("info score cp x", "cp x"),
            ("info score cp nan pv e2e4", "cp nan"),
            ("info score cp 2147483647", "cp 2147483647"),
            ("info score cp -2147483648", "cp -2147483648"),
            ("info score mate -2147483648", "mate -2147483648"),
            ("info depth -1", "depth -1"),
            ("info depth 4294967295", "depth 4294967295"),
            ("info depth 99999999999999", "depth 99999999999999"),
            ("info depth 1.5", "depth 1.5"),
            ("info nodes 1e9", "nodes 1e9"),
            (
                "info nodes 18446744073709551615",
                "nodes 18446744073709551615",
            ),
            ("info time -7", "time -7"),
            ("info multipv 0 score cp 3", "multipv 0"),
            ("info multipv 4294967295", "multipv 4294967295"),
        ] {
            let refused = EngineError::Impossible(named.to_owned());
            assert_eq!(Info::parse(line), Err(refused), "{line}");
        }
        let long = format!("info depth {}", "9".repeat(60_000));
        let refused = Info::parse(&long).unwrap_err().to_string();
        assert!(refused.len() < 100, "{refused}");
    }
}
