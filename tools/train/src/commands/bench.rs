//! `skewer-train bench`: how fast this machine trains.

use std::io::Write as _;
use std::time::{Duration, Instant};

use skewer_console::standard;
use skewer_movegen::Board;
use skewer_train::data::{Dataset, TrainSet};
use skewer_train::net::{Start, Training};
use skewer_train::sample::Sample;
use skewer_train::settings::NetSettings;
use skewer_types::Rng;

use super::Threads;

/// Measure how fast this machine trains.
///
/// Takes positions of random games, so it needs no data. Prints positions a second for each
/// width of network: the best of several short trainings, since other programs can only slow a
/// training down.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    threads: Threads,
    /// Widths to measure.
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "64,128,256,512",
        value_name = "N,.."
    )]
    hidden: Vec<usize>,
    /// King buckets: 1 or 6.
    #[arg(long, default_value_t = 1, value_name = "N")]
    king_buckets: usize,
    /// With inputs for pieces that are en prise.
    #[arg(long)]
    en_prise: bool,
    /// Seconds for each width.
    #[arg(long, default_value_t = 4, value_name = "N")]
    seconds: u64,
}

/// Positions to train on: enough that they do not fit the processor's cache.
const POSITIONS: usize = 1 << 20;

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let dataset = Dataset {
        train: TrainSet::Memory(random_positions(POSITIONS)),
        ..Dataset::default()
    };
    let pieces: usize = dataset.train.in_memory().iter().map(Sample::pieces).sum();
    let threads = args.threads.count();
    writeln!(
        standard::output(),
        "{threads} threads, {:.1} pieces a position",
        pieces as f64 / POSITIONS as f64
    )?;
    for &hidden in &args.hidden {
        let begun = Instant::now();
        let mut best = 0.0f64;
        while best == 0.0 || begun.elapsed() < Duration::from_secs(args.seconds) {
            let settings = NetSettings {
                hidden,
                king_buckets: args.king_buckets,
                en_prise: args.en_prise,
                threads,
                epochs: 1,
                ..NetSettings::default()
            };
            let mut training = Training::new(settings, &dataset, Start::Fresh)?;
            let epoch = Instant::now();
            training.run(|_| {}, |_, _| Ok::<(), anyhow::Error>(()))?;
            best = best.max(POSITIONS as f64 / epoch.elapsed().as_secs_f64());
        }
        writeln!(
            standard::output(),
            "{hidden:>4} x 2 -> {}: {:>6.0} thousand positions a second",
            NetSettings::default().buckets,
            best / 1e3
        )?;
    }
    Ok(())
}

/// Positions of random games from ply 16 on, with made-up scores.
fn random_positions(count: usize) -> Vec<Sample> {
    let mut samples = Vec::with_capacity(count);
    let mut rng = Rng::new(1);
    while samples.len() < count {
        let mut board = Board::STARTPOS;
        for ply in 0..160 {
            let moves = board.legal_moves();
            if moves.is_empty() || samples.len() == count {
                break;
            }
            board = board.play(moves[rng.below(moves.len())]);
            if ply >= 16 {
                let points = rng.below(3) as f32 / 2.0;
                samples.extend(Sample::new(&board, rng.below(801) as i16 - 400, points));
            }
        }
    }
    samples
}
