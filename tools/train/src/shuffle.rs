//! Writes the positions of games to a file in random order, with little memory.
//!
//! Every position goes to a random one of many parts on disk; then each part, which fits in
//! memory, is shuffled and appended to the result. The order is pseudo-random (after Rao, 1961).

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

use skewer_gamedata::Reader;
use skewer_types::mix;

use crate::blocks::{BlockWriter, Contents};
use crate::data::{Dataset, FileRead, LoadError, Source, fingerprint, refuse_shared};
use crate::order::Order;
use crate::packed;
use crate::sample::{Sample, stretch_of};

/// The number of parts on disk. With 1,300 million positions a part has 20 million, which take 650 MB in memory.
const PARTS: usize = 64;
/// Positions of a part that are written together.
const CHUNK: usize = 1 << 14;
/// The stretch is fitted to this many scores and to one in [`SPARSE`] of the others.
const DENSE: usize = 1 << 20;
const SPARSE: u64 = 32;

/// Why games cannot be shuffled.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShuffleError {
    /// The games cannot be learned from.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A temporary file or the result cannot be written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
}

/// The result of a shuffle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shuffled {
    /// The content of the file.
    pub contents: Contents,
    /// Duplicate games, which were left out.
    pub duplicates: u64,
}

/// A folder of temporary files, removed when it is dropped.
struct Parts {
    folder: PathBuf,
    files: Vec<File>,
    /// The positions of each part that are not yet written.
    pending: Vec<Vec<Sample>>,
}

impl Parts {
    fn create(folder: PathBuf) -> io::Result<Self> {
        // Remove the folder of a run that was killed.
        if folder.exists() {
            Self::remove(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        let files = (0..PARTS)
            .map(|part| File::create(folder.join(part.to_string())))
            .collect::<io::Result<_>>()?;
        Ok(Self {
            folder,
            files,
            pending: vec![Vec::new(); PARTS],
        })
    }

    /// Removes the folder, which must have nothing but parts.
    fn remove(folder: &Path) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let name = entry?.file_name();
            let part = name.to_str().and_then(|name| name.parse::<usize>().ok());
            if part.is_none_or(|part| part >= PARTS) {
                let name = name.to_string_lossy();
                let text = format!("{} has other files ({name})", folder.display());
                return Err(io::Error::other(text));
            }
        }
        fs::remove_dir_all(folder)
    }

    fn write(&mut self, sample: &Sample, part: usize) -> io::Result<()> {
        self.pending[part].push(*sample);
        if self.pending[part].len() == CHUNK {
            self.flush(part)?;
        }
        Ok(())
    }

    fn flush(&mut self, part: usize) -> io::Result<()> {
        packed::write(&mut self.files[part], &self.pending[part])?;
        self.pending[part].clear();
        Ok(())
    }

    /// The positions of a part.
    fn take(&mut self, part: usize) -> io::Result<Vec<Sample>> {
        self.flush(part)?;
        let path = self.folder.join(part.to_string());
        let mut file = BufReader::new(File::open(&path)?);
        let mut samples = Vec::new();
        while packed::read(&mut file, &mut samples).map_err(io::Error::other)? > 0 {}
        fs::remove_file(&path)?;
        Ok(samples)
    }
}

impl Drop for Parts {
    fn drop(&mut self) {
        // No caller can handle an error here; the next run tries again.
        _ = Self::remove(&self.folder);
    }
}

/// Reads games, leaves out duplicates, and writes their positions to `out` in random order, in blocks of
/// `block`. It needs temporary files of the same size in the folder `parts`. The same games and seed
/// give the same bytes. `each` is called after every file.
///
/// # Errors
///
/// [`ShuffleError`] if a file is damaged or cannot be read or written, or if two files share more
/// games than chance explains.
pub fn shuffle(
    source: &Source,
    out: impl Write,
    parts: &Path,
    block: usize,
    seed: u64,
    mut each: impl FnMut(FileRead<'_>),
) -> Result<Shuffled, ShuffleError> {
    let fail = |error| ShuffleError::Io {
        path: parts.to_owned(),
        error,
    };
    let mut files = Parts::create(parts.to_owned()).map_err(fail)?;
    let mut first_file: HashMap<u64, u32> = HashMap::new();
    let mut duplicates = 0;
    let mut state = mix(seed);
    let mut scores = Vec::new();
    let (mut all, mut new) = (Dataset::default(), Vec::new());
    let (mut train, mut sum) = (0u64, 0u64);
    for (number, path) in source.files.iter().enumerate() {
        let mut games = 0;
        let mut shared = vec![0; number];
        let mut reader = Reader::open(path, source.tail).map_err(LoadError::from)?;
        for game in reader.by_ref() {
            let game = game.map_err(LoadError::from)?;
            games += 1;
            let first = *first_file
                .entry(fingerprint(&game))
                .and_modify(|_| duplicates += 1)
                .or_insert(u32::MAX);
            if first != u32::MAX {
                if let Some(shared) = shared.get_mut(first as usize) {
                    *shared += 1;
                }
                continue;
            }
            first_file.insert(fingerprint(&game), number as u32);
            all.add(&game, source, &mut new);
            for sample in new.drain(..) {
                let hash = mix(sample.hash());
                sum = sum.wrapping_add(hash);
                train += 1;
                if scores.len() < DENSE || hash.is_multiple_of(SPARSE) {
                    scores.push((f32::from(sample.score()), sample.points()));
                }
                state = mix(state);
                let part = (state >> 32) as usize % PARTS;
                files.write(&sample, part).map_err(fail)?;
            }
        }
        refuse_shared(&source.files, number, games, &shared)?;
        each(FileRead {
            path,
            games: games as u64,
            // Counted for all files together.
            duplicates: 0,
            torn: reader.has_torn_end(),
        });
    }
    let valid_sum = all
        .valid
        .iter()
        .fold(0u64, |sum, sample| sum.wrapping_add(mix(sample.hash())));
    let contents = Contents {
        train,
        valid: all.valid.len() as u64,
        games: all.games,
        positions: all.positions,
        fingerprint: sum ^ valid_sum.rotate_left(32),
        stretch: stretch_of(&scores),
    };
    let mut writer = BlockWriter::new(out, contents, block).map_err(fail)?;
    for part in 0..PARTS {
        let samples = files.take(part).map_err(fail)?;
        if samples.is_empty() {
            continue;
        }
        let order = Order::new(samples.len(), mix(seed ^ mix(part as u64)));
        for index in 0..samples.len() {
            writer.write(&samples[order.at(index)]).map_err(fail)?;
        }
    }
    for sample in &all.valid {
        writer.write(sample).map_err(fail)?;
    }
    writer
        .finish()
        .and_then(|mut out| out.flush())
        .map_err(fail)?;
    Ok(Shuffled {
        contents,
        duplicates,
    })
}
