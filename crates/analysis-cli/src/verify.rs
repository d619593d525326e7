//! The command `verify`: computes labels again.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail};
use clap::Parser;
use skewer_analysis::analyst::Settings;
use skewer_analysis::judged::Origin;
use skewer_analysis::positions::{LabelRow, PlainPosition, label};
use skewer_movegen::{Board, CastlingMode};
use skewer_types::{is_within_share, mix};

use crate::cli::{LimitArgs, VerifyArgs};
use crate::positions::{FileMark, Manifest, SCHEMA};

/// The words of a manifest as a command line.
#[derive(Parser)]
struct Words {
    #[command(flatten)]
    limits: LimitArgs,
}

/// Computes a sample of the labels of a manifest again. 0 if they are the same and no file was changed, 1 if
/// not.
pub(crate) fn verify(arguments: &VerifyArgs) -> Result<u8> {
    let path = &arguments.manifest;
    let cannot_use = || format!("cannot use {} as a manifest", path.display());
    let text = std::fs::read_to_string(path).with_context(cannot_use)?;
    let manifest: Manifest = serde_json::from_str(&text).with_context(cannot_use)?;
    if manifest.schema != SCHEMA {
        bail!("{}: it is {}, not {SCHEMA}", cannot_use(), manifest.schema);
    }
    let words = std::iter::once("verify".to_owned()).chain(manifest.limits);
    let limits = Words::try_parse_from(words)
        .with_context(cannot_use)?
        .limits;
    // A manifest alone must not start a program, because it may come from somebody else.
    match &limits.engine {
        engine if *engine == arguments.engine => {}
        Some(engine) => bail!(
            "the labels were made by the engine {engine}; give --engine '{engine}' to start it"
        ),
        None => bail!("the labels were not made by an engine; leave out --engine"),
    }
    let settings = limits.settings()?;
    if settings.text() != manifest.settings {
        bail!(
            "the labels were made otherwise ({}) than this program would make them ({})",
            manifest.settings,
            settings.text()
        );
    }
    let threads = LimitArgs {
        threads: arguments.threads,
        ..limits
    };
    let mut differs = false;
    // What went to a terminal or a pipe has no digest.
    let outputs = manifest.outputs.iter();
    let outputs: Vec<_> = outputs.filter(|output| output.sha256.is_some()).collect();
    if outputs.is_empty() {
        bail!("the labels were not written to a file, so there is nothing to compare with");
    }
    for output in outputs {
        let file = found(path, &output.path);
        let now = FileMark::of(&file)?;
        if now.sha256 != output.sha256 {
            differs = true;
            writeln!(
                io::stdout(),
                "{}: has been changed since it was written",
                output.path
            )?;
        }
        let mut sample = Sample::default();
        for row in rows(&file)? {
            let row = row.with_context(|| format!("cannot read {}", file.display()))?;
            sample.add(row, arguments);
        }
        let wrong = sample.check(&settings, threads.workers(), &output.path)?;
        differs |= wrong > 0;
    }
    Ok(u8::from(differs))
}

/// The file of this name, or that beside the manifest if both were moved.
fn found(manifest: &Path, name: &str) -> PathBuf {
    let path = PathBuf::from(name);
    let beside = path.file_name().map(|name| manifest.with_file_name(name));
    match beside {
        Some(beside) if !path.exists() => beside,
        _ => path,
    }
}

type Rows = Box<dyn Iterator<Item = Result<LabelRow>>>;

/// The rows of a file of either format.
fn rows(path: &Path) -> Result<Rows> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut file = BufReader::new(file);
    if file.fill_buf()?.first() == Some(&b'{') {
        let rows = file.lines().map(|line| Ok(serde_json::from_str(&line?)?));
        return Ok(Box::new(rows));
    }
    let rows = csv::Reader::from_reader(file).into_deserialize();
    Ok(Box::new(rows.map(|row| Ok(row?))))
}

/// Rows to be compared, those of one position together.
#[derive(Default)]
struct Sample {
    positions: Vec<Vec<LabelRow>>,
    /// Positions of the file.
    all: u64,
    last: u64,
}

impl Sample {
    fn add(&mut self, row: LabelRow, arguments: &VerifyArgs) {
        let is_new = self.all == 0 || row.number != self.last;
        self.last = row.number;
        self.all += u64::from(is_new);
        if !is_chosen(row.number, arguments.seed, arguments.sample) {
            return;
        }
        match self.positions.last_mut() {
            Some(rows) if !is_new => rows.push(row),
            _ => self.positions.push(vec![row]),
        }
    }

    /// Searches the positions, prints those with other labels, and returns how many there are.
    fn check(&self, settings: &Settings, threads: usize, name: &str) -> Result<usize> {
        let (mut sound, mut positions) = (Vec::new(), Vec::new());
        let mut wrong = 0;
        for rows in &self.positions {
            let first = &rows[0];
            // A position that cannot be read has no label at all.
            let Ok(board) = Board::from_fen(&first.fen) else {
                wrong += 1;
                let number = first.number;
                writeln!(io::stdout(), "{name}: position {number}: not a position")?;
                continue;
            };
            let origin = Origin {
                number: first.number,
                file: first.file.clone(),
                line: first.line,
            };
            let mut position = PlainPosition {
                id: first.id.clone(),
                ply: first.ply,
                ..PlainPosition::new(board)
            };
            // A Chess960 game may have its king and rooks where standard chess has them.
            if board.to_fen_in(position.mode).to_string() != first.fen {
                position.mode = CastlingMode::Chess960;
            }
            sound.push(rows);
            positions.push((origin, position));
        }
        let mut sound = sound.into_iter();
        label(&positions, settings, threads, |labelled| {
            let Some(rows) = sound.next() else {
                return Ok(());
            };
            let number = rows[0].number;
            let again = labelled.map_err(|reason| anyhow!("position {number}: {reason}"))?;
            let again = again.rows();
            if again != *rows {
                wrong += 1;
                let first = rows.iter().zip(&again).find(|(old, new)| old != new);
                let (old, new) = first.unwrap_or((&rows[0], &again[0]));
                let (new, old) = (text(new)?, text(old)?);
                writeln!(io::stdout(), "{name}: position {number}: {new}, not {old}")?;
            }
            anyhow::Ok(())
        })?;
        let checked = self.positions.len();
        writeln!(
            io::stdout(),
            "{name}: {checked} of {} positions computed again, {wrong} differ",
            self.all
        )?;
        Ok(wrong)
    }
}

fn text(row: &LabelRow) -> Result<String> {
    Ok(serde_json::to_string(row)?)
}

/// Whether a position belongs to the sample, by a hash of its number and the seed.
fn is_chosen(number: u64, seed: u64, share: f64) -> bool {
    // `mix` adds a step itself, hence one less here. Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).
    let hash = mix(number.wrapping_add(seed.wrapping_sub(1).wrapping_mul(0x9e37_79b9_7f4a_7c15)));
    is_within_share(hash, share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_its_share_of_the_positions() {
        let count = |seed, share| (1..=10_000).filter(|&n| is_chosen(n, seed, share)).count();
        assert_eq!((count(1, 1.0), count(1, 0.0)), (10_000, 0));
        assert!((900..1100).contains(&count(1, 0.1)), "{}", count(1, 0.1));
        let both = (1..=10_000).filter(|&n| is_chosen(n, 1, 0.1) && is_chosen(n, 2, 0.1));
        assert!(both.count() < 200);
    }
}
