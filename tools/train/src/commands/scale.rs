//! `skewer-train scale`: the scale of a network's scores, from its games.

use std::collections::HashSet;
use std::io::{self, Write as _};
use std::ops::{Range, RangeInclusive};
use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use skewer_console::progress::note;
use skewer_console::standard::{self, say};
use skewer_eval::network::Parameters;
use skewer_gamedata::ScoreScale;
use skewer_train::data::fingerprint;
use skewer_train::scale::{LEAST_GAMES, Outcomes, is_plausible};
use skewer_types::WinModel;

use super::Files;

/// Fit the win model of a network to its games, and write it into the network's file.
///
/// The engine converts scores by this model: with 70 pawns of material or more, 100 centipawns win every other game; with
/// less, 100 centipawns are the same score as with 70. The network itself should play the games, with the quality of games
/// that people look at: a thousand games at 5000 nodes a move, played with --scores scaled. Weaker play upsets more
/// scores and gives flatter curves. A network is given only the model of a hundred games or more.
///
/// The table compares the results of each half of the games with a model that was fitted to the other half.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    files: Files,
    /// The network to write the model into [default: print it only].
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    args.files.check_scores(ScoreScale::Scaled)?;
    // Refuse a bad network before the games are read.
    let load = |path: &PathBuf| Parameters::load(path).with_context(|| path.display().to_string());
    let network = args.network.as_ref().map(load).transpose()?;
    let mut halves = [Outcomes::default(), Outcomes::default()];
    let (mut seen, mut duplicates) = (HashSet::new(), 0);
    for game in args.files.games() {
        let game = game?;
        // A copy in the other half would make the comparison of the halves a comparison of a model with its own games.
        if seen.insert(fingerprint(&game)) {
            halves[seen.len() % 2].add(&game);
        } else {
            duplicates += 1;
        }
    }
    if duplicates > 0 {
        note(format_args!(
            "{duplicates} games were left out as duplicates"
        ));
    }
    let mut outcomes = halves[0].clone();
    outcomes.merge(&halves[1]);
    let model = outcomes.fit().context("there are no positions to fit to")?;
    let printed = print(&outcomes, model).and_then(|()| print_held_out(&halves));
    if network.is_some() {
        ensure!(
            outcomes.games() >= LEAST_GAMES,
            "the model was not written: there are {} games, and it needs {LEAST_GAMES}",
            outcomes.games()
        );
        ensure!(
            is_plausible(model),
            "the model was not written: the results do not determine it; give games that are won, drawn and lost, with many \
             scores and all amounts of material"
        );
    }
    if let (Some(network), Some(path)) = (network, &args.network) {
        skewer_store::write(path, network.with_win_model(model).to_bytes())?;
    }
    printed?;
    if let Some(path) = &args.network {
        say(format_args!("{}: written", path.display()))?;
    }
    Ok(())
}

/// The groups of material, in pawns, whose results are printed beside the model.
const GROUPS: [RangeInclusive<u32>; 5] = [65..=78, 50..=64, 35..=49, 20..=34, 0..=19];

/// The groups of centipawns.
const BANDS: [Range<i32>; 4] = [0..50, 50..100, 100..200, 200..400];

fn print(outcomes: &Outcomes, model: WinModel) -> io::Result<()> {
    let mut out = standard::output();
    writeln!(
        out,
        "{} games, {} positions",
        outcomes.games(),
        outcomes.positions()
    )?;
    for (name, curve) in [("full", model.full()), ("bare", model.bare())] {
        writeln!(
            out,
            "{name} material: even {:.1}, spread {:.1}",
            curve.even(),
            curve.spread()
        )?;
    }
    Ok(())
}

/// Prints the results of each half of the games beside a model that was fitted to the other half.
fn print_held_out(halves: &[Outcomes; 2]) -> io::Result<()> {
    let [Some(first), Some(second)] = halves.each_ref().map(Outcomes::fit) else {
        return Ok(());
    };
    for material in GROUPS {
        for centipawns in BANDS {
            let mut tally = halves[0].tally(&material, &centipawns, second);
            tally.add(halves[1].tally(&material, &centipawns, first));
            if tally.positions > 0 {
                let share = |count: f64| count / tally.positions as f64;
                say(format_args!(
                    "  material {:>2} to {}, {:>3} to {} cp: points {:.3}, model {:.3}; won {:.3}, model {:.3} ({} positions)",
                    material.start(),
                    material.end(),
                    centipawns.start,
                    centipawns.end,
                    share(tally.points),
                    share(tally.expected_points),
                    share(tally.won),
                    share(tally.expected_won),
                    tally.positions
                ))?;
            }
        }
    }
    Ok(())
}
