//! `skewer-train net`: train a network from game files.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, bail, ensure};
use skewer_console::options::own_file;
use skewer_console::progress::{Progress, note};
use skewer_console::standard::say;
use skewer_eval::network::Parameters;
use skewer_gamedata::ScoreScale;
use skewer_store::{OutputFile, is_file_of_its_own};
use skewer_svg::chart::Curves;
use skewer_train::blocks::BlockFile;
use skewer_train::checkpoint::{Checkpoint, Epoch};
use skewer_train::data::Dataset;
use skewer_train::net::{Start, Training};
use skewer_train::settings::NetSettings;

use super::{Files, Selection, Threads, between, check, check_stretch, print_left_out};

/// Train a network from game files, or from one file of skewer-train shuffle.
///
/// Game files are read into memory, 32 bytes a position. For more positions than memory holds,
/// shuffle them on disk first.
///
/// Writes the network, and beside it a checkpoint after every epoch (.checkpoint), a plot of the
/// losses (.svg) and a table of them (.csv). --resume continues a training that was stopped.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    threads: Threads,
    /// The network to write.
    #[arg(long, short, default_value = "net.nnue", value_name = "FILE", value_parser = own_file())]
    output: PathBuf,
    #[command(flatten)]
    settings: NetSettings,
    /// The scale N of expected points, sigmoid(score / N), for the scores of the data and of the
    /// network [default: the N that predicts the results of the data best]
    #[arg(long, value_name = "N")]
    stretch: Option<f32>,
    /// Continue from the checkpoint beside the output, if there is one. Needs the same files and options,
    /// --threads among them.
    #[arg(long)]
    resume: bool,
    /// Start over, and replace the checkpoint beside the output.
    #[arg(long, conflicts_with = "resume")]
    overwrite: bool,
    /// Begin with the weights of this network, which must have the same --hidden and --buckets; or with the unrounded
    /// weights and the state of Adam from this checkpoint, whose training must have the same shape
    #[arg(long, value_name = "NETWORK|CHECKPOINT", conflicts_with = "resume")]
    warm_start: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    args.selection.check()?;
    let mut settings = args.settings.clone();
    settings.threads = args.threads.count();
    check(settings.wdl, settings.epochs, settings.batch)?;
    between("future-share", settings.future, 0.0, 1.0)?;
    between("error-power", settings.power, 1.1, 8.0)?;
    between("rate", settings.rate, 0.0, 1.0)?;
    between("last-rate", settings.last_rate, 0.0, 1.0)?;
    between("kept-rate", settings.kept, 0.0, 1.0)?;
    between("decay", settings.decay, 0.0, 100.0)?;
    between("bucket-decay", settings.bucket_decay, 0.0, 100.0)?;
    if let Some(stretch) = args.stretch {
        check_stretch("stretch", stretch)?;
    }
    // Check the settings first, because reading takes minutes.
    settings.architecture()?;
    let checkpoint = args.output.with_added_extension("checkpoint");
    let mut files = args.files.with_output("--output", &args.output);
    for extension in ["checkpoint", "csv", "svg"] {
        files.output("--output", args.output.with_added_extension(extension));
    }
    if let Some(path) = &args.warm_start {
        files.input(path);
    }
    ensure!(
        !args.output.exists() || is_file_of_its_own(&args.output),
        "{} is not a regular file; --output keeps a checkpoint beside it",
        args.output.display()
    );
    files.check()?;
    ensure!(
        args.resume || args.overwrite || !checkpoint.exists(),
        "{} exists: go on with --resume, or start from the beginning with --overwrite",
        checkpoint.display()
    );
    args.files.check_scores(ScoreScale::Unscaled)?;
    // Fail before the data are read if the files, which are written after each epoch, cannot be created.
    drop(OutputFile::create(&args.output)?);
    let start = match &args.warm_start {
        Some(path) if path.extension().is_some_and(|end| end == "checkpoint") => {
            Start::Further(Box::new(Checkpoint::load(path)?))
        }
        Some(path) => {
            let network = Parameters::load(path).with_context(|| path.display().to_string())?;
            Start::Warm(Box::new(network))
        }
        None if args.resume && checkpoint.exists() => {
            Start::Resume(Box::new(Checkpoint::load(&checkpoint)?))
        }
        None => Start::Fresh,
    };
    let dataset = load(args)?;
    settings.stretch = args.stretch.unwrap_or_else(|| dataset.stretch().round());
    note(format_args!(
        "points are sigmoid(score / {})",
        settings.stretch
    ));
    let mut training = Training::new(settings.clone(), &dataset, start)?;
    if let Some(last) = training.epochs().last() {
        note(format_args!(
            "resuming after epoch {} of {}",
            last.number, settings.epochs
        ));
    }
    train(
        &mut training,
        &settings,
        &dataset,
        &args.output,
        &checkpoint,
    )?;
    let network = training
        .model()
        .quantised()
        .context("the trained network cannot be written")?;
    skewer_store::write(&args.output, network.to_bytes())?;
    say(format_args!("{}", args.output.display()))?;
    Ok(())
}

fn load(args: &Args) -> anyhow::Result<Dataset> {
    // A pipe cannot be read twice.
    let is_shuffled =
        |path: &&PathBuf| path.is_file() && BlockFile::has_magic(path).unwrap_or(false);
    let dataset = if let Some(path) = args.files.files.iter().find(is_shuffled) {
        ensure!(
            args.files.files.len() == 1,
            "{} holds shuffled positions; give it alone, or shuffle all games together",
            path.display()
        );
        ensure!(
            args.selection.is_default(),
            "which positions are used and how they are labelled was decided when {} was \
             shuffled; leave those options to skewer-train shuffle",
            path.display()
        );
        Dataset::open(path)?
    } else {
        let source = args.selection.source(&args.files);
        let reading = Progress::new(Some(source.files.len() as u64));
        let pool = args.threads.pool()?;
        let dataset = pool.install(|| {
            Dataset::load(&source, |file| {
                print_left_out(file, &reading);
                reading.step();
            })
        })?;
        reading.finish();
        dataset
    };
    let (train, valid) = (dataset.train.len(), dataset.valid.len());
    note(format_args!(
        "{} games, {} positions, of which usable {}: {train} to learn from, {valid} held out",
        dataset.games,
        dataset.positions,
        train + valid
    ));
    if train == 0 {
        bail!("no position of these files is usable; see skewer-train stats");
    }
    Ok(dataset)
}

fn train(
    training: &mut Training<'_>,
    settings: &NetSettings,
    dataset: &Dataset,
    output: &Path,
    checkpoint: &Path,
) -> anyhow::Result<()> {
    let len = dataset.train.len();
    let progress = Progress::new(Some(len as u64 * u64::from(settings.epochs)));
    let title = format!(
        "hidden neurons: {} x 2, output buckets: {}, positions: {len}",
        settings.hidden, settings.buckets
    );
    let begun = Instant::now();
    let first = training.epochs().len();
    training.run(
        |step| {
            progress.set_done(u64::from(step.epoch - 1) * len as u64 + step.done as u64);
            progress.set_message(format!("epoch {} loss {:.6}", step.epoch, step.loss));
        },
        |training, epoch| -> anyhow::Result<()> {
            let Epoch {
                number,
                train_loss,
                valid_loss,
                ..
            } = epoch;
            let seen = (number as usize - first) * len;
            let held_out = if dataset.valid.is_empty() {
                "-".to_owned()
            } else {
                format!("{valid_loss:.6}")
            };
            progress.print(&format!(
                "epoch {number:>3}  loss {train_loss:.6}  held out {held_out}  {:.0} k/s",
                seen as f64 / begun.elapsed().as_secs_f64() / 1e3
            ));
            training.checkpoint().save(checkpoint)?;
            let epochs = training.epochs();
            let held_out = !dataset.valid.is_empty();
            skewer_store::write(output.with_added_extension("csv"), csv(epochs, held_out))?;
            skewer_store::write(output.with_added_extension("svg"), picture(&title, epochs))?;
            Ok(())
        },
    )?;
    progress.finish();
    Ok(())
}

/// The epochs as comma-separated values, with a line of names first. Without games held out, their loss is empty.
fn csv(epochs: &[Epoch], held_out: bool) -> String {
    let mut text = String::from("epoch,rate,train_loss,valid_loss\n");
    for Epoch {
        number,
        rate,
        train_loss,
        valid_loss,
    } in epochs
    {
        let valid = if held_out {
            format!("{valid_loss:.8}")
        } else {
            String::new()
        };
        let _ = writeln!(text, "{number},{rate:e},{train_loss:.8},{valid}");
    }
    text
}

/// A picture of the losses while learning and on the held-out games, as SVG.
fn picture(title: &str, epochs: &[Epoch]) -> String {
    let curve = |name: &str, loss: fn(&Epoch) -> f64| {
        let points = epochs.iter().map(|e| (e.number.into(), loss(e)));
        // Without held-out games their loss is 0.
        (name.to_owned(), points.filter(|p| p.1 > 0.0).collect())
    };
    Curves {
        title: title.to_owned(),
        axes: ["epoch".to_owned(), "loss".to_owned()],
        curves: vec![
            curve("learning", |e| e.train_loss),
            curve("held out", |e| e.valid_loss),
        ],
    }
    .to_svg()
}
