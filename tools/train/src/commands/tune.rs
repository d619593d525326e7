//! `skewer-train tune`: fit the hand-written evaluation to games.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::bail;
use skewer_console::options::own_file;
use skewer_console::progress::{Progress, note};
use skewer_console::standard::say;
use skewer_eval::{PLAIN, WEIGHTS};
use skewer_gamedata::{Game, ScoreScale};
use skewer_store::OutputFile;
use skewer_train::data::{LoadError, is_held_out, read_files};
use skewer_train::settings::TuneSettings;
use skewer_train::tune::{Examples, Stretches, fit, source};

use super::{Choice, Files, Threads, between, check, finish, print_left_out};

/// Fit the weights of the hand-written evaluation to games.
///
/// Logistic regression: finds the weights with which the evaluation best predicts the results of
/// the games and the scores of the searches. Writes Rust source; replace
/// crates/eval/src/hand/weights.rs with it, and play a match against the old build.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    choice: Choice,
    #[command(flatten)]
    threads: Threads,
    /// The file to write.
    #[arg(long, short, default_value = "weights.rs", value_name = "FILE", value_parser = own_file())]
    output: PathBuf,
    /// The most positions used from one game, because positions of one game are correlated.
    #[arg(long, default_value = "16", value_name = "N")]
    per_game: NonZeroUsize,
    /// Begin with the untuned weights instead of the weights of this build.
    #[arg(long)]
    afresh: bool,
    #[command(flatten)]
    settings: TuneSettings,
    /// The share of games that is held out of training, to measure the loss.
    #[arg(long, default_value_t = 0.05, value_name = "SHARE")]
    hold_out: f64,
}

/// Positions read.
#[derive(Default)]
struct Data {
    /// Games learned from.
    games: u64,
    /// Games held out.
    held_out: u64,
    train: Examples,
    valid: Examples,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    between("hold-out", args.hold_out, 0.0, 0.9)?;
    let settings = &args.settings;
    check(settings.wdl, settings.epochs, settings.batch)?;
    between("stray", settings.stray, 0.01, 1e4)?;
    between("rate", settings.rate, 0.0, 1000.0)?;
    between("last-rate", settings.last_rate, 0.0, 1000.0)?;
    args.files.with_output("--output", &args.output).check()?;
    args.files.check_scores(ScoreScale::Unscaled)?;
    let output = OutputFile::create(&args.output)?;
    args.threads.pool()?.install(|| tune(args, output))
}

fn tune(args: &Args, output: OutputFile) -> anyhow::Result<()> {
    let data = read(args)?;
    if data.train.is_empty() {
        bail!("no position of these files is usable; see skewer-train stats");
    }
    note(format_args!(
        "{} positions of {} games to learn from, {} positions of {} games held out",
        data.train.len(),
        data.games,
        data.valid.len(),
        data.held_out
    ));
    let start: &[_] = if args.afresh { &PLAIN } else { &WEIGHTS };
    let stretches = Stretches {
        evaluation: data.train.stretch_of(start),
        searches: data.train.stretch_of_searches(),
    };
    note(format_args!(
        "points are sigmoid(score / {:.0}) by the evaluation, sigmoid(score / {:.0}) by the searches",
        stretches.evaluation, stretches.searches
    ));
    // Without games held out, the loss is measured on the games learned from.
    let (measured, measured_games) = if data.valid.is_empty() {
        (&data.train, "these")
    } else {
        (&data.valid, "held-out")
    };
    let loss = |weights: &[_]| measured.loss(weights, stretches.evaluation);
    let before = loss(start);
    note(format_args!("loss before: {before:.5} nats a position"));
    let progress = Progress::new(Some(args.settings.epochs.into()));
    let weights = fit(
        &data.train,
        start,
        &PLAIN,
        stretches,
        &args.settings,
        |epoch, weights| {
            progress.set_done(epoch.into());
            progress.set_message(format!("loss {:.5}", loss(weights)));
        },
    );
    progress.finish();
    let after = loss(&weights);
    note(format_args!(
        "after: {after:.5}; scores {:.0} from zero on average, {:.0} before",
        measured.spread(&weights),
        measured.spread(start)
    ));
    let provenance = format!(
        "Fitted to {} positions of {} games. The loss on {measured_games} games is {after:.5} nats a\n\
         position; before tuning it was {before:.5}.",
        data.train.len(),
        data.games,
    );
    finish(output, &source(&weights, &provenance))?;
    say(format_args!("{}", args.output.display()))?;
    Ok(())
}

fn read(args: &Args) -> Result<Data, LoadError> {
    let (files, filter) = (&args.files.files, args.choice.filter());
    let reading = Progress::new(Some(files.len() as u64));
    let add = |data: &mut Data, game: &Game| {
        let examples = if is_held_out(game, args.hold_out) {
            data.held_out += 1;
            &mut data.valid
        } else {
            data.games += 1;
            &mut data.train
        };
        examples.add(game, &filter, args.per_game.get());
    };
    let parts = read_files(
        files,
        args.files.tail(),
        |file| {
            print_left_out(file, &reading);
            reading.step();
        },
        add,
    )?;
    reading.finish();
    let mut all = Data::default();
    for part in parts {
        all.games += part.games;
        all.held_out += part.held_out;
        all.train.append(&part.train);
        all.valid.append(&part.valid);
    }
    Ok(all)
}
