//! Books: files of random openings, all different, with scores in a given range.

use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use skewer_console::options::{evaluation, thread_count, threads};
use skewer_console::progress::Progress;
use skewer_console::stop::Stop;
use skewer_console::workers::{self, Tasks, break_if};
use skewer_eval::Evaluation;
use skewer_movegen::CastlingMode;
use skewer_openings::{Opening, RandomOpening, Rng, Variant};
use skewer_search::Judge;

use crate::cli::shared::random_plies;
use crate::openings;

/// Options of `book`.
#[derive(Debug, Args)]
pub(crate) struct Book {
    /// How many openings
    #[arg(long, default_value_t = 1000)]
    pub(crate) count: usize,
    /// Random moves of an opening, 0 to 100
    #[arg(long, default_value_t = 8, value_parser = random_plies())]
    pub(crate) plies: u32,
    /// Chess variant: standard or chess960
    #[arg(long, default_value_t = Variant::Standard)]
    pub(crate) variant: Variant,
    /// Greatest score of an opening, in internal units (134 units of the hand-written terms win half of the games)
    #[arg(long, default_value_t = openings::MARGIN, value_name = "SCORE")]
    pub(crate) within: u32,
    /// Least score of an opening for either side, in internal units
    #[arg(long, default_value_t = 0, value_name = "SCORE")]
    pub(crate) beyond: u32,
    /// Score by the hand-written terms (hce), whose books are the same in every version, by the built-in network
    /// (net), or by the network in a file
    #[arg(long, default_value = "hce", value_name = "hce|net|FILE", value_parser = evaluation())]
    pub(crate) eval: Evaluation,
    /// Nodes of the search that scores an opening
    #[arg(long, default_value_t = openings::JUDGE_NODES)]
    pub(crate) nodes: u64,
    /// The seed: the same seed makes the same book
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Threads [default: every core]
    #[arg(long, value_parser = thread_count)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Output file, one FEN a line [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// Writes a book, one FEN a line. Returns the number of openings, which is smaller than requested if `stop`
/// was set or most openings found were repetitions. The same settings give the same book with any
/// number of threads.
///
/// # Errors
///
/// If no score is in the range, there is no memory for the searches, or `out` cannot be written.
pub(crate) fn write(settings: &Book, out: &mut impl Write, stop: &Stop) -> Result<usize> {
    if settings.beyond > settings.within {
        let (beyond, within) = (settings.beyond, settings.within);
        bail!("no score is both --beyond {beyond} and --within {within}");
    }
    let recipe = RandomOpening {
        variant: settings.variant,
        min_plies: settings.plies,
        max_plies: settings.plies,
    };
    let scores = settings.beyond..=settings.within;
    let mode = match settings.variant {
        Variant::Standard => CastlingMode::Standard,
        Variant::Chess960 => CastlingMode::Chess960,
    };
    // There may be fewer openings of so few plies than requested, and few of them may be balanced.
    let most = settings.count.saturating_mul(10).saturating_add(100);
    let most_tries = settings.count.saturating_mul(1000).saturating_add(100_000) as u64;
    let mut progress = Progress::new(Some(settings.count as u64));
    // Openings may be finished out of order; they wait here until all openings with smaller numbers
    // are finished.
    let (mut waiting, mut next) = (BTreeMap::new(), 0);
    let (mut keys, mut balanced) = (HashSet::new(), 0);
    let judge = |judge: &mut Judge, number, _: &Stop| {
        let mut rng = Rng::stream(settings.seed, number);
        let opening = Opening::random(&recipe, &mut rng);
        let balanced = judge
            .score(&opening.board)
            .is_some_and(|score| scores.contains(&score.raw().unsigned_abs()));
        Ok(Some((number, balanced.then_some(opening))))
    };
    let take = |found| {
        waiting.extend(found);
        while let Some(opening) = waiting.remove(&next) {
            next += 1;
            let Some(opening): Option<Opening> = opening else {
                continue;
            };
            balanced += 1;
            if keys.len() < settings.count && keys.insert(opening.board.key()) {
                writeln!(out, "{}", opening.board.to_fen_in(mode))?;
            }
        }
        progress.update(keys.len() as u64, || "openings".to_owned());
        let is_complete = keys.len() >= settings.count;
        Ok(break_if(
            is_complete || balanced >= most || next >= most_tries,
        ))
    };
    workers::run_tasks(
        threads(settings.threads),
        &Tasks::new(0, u64::MAX, HashSet::new()),
        stop,
        |_| Ok(Judge::new(&settings.eval, settings.nodes)?),
        judge,
        take,
    )?;
    progress.finish();
    out.flush()?;
    Ok(keys.len())
}

#[cfg(test)]
mod tests {
    use skewer_movegen::Board;

    use super::*;

    #[test]
    fn a_book_is_complete_without_repetitions_and_reproducible() {
        for variant in [Variant::Standard, Variant::Chess960] {
            let make = |threads| {
                let mut bytes = Vec::new();
                let settings = Book {
                    count: 30,
                    plies: RandomOpening::default().max_plies,
                    variant,
                    within: 100,
                    beyond: 0,
                    eval: Evaluation::hand_written(),
                    nodes: 100,
                    seed: 3,
                    threads: NonZeroUsize::new(threads),
                    out: None,
                };
                assert_eq!(write(&settings, &mut bytes, &Stop::new()).unwrap(), 30);
                String::from_utf8(bytes).unwrap()
            };
            let book = make(2);
            let boards: HashSet<Board> = book.lines().map(|line| line.parse().unwrap()).collect();
            assert_eq!(boards.len(), 30);
            assert_eq!(book, make(1));
        }
    }
}
