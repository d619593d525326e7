//! `skewer-train dedup`: several game files into one, each game once.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, ensure};
use skewer_gamedata::{Game, Provenance, Reader, Step, write_game};
use skewer_movegen::Board;
use skewer_train::data::fingerprint;

use super::{Files, with_suffix};

/// Join game files into one, leaving out games that come again.
///
/// Two games are the same when they start from one position and have the same moves.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    files: Files,
    /// The file to write, plain. It must not be there yet. What was done is written beside it
    /// (.json).
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let output = &args.output;
    ensure!(!output.exists(), "{} is there already", output.display());
    let record = Provenance::of_step(step("dedup", &args.files))?;
    let new = with_suffix(output, ".new");
    let written = join(&args.files, &new).and_then(|counts| {
        record.store(output)?;
        std::fs::rename(&new, output)
            .with_context(|| format!("{} could not be written", output.display()))?;
        Ok(counts)
    });
    if written.is_err() {
        // Of no use to anyone; the error is what matters.
        let _ = std::fs::remove_file(&new);
    }
    let (read, kept) = written?;
    println!("{read} games read, {kept} written to {}", output.display());
    Ok(())
}

/// Writes each game of the files once; how many were read, and written.
fn join(files: &Files, new: &Path) -> anyhow::Result<(u64, usize)> {
    let unwritable = || format!("{} could not be written", new.display());
    let mut out = BufWriter::new(File::create(new).with_context(unwritable)?);
    let mut seen = HashSet::new();
    let mut game = Game::new(Board::startpos());
    let mut read = 0u64;
    for file in &files.files {
        let mut reader = Reader::open(file, files.tail())?;
        while reader.read_game(&mut game)? {
            read += 1;
            if seen.insert(fingerprint(&game)) {
                write_game(&mut out, &game).with_context(unwritable)?;
            }
        }
    }
    out.flush().with_context(unwritable)?;
    Ok((read, seen.len()))
}

/// The record of what a command does to files.
pub(super) fn step(command: &str, files: &Files) -> Step {
    Step {
        started: SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| since.as_secs()),
        program: concat!("skewer-train ", env!("CARGO_PKG_VERSION")).to_owned(),
        commit: env!("SKEWER_COMMIT").to_owned(),
        command: command.to_owned(),
        sources: files.files.clone(),
        judge: None,
    }
}
