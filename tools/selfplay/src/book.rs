//! Books: files of balanced random openings, all different.

use std::collections::HashSet;
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::Result;
use skewer_eval::Evaluation;
use skewer_movegen::CastlingMode;
use skewer_openings::{Opening, Recipe, Rng, Variant};
use skewer_search::Judge;

use crate::progress::Progress;
use crate::stop::Stop;

/// The settings of a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookSettings {
    /// How many openings.
    pub count: usize,
    /// The kind of openings.
    pub recipe: Recipe,
    /// The seed of the openings.
    pub seed: u64,
    /// The greatest distance of their scores from zero, in units of [`Score`](skewer_types::Score).
    pub margin: u32,
    /// Nodes that the judge searches for each.
    pub nodes: u64,
    /// Openings judged at a time.
    pub threads: usize,
}

/// The balanced openings found so far.
#[derive(Default)]
struct Found {
    /// Each with its number. Threads may finish smaller numbers after greater ones.
    openings: Vec<(u64, Opening)>,
    /// The keys of their positions.
    keys: HashSet<u64>,
}

/// Writes a book, one FEN a line. Returns the number of openings, which is smaller than requested if `stop`
/// was set or most openings found were repetitions. The same settings give the same book with any
/// number of threads.
///
/// # Errors
///
/// If there is no memory for the judges, or `out` cannot be written.
pub fn write(settings: &BookSettings, out: &mut impl Write, stop: &Stop) -> Result<usize> {
    let next = AtomicU64::new(0);
    let end = Stop::new();
    let found = Mutex::new(Found::default());
    let mut progress = Progress::new(Some(settings.count as u64));
    let judges = (0..settings.threads.max(1))
        .map(|_| Judge::new(Evaluation::hand_crafted(), settings.nodes))
        .collect::<Result<Vec<_>, _>>()?;
    thread::scope(|scope| {
        for mut judge in judges {
            scope.spawn({
                let (next, end, found) = (&next, &end, &found);
                move || {
                    while !end.is_set() {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let mut rng = Rng::stream(settings.seed, number);
                        let opening = Opening::random(&settings.recipe, &mut rng);
                        let balanced = judge
                            .score(&opening.board)
                            .is_some_and(|score| score.raw().unsigned_abs() <= settings.margin);
                        if balanced {
                            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                            found.keys.insert(opening.board.key());
                            found.openings.push((number, opening));
                        }
                    }
                }
            });
        }
        // There may be fewer openings of so few plies than requested.
        let most = settings.count.saturating_mul(10).saturating_add(100);
        // And few of them may be balanced.
        let most_tries = settings.count.saturating_mul(1000).saturating_add(100_000) as u64;
        loop {
            let (different, all) = {
                let found = found.lock().unwrap_or_else(PoisonError::into_inner);
                (found.keys.len(), found.openings.len())
            };
            progress.update(different as u64, || "openings".to_owned());
            let tried = next.load(Ordering::Relaxed);
            if stop.is_set() || different >= settings.count || all >= most || tried >= most_tries {
                break;
            }
            thread::sleep(std::time::Duration::from_millis(20));
        }
        end.set();
    });
    progress.finish();
    let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut openings = found.openings;
    openings.sort_unstable_by_key(|(number, _)| *number);
    let mode = match settings.recipe.variant {
        Variant::Standard => CastlingMode::Standard,
        Variant::Chess960 => CastlingMode::Chess960,
    };
    let mut seen = HashSet::new();
    let mut written = 0;
    for (_, opening) in openings {
        if written < settings.count && seen.insert(opening.board.key()) {
            writeln!(out, "{}", opening.board.to_fen_in(mode))?;
            written += 1;
        }
    }
    out.flush()?;
    Ok(written)
}

#[cfg(test)]
mod tests {
    use skewer_movegen::Board;

    use super::*;

    #[test]
    fn a_book_is_complete_without_repetitions_and_reproducible() {
        for variant in [Variant::Standard, Variant::Chess960] {
            let settings = BookSettings {
                count: 30,
                recipe: Recipe {
                    variant,
                    ..Recipe::default()
                },
                seed: 3,
                margin: 100,
                nodes: 100,
                threads: 2,
            };
            let make = |threads| {
                let mut bytes = Vec::new();
                let settings = BookSettings {
                    threads,
                    ..settings
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
