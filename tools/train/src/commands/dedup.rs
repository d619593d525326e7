//! `skewer-train dedup`: several game files into one, each game once.

use std::collections::HashSet;
use std::io::Write as _;
use std::path::PathBuf;

use skewer_console::options::{own_file, unix_seconds};
use skewer_console::standard::say;
use skewer_gamedata::{Prefix, Provenance, Step, write_game};
use skewer_store::{OutputFile, StoreError};
use skewer_train::data::fingerprint;

use super::{Files, refuse_existing};

/// Join game files into one, leaving out duplicate games.
///
/// Two games are the same when they start from one position and have the same moves.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    files: Files,
    /// The file to write, uncompressed. It must not exist. Its provenance is written beside it (.json).
    #[arg(long, short, value_name = "FILE", value_parser = own_file())]
    output: PathBuf,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let output = &args.output;
    refuse_existing(output)?;
    // Nor may the record of the output replace the record of another file.
    refuse_existing(&Provenance::path(output))?;
    let mut record = Provenance::of_step(Step {
        started: unix_seconds(),
        program: concat!("skewer-train ", env!("CARGO_PKG_VERSION")).to_owned(),
        commit: env!("SKEWER_COMMIT").to_owned(),
        command: "dedup".to_owned(),
        sources: args.files.files.clone(),
    })?;
    let mut out = OutputFile::create(output)?;
    let mut checksum = crc32fast::Hasher::new();
    let (mut bytes, mut written) = (Vec::new(), 0);
    let (mut seen, mut read) = (HashSet::new(), 0u64);
    for game in args.files.games() {
        let game = game?;
        read += 1;
        if seen.insert(fingerprint(&game)) {
            bytes.clear();
            write_game(&mut bytes, &game)?;
            out.write_all(&bytes)
                .map_err(|error| StoreError::writing(out.path(), error))?;
            written += bytes.len() as u64;
            checksum.update(&bytes);
        }
    }
    record.checksums = vec![Prefix {
        bytes: written,
        crc32: checksum.finalize(),
    }];
    record.store(output)?;
    out.commit()?;
    let kept = seen.len();
    say(format_args!(
        "{read} games read, {kept} written to {}",
        output.display()
    ))?;
    Ok(())
}
