//! The claims of the five seeds, each measured and judged.
//!
//! One file a seed. Every measurement counts nodes or games, never seconds, so that it comes out
//! the same on every machine.

mod algorithms;
mod futility;
mod measure;
mod null_move;
mod ordering;
mod principal_variation;

use std::num::NonZeroUsize;
use std::thread;

use anyhow::Result;

use crate::progress::Progress;
use crate::real::in_parallel;
use crate::report::Claim;

/// How much to search for the figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// A few seconds in all: enough to see that it works, too little to believe it.
    Quick,
    /// A few minutes in all: the figures of `docs/techniques.md`.
    Full,
}

impl Pace {
    /// The first of two numbers where time is short, else the second.
    fn pick<T>(self, quick: T, full: T) -> T {
        match self {
            Self::Quick => quick,
            Self::Full => full,
        }
    }
}

/// What one text claims.
#[derive(Debug, Clone, Copy)]
pub struct Chapter {
    /// The text's number, as its file has it.
    pub seed: u16,
    /// What it is about.
    pub title: &'static str,
    measure: fn(Pace) -> Vec<Claim>,
}

/// The chapters, in the order of the texts.
pub const CHAPTERS: [Chapter; 5] = [
    Chapter {
        seed: 0,
        title: "futility pruning",
        measure: futility::claims,
    },
    Chapter {
        seed: 1,
        title: "minimax and alpha-beta",
        measure: algorithms::claims,
    },
    Chapter {
        seed: 2,
        title: "ordering of quiet moves",
        measure: ordering::claims,
    },
    Chapter {
        seed: 3,
        title: "null move",
        measure: null_move::claims,
    },
    Chapter {
        seed: 4,
        title: "principal variation search",
        measure: principal_variation::claims,
    },
];

/// Measures the claims of `seed`, or of all texts: a chapter a thread, since nothing here depends
/// on time.
///
/// # Errors
///
/// If there are no threads to be had.
pub fn measure(seed: Option<u16>, pace: Pace) -> Result<Vec<Claim>> {
    let wanted = |chapter: &&Chapter| seed.is_none_or(|seed| chapter.seed == seed);
    let chapters: Vec<_> = CHAPTERS.iter().filter(wanted).collect();
    let progress = Progress::new(chapters.len());
    progress.doing("measuring");
    let jobs = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let claims = in_parallel(&chapters, jobs, |chapter| {
        let claims = (chapter.measure)(pace);
        progress.step();
        progress.doing(chapter.title);
        Ok(claims)
    })?;
    progress.finish();
    Ok(claims.concat())
}
