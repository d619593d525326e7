//! The `info` lines of an engine.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::{FromStr, SplitAsciiWhitespace};
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
///
/// `depth`, `multi_pv`, `score`, `nodes` and `time` decide what a caller does, so a number that no search can have is
/// an error there. The other numbers are for people, and `None` where an engine writes no such number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Info {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// The greatest ply reached.
    pub seldepth: Option<u32>,
    /// Which of the best lines this is, from 1; 1 if the engine does not say.
    pub multi_pv: u32,
    /// The score.
    pub score: Option<InfoScore>,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Time since `go`.
    pub time: Option<Duration>,
    /// Nodes a second.
    pub nps: Option<u64>,
    /// How full the hash table is, in thousandths.
    pub hashfull: Option<u32>,
    /// Positions found in endgame tables.
    pub tb_hits: Option<u64>,
    /// The chances of win, draw and loss in thousandths.
    pub wdl: Option<[u32; 3]>,
    /// The root move that is searched, as the engine writes it.
    pub current_move: Option<String>,
    /// The number of the root move that is searched, from 1.
    pub current_move_number: Option<u32>,
    /// Positions found in Shredder's endgame tables.
    pub shredder_hits: Option<u64>,
    /// How busy the processor is, in thousandths.
    pub cpu_load: Option<u32>,
    /// Moves of the line, as the engine writes them.
    pub pv: Vec<String>,
    /// A move and the line that refutes it.
    pub refutation: Vec<String>,
    /// The line that a processor searches.
    pub current_line: Option<CurrentLine>,
    /// Free text after other words. Lines of free text alone are [`Message::Text`](crate::Message::Text).
    pub text: Option<String>,
}

/// A line that an engine searches at the moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CurrentLine {
    /// The number of the processor, from 1; `None` if the engine does not say.
    pub processor: Option<u32>,
    /// The moves, as the engine writes them.
    pub moves: Vec<String>,
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
            seldepth: None,
            multi_pv: 1,
            score: None,
            bound: Bound::Exact,
            nodes: None,
            time: None,
            nps: None,
            hashfull: None,
            tb_hits: None,
            wdl: None,
            current_move: None,
            current_move_number: None,
            shredder_hits: None,
            cpu_load: None,
            pv: Vec::new(),
            refutation: Vec::new(),
            current_line: None,
            text: None,
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
                "seldepth" => info.seldepth = read(&mut words),
                "nps" => info.nps = read(&mut words),
                "hashfull" => info.hashfull = read(&mut words).filter(|full| *full <= 1000),
                "tbhits" => info.tb_hits = read(&mut words),
                "wdl" => info.wdl = chances(&mut words),
                "currmove" => {
                    let mv = |word: &str| word.chars().take(SHOWN).collect();
                    info.current_move = words.next().map(mv);
                }
                "currmovenumber" => info.current_move_number = read(&mut words),
                "sbhits" => info.shredder_hits = read(&mut words),
                "cpuload" => info.cpu_load = read(&mut words).filter(|load| *load <= 1000),
                // The words that are left are the moves or the text.
                "pv" => info.pv = words.by_ref().map(str::to_owned).collect(),
                "refutation" => info.refutation = words.by_ref().map(str::to_owned).collect(),
                "currline" => {
                    info.current_line = Some(CurrentLine {
                        processor: read(&mut words),
                        moves: words.by_ref().map(str::to_owned).collect(),
                    });
                }
                "string" => {
                    let text: Vec<&str> = words.by_ref().collect();
                    info.text = Some(text.join(" "));
                }
                _ => {}
            }
            is_free = false;
        }
        Ok(Some(info))
    }
}

/// The next word, if it is a number; otherwise the word is left where it is.
fn read<T: FromStr>(words: &mut SplitAsciiWhitespace<'_>) -> Option<T> {
    let number = words.clone().next()?.parse().ok()?;
    words.next();
    Some(number)
}

/// The next three numbers, if they are the chances of win, draw and loss.
fn chances(words: &mut SplitAsciiWhitespace<'_>) -> Option<[u32; 3]> {
    let chances = [read(words)?, read(words)?, read(words)?];
    let is_thousand = chances.iter().all(|chance| *chance <= 1000)
        && (999..=1001).contains(&chances.iter().sum::<u32>());
    is_thousand.then_some(chances)
}

/// The word after `name`, which must be a number of this range.
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
        assert_eq!(
            (info.seldepth, info.nps, info.hashfull),
            (Some(12), Some(7), Some(0))
        );
        assert_eq!(info.wdl, Some([10, 900, 90]));
        let current = read("info currmove g1f3 currmovenumber 3 tbhits 8");
        assert_eq!(current.current_move.as_deref(), Some("g1f3"));
        assert_eq!(
            (current.current_move_number, current.tb_hits),
            (Some(3), Some(8))
        );
        let mate = read("info depth 3 score mate -3");
        assert_eq!((mate.score, mate.multi_pv), (Some(InfoScore::Mate(-3)), 1));
        for other in ["info string score cp x", "bestmove e2e4", "", "information"] {
            assert_eq!(Info::parse(other), Ok(None), "{other}");
        }
        let last = read("info sbhits 4 cpuload 990 refutation d1h5 g6h5");
        assert_eq!((last.shredder_hits, last.cpu_load), (Some(4), Some(990)));
        assert_eq!(last.refutation, ["d1h5", "g6h5"]);
        for (line, processor) in [
            ("info currline 2 e2e4 e7e5", Some(2)),
            ("info currline e2e4 e7e5", None),
        ] {
            let line = read(line).current_line.unwrap();
            assert_eq!(line.processor, processor);
            assert_eq!(line.moves, ["e2e4", "e7e5"]);
        }
        let remark = read("info depth 3 string cp  stays text");
        assert_eq!(
            (remark.text.as_deref(), remark.score),
            (Some("cp stays text"), None)
        );
        // Words of free text are not numbers of the search.
        for free in ["info depth 2 string cp x", "info depth 2 currline 1 cp"] {
            assert_eq!(read(free).depth, Some(2), "{free}");
        }
    }

    #[test]
    fn words_that_are_not_numbers_are_skipped_in_numbers_for_people() {
        for line in [
            "info seldepth nps hashfull tbhits wdl depth 5 pv e2e4",
            "info seldepth -1 nps inf hashfull 5000 tbhits 1.5 wdl 1 2 3 depth 5 pv e2e4",
            "info sbhits x cpuload 1001 depth 5 pv e2e4",
            "info wdl 1000 1000 1000 depth 5 pv e2e4",
            "info wdl 4294967295 1 1000 depth 5 pv e2e4",
        ] {
            let info = Info::parse(line).unwrap().unwrap();
            assert_eq!((info.depth, info.pv.len()), (Some(5), 1), "{line}");
            assert_eq!(
                (info.seldepth, info.nps, info.hashfull),
                (None, None, None),
                "{line}"
            );
            assert_eq!((info.tb_hits, info.wdl), (None, None), "{line}");
            assert_eq!((info.shredder_hits, info.cpu_load), (None, None), "{line}");
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
            (
                "info time 18446744073709551615",
                "time 18446744073709551615",
            ),
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
