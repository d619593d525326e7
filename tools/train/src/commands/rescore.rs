//! `skewer-train rescore`: game files with new scores.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, ensure};
use rayon::prelude::*;
use skewer_eval::{AnyEvaluator, EvaluationChoice};
use skewer_gamedata::{Filter, Game, Reader, write_game};
use skewer_movegen::Board;
use skewer_train::rescore::Judge;

use super::{Choice, Files, Threads, bar, with_suffix};

/// Join game files into one, with the positions judged anew.
///
/// Every position that a training would use is searched with the evaluation of today; moves and
/// results stay. Games keep their order, so the same files and evaluation make the same file.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    choice: Choice,
    #[command(flatten)]
    threads: Threads,
    /// The file to write, plain. It must not be there yet.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Nodes a position after which the search goes no deeper.
    #[arg(long, default_value_t = 1_000, value_name = "N")]
    nodes: u64,
    /// What evaluates: hce (by hand), net (the network that is built in), or the file of a
    /// network [default: what is built in]
    #[arg(
        long,
        default_value_t,
        hide_default_value = true,
        value_name = "hce|net|FILE"
    )]
    eval: EvaluationChoice,
    /// Judge every position, also those that a training leaves out.
    #[arg(long)]
    all: bool,
}

/// Games that are judged together, by all threads.
const GAMES: usize = 256;

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    ensure!(
        !args.output.exists(),
        "{} is there already",
        args.output.display()
    );
    let evaluation = args.eval.load()?;
    let filter = if args.all {
        Filter::ALL
    } else {
        args.choice.filter()
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads.count())
        .build()?;
    let judges = (0..pool.current_num_threads())
        .map(|_| Judge::new(evaluation.evaluator(), args.nodes))
        .collect::<Result<Vec<_>, _>>()?;
    let judges = Mutex::new(judges);

    let new = with_suffix(&args.output, ".new");
    let unwritable = || format!("{} could not be written", new.display());
    let mut out = BufWriter::new(File::create(&new).with_context(unwritable)?);
    // Counted first: a damaged file is found now and not after hours.
    let total = count(args)?;
    let progress = bar(total, "{msg} {wide_bar} {pos}/{len} games, left {eta}");
    let mut judged = 0u64;
    for file in &args.files.files {
        let mut reader = Reader::open(file, args.files.tail())?;
        loop {
            let mut games = reader.by_ref().take(GAMES).collect::<Result<Vec<_>, _>>()?;
            if games.is_empty() {
                break;
            }
            judged += pool.install(|| judge(&mut games, &judges, &filter));
            for game in &games {
                write_game(&mut out, game).with_context(unwritable)?;
            }
            progress.inc(games.len() as u64);
            progress.set_message(format!("{judged} positions"));
        }
    }
    progress.finish_and_clear();
    out.flush().with_context(unwritable)?;
    std::fs::rename(&new, &args.output).with_context(unwritable)?;
    println!(
        "{total} games, {judged} positions judged by {} at {} nodes: {}",
        evaluation,
        args.nodes,
        args.output.display()
    );
    Ok(())
}

/// Reads everything once; how many games there are.
fn count(args: &Args) -> anyhow::Result<u64> {
    let mut games = 0;
    let mut game = Game::new(Board::startpos());
    for file in &args.files.files {
        let mut reader = Reader::open(file, args.files.tail())?;
        while reader.read_game(&mut game)? {
            games += 1;
        }
    }
    Ok(games)
}

/// Judges games on all threads of the pool; how many positions.
fn judge(games: &mut [Game], judges: &Mutex<Vec<Judge<AnyEvaluator>>>, filter: &Filter) -> u64 {
    let lock = || judges.lock().unwrap_or_else(PoisonError::into_inner);
    games
        .par_iter_mut()
        .with_max_len(1)
        .map(|game| {
            // As many judges as threads, and each thread holds one at most.
            let Some(mut judge) = lock().pop() else {
                return 0;
            };
            let judged = judge.rescore(game, filter);
            lock().push(judge);
            judged
        })
        .sum()
}
