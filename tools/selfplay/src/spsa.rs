//! Tuning of search parameters by games of the engine against itself. [`tuner`] implements the method; this
//! module plays the pairs on every core and keeps a file from which a run is resumed.

pub(crate) mod tuner;

use std::collections::HashSet;
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::mpsc::SyncSender;
use std::sync::{Mutex, PoisonError};

use crate::game::{MatchRules, half_points, play_pair};
use crate::limit::Limit;
use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};
use skewer_console::progress::Progress;
use skewer_console::stop::Stop;
use skewer_console::workers::{self, Tasks};
use skewer_store::Journal;

use crate::identity;
use crate::lines;
use crate::openings::Openings;
use crate::spec::{EngineKind, Ours};
use tuner::{Perturbation, TunedParameter, Tuner};

/// A tuning run.
pub(crate) struct TuningSettings {
    /// The engine that plays itself.
    pub engine: Ours,
    /// The engine as given on the command line.
    pub text: String,
    /// The limit of each move: a clock that counts nodes, nodes or plies. Wall time is refused,
    /// because its games depend on the machine.
    pub limit: Limit,
    /// The parameters, their perturbations and the number of pairs.
    pub tuner: Tuner,
    /// The openings of the games.
    pub openings: Openings,
    /// How games are ended early.
    pub rules: MatchRules,
    /// Games at a time.
    pub threads: usize,
    /// The file from which the run is resumed, without its extension.
    pub out: PathBuf,
    /// Everything that changes the games, as text. A run is resumed only under the same conditions.
    pub conditions: String,
}

/// The run that a file belongs to.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Heading {
    version: u32,
    /// The build and the network of the engine.
    build: String,
    conditions: String,
    /// The parameters, in the order of each line's values.
    names: Vec<String>,
}

/// A pair that was played.
#[derive(Debug, Serialize, Deserialize)]
struct PairLine {
    pair: u64,
    half_points: usize,
    /// The values of the parameters after the pair.
    values: Vec<f64>,
}

/// The result of a run.
pub(crate) struct Tuned {
    /// The parameters with their new values. Each value is the mean over the second half of the run,
    /// because single games move the values around their optimum (Polyak and Juditsky, 1992). The
    /// mean is then moved back toward the start by the share that chance explains (after James and
    /// Stein, 1961).
    pub tuner: Tuner,
    /// The pairs played.
    pub pairs: u64,
    /// How far each parameter has moved, in standard deviations of a random walk with the same steps.
    pub deviations: Vec<f64>,
}

/// Plays until all pairs are played or `stop` is set.
///
/// # Errors
///
/// If the engine cannot be created, or the file cannot be read or written or belongs to another run.
pub(crate) fn run(settings: &TuningSettings, stop: &Stop) -> Result<Tuned> {
    let (mut lines, held) = open(settings)?;
    let mut tuner = settings.tuner.clone();
    if let Some(last) = held.last() {
        tuner.set_values(&last.values);
    }
    // Pairs finish in any order.
    let done: HashSet<u64> = held.iter().map(|line| line.pair).collect();
    let mut trail: Vec<Vec<f64>> = held.into_iter().map(|line| line.values).collect();
    let mut progress = Progress::new(Some(settings.tuner.pairs()));
    if !trail.is_empty() {
        progress.print(&format!("resuming after {} pairs", trail.len()));
    }

    let tasks = Tasks::new(0, settings.tuner.pairs(), done);
    let tuner = Mutex::new(tuner);
    let lock = || tuner.lock().unwrap_or_else(PoisonError::into_inner);
    let worker = |end: &Stop, results: &SyncSender<Result<PairLine>>| {
        let play = |pair| {
            // The lock must not be held while the pair is played.
            let perturbation = lock().perturb(pair);
            play(settings, perturbation, end).transpose()
        };
        while let Some(result) = tasks.next(end).and_then(play) {
            // The tuner learns here, before this worker's next pair, so that a run with one worker can be
            // repeated. It stays locked until the line is sent: the lines are in the order of learning.
            let mut tuner = lock();
            let line = result.map(|(played, half_points)| {
                tuner.learn(&played, half_points);
                PairLine {
                    pair: played.pair,
                    half_points,
                    values: tuner.tuned().iter().map(TunedParameter::value).collect(),
                }
            });
            if results.send(line).is_err() {
                break;
            }
        }
    };
    workers::run(vec![worker; settings.threads.max(1)], stop, |line| {
        if let Some(line) = line.transpose()? {
            lines.append(&line)?;
            // The worker that sends may hold the tuner's lock.
            progress.update(trail.len() as u64 + 1, || {
                let mut newest = settings.tuner.clone();
                newest.set_values(&line.values);
                furthest(&newest)
            });
            trail.push(line.values);
        }
        Ok(ControlFlow::Continue(()))
    })?;
    progress.finish();
    let mut tuner = tuner.into_inner().unwrap_or_else(PoisonError::into_inner);
    let (values, deviations): (Vec<f64>, Vec<f64>) = (0..tuner.tuned().len())
        .map(|index| {
            let start = f64::from(tuner.tuned()[index].start());
            let walk: Vec<f64> = trail.iter().map(|values| values[index]).collect();
            outcome(start, &walk)
        })
        .unzip();
    tuner.set_values(&values);
    Ok(Tuned {
        tuner,
        pairs: trail.len() as u64,
        deviations,
    })
}

/// The value that a parameter's `walk` from `start` leads to, and how far the walk has gone, in standard
/// deviations of a random walk with the same steps.
fn outcome(start: f64, walk: &[f64]) -> (f64, f64) {
    let mut before = start;
    let mut squares = 0.0;
    for &value in walk {
        squares += (value - before).powi(2);
        before = value;
    }
    if squares == 0.0 {
        return (start, 0.0);
    }
    let deviations = (before - start) / squares.sqrt();
    let latter = &walk[walk.len() / 2..];
    let mean = latter.iter().sum::<f64>() / latter.len() as f64;
    let kept = (1.0 - deviations.powi(-2)).max(0.0);
    (start + (mean - start) * kept, deviations)
}

fn open(settings: &TuningSettings) -> Result<(Journal, Vec<PairLine>)> {
    let path = settings.out.with_added_extension("spsa");
    let tuned = settings.tuner.tuned();
    let heading = Heading {
        version: 1,
        build: identity::build_of(&EngineKind::Ours(settings.engine.clone())),
        conditions: settings.conditions.clone(),
        names: tuned
            .iter()
            .map(|parameter| parameter.name().to_owned())
            .collect(),
    };
    let expect = |found: &Heading| {
        if *found == heading {
            return Ok(());
        }
        bail!(
            "{} belongs to another run:\n  there: {} [{}], {} parameters\n  now:   {} [{}], {} parameters\n\
             give another --out, or delete the file",
            path.display(),
            found.conditions,
            found.build,
            found.names.len(),
            heading.conditions,
            heading.build,
            heading.names.len()
        )
    };
    let (lines, held) = lines::open::<Heading, PairLine>(&path, &heading, expect)?;
    if held.iter().any(|line| line.values.len() != tuned.len()) {
        bail!(
            "{}: damaged: a line has another number of parameters; give another --out, or restore \
             the file from a copy",
            path.display()
        );
    }
    Ok((lines, held))
}

/// Both games of a pair, and the half points of the first side; `None` if the run was stopped.
fn play(
    settings: &TuningSettings,
    perturbation: Perturbation,
    end: &Stop,
) -> Result<Option<(Perturbation, usize)>> {
    let player = |index: usize| {
        let ours = Ours {
            parameters: Box::new(perturbation.sides[index].clone()),
            ..settings.engine.clone()
        };
        ours.player(settings.limit)
    };
    let (mut up, mut down) = (player(0)?, player(1)?);
    let opening = settings.openings.get(perturbation.pair)?;
    let games = play_pair(&mut up, &mut down, &opening, &settings.rules, end)?;
    Ok(games.map(|[one, two]| {
        let points: u8 = half_points([one.result, two.result]).iter().sum();
        (perturbation, usize::from(points))
    }))
}

/// The parameters that have moved furthest, in a line.
fn furthest(tuner: &Tuner) -> String {
    const SHOWN: usize = 3;
    let mut tuned: Vec<_> = tuner.tuned().iter().collect();
    tuned.sort_by(|one, other| other.moved().abs().total_cmp(&one.moved().abs()));
    let mut words = String::new();
    for parameter in tuned.into_iter().take(SHOWN) {
        let gap = if words.is_empty() { "" } else { ", " };
        let _ = write!(
            words,
            "{gap}{} {} -> {:.1}",
            parameter.name(),
            parameter.start(),
            parameter.value()
        );
    }
    words
}

/// A table of the parameters: the value before the run, the current one, the change divided by
/// the perturbation in the last pair, and the [deviations](Tuned::deviations).
pub(crate) fn table(tuned: &Tuned) -> String {
    let mut text = format!(
        "{:<24} {:>7} {:>7} {:>7} {:>7}\n",
        "parameter", "before", "after", "steps", "sigmas"
    );
    for (parameter, deviations) in tuned.tuner.tuned().iter().zip(&tuned.deviations) {
        let _ = writeln!(
            text,
            "{:<24} {:>7} {:>7} {:>+7.2} {:>+7.2}",
            parameter.name(),
            parameter.start(),
            parameter.rounded(),
            parameter.moved(),
            deviations
        );
    }
    text
}

/// The parameters that have changed, as settings after `ours` in the description of an engine; empty
/// if none has.
pub(crate) fn settings(tuner: &Tuner) -> String {
    let mut text = String::new();
    for parameter in tuner.tuned() {
        if parameter.rounded() != parameter.start() {
            let _ = write!(text, ",set.{}={}", parameter.name(), parameter.rounded());
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_is_kept_as_far_as_chance_does_not_explain_it() {
        let steady: Vec<f64> = (1..=100).map(|step| 50.0 + f64::from(step)).collect();
        let (value, deviations) = outcome(50.0, &steady);
        assert!((deviations - 10.0).abs() < 1e-9, "{deviations}");
        // The mean of the second half is 125.5; a hundredth of the way goes back.
        assert!((value - (50.0 + 75.5 * 0.99)).abs() < 1e-9, "{value}");
        let swinging: Vec<f64> = (0..100).map(|step| 50.0 + f64::from(step % 2)).collect();
        assert!((outcome(50.0, &swinging).0 - 50.0).abs() < 1e-9);
        assert_eq!(outcome(50.0, &[]), (50.0, 0.0));
    }
}
