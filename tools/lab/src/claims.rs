//! The claims of five texts on game-tree search, each measured and judged. Each text has a file.
//!
//! Every measurement counts nodes or games, never seconds, so that the results are the same on every
//! machine.

mod algorithms;
mod futility;
mod measure;
mod null_move;
mod ordering;
mod principal_variation;
mod same;

use std::num::NonZeroUsize;
use std::str::FromStr;
use std::thread;

use anyhow::Result;
pub use same::{Differ, SameSearch};
use thiserror::Error;

use crate::chess::position::Position;
use crate::chess::positions;
use crate::report::Claim;
use skewer_console::progress::Progress;
use skewer_console::workers;

/// How much to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// Some ten seconds in all: enough to try the command, too little for conclusions.
    Quick,
    /// Ten to twenty minutes in all: the figures of `benches/results/tables`.
    Full,
}

impl Pace {
    /// Selects the value for this pace.
    fn pick<T>(self, quick: T, full: T) -> T {
        match self {
            Self::Quick => quick,
            Self::Full => full,
        }
    }

    /// The positions of most measurements: enough to show a difference of a tenth.
    fn sample(self) -> Vec<Position> {
        positions::sample(self.pick(12, 160))
    }

    /// Late middlegames.
    fn late(self) -> Vec<Position> {
        positions::late(self.pick(2, 60))
    }
}

/// A measurement: some claims that come from the same searches.
type Measure = fn(Pace) -> Result<Vec<Claim>, SameSearch>;

/// A measurement and its name on the command line.
type Named = (&'static str, Measure);

/// A text and its claims.
#[derive(Debug, Clone, Copy)]
pub struct Chapter {
    /// The name on the command line.
    pub name: &'static str,
    /// Author, title and topic of the text.
    pub source: &'static str,
    measures: &'static [Named],
}

/// The chapters.
pub const CHAPTERS: [Chapter; 5] = [
    Chapter {
        name: "futility",
        source: "Kornilov, Programming chess and other logic games, 2005: futility pruning",
        measures: futility::MEASURES,
    },
    Chapter {
        name: "alpha-beta",
        source: "Bratko, Prolog Programming for Artificial Intelligence: minimax and alpha-beta",
        measures: algorithms::MEASURES,
    },
    Chapter {
        name: "quiet-moves",
        source: "Kornilov, Programming chess and other logic games, 2005: ordering of quiet moves",
        measures: ordering::MEASURES,
    },
    Chapter {
        name: "null-move",
        source: "Moreland, Null-move forward pruning, with notes on Heinz (1999) and Tabibi (2002)",
        measures: null_move::MEASURES,
    },
    Chapter {
        name: "pvs",
        source: "Principal variation search (encyclopedia article, after Reinefeld, 1989)",
        measures: principal_variation::MEASURES,
    },
];

/// What to measure: the claims of a chapter, or the claims of one of its measurements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    chapter: String,
    /// One measurement of the chapter; `None` for all.
    measure: Option<String>,
}

/// There is no such chapter or measurement.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("there is no `{name}`; there are {known}")]
pub struct UnknownChoice {
    name: String,
    known: String,
}

impl FromStr for Choice {
    type Err = UnknownChoice;

    /// Reads `CHAPTER` or `CHAPTER/MEASUREMENT`.
    fn from_str(text: &str) -> Result<Self, UnknownChoice> {
        let (name, measure) = match text.split_once('/') {
            Some((name, measure)) => (name, Some(measure)),
            None => (text, None),
        };
        let unknown = |name: &str, known: Vec<&str>| UnknownChoice {
            name: name.to_owned(),
            known: known.join(", "),
        };
        let Some(chapter) = CHAPTERS.iter().find(|chapter| chapter.name == name) else {
            return Err(unknown(name, CHAPTERS.map(|chapter| chapter.name).into()));
        };
        let known: Vec<_> = chapter.measurements().collect();
        if let Some(measure) = measure.filter(|measure| !known.contains(measure)) {
            return Err(unknown(measure, known));
        }
        Ok(Self {
            chapter: name.to_owned(),
            measure: measure.map(str::to_owned),
        })
    }
}

impl Chapter {
    /// The names of its measurements. Each gives one or more claims.
    pub fn measurements(&self) -> impl Iterator<Item = &'static str> {
        self.measures.iter().map(|(name, _)| *name)
    }
}

/// Measures the claims that are chosen, or all of them, in parallel.
///
/// # Errors
///
/// [`SameSearch`] if a claim compares a search with itself; or if no thread can be started.
pub fn measure(only: Option<&Choice>, pace: Pace) -> Result<Vec<Claim>> {
    let wanted = |chapter: &Chapter, name: &str| {
        only.is_none_or(|only| {
            only.chapter == chapter.name
                && only
                    .measure
                    .as_deref()
                    .is_none_or(|measure| measure == name)
        })
    };
    let measures: Vec<Measure> = CHAPTERS
        .iter()
        .flat_map(|chapter| chapter.measures.iter().map(move |named| (chapter, named)))
        .filter(|(chapter, (name, _))| wanted(chapter, name))
        .map(|(_, (_, measure))| *measure)
        .collect();
    run(&measures, pace)
}

/// The claims of these measurements, in parallel.
fn run(measures: &[Measure], pace: Pace) -> Result<Vec<Claim>> {
    let progress = Progress::new(Some(measures.len() as u64));
    progress.set_message("measuring");
    let jobs = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let claims = workers::map(measures, jobs, |measure| {
        let claims = measure(pace)?;
        progress.step();
        Ok(claims)
    })?;
    progress.finish();
    Ok(claims.concat())
}

#[cfg(test)]
mod tests {
    use super::measure::{Duel, duel, search_to_depth, tallies_differ, tally, think};
    use super::*;
    use crate::algorithms::Algorithm;
    use crate::chess::config::{Config, NullMove};
    use crate::chess::searcher::Limits;
    use crate::figure::Figure;
    use crate::games::play;
    use crate::games::tree::{Tree, Values};
    use crate::report::{Need, Sides, Source};

    /// Two configurations that differ, but are the same search to a depth of seven plies.
    fn twins() -> [Config; 2] {
        [NullMove::Plain { reduction: 2 }, NullMove::Adaptive].map(|null_move| Config {
            null_move,
            ..Config::ORDERED
        })
    }

    fn claim(figure: Figure) -> Vec<Claim> {
        let claim = Source("nobody").claims("one is quicker than the other");
        let claim = claim.needs(Need::AtMost(1.0), "at all");
        vec![claim.measure(figure, Sides::One("planted"), "")]
    }

    /// Each of the ways in which claims compare searches, with the same search on both sides.
    const PLANTED: [Measure; 7] = [
        |_| {
            let [one, other] = twins().map(|c| search_to_depth(c, &positions::openings()[..2], 3));
            Ok(claim(one.nodes_against(&other)?))
        },
        |_| {
            let limits = Limits::nodes(2000);
            let [one, other] = twins().map(|c| think(c, &positions::openings()[..2], limits));
            Ok(claim(one.deeper_than(&other)?))
        },
        |_| {
            let [one, other] = twins().map(|c| search_to_depth(c, &positions::openings()[..2], 2));
            Ok(claim(Figure::share(one.same_moves(&other)?, 2)))
        },
        |_| {
            let [one, other] = twins().map(|config| (config, Limits::nodes(100)));
            Ok(claim(Figure::elo(&duel(one, other, 2)?.results)))
        },
        |_| {
            let played = play::rows_match([2, 2], 2, 1);
            let duel = Duel::of(&played, || "one depth twice".to_owned())?;
            Ok(claim(Figure::elo(&duel.results)))
        },
        |_| {
            let [one, other] = twins().map(|c| search_to_depth(c, &positions::openings()[..2], 3));
            let claim = Source("nobody").claims("one is as good as the other");
            let claim = claim.needs(Need::AtMost(1.0), "at all");
            Ok(vec![claim.measure(
                Figure::exact(1.0),
                one.differ(&other)?,
                "",
            )])
        },
        |_| {
            // In a tree whose leaves are worth the same, SCOUT's test of a move is all that it takes.
            let tree = Tree::new(3, 1, Values::Random { seed: 1, range: 1 });
            let [one, other] = [Algorithm::Scout, Algorithm::AlphaBeta].map(|a| tally(a, &tree, 1));
            tallies_differ("SCOUT and alpha-beta", "trees", [(&one, &other)])?;
            Ok(claim(Figure::exact(1.0)))
        },
    ];

    #[test]
    fn a_claim_that_compares_a_search_with_itself_is_an_error_of_the_run() {
        let honest: Measure = |_| Ok(claim(Figure::exact(1.0)));
        assert_eq!(run(&[honest], Pace::Quick).unwrap().len(), 1);
        for (number, planted) in PLANTED.into_iter().enumerate() {
            let error = run(&[honest, planted], Pace::Quick).expect_err("planted");
            assert!(error.is::<SameSearch>(), "{number}: {error}");
            let said = error.to_string();
            assert!(said.contains("compares a search with itself"), "{said}");
        }
    }

    #[test]
    fn a_choice_is_a_chapter_or_one_of_its_measurements() {
        for chapter in &CHAPTERS {
            let mut names: Vec<_> = chapter.measurements().collect();
            names.sort_unstable();
            assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
            for name in names {
                let choice = format!("{}/{name}", chapter.name);
                assert!(choice.parse::<Choice>().is_ok(), "{choice}");
            }
        }
        let claims = |text: &str| measure(Some(&text.parse().unwrap()), Pace::Quick).unwrap();
        assert_eq!(claims("alpha-beta/ordered-trees").len(), 3);
        for (text, known) in [("pvss", "futility"), ("pvs/orderss", "orders")] {
            let error = text.parse::<Choice>().unwrap_err().to_string();
            assert!(error.contains(known), "{error}");
        }
    }

    #[test]
    fn searches_that_differ_in_one_position_of_many_are_compared() {
        let [one, _] = twins();
        let positions = &positions::openings()[..2];
        let [at_two, at_three] = [2, 3].map(|depth| search_to_depth(one, positions, depth));
        assert_eq!(at_two.different_trees(&at_three), 2);
        assert!(at_two.nodes_against(&at_three).is_ok());
        let cases = [(1, 1), (2, 2), (3, 4)];
        let one = same::differ(String::new, "trees", cases).unwrap();
        assert_eq!(one.to_string(), "1 of 3 trees");
        let error = same::differ(String::new, "trees", cases[..2].to_vec()).unwrap_err();
        assert_eq!((error.cases, error.of), (2, "trees"));
        // `or_fewer` keeps the comparison in which the smaller share of cases differs.
        let half = same::of_cases(String::new, "pairs", 1, 2).unwrap();
        assert_eq!((half.or_fewer(one), one.or_fewer(half)), (one, one));
    }
}
