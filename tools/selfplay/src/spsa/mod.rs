//! Looking for better numbers of the search, by games at fixed nodes between our engine and itself.
//! [`walk`] is the method; here it is given pairs of games, on every core, and a file to go on from.

pub mod walk;

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};
use skewer_gamedata::GameResult;

use crate::duel::{GameRules, Seat, play};
use crate::identity;
use crate::limit::Limit;
use crate::lines::Lines;
use crate::openings::Openings;
use crate::progress::Progress;
use crate::spec::{EngineKind, EngineSpec, Ours};
use crate::stop::Stop;
use walk::{Knob, Throw, Walk};

/// What to look for, and how.
pub struct Settings {
    /// The engine that plays itself.
    pub engine: Ours,
    /// The same as the command line has it.
    pub text: String,
    /// What a move may cost, in nodes or plies: to games on a clock this is deaf, since nothing tells of
    /// flags that fall.
    pub limit: Limit,
    /// Where the numbers begin, how they move, and for how many pairs.
    pub walk: Walk,
    /// Where games begin.
    pub openings: Openings,
    /// How games are ended early.
    pub rules: GameRules,
    /// Games at a time.
    pub threads: usize,
    /// The file that the run is gone on with from, without its ending.
    pub out: PathBuf,
    /// Everything that changes the games, in words: a file is only gone on with under the same.
    pub conditions: String,
}

/// Which walk a file is of.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Heading {
    version: u32,
    /// What the engine is made of: build, network.
    build: String,
    conditions: String,
    /// The numbers, in the order of each line's values.
    names: Vec<String>,
}

/// A pair that was played.
#[derive(Debug, Serialize, Deserialize)]
struct PairLine {
    pair: u64,
    half_points: usize,
    /// Where the numbers stood after it.
    values: Vec<f64>,
}

/// Plays until all pairs are played or `stop` is set; what has been found, and after how many pairs. Found is
/// the mean of where the numbers stood in the latter half of the run: games shake them around their best
/// values, and a mean does not shake (Polyak and Juditsky, 1992).
///
/// # Errors
///
/// When the engine cannot be seated, or the file cannot be read or written or is of another run.
pub fn run(settings: &Settings, stop: &Stop) -> Result<(Walk, u64)> {
    let (mut lines, held) = open(settings)?;
    let mut walk = settings.walk.clone();
    if let Some(last) = held.last() {
        walk.stand_at(&last.values);
    }
    // Pairs do not end in the order in which they begin.
    let done: HashSet<u64> = held.iter().map(|line| line.pair).collect();
    let mut trail: Vec<Vec<f64>> = held.into_iter().map(|line| line.values).collect();
    let mut progress = Progress::new(Some(settings.walk.pairs()));
    if !trail.is_empty() {
        progress.print(&format!("going on after {} pairs", trail.len()));
    }

    let next = AtomicU64::new(0);
    let walk = Mutex::new(walk);
    let end = Stop::new();
    thread::scope(|scope| -> Result<()> {
        let _guard = end.set_on_drop();
        let (sender, results) = mpsc::channel::<Result<(Throw, usize)>>();
        for _ in 0..settings.threads.max(1) {
            let (sender, walk, end) = (sender.clone(), &walk, &end);
            let (next, done) = (&next, &done);
            let free = move || loop {
                let pair = next.fetch_add(1, Ordering::Relaxed);
                if pair >= settings.walk.pairs() || end.is_set() {
                    return None;
                }
                if !done.contains(&pair) {
                    return Some(pair);
                }
            };
            scope.spawn(move || {
                let play = |pair| play_pair(settings, walk, pair, end).transpose();
                while let Some(result) = free().and_then(play) {
                    if sender.send(result).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        while !stop.is_set() {
            let (throw, half_points) = match results.recv_timeout(Duration::from_millis(200)) {
                Ok(result) => result?,
                Err(mpsc::RecvTimeoutError::Timeout) => continue,
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            };
            let mut walk = walk.lock().unwrap_or_else(PoisonError::into_inner);
            walk.learn(&throw, half_points);
            let line = PairLine {
                pair: throw.pair,
                half_points,
                values: walk.knobs().iter().map(Knob::value).collect(),
            };
            lines.note(&line)?;
            trail.push(line.values);
            progress.update(trail.len() as u64, || furthest(&walk));
        }
        Ok(())
    })?;
    progress.finish();
    let mut walk = walk.into_inner().unwrap_or_else(PoisonError::into_inner);
    let latter = &trail[trail.len() / 2..];
    let mean =
        |index: usize| latter.iter().map(|values| values[index]).sum::<f64>() / latter.len() as f64;
    if !latter.is_empty() {
        walk.stand_at(&(0..walk.knobs().len()).map(mean).collect::<Vec<_>>());
    }
    Ok((walk, trail.len() as u64))
}

fn open(settings: &Settings) -> Result<(Lines, Vec<PairLine>)> {
    let path = settings.out.with_extension("spsa");
    let knobs = settings.walk.knobs();
    let heading = Heading {
        version: 1,
        build: identity::build_of(&EngineKind::Ours(settings.engine.clone())),
        conditions: settings.conditions.clone(),
        names: knobs.iter().map(|knob| knob.name().to_owned()).collect(),
    };
    let expect = |found: &Heading| {
        if *found == heading {
            return Ok(());
        }
        bail!(
            "{} belongs to another run:\n  there: {} [{}], {} numbers\n  now:   {} [{}], {} numbers\n\
             give another --out, or delete it",
            path.display(),
            found.conditions,
            found.build,
            found.names.len(),
            heading.conditions,
            heading.build,
            heading.names.len()
        )
    };
    let (lines, held) = Lines::open::<Heading, PairLine>(&path, &heading, expect)?;
    if held.iter().any(|line| line.values.len() != knobs.len()) {
        bail!("{}: damaged: a line has other numbers", path.display());
    }
    Ok((lines, held))
}

/// Both games of a pair; `None` if it was told to end.
fn play_pair(
    settings: &Settings,
    walk: &Mutex<Walk>,
    pair: u64,
    end: &Stop,
) -> Result<Option<(Throw, usize)>> {
    let throw = walk
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .throw(pair);
    let seat = |index: usize| {
        let ours = Ours {
            numbers: Box::new(throw.sides[index].clone()),
            ..settings.engine.clone()
        };
        let spec = EngineSpec {
            name: None,
            kind: EngineKind::Ours(ours),
            limit: None,
        };
        // What castling is called matters to other programs alone.
        Seat::new(&spec, settings.limit, false, "ours", end)
    };
    let (mut up, mut down) = (seat(0)?, seat(1)?);
    let opening = settings.openings.get(pair)?;
    let Some(first) = play(&mut up, &mut down, &opening, &settings.rules, end) else {
        return Ok(None);
    };
    let Some(second) = play(&mut down, &mut up, &opening, &settings.rules, end) else {
        return Ok(None);
    };
    let half_points = half_points(first.result, second.result);
    Ok(Some((throw, half_points)))
}

/// Of the four half points of a pair, those of the engine that had White in the first game and Black in
/// the second.
fn half_points(first: GameResult, second: GameResult) -> usize {
    usize::from(first as u8) + 2 - usize::from(second as u8)
}

/// The numbers that have gone furthest, in a line.
fn furthest(walk: &Walk) -> String {
    const SHOWN: usize = 3;
    let mut knobs: Vec<_> = walk.knobs().iter().collect();
    knobs.sort_by(|one, other| other.moved().abs().total_cmp(&one.moved().abs()));
    let mut words = String::new();
    for knob in knobs.into_iter().take(SHOWN) {
        let gap = if words.is_empty() { "" } else { ", " };
        let _ = write!(
            words,
            "{gap}{} {} -> {:.1}",
            knob.name(),
            knob.start(),
            knob.value()
        );
    }
    words
}

/// The numbers as a table: what each was, where it is now, and how far that is in the steps that the
/// last pair went.
pub fn table(walk: &Walk) -> String {
    let mut text = format!("{:<24} {:>7} {:>7} {:>7}\n", "number", "was", "is", "steps");
    for knob in walk.knobs() {
        let _ = writeln!(
            text,
            "{:<24} {:>7} {:>7} {:>+7.2}",
            knob.name(),
            knob.start(),
            knob.rounded(),
            knob.moved()
        );
    }
    text
}

/// The settings, for an engine's description after `ours`, with which it plays the numbers that have
/// moved; empty if none has moved far enough.
pub fn settings(walk: &Walk) -> String {
    let mut text = String::new();
    for knob in walk.knobs() {
        if knob.rounded() != knob.start() {
            let _ = write!(text, ",set.{}={}", knob.name(), knob.rounded());
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_counted_for_the_side_that_had_white_first() {
        use GameResult::{BlackWins, Draw, WhiteWins};
        for (first, second, points) in [
            (WhiteWins, BlackWins, 4),
            (WhiteWins, Draw, 3),
            (Draw, Draw, 2),
            (WhiteWins, WhiteWins, 2),
            (Draw, WhiteWins, 1),
            (BlackWins, WhiteWins, 0),
        ] {
            assert_eq!(half_points(first, second), points, "{first:?} {second:?}");
        }
    }
}
