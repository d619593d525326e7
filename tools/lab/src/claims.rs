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

use std::num::NonZeroUsize;
use std::thread;

use anyhow::Result;

use crate::chess::position::Position;
use crate::chess::positions;
use crate::report::Claim;
use skewer_console::progress::Progress;
use skewer_console::workers;

/// How much to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// A few seconds in all: enough to try the command, too little for conclusions.
    Quick,
    /// Ten minutes in all: the figures of `benches/results/tables`.
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
type Measure = fn(Pace) -> Vec<Claim>;

/// A text and its claims.
#[derive(Debug, Clone, Copy)]
pub struct Chapter {
    /// The name on the command line.
    pub name: &'static str,
    /// Author, title and topic of the text.
    pub source: &'static str,
    measures: &'static [Measure],
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

/// Measures the claims of the chapter with this name, or of all chapters, in parallel.
///
/// # Errors
///
/// If no thread can be started.
pub fn measure(only: Option<&str>, pace: Pace) -> Result<Vec<Claim>> {
    let wanted = |chapter: &&Chapter| only.is_none_or(|name| chapter.name == name);
    let chapters = CHAPTERS.iter().filter(wanted);
    let measures: Vec<Measure> = chapters
        .flat_map(|chapter| chapter.measures)
        .copied()
        .collect();
    let progress = Progress::new(Some(measures.len() as u64));
    progress.set_message("measuring");
    let jobs = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let claims = workers::map(&measures, jobs, |measure| {
        let claims = measure(pace);
        progress.step();
        Ok(claims)
    })?;
    progress.finish();
    Ok(claims.concat())
}
