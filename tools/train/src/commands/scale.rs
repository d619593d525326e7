//! `skewer-train scale`: the scale of a network's scores, from its games.

use std::io::{self, Write as _};
use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::Context as _;
use skewer_eval::network::Parameters;
use skewer_train::scale::Outcomes;
use skewer_types::WinModel;

use super::Files;

/// Fit the win model of a network to its games, and write it into the network's file.
///
/// The engine converts scores by this model: 100 centipawns win every other game, whatever material is left. The network
/// itself should play the games, with the quality of games that people look at: a thousand games at 5000 nodes a move.
/// Weaker play upsets more scores and gives flatter curves.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    files: Files,
    /// The network to write the model into [default: print it only].
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    // Refuse a bad network before the games are read.
    let network = args.network.as_ref().map(Parameters::load).transpose()?;
    let mut outcomes = Outcomes::default();
    for game in args.files.games() {
        outcomes.add(&game?);
    }
    let model = outcomes.fit().context("there are no positions to fit to")?;
    let printed = print(&outcomes, model);
    if let (Some(network), Some(path)) = (network, &args.network) {
        skewer_store::write(path, network.with_win_model(model).to_bytes())?;
    }
    printed?;
    if let Some(path) = &args.network {
        writeln!(io::stdout(), "{}: written", path.display())?;
    }
    Ok(())
}

/// The groups of material, in pawns, whose results are printed beside the model.
const GROUPS: [RangeInclusive<u32>; 5] = [65..=78, 50..=64, 35..=49, 20..=34, 0..=19];

fn print(outcomes: &Outcomes, model: WinModel) -> io::Result<()> {
    let mut out = io::stdout();
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
    for group in GROUPS {
        for score in (-200..=400).step_by(100) {
            if let Some(share) = outcomes.share(&group, score, 20, model) {
                writeln!(
                    out,
                    "  material {:>2} to {}, score {score:>4}: won {:.3}, model {:.3} ({} positions)",
                    group.start(),
                    group.end(),
                    share.won,
                    share.expected,
                    share.positions
                )?;
            }
        }
    }
    Ok(())
}
