//! `skewer-train shuffle`: games into one file of positions in random order.

use std::path::PathBuf;

use anyhow::bail;
use skewer_console::options::own_file;
use skewer_console::progress::Progress;
use skewer_console::standard::say;
use skewer_gamedata::ScoreScale;
use skewer_store::OutputFile;
use skewer_train::blocks::BLOCK;
use skewer_train::shuffle::{ShuffleError, shuffle};

use super::{Files, Selection, print_left_out, refuse_existing};

/// Write the positions of game files to one file in random order, for `net` to stream.
///
/// Training from this file needs less than 2 GB of memory for up to two billion positions. The file takes
/// 19 bytes a position, and twice that while it is written. Duplicate games are left out. The same
/// games, options and seed give the same file.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    selection: Selection,
    /// Decides the order.
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// The file to write. It must not exist.
    #[arg(long, short, default_value = "positions.blocks", value_name = "FILE", value_parser = own_file())]
    output: PathBuf,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    args.selection.check()?;
    let output = &args.output;
    args.files.with_output("--output", output).check()?;
    refuse_existing(output)?;
    args.files.check_scores(ScoreScale::Unscaled)?;
    let source = args.selection.source(&args.files);
    let reading = Progress::new(Some(source.files.len() as u64));
    let mut out = OutputFile::create(output)?;
    let parts = output.with_added_extension("parts");
    let shuffled = shuffle(&source, &mut out, &parts, BLOCK, args.seed, |file| {
        print_left_out(file, &reading);
        reading.step();
    })
    .map_err(|error| match error {
        ShuffleError::Io { error, .. } => {
            anyhow::anyhow!("{} cannot be written: {error}", output.display())
        }
        error => error.into(),
    })?;
    reading.finish();
    let contents = shuffled.contents;
    if contents.train == 0 {
        bail!("no position of these files is usable; see skewer-train stats");
    }
    out.commit()?;
    say(format_args!(
        "{} games, {} left out as duplicates; {} positions to learn from, {} held out; \
         points are sigmoid(score / {:.0})",
        contents.games, shuffled.duplicates, contents.train, contents.valid, contents.stretch
    ))?;
    Ok(())
}
