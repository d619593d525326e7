//! `skewer-train lag`: how late an engine notices that it is losing.

use std::collections::HashSet;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use skewer_console::progress::note;
use skewer_console::standard::say;
use skewer_games::stats::{Median, median};
use skewer_pgn::{Games, ReadError};
use skewer_train::lag::{ENGINE_SEES, OPPONENT_SEES, identity, lag, side_lost_by};

/// Measure how late an engine notices that it is losing
///
/// Prints the median, over the games that the engine lost, of the number of plies between the opponent's first score
/// of 1.5 or more against it and its own first score of 1.0 or more against itself (or the end of the game). Reads
/// PGN with scores in comments, as fastchess, cutechess and skewer-selfplay write them.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Files of games (PGN).
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The engine, by its name in the White and Black tags.
    #[arg(long, value_name = "NAME", default_value = "Skewer")]
    engine: String,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let (mut games, mut lost, mut lags) = (0u32, 0u32, Vec::new());
    let (mut seen, mut duplicates) = (HashSet::new(), 0u32);
    for path in &args.files {
        let file = skewer_store::open_regular(path, u64::MAX)?;
        for game in Games::new(file) {
            match game {
                Ok(game) if !seen.insert(identity(&game)) => duplicates += 1,
                Ok(game) => {
                    games += 1;
                    lost += u32::from(side_lost_by(&game, &args.engine).is_some());
                    lags.extend(lag(&game, &args.engine));
                }
                Err(error @ ReadError::Bad(_)) => note(format_args!("{}: {error}", path.display())),
                Err(error) => return Err(error).context(path.display().to_string()),
            }
        }
    }
    if duplicates > 0 {
        note(format_args!(
            "{duplicates} games have the players and moves of another game, and are left out"
        ));
    }
    let Some(Median {
        value: plies,
        interval,
    }) = median(lags.iter().map(|lag| lag.plies).collect())
    else {
        bail!(
            "{lost} of {games} games were lost by {}, and in none of these does a comment have the opponent's score \
             at {:.1} or more; give the engine's name with --engine",
            args.engine,
            f64::from(OPPONENT_SEES) / 100.0
        );
    };
    say(format_args!(
        "games      {games}, {lost} lost by {}, {} of them with the scores needed",
        args.engine,
        lags.len()
    ))?;
    let interval = match interval {
        Some((least, most)) => format!("95% interval {least} to {most}"),
        None => "too few games for a 95% interval".to_owned(),
    };
    say(format_args!(
        "lag        {plies} plies (median, {interval}) from the opponent's {:.1} to its own {:.1}",
        f64::from(OPPONENT_SEES) / 100.0,
        f64::from(ENGINE_SEES) / 100.0
    ))?;
    if let Some(score) = median(lags.iter().filter_map(|lag| lag.own_score).collect()) {
        say(format_args!(
            "own score  {:+.2} (median) when the opponent has {:.1}",
            f64::from(score.value) / 100.0,
            f64::from(OPPONENT_SEES) / 100.0
        ))?;
    }
    Ok(())
}
