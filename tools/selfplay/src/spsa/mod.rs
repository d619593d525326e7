//! Looking for better numbers of the search, by games at fixed nodes between our engine and itself.
//! [`walk`] is the method; here it is given pairs of games, on every core, and a file to go on from.

pub mod walk;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

use crate::duel::{GameRules, Seat, play};
use crate::identity;
use crate::limit::Limit;
use crate::lines::Lines;
use crate::openings::Openings;
use crate::progress::Progress;
use crate::spec::{EngineKind, Ours};
use crate::stop::Stop;
use walk::{Throw, Walk};

/// What to look for, and how.
pub struct Settings {
    /// The engine that plays itself.
    pub engine: Ours,
    /// What a move may cost.
    pub limit: Limit,
    /// Where the numbers begin, and how they move.
    pub walk: Walk,
    /// Pairs of games to play.
    pub pairs: u64,
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

/// Plays until all pairs are played or `stop` is set; where the numbers stand then, and after how many
/// pairs.
///
/// # Errors
///
/// When the engine cannot be seated, or the file cannot be read or written or is of another run.
pub fn run(settings: &Settings, stop: &Stop) -> Result<(Walk, u64)> {
    let (mut lines, held) = open(settings)?;
    let mut walk = settings.walk.clone();
    if let Some(last) = held.last() {
        walk.resume(&last.values);
    }
    let mut played = held.len() as u64;
    let mut progress = Progress::new(Some(settings.pairs));
    if played > 0 {
        progress.print(&format!("going on after {played} pairs"));
    }

    // Pairs under way when an earlier run ended were never learnt from: their numbers are used anew.
    let next = AtomicU64::new(played);
    let walk = Mutex::new(walk);
    let end = Stop::new();
    thread::scope(|scope| -> Result<()> {
        let _guard = end.set_on_drop();
        let (sender, results) = mpsc::channel::<Result<(Throw, usize)>>();
        for _ in 0..settings.threads.max(1) {
            let (sender, walk, next, end) = (sender.clone(), &walk, &next, &end);
            scope.spawn(move || {
                while let Some(result) = play_next(settings, walk, next, end).transpose() {
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
            played += 1;
            lines.note(&PairLine {
                pair: throw.pair,
                half_points,
                values: walk.knobs().iter().map(|knob| knob.value).collect(),
            })?;
            progress.update(played, || furthest(&walk));
        }
        Ok(())
    })?;
    progress.finish();
    let walk = walk.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok((walk, played))
}

fn open(settings: &Settings) -> Result<(Lines, Vec<PairLine>)> {
    let path = settings.out.with_extension("spsa");
    let knobs = settings.walk.knobs();
    let heading = Heading {
        version: 1,
        build: identity::build_of(&EngineKind::Ours(settings.engine.clone()))?,
        conditions: settings.conditions.clone(),
        names: knobs
            .iter()
            .map(|knob| knob.param.name.to_owned())
            .collect(),
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

/// Both games of the next pair; `None` if there is none, or it was told to end.
fn play_next(
    settings: &Settings,
    walk: &Mutex<Walk>,
    next: &AtomicU64,
    end: &Stop,
) -> Result<Option<(Throw, usize)>> {
    let pair = next.fetch_add(1, Ordering::Relaxed);
    if pair >= settings.pairs || end.is_set() {
        return Ok(None);
    }
    let throw = walk
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .throw(pair);
    let seat = |index: usize, name: &str| {
        let numbers = throw.sides[index].clone();
        Seat::ours(&settings.engine, settings.limit, name, numbers)
    };
    let (mut up, mut down) = (seat(0, "up")?, seat(1, "down")?);
    let opening = settings.openings.get(pair)?;
    let Some(first) = play(&mut up, &mut down, &opening, &settings.rules, end) else {
        return Ok(None);
    };
    let Some(second) = play(&mut down, &mut up, &opening, &settings.rules, end) else {
        return Ok(None);
    };
    let half_points = usize::from(first.result as u8) + 2 - usize::from(second.result as u8);
    Ok(Some((throw, half_points)))
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
            knob.param.name, knob.param.default, knob.value
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
            knob.param.name,
            knob.param.default,
            knob.rounded(),
            knob.moved()
        );
    }
    text
}
