//! `skewer-train dedup`: several game files into one, each game once.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Context, ensure};
use skewer_gamedata::{Game, Reader, write_game};
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
    /// The file to write, plain. It must not be there yet.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let output = &args.output;
    ensure!(!output.exists(), "{} is there already", output.display());
    let new = with_suffix(output, ".new");
    let unwritable = || format!("{} could not be written", new.display());
    let mut out = BufWriter::new(File::create(&new).with_context(unwritable)?);
    let mut seen = HashSet::new();
    let mut game = Game::new(Board::startpos());
    let mut read = 0u64;
    for file in &args.files.files {
        let mut reader = Reader::open(file, args.files.tail())?;
        while reader.read_game(&mut game)? {
            read += 1;
            if seen.insert(fingerprint(&game)) {
                write_game(&mut out, &game).with_context(unwritable)?;
            }
        }
    }
    out.flush().with_context(unwritable)?;
    std::fs::rename(&new, output).with_context(unwritable)?;
    println!(
        "{read} games read, {} written to {}",
        seen.len(),
        output.display()
    );
    Ok(())
}
