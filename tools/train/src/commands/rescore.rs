//! `skewer-train rescore`: searches the positions of game files again, for new scores.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, bail, ensure};
use rayon::prelude::*;
use skewer_common::progress::{Progress, note};
use skewer_eval::Evaluation;
use skewer_gamedata::{DataError, Filter, Game, Provenance, Reader, Step, Tail, Writer};
use skewer_search::Limits;
use skewer_store::OutputFile;
use skewer_train::rescore::Rescorer;

use super::dedup::step;
use super::{Choice, Files, Threads, refuse_existing};

/// Join game files into one, with the positions rescored.
///
/// Searches every position that training would use with the current evaluation; keeps moves and
/// results. Games keep their order, so the same files and evaluation give the same file. If it is
/// stopped or killed, the same command resumes it.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    choice: Choice,
    #[command(flatten)]
    threads: Threads,
    /// The file to write, not compressed. It must not exist. A record of the run is written beside
    /// it (.json).
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Nodes a position after which no further iteration begins.
    #[arg(long, default_value_t = 1_000, value_name = "N")]
    nodes: u64,
    /// The evaluation: hce (hand-written), net (the built-in network), or the file of a network
    /// [default: the built-in one]
    #[arg(long, value_name = "hce|net|FILE")]
    eval: Option<Evaluation>,
    /// Rescore every position, also those that training leaves out.
    #[arg(long)]
    all: bool,
}

/// Games that the threads rescore before the next are read.
const GAMES: usize = 256;

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let output = &args.output;
    refuse_existing(output)?;
    // Refused before the data are read.
    drop(OutputFile::create(output)?);
    for file in &args.files.files {
        ensure!(
            !file.exists() || file.is_file(),
            "{} is not a regular file, and rescore reads its files twice; give a regular file",
            file.display()
        );
    }
    let evaluation = args.eval.clone().unwrap_or_default();
    let filter = if args.all {
        Filter::ALL
    } else {
        args.choice.filter()
    };
    let pool = args.threads.pool()?;
    let rescorers = (0..pool.current_num_threads())
        .map(|_| Rescorer::new(&evaluation, args.nodes))
        .collect::<Result<Vec<_>, _>>()?;
    let rescorers = Mutex::new(rescorers);

    // Reads all files to the end, so that a damaged one is found before hours of search.
    let mut all = args.files.games();
    let total = all.try_fold(0, |games, game| game.map(|_| games + 1))?;
    let new = output.with_added_extension("new");
    let mut games = args.files.games();
    let begun = begin(args, &evaluation, filter, &new, &mut games)?;
    let (mut writer, held) = Writer::append(&new, &filter)?;
    ensure!(
        held.games == begun.games,
        "{}: another program is writing to it",
        new.display()
    );
    let progress = Progress::new(Some(total));
    if begun.games > 0 {
        note(format_args!(
            "resuming after {} of {total} games",
            begun.games
        ));
        progress.resume(begun.games);
    }
    let mut rescored = begun.positions;
    loop {
        let mut group = games.by_ref().take(GAMES).collect::<Result<Vec<_>, _>>()?;
        if group.is_empty() {
            break;
        }
        rescored += pool.install(|| rescore(&mut group, &rescorers, &filter, &progress));
        group.iter().try_for_each(|game| writer.write(game))?;
        progress.set_message(format!("{rescored} positions"));
    }
    progress.finish();
    let mut record = Provenance::load(output)?;
    record.checksums = vec![writer.sync()?];
    record.store(output)?;
    drop(writer);
    std::fs::rename(&new, output)
        .with_context(|| format!("{} could not be written", output.display()))?;
    writeln!(
        io::stdout(),
        "{total} games, {rescored} positions rescored by {} at {} nodes: {}",
        evaluation,
        args.nodes,
        output.display()
    )?;
    Ok(())
}

/// The part of the output that an earlier, interrupted run has written.
#[derive(Default)]
struct Begun {
    games: u64,
    /// Positions that it rescored.
    positions: u64,
}

/// Begins a file, or resumes that of an interrupted run of the same command: compares each game in
/// it with the next of `games`, which then continues after them.
fn begin(
    args: &Args,
    evaluation: &Evaluation,
    filter: Filter,
    new: &Path,
    games: &mut impl Iterator<Item = Result<Game, DataError>>,
) -> anyhow::Result<Begun> {
    let mut now = step("rescore", &args.files);
    now.judge = Some(skewer_gamedata::Rescoring {
        evaluation: evaluation.to_string(),
        soft_nodes: args.nodes,
        hard_nodes: args.nodes.saturating_mul(Limits::HARD_FACTOR),
        filter,
    });
    let mut begun = Begun::default();
    if !new.exists() {
        // Write the record first, so that an interrupted file can be identified as of this command.
        Provenance::of_step(now)?.store(&args.output)?;
        return Ok(begun);
    }
    let another = || {
        format!(
            "{} was begun by another command or build, or of other games; delete it to begin anew",
            new.display()
        )
    };
    let before = Provenance::load(&args.output)?;
    let same = |before: &Step| before.is_same(&now);
    ensure!(before.steps.last().is_some_and(same), another());
    // An interrupted run that has not written a whole game: its record says that the file is its own.
    if std::fs::metadata(new)?.len() == 0 || Reader::open(new, Tail::AcceptTorn)?.next().is_none() {
        std::fs::remove_file(new)
            .with_context(|| format!("{} could not be removed", new.display()))?;
        return Ok(begun);
    }
    for written in Reader::open(new, Tail::AcceptTorn)? {
        let (written, Some(source)) = (written?, games.next().transpose()?) else {
            bail!(another());
        };
        ensure!(are_same_moves(&written, &source), another());
        begun.games += 1;
        begun.positions += source.positions().filter(|p| filter.accepts(p)).count() as u64;
    }
    Ok(begun)
}

/// Whether two games are equal but for their scores.
fn are_same_moves(one: &Game, other: &Game) -> bool {
    let (ours, theirs) = (one.moves.iter(), other.moves.iter());
    one.start == other.start
        && one.result == other.result
        && ours
            .map(|scored| scored.mv)
            .eq(theirs.map(|scored| scored.mv))
}

/// Rescores games on all threads of the pool. Returns the number of positions searched.
fn rescore(
    games: &mut [Game],
    rescorers: &Mutex<Vec<Rescorer>>,
    filter: &Filter,
    progress: &Progress,
) -> u64 {
    let lock = || rescorers.lock().unwrap_or_else(PoisonError::into_inner);
    games
        .par_iter_mut()
        .with_max_len(1)
        .map(|game| {
            // There is one for each thread, and a thread holds one at a time.
            let Some(mut rescorer) = lock().pop() else {
                return 0;
            };
            let rescored = rescorer.rescore(game, filter);
            lock().push(rescorer);
            progress.step();
            rescored
        })
        .sum()
}
