//! The command `positions`: labels, with a manifest that says what they are of.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use skewer_analysis::positions::Run;
use skewer_analysis::selection::Selection;
use skewer_store::CommandFiles;

use crate::cli::PositionsArgs;
use crate::formats::Table;
use crate::output::Output;
use crate::progress::Progress;
use crate::run::{drive, journals, start};

/// The version of a manifest.
pub(crate) const SCHEMA: &str = "skewer-manifest/1";

/// What was labelled, how, and with which result.
#[derive(Serialize, Deserialize)]
pub(crate) struct Manifest {
    /// The version of its fields.
    pub(crate) schema: String,
    /// Program, network and settings.
    pub(crate) settings: String,
    /// The words of the command line that the results depend on.
    pub(crate) limits: Vec<String>,
    /// Positions with labels.
    positions: u64,
    /// Positions that could not be read.
    bad: u64,
    inputs: Vec<FileMark>,
    /// The files with the labels.
    pub(crate) outputs: Vec<FileMark>,
}

/// A file with its fingerprint.
#[derive(Serialize, Deserialize)]
pub(crate) struct FileMark {
    /// The file as it was given.
    pub(crate) path: String,
    /// Of its bytes; `None` for the standard input and output.
    pub(crate) sha256: Option<String>,
}

impl FileMark {
    /// The fingerprint of a file.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub(crate) fn of(path: &Path) -> Result<Self> {
        let name = path.display().to_string();
        let is_file = path.metadata().is_ok_and(|data| data.is_file());
        let sha256 = if is_file {
            let mut hasher = Sha256::new();
            std::fs::File::open(path)
                .and_then(|mut file| std::io::copy(&mut file, &mut hasher))
                .with_context(|| format!("cannot read {name}"))?;
            Some(format!("{:x}", hasher.finalize()))
        } else {
            None
        };
        Ok(Self { path: name, sha256 })
    }
}

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
        let (_, first) = outputs.iter().find(|(_, path)| **path != standard_output)?;
        Some(first.with_added_extension("manifest.json"))
    });
    check_files(arguments, &outputs, manifest.as_deref())?;
    let (mut run, settings, limits) = if arguments.from.is_empty() {
        let settings = arguments.run.limits.settings()?;
        let run = start(files, &arguments.run, &settings, quiet)?;
        (run, settings.text(), arguments.run.limits.words())
    } else {
        let (run, heading) = Run::merge(files.clone(), &arguments.from)?;
        (run, heading.settings, heading.words)
    };
    let mut jsonl = jsonl.map(|path| Output::create(path)).transpose()?;
    let mut csv = arguments.csv.as_deref().map(Table::create).transpose()?;
    let manifest = manifest.as_deref().map(Output::create).transpose()?;
    let mut progress = Progress::new("positions", None, quiet);
    let tally = drive(&mut run, &mut progress, |position| {
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
    })?;
    if tally.all() == 0 && arguments.run.shard == Selection::ALL {
        bail!("no position in {}", files.join(", "));
    }
    jsonl.map_or(Ok(()), Output::finish)?;
    csv.map_or(Ok(()), Table::finish)?;
    progress.finish();
    if let Some(mut out) = manifest {
        let marks = |paths: &mut dyn Iterator<Item = &Path>| -> Result<Vec<FileMark>> {
            paths.map(FileMark::of).collect()
        };
        let manifest = Manifest {
            schema: SCHEMA.to_owned(),
            settings,
            limits,
            positions: tally.done,
            bad: tally.bad,
            inputs: marks(&mut files.iter().map(Path::new))?,
            outputs: marks(&mut outputs.iter().map(|(_, path)| path.as_path()))?,
        };
        out.text(&serde_json::to_string_pretty(&manifest)?)?;
        out.text("\n")?;
        out.finish()?;
    }
    Ok(tally.report("positions", ""))
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
    }
    Ok(files.check()?)
}
