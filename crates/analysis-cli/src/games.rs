//! The commands `games` and `merge`.

use std::path::PathBuf;

use anyhow::{Result, bail};
use skewer_analysis::analyst::SettingsRecord;
use skewer_analysis::games::Run;
use skewer_analysis::input;
use skewer_analysis::insights::Player;
use skewer_analysis::selection::Selection;
use skewer_report::html::PAGE_GAMES;
use skewer_report::{MissingPlayer, Outputs};

use crate::cli::{EvalsArg, GamesArgs, MergeArgs, OutputArgs};
use crate::formats::{self, check_files};
use crate::progress::Progress;
use crate::run::{Unit, drive, journals, start, with_hint};

/// Analyses games.
pub(crate) fn analyse(arguments: &GamesArgs) -> Result<u8> {
    let (run, output) = (&arguments.run, &arguments.output);
    if arguments.pgn_evals == Some(EvalsArg::Use) && run.journal.is_some() {
        bail!(
            "--pgn-evals use searches nothing, so a journal would stay empty; leave out --journal"
        );
    }
    let files = &input::files(&arguments.files)?;
    let total = check(files, run.shard, &journals(run), output)?;
    let settings = arguments.settings()?;
    let mut started: Run = start(files, run, &settings, output.quiet)?;
    if arguments.partial {
        started = started.with_partial();
    }
    let outputs = formats::create(output, &SettingsRecord::new(&settings))?;
    write(started, outputs, total, run.shard, output.quiet)
}

/// Merges the journals of several runs.
pub(crate) fn merge(arguments: &MergeArgs) -> Result<u8> {
    let output = &arguments.output;
    let files = &input::files(&arguments.files)?;
    let total = check(files, Selection::ALL, &arguments.from, output)?;
    let (mut run, heading) = Run::merge(files.clone(), &arguments.from)?;
    if arguments.partial {
        run = run.with_partial();
    }
    let outputs = formats::create(output, &heading.settings)?;
    write(run, outputs, total, Selection::ALL, output.quiet)
}

/// Checks everything that can be known before anything is analysed. Returns the number of games, if
/// the files can be read twice.
fn check(
    files: &[String],
    selection: Selection,
    journals: &[PathBuf],
    output: &OutputArgs,
) -> Result<Option<u64>> {
    check_files(files, journals, output)?;
    input::check_games(files).map_err(with_hint)?;
    let player = Player::new(&output.player);
    let Some(survey) = input::survey(files, selection, player.as_ref())? else {
        return Ok(None);
    };
    if output.html.is_some() && survey.games > PAGE_GAMES {
        bail!(
            "there are more than {PAGE_GAMES} games, too many for a report in one file; \
             use --html-folder FOLDER instead of --html"
        );
    }
    if let Some(player) = player.filter(|_| !survey.has_player) {
        bail!("no game has the player {}", player.names().join(" or "));
    }
    Ok(Some(survey.games))
}

/// Writes the games of a run, and returns the exit status. Only a shard may have no game at all.
fn write(
    mut run: Run,
    mut outputs: Outputs,
    total: Option<u64>,
    selection: Selection,
    quiet: bool,
) -> Result<u8> {
    let mut progress = Progress::new("games", total, quiet);
    let tally = drive(
        &mut run,
        &mut progress,
        || Ok(()),
        |game| match game {
            Ok(game) => {
                outputs.game(&game)?;
                Ok(game.nodes)
            }
            Err(rejected) => {
                outputs.bad(&rejected.origin, &rejected.error.to_string())?;
                Ok(0)
            }
        },
    )?;
    if tally.done + tally.failed == 0 && selection == Selection::ALL {
        if tally.bare > 0 {
            bail!(
                "no game has an evaluation ([%eval]) after every move; \
                 leave out --pgn-evals to search the games"
            );
        }
        bail!("no game with a move in the input");
    }
    // With a total, the input has been searched for the player before the first game.
    outputs.finish(if total.is_some() {
        MissingPlayer::IsAllowed
    } else {
        MissingPlayer::IsError
    })?;
    progress.finish();
    Ok(tally.report(Unit::Games, selection))
}
