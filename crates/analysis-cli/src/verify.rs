//! The command `verify`: computes labels again.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read, Take};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use anyhow::{Context as _, Result, anyhow, bail};
use skewer_analysis::analyst::Settings;
use skewer_analysis::error::AnalysisError;
use skewer_analysis::judged::Origin;
use skewer_analysis::positions::{LabelRow, PlainPosition, label};
use skewer_analysis::reading::Reading;
use skewer_analysis::selection::Selection;
use skewer_movegen::{Board, CastlingMode};
use skewer_store::open_regular;
use skewer_types::{is_within_share, mix};

use crate::cli::{LimitArgs, VerifyArgs};
use crate::fingerprint::{Hashed, Inputs as Opened};
use crate::manifest::{FileMark, Manifest};
use crate::output::say;

/// The largest manifest that is read, in bytes.
const MOST_MANIFEST: u64 = 1 << 26;

/// The longest row that is read, in bytes. It is kept in memory.
const MOST_ROW: usize = 1 << 24;

/// Compares the inputs, the labels and their number with a manifest, and computes a sample of the labels again, at
/// least one of each file. Returns the exit status: 0 if everything was compared and is the same, 1 if not.
pub(crate) fn verify(arguments: &VerifyArgs) -> Result<u8> {
    skewer_store::check_standard_output()?;
    let path = &arguments.manifest;
    let cannot_use = || format!("cannot use {} as a manifest", path.display());
    // This error names the file itself.
    let text = skewer_store::read_regular(path, MOST_MANIFEST).context("the manifest")?;
    let manifest = Manifest::parse(&text).with_context(cannot_use)?;
    let selection: Selection = manifest.shard.parse().with_context(cannot_use)?;
    let limits = LimitArgs::from_words(manifest.limits).with_context(cannot_use)?;
    // A manifest alone must not start a program, because it may come from somebody else.
    match &limits.engine {
        engine if *engine == arguments.engine => {}
        Some(engine) => bail!(
            "the labels were made by the engine {engine}; give --engine '{engine}' to start it"
        ),
        None => bail!("the labels were made by Skewer's own search; leave out --engine"),
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
    // The labels are read first, because they say which positions of the inputs are needed.
    let mut samples = Vec::new();
    for output in &manifest.outputs {
        samples.push(match open(path, &output.path) {
            Ok(file) => {
                let read = Sample::read_with_fingerprint(file, selection, arguments);
                Ok(read.with_context(|| format!("cannot read {}", output.path))?)
            }
            Err(error) => Err(error),
        });
    }
    let found = samples.iter().flatten();
    let numbers = found.flat_map(|(sample, _)| sample.numbers()).collect();
    let beside = path.clone();
    let inputs = Inputs::read(&manifest.inputs, selection, &numbers, move |name| {
        open(&beside, name)
    });
    let mut is_same = true;
    for (input, read) in manifest.inputs.iter().zip(inputs.fingerprints) {
        is_same &= is_marked(input, read)?;
    }
    let has_inputs = is_same && !manifest.inputs.is_empty();
    let contents = has_inputs.then_some(inputs.contents).transpose()?;
    if let Some(contents) = &contents {
        let marked = Count {
            read: manifest.read,
            positions: manifest.positions.saturating_add(manifest.failed),
            unread: manifest.unread,
        };
        is_same &= contents.count.is_marked(marked, selection)?;
    }
    let places = contents.as_ref().map(|contents| &contents.places);
    for (output, read) in manifest.outputs.iter().zip(samples) {
        let (sample, fingerprint) = match read {
            Ok((sample, fingerprint)) => (Some(sample), Ok(fingerprint)),
            Err(error) => (None, Err(error)),
        };
        is_same &= is_marked(output, fingerprint)?;
        let Some(sample) = sample else {
            continue;
        };
        let (name, all, declared) = (&output.path, sample.all, manifest.positions);
        if all != declared {
            is_same = false;
            say(&format!("{name}: has {all} positions, not {declared}"))?;
        }
        is_same &= sample.is_same(places, &settings, threads.workers(), name)?;
    }
    if manifest.inputs.is_empty() {
        is_same = false;
        say("no file of positions is named, so no positions were compared")?;
    }
    if manifest.outputs.is_empty() {
        is_same = false;
        say("no file of labels is named, so no label was computed again")?;
    }
    Ok(u8::from(!is_same))
}

/// Opens a file that a manifest names: at its path or, if nothing is there, beside the manifest.
fn open(manifest: &Path, name: &str) -> Result<Take<File>> {
    if name == "-" {
        bail!("it was a standard stream");
    }
    Ok(open_regular(found(manifest, name), u64::MAX)?)
}

/// Whether a file has the fingerprint of the manifest; says so if it has not, or could not be compared.
fn is_marked(mark: &FileMark, read: Result<String>) -> Result<bool> {
    let name = &mark.path;
    match (&mark.sha256, read) {
        (Some(marked), Ok(found)) if *marked == found => return Ok(true),
        (Some(_), Ok(_)) => say(&format!("{name}: has been changed since it was used"))?,
        (None, Ok(_)) => say(&format!("{name}: not compared: it has no fingerprint"))?,
        (_, Err(error)) => say(&format!("{name}: not compared: {error:#}"))?,
    }
    Ok(false)
}

/// The file of this name or, if there is none, the file of this name beside the manifest: both may have been moved.
fn found(manifest: &Path, name: &str) -> PathBuf {
    let path = PathBuf::from(name);
    let beside = path.file_name().map(|name| manifest.with_file_name(name));
    match beside {
        Some(beside) if !path.exists() => beside,
        _ => path,
    }
}

/// A source with a limit of bytes for each row, so that a row without an end does not fill the memory.
struct Rationed<R> {
    source: R,
    left: Rc<Cell<usize>>,
}

impl<R: Read> Read for Rationed<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(bytes)?;
        let Some(left) = self.left.get().checked_sub(read) else {
            let text = format!("a row is longer than {MOST_ROW} bytes");
            return Err(io::Error::new(io::ErrorKind::InvalidData, text));
        };
        self.left.set(left);
        Ok(read)
    }
}

/// Calls `take` with each row of a file of labels, which is JSON Lines or CSV.
fn each_row(source: impl Read, mut take: impl FnMut(LabelRow) -> Result<()>) -> Result<()> {
    let left = Rc::new(Cell::new(MOST_ROW));
    let mut file = BufReader::new(Rationed {
        source,
        left: Rc::clone(&left),
    });
    let mut taken = |row| {
        left.set(MOST_ROW);
        take(row)
    };
    if file.fill_buf()?.first() == Some(&b'{') {
        for line in file.lines() {
            taken(serde_json::from_str(&line?)?)?;
        }
    } else {
        for row in csv::Reader::from_reader(file).into_deserialize() {
            taken(row?)?;
        }
    }
    Ok(())
}

/// Positions of the inputs by their numbers.
type Places = BTreeMap<u64, (Origin, PlainPosition)>;

/// How much inputs hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Count {
    /// Items, in and outside the shard: positions, unreadable lines and unreadable games.
    read: u64,
    /// Positions of the shard.
    positions: u64,
    /// Lines and games of the shard that cannot be read.
    unread: u64,
}

impl Count {
    /// Whether a manifest has the same counts for this shard. Prints each one that differs.
    fn is_marked(self, marked: Self, shard: Selection) -> Result<bool> {
        let all = "positions, unreadable lines and unreadable games";
        for (found, marked, what) in [
            (self.read, marked.read, all),
            (self.positions, marked.positions, "positions"),
            (self.unread, marked.unread, "unreadable lines and games"),
        ] {
            if found != marked {
                say(&format!(
                    "the inputs (shard {shard}) have {found} {what}, not {marked}"
                ))?;
            }
        }
        Ok(self == marked)
    }
}

/// What inputs hold.
#[derive(Debug, Default)]
struct Contents {
    count: Count,
    /// The positions that are needed.
    places: Places,
}

/// What the inputs of a manifest are now.
struct Inputs {
    /// The fingerprint of each input, or why it has none.
    fingerprints: Vec<Result<String>>,
    contents: Result<Contents>,
}

impl Inputs {
    /// Reads inputs. Each is opened by `open` and read once, so that the fingerprints are of the bytes that the
    /// positions with these numbers come from, even if another program changes an input meanwhile.
    fn read<R: Read + Send + 'static>(
        inputs: &[FileMark],
        selection: Selection,
        numbers: &BTreeSet<u64>,
        open: impl Fn(&str) -> Result<R> + Send + Sync + 'static,
    ) -> Self {
        let names: Vec<String> = inputs.iter().map(|input| input.path.clone()).collect();
        let (opened, open) = (Opened::default(), Arc::new(open));
        let source = {
            let (opened, open) = (opened.clone(), Arc::clone(&open));
            move |name: &str| {
                opened.open_by(name, |name| match open(name) {
                    Ok(source) => Ok(Box::new(source)),
                    Err(error) => Err(AnalysisError::Open {
                        path: name.to_owned(),
                        error: io::Error::other(error),
                    }),
                })
            }
        };
        let reading = Reading::new(names.clone()).with_source(source);
        let contents = contents(reading, selection, numbers).map_err(Into::into);
        let last = opened.finish_current();
        let done = opened.done().into_iter();
        let mut fingerprints: Vec<Result<String>> =
            done.filter_map(|mark| mark.sha256.map(Ok)).collect();
        fingerprints.extend(last.err().map(|error| Err(error.into())));
        // Nothing is read from the inputs after one that cannot be read.
        for name in names.iter().skip(fingerprints.len()) {
            let read = open(name).and_then(|source| Ok(Hashed::new(source).finish()?));
            fingerprints.push(read);
        }
        Self {
            fingerprints,
            contents,
        }
    }
}

/// Counts what the inputs hold, and keeps the positions with these numbers.
///
/// # Errors
///
/// When an input cannot be read.
fn contents(
    mut reading: Reading<PlainPosition>,
    selection: Selection,
    numbers: &BTreeSet<u64>,
) -> Result<Contents, AnalysisError> {
    let mut contents = Contents::default();
    let Contents { count, places } = &mut contents;
    while let Some((origin, item)) = reading.next_item()? {
        let number = origin.number;
        count.read = number;
        if !selection.has(number) {
            continue;
        }
        match item {
            Err(_) => count.unread += 1,
            Ok(position) => {
                count.positions += 1;
                if numbers.contains(&number) {
                    places.insert(number, (origin, position));
                }
            }
        }
    }
    Ok(contents)
}

/// Rows to be compared, grouped by position.
#[derive(Default)]
struct Sample {
    positions: Vec<Vec<LabelRow>>,
    /// Positions of the file.
    all: u64,
    /// The number of the last position.
    last: u64,
    /// The position with the least hash, which is compared if no other is.
    least: Option<(u64, Vec<LabelRow>)>,
}

impl Sample {
    /// Chooses rows of a file, which is read once. Also returns the fingerprint of the file.
    ///
    /// # Errors
    ///
    /// When it cannot be read, has rows that are no labels or of another shard, or is not in the order of the
    /// positions, so that one could count twice.
    fn read_with_fingerprint(
        source: impl Read,
        selection: Selection,
        arguments: &VerifyArgs,
    ) -> Result<(Self, String)> {
        let mut file = Hashed::new(source);
        let mut sample = Self::default();
        each_row(&mut file, |row| {
            if row.number < sample.last {
                bail!("position {} comes after {}", row.number, sample.last);
            }
            if !selection.has(row.number) {
                bail!(
                    "position {} does not belong to shard {selection}",
                    row.number
                );
            }
            sample.add(row, arguments);
            Ok(())
        })?;
        if sample.positions.is_empty() {
            sample
                .positions
                .extend(sample.least.take().map(|(_, rows)| rows));
        }
        Ok((sample, file.finish()?))
    }

    /// The numbers of the positions.
    fn numbers(&self) -> impl Iterator<Item = u64> + '_ {
        self.positions.iter().map(|rows| rows[0].number)
    }

    fn add(&mut self, row: LabelRow, arguments: &VerifyArgs) {
        let is_new = self.all == 0 || row.number != self.last;
        self.last = row.number;
        self.all += u64::from(is_new);
        let hash = hash(row.number, arguments.seed);
        if is_within_share(hash, arguments.sample) {
            match self.positions.last_mut() {
                Some(rows) if !is_new => rows.push(row),
                _ => self.positions.push(vec![row]),
            }
            return;
        }
        match &mut self.least {
            Some((least, rows)) if *least == hash && !is_new => rows.push(row),
            Some((least, _)) if *least <= hash => {}
            least => *least = Some((hash, vec![row])),
        }
    }

    /// Whether the labels are the same again, and there are some. Searches the positions, and prints the positions
    /// with other labels.
    fn is_same(
        &self,
        places: Option<&Places>,
        settings: &Settings,
        threads: usize,
        name: &str,
    ) -> Result<bool> {
        let wrong = self.check(places, settings, threads, name)?;
        if self.positions.is_empty() {
            say(&format!("{name}: no position was computed again"))?;
        }
        Ok(wrong == 0 && !self.positions.is_empty())
    }

    /// Searches the positions, prints the positions with other labels, and returns how many there are. Without
    /// `places`, the rows name the positions.
    fn check(
        &self,
        places: Option<&Places>,
        settings: &Settings,
        threads: usize,
        name: &str,
    ) -> Result<usize> {
        let (mut sound, mut positions) = (Vec::new(), Vec::new());
        let mut wrong = 0;
        for rows in &self.positions {
            let number = rows[0].number;
            let place = match places {
                Some(places) => places.get(&number).cloned().ok_or("not in the input"),
                None => of_row(&rows[0]).ok_or("not a position"),
            };
            match place {
                Ok(place) => {
                    sound.push(rows);
                    positions.push(place);
                }
                Err(reason) => {
                    wrong += 1;
                    say(&format!("{name}: position {number}: {reason}"))?;
                }
            }
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
                say(&format!("{name}: position {number}: {new}, not {old}"))?;
            }
            anyhow::Ok(())
        })?;
        let checked = positions.len();
        say(&format!(
            "{name}: {checked} of {} positions computed again, {wrong} differ",
            self.all
        ))?;
        Ok(wrong)
    }
}

/// The position of a row, as the row has it; `None` if it is no position.
fn of_row(row: &LabelRow) -> Option<(Origin, PlainPosition)> {
    let board = Board::from_fen(&row.fen).ok()?;
    let origin = Origin {
        number: row.number,
        file: row.file.clone(),
        line: row.line,
    };
    let mut position = PlainPosition {
        id: row.id.clone(),
        ply: row.ply,
        ..PlainPosition::new(board)
    };
    // A Chess960 game may have its king and rooks where standard chess has them.
    if board.to_fen_in(position.mode).to_string() != row.fen {
        position.mode = CastlingMode::Chess960;
    }
    Some((origin, position))
}

fn text(row: &LabelRow) -> Result<String> {
    Ok(serde_json::to_string(row)?)
}

/// A hash that decides whether the position of this number belongs to a sample.
fn hash(number: u64, seed: u64) -> u64 {
    // The hash is a number of the generator SplitMix64, `seed` steps after `number` (Steele, Lea and Flood, "Fast
    // splittable pseudorandom number generators", 2014). `mix` adds one step itself, so `seed - 1` steps are added
    // here.
    mix(number.wrapping_add(seed.wrapping_sub(1).wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_chosen(number: u64, seed: u64, share: f64) -> bool {
        is_within_share(hash(number, seed), share)
    }

    /// The limit is of a row, and not of a file.
    #[test]
    fn a_file_may_be_longer_than_a_row() {
        let row = |pv: usize| {
            let pv = "e2e4 ".repeat(pv / 5);
            format!(
                "{{\"number\":1,\"rank\":1,\"file\":\"\",\"line\":1,\"fen\":\"\",\"cp\":1,\"win\":1,\"draw\":1,\
                 \"loss\":1,\"win_percent\":1.0,\"best\":\"\",\"pv\":\"{pv}\",\"depth\":1,\"nodes\":1}}\n"
            )
        };
        let mut count = 0;
        let text = row(MOST_ROW / 4).repeat(6);
        let counted = |_| {
            count += 1;
            Ok(())
        };
        each_row(text.as_bytes(), counted).unwrap();
        assert_eq!(count, 6);
        let long = row(MOST_ROW);
        let error = each_row(long.as_bytes(), |_| Ok(())).unwrap_err();
        assert!(error.to_string().contains("a row is longer"), "{error}");
    }

    /// A fingerprint is of the bytes that are used: each input is read once. Here another program writes other
    /// positions after each time that an input is opened.
    #[test]
    fn an_input_is_read_once() {
        use sha2::Digest as _;
        use std::sync::Mutex;

        let text = |file: &str, time: usize| {
            let at = if file == "a" { time } else { 4 + time };
            format!("5k2/8/8/8/8/8/{at}K{}/8 w - - 0 1\n", 7 - at)
        };
        let marks = ["a", "b"].map(|file| FileMark {
            path: file.to_owned(),
            sha256: None,
        });
        for (needed, most) in [(&[][..], 0), (&[1], 1), (&[2], 2), (&[1, 2], 2), (&[3], 2)] {
            let times = Arc::new(Mutex::new(BTreeMap::<String, usize>::new()));
            let counted = Arc::clone(&times);
            let numbers: BTreeSet<u64> = needed.iter().copied().collect();
            let inputs = Inputs::read(&marks, Selection::ALL, &numbers, move |file| {
                let mut times = counted.lock().unwrap();
                let time = times.entry(file.to_owned()).or_default();
                *time += 1;
                Ok(io::Cursor::new(text(file, *time)))
            });
            let first = [text("a", 1), text("b", 1)];
            let sums = first
                .each_ref()
                .map(|text| format!("{:x}", sha2::Sha256::digest(text)));
            let found: Vec<String> = inputs
                .fingerprints
                .into_iter()
                .map(Result::unwrap)
                .collect();
            assert_eq!(found, sums, "{needed:?}");
            let contents = inputs.contents.unwrap();
            assert_eq!((contents.count.read, contents.count.positions), (2, 2));
            for (number, (_, position)) in contents.places {
                let fen = first[number as usize - 1].trim_end();
                assert_eq!(position.board.to_fen().to_string(), fen, "{needed:?}");
                assert!(number <= most && numbers.contains(&number));
            }
            let times = times.lock().unwrap();
            assert!(
                times.values().all(|&times| times == 1),
                "{needed:?}: {times:?}"
            );
        }
    }

    #[test]
    fn a_sample_has_its_share_of_the_positions() {
        let count = |seed, share| (1..=10_000).filter(|&n| is_chosen(n, seed, share)).count();
        assert_eq!((count(1, 1.0), count(1, 0.0)), (10_000, 0));
        assert!((900..1100).contains(&count(1, 0.1)), "{}", count(1, 0.1));
        let both = (1..=10_000).filter(|&n| is_chosen(n, 1, 0.1) && is_chosen(n, 2, 0.1));
        assert!(both.count() < 200);
    }
}
