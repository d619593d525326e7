//! The command `positions`: writes labels, and a manifest that says what was labelled and how.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use skewer_analysis::positions::Run;
use skewer_analysis::selection::Selection;
use skewer_report::Output;
use skewer_report::csv::Table;
use skewer_store::{CommandFiles, is_file_of_its_own};
use skewer_types::not_utf8;

use crate::cli::{LimitArgs, PositionsArgs};
use crate::fingerprint::{Inputs, Watch};
use crate::manifest::{FileMark, Manifest, SCHEMA};
use crate::progress::Progress;
use crate::run::{Unit, drive, journals, start};

/// The names of the columns, for a file without rows; a test compares them with the names in a file with rows.
const COLUMNS: [&str; 17] = [
    "number",
    "rank",
    "file",
    "line",
    "ply",
    "id",
    "fen",
    "cp",
    "mate",
    "win",
    "draw",
    "loss",
    "win_percent",
    "best",
    "pv",
    "depth",
    "nodes",
];

/// Labels positions.
pub(crate) fn label(arguments: &PositionsArgs) -> Result<u8> {
    let (files, quiet) = (&arguments.files, arguments.quiet);
    let standard_output = PathBuf::from("-");
    let jsonl = match (&arguments.jsonl, &arguments.csv) {
        (None, None) => Some(&standard_output),
        (jsonl, _) => jsonl.as_ref(),
    };
    let outputs: Vec<(&str, &PathBuf)> = [("--jsonl", jsonl), ("--csv", arguments.csv.as_ref())]
        .into_iter()
        .filter_map(|(option, path)| Some((option, path?)))
        .collect();
    let manifest = arguments.manifest.clone().or_else(|| {
        // A device or a pipe gets no manifest, because no file can stand beside it.
        let is_file = |path: &Path| path != standard_output && is_file_of_its_own(path);
        let (_, first) = outputs.iter().find(|(_, path)| is_file(path))?;
        Some(first.with_added_extension("manifest.json"))
    });
    check_files(arguments, &outputs, manifest.as_deref())?;
    let (inputs, mut watch) = (Inputs::default(), Watch::new(files)?);
    let (run, settings, limits) = if arguments.from.is_empty() {
        let limits = &arguments.run.limits;
        let settings = limits.settings()?;
        let words = match &manifest {
            Some(_) => limits.words()?,
            None => Vec::new(),
        };
        let run = start(files, &arguments.run, &settings, quiet)?;
        (run, settings.text(), words)
    } else {
        let (run, heading) = Run::merge(files.clone(), &arguments.from)?;
        check_settings(&arguments.run.limits, &heading.words)?;
        (run, heading.settings.to_string(), heading.words)
    };
    let opener = inputs.clone();
    let mut run = run.with_source(move |path| opener.open(path));
    let mut jsonl = jsonl.map(|path| Output::create(path)).transpose()?;
    let csv = arguments.csv.as_deref();
    let mut csv = csv.map(|path| Table::create(path, &COLUMNS)).transpose()?;
    let manifest = manifest.as_deref().map(Output::create).transpose()?;
    let mut progress = Progress::new("positions", None, quiet);
    let tally = drive(
        &mut run,
        &mut progress,
        || watch.look(),
        |position| {
            let Ok(position) = position else { return Ok(0) };
            for row in position.rows() {
                if let Some(out) = &mut jsonl {
                    out.json_line(&row)?;
                }
                if let Some(out) = &mut csv {
                    out.row(&row)?;
                }
            }
            Ok(position.found.nodes)
        },
    )?;
    let selection = arguments.run.shard;
    if tally.done + tally.failed == 0 && selection == Selection::ALL {
        bail!("no position in {}", files.join(", "));
    }
    let inputs = inputs.finish()?;
    watch.finish(&inputs)?;
    let written = [
        jsonl.map(Output::finish_with_fingerprint),
        csv.map(Table::finish_with_fingerprint),
    ];
    let written = written.into_iter().flatten().zip(&outputs);
    let marks = written.map(|(sha256, (_, path))| {
        let (path, sha256) = (path.display().to_string(), Some(sha256?));
        Ok(FileMark { path, sha256 })
    });
    let marks = marks.collect::<Result<Vec<_>>>()?;
    progress.finish();
    if let Some(mut out) = manifest {
        let manifest = Manifest {
            schema: SCHEMA.to_owned(),
            settings,
            limits,
            shard: selection.to_string(),
            read: run.read_so_far(),
            positions: tally.done,
            unread: tally.bad,
            failed: tally.failed,
            inputs,
            outputs: marks,
        };
        out.text(&manifest.to_text()?)?;
        out.finish()?;
    }
    Ok(tally.report(Unit::Positions, selection))
}

/// Checks that the command line has no other limits and settings than the journals that it joins.
fn check_settings(given: &LimitArgs, journals: &[String]) -> Result<()> {
    let (usual, given) = (LimitArgs::from_words(Vec::new())?.words()?, given.words()?);
    if given != usual && given != journals {
        bail!(
            "the journals were made with {}, and not with {}; leave out limits and settings",
            journals.join(" "),
            given.join(" ")
        );
    }
    Ok(())
}

fn check_files(
    arguments: &PositionsArgs,
    outputs: &[(&str, &PathBuf)],
    manifest: Option<&Path>,
) -> Result<()> {
    let mut files = CommandFiles::reading(&arguments.files);
    for journal in journals(&arguments.run).iter().chain(&arguments.from) {
        files.journal(journal);
    }
    for (option, path) in outputs {
        files.output(option, path);
    }
    if let Some(path) = manifest {
        files.output("--manifest", path);
        let foreign = outputs.iter().find(|(_, path)| path.to_str().is_none());
        if let Some((option, path)) = foreign {
            let reason = not_utf8(path.as_os_str());
            bail!("the manifest cannot name the {option} output: {reason}");
        }
    }
    Ok(files.check()?)
}
