//! The commands `games` and `merge`.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use skewer_analysis::error::{AnalysisError, GameError};
use skewer_analysis::games::{Run, Step};
use skewer_analysis::input;
use skewer_analysis::insights::Player;
use skewer_analysis::journal::Damage;
use skewer_analysis::selection::Selection;

use crate::cli::{GamesArgs, MergeArgs, OutputArgs};
use crate::formats::{Outputs, PAGE_GAMES, check_files};
use crate::progress::Progress;

/// Analyses games.
pub(crate) fn analyse(arguments: &GamesArgs) -> Result<u8> {
    let (files, output) = (&arguments.files, &arguments.output);
    let journals: Vec<_> = arguments.journal.iter().cloned().collect();
    let total = check(files, arguments.shard, &journals, output)?;
    let settings = arguments.limits.settings(arguments.split)?;
    let damage = if arguments.repair_journal {
        Damage::Repair
    } else {
        Damage::Report
    };
    let journal = arguments.journal.as_deref().map(|path| (path, damage));
    let workers = arguments.limits.workers();
    let run = Run::start(files.clone(), arguments.shard, &settings, workers, journal);
    let run = run.map_err(|error| match error {
        AnalysisError::Damaged(error) => anyhow!(
            "{error}; add --repair-journal to keep all good records and resume, \
             or delete the file to start over"
        ),
        AnalysisError::Memory(error) => anyhow!("--hash: {error}"),
        error => error.into(),
    })?;
    if run.in_journal() > 0 && !output.quiet {
        eprintln!("resuming from the journal: {} done", run.in_journal());
    }
    let outputs = Outputs::create(output, &settings.text())?;
    let whole = arguments.shard == Selection::ALL;
    write(run, outputs, Progress::new(total, output.quiet), whole)
}

/// Merges the journals of several runs.
pub(crate) fn merge(arguments: &MergeArgs) -> Result<u8> {
    let (files, output) = (&arguments.files, &arguments.output);
    let total = check(files, Selection::ALL, &arguments.from, output)?;
    let (run, settings) = Run::merge(files.clone(), &arguments.from)?;
    let outputs = Outputs::create(output, &settings)?;
    write(run, outputs, Progress::new(total, output.quiet), true)
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
    input::check_games(files)?;
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

/// Writes the games of a run. `whole` says that no game at all is an error. Returns the exit status.
fn write(mut run: Run, mut outputs: Outputs, mut progress: Progress, whole: bool) -> Result<u8> {
    let (mut games, mut bad, mut failed) = (0_u64, 0_u64, 0_u64);
    loop {
        match run.step(Duration::from_secs(1))? {
            Step::Done(Ok(game)) => {
                games += 1;
                outputs.game(&game)?;
                progress.game(game.nodes);
            }
            Step::Done(Err(rejected)) => {
                let (origin, error) = (rejected.origin, rejected.error);
                if let GameError::Bad(game) = &error {
                    bad += 1;
                    progress.warn(&format!("{}: {game}", origin.file));
                } else {
                    failed += 1;
                    progress.warn(&format!("{}: game {}: {error}", origin.file, origin.number));
                }
                outputs.bad(&origin, &error.to_string())?;
                progress.skip();
            }
            Step::Pending => {}
            Step::End => break,
        }
    }
    if games + failed == 0 && whole {
        bail!("no game in the input");
    }
    outputs.finish()?;
    progress.finish();
    if bad > 0 {
        eprintln!(
            "{bad} of {} games could not be read and were left out",
            games + failed + bad
        );
    }
    Ok(u8::from(failed > 0))
}
