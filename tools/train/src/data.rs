//! Reads game files into memory: every position that the filter accepts, as a [`Sample`]. Whole games
//! are held out for validation.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::iter;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use skewer_gamedata::{DataError, Filter, Game, Reader, Tail};
use skewer_types::{is_within_share, mix};

use crate::blocks::{BlockError, BlockFile};
use crate::labels::LambdaReturn;
use crate::sample::{Sample, stretch_of};

/// The files of positions, and which of the positions are used.
#[derive(Debug, Clone)]
pub struct Source {
    /// The game files, plain or packed.
    pub files: Vec<PathBuf>,
    /// Whether to accept a file that ends in the middle of a game.
    pub tail: Tail,
    /// Which positions are used.
    pub filter: Filter,
    /// How the rest of a game labels its positions.
    pub lambda_return: LambdaReturn,
    /// The share of games that are held out, 0 to 1.
    pub hold_out: f64,
}

/// Why games cannot be learned from.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// A file cannot be read or is damaged.
    #[error(transparent)]
    Data(#[from] DataError),
    /// Two files have the same games.
    #[error(
        "{first} and {second} hold {games} of the same games; leave one of them out, or join them \
         with dedup"
    )]
    SameGames {
        /// The file given first.
        first: String,
        /// The file given later.
        second: String,
        /// How many games of the second file are also in the first.
        games: usize,
    },
}

/// The positions that a network learns from.
#[derive(Debug, Clone)]
pub enum TrainSet {
    /// In memory.
    Memory(Vec<Sample>),
    /// On disk, in random order.
    Disk(BlockFile),
}

impl Default for TrainSet {
    fn default() -> Self {
        Self::Memory(Vec::new())
    }
}

impl TrainSet {
    /// The number of positions.
    pub fn len(&self) -> usize {
        match self {
            Self::Memory(samples) => samples.len(),
            Self::Disk(file) => file.contents().train as usize,
        }
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The positions in memory; none if they are on disk.
    pub fn in_memory(&self) -> &[Sample] {
        match self {
            Self::Memory(samples) => samples,
            Self::Disk(_) => &[],
        }
    }

    /// The groups of positions of an epoch, one after the other.
    pub(crate) fn groups(
        &self,
        seed: u64,
    ) -> Box<dyn Iterator<Item = Result<Cow<'_, [Sample]>, BlockError>> + '_> {
        match self {
            Self::Memory(samples) => Box::new(iter::once(Ok(samples.into()))),
            Self::Disk(file) => Box::new(file.groups(seed).map(|group| group.map(Cow::Owned))),
        }
    }

    /// The sizes of the groups that an epoch visits one after another, each in any order.
    pub(crate) fn group_sizes(&self) -> Vec<usize> {
        match self {
            Self::Memory(samples) => vec![samples.len()],
            Self::Disk(file) => file.group_sizes(),
        }
    }
}

/// The positions of a training.
#[derive(Debug, Clone, Default)]
pub struct Dataset {
    /// For training.
    pub train: TrainSet,
    /// Of held-out games, for validation.
    pub valid: Vec<Sample>,
    /// Games read.
    pub games: u64,
    /// Positions read, used or not.
    pub positions: u64,
}

/// One game in this many may be in another file too, because short games repeat by chance.
const CHANCE: usize = 100;

/// What was read of a file of games, and what was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileRead<'a> {
    /// The file.
    pub path: &'a Path,
    /// Its complete games.
    pub games: u64,
    /// How many of these were left out, because they repeat earlier games of the file; 0 from
    /// [`shuffle`](crate::shuffle::shuffle), which counts them for all files together.
    pub duplicates: u64,
    /// Whether a game at the end was left out, because it is torn.
    pub torn: bool,
}

/// Reads files of games, several at a time, each into a `T` by `add`. Games that a file has twice are added once.
/// `each` is called after every file.
///
/// # Errors
///
/// [`LoadError`], which names the file, the game and the byte, if any file is damaged; or if two files have
/// the same games.
pub fn read_files<T: Default + Send>(
    files: &[PathBuf],
    tail: Tail,
    each: impl Fn(FileRead<'_>) + Sync,
    add: impl Fn(&mut T, &Game) + Sync,
) -> Result<Vec<T>, LoadError> {
    let read = |file: &PathBuf| {
        let (mut part, mut games, mut seen) = (T::default(), Vec::new(), HashSet::new());
        let mut reader = Reader::open(file, tail)?;
        for game in reader.by_ref() {
            let game = game?;
            let fingerprint = fingerprint(&game);
            games.push(fingerprint);
            if seen.insert(fingerprint) {
                add(&mut part, &game);
            }
        }
        each(FileRead {
            path: file,
            games: games.len() as u64,
            duplicates: (games.len() - seen.len()) as u64,
            torn: reader.has_torn_end(),
        });
        Ok((part, games))
    };
    let (parts, games): (Vec<T>, Vec<Vec<u64>>) = files
        .par_iter()
        .map(read)
        .collect::<Result<Vec<_>, DataError>>()?
        .into_iter()
        .unzip();
    refuse_same_games(files, &games)?;
    Ok(parts)
}

impl Dataset {
    /// Reads the files by [`read_files`].
    ///
    /// The files are taken in the order given, so the same files make the same dataset.
    ///
    /// # Errors
    ///
    /// [`LoadError`] if any file is damaged, or two files have the same games.
    pub fn load(source: &Source, each: impl Fn(FileRead<'_>) + Sync) -> Result<Self, LoadError> {
        let add = |(part, train): &mut (Self, Vec<Sample>), game: &Game| {
            part.add(game, source, train);
        };
        let parts = read_files(&source.files, source.tail, each, add)?;
        let mut all = Self::default();
        let mut train = Vec::new();
        for (part, samples) in parts {
            train.extend(samples);
            all.valid.extend_from_slice(&part.valid);
            all.games += part.games;
            all.positions += part.positions;
        }
        all.train = TrainSet::Memory(train);
        Ok(all)
    }

    /// Opens a file of shuffled positions, of which only the held-out ones are kept in memory.
    ///
    /// # Errors
    ///
    /// [`BlockError`] if it is damaged or of another kind.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, BlockError> {
        let (file, valid) = BlockFile::open(path)?;
        Ok(Self {
            valid,
            games: file.contents().games,
            positions: file.contents().positions,
            train: TrainSet::Disk(file),
        })
    }

    /// Adds the positions of one game: positions for training to `train`, held-out positions to `valid`.
    pub(crate) fn add(&mut self, game: &Game, source: &Source, train: &mut Vec<Sample>) {
        self.games += 1;
        self.positions += game.moves.len() as u64;
        let held = is_held_out(game, source.hold_out);
        let futures = source.lambda_return.of(game);
        for (record, future) in game.positions().zip(futures) {
            if !source.filter.accepts(&record) {
                continue;
            }
            let sample = Sample::new(
                &record.board,
                record.score_for_side_to_move(),
                record.points_for_side_to_move(),
            );
            let Some(sample) = sample else { continue };
            let sample = sample.with_future(record.board.turn().fold(future, -future));
            if held {
                self.valid.push(sample);
            } else {
                train.push(sample);
            }
        }
    }

    /// The stretch with which `sigmoid(score / stretch)` predicts the results best.
    pub fn stretch(&self) -> f32 {
        let pair = |sample: &Sample| (f32::from(sample.score()), sample.points());
        match &self.train {
            TrainSet::Memory(train) => stretch_of(&train.par_iter().map(pair).collect::<Vec<_>>()),
            TrainSet::Disk(file) => file.contents().stretch,
        }
    }

    /// A fingerprint of the positions, scores and results in their order, in which a training learns from them.
    pub(crate) fn fingerprint_in_order(&self) -> u64 {
        let order = match &self.train {
            TrainSet::Memory(train) => train
                .par_iter()
                .enumerate()
                .map(|(at, sample)| mix(sample.hash() ^ mix(at as u64)))
                .reduce(|| 0, u64::wrapping_add),
            TrainSet::Disk(file) => file.order(),
        };
        mix(self.fingerprint() ^ order)
    }

    /// A fingerprint of the positions, scores and results, in any order.
    pub fn fingerprint(&self) -> u64 {
        let sum = |samples: &[Sample]| {
            samples
                .par_iter()
                .map(|sample| mix(sample.hash()))
                .reduce(|| 0, u64::wrapping_add)
        };
        match &self.train {
            TrainSet::Memory(train) => sum(train) ^ sum(&self.valid).rotate_left(32),
            TrainSet::Disk(file) => file.contents().fingerprint,
        }
    }
}

/// Refuses files that share more games than chance explains. `games` are the fingerprints of each file's
/// games.
fn refuse_same_games(files: &[PathBuf], games: &[Vec<u64>]) -> Result<(), LoadError> {
    let mut first_file = HashMap::new();
    for (number, part) in games.iter().enumerate() {
        let mut shared = vec![0; number];
        for &game in part {
            let first = *first_file.entry(game).or_insert(number);
            if first != number {
                shared[first] += 1;
            }
        }
        refuse_shared(files, number, part.len(), &shared)?;
    }
    Ok(())
}

/// Refuses file `number` with `games` games if it shares more of them with an earlier file than chance
/// explains.
pub(crate) fn refuse_shared(
    files: &[PathBuf],
    number: usize,
    games: usize,
    shared: &[usize],
) -> Result<(), LoadError> {
    match shared.iter().position(|&count| count * CHANCE > games) {
        Some(first) => Err(LoadError::SameGames {
            first: files[first].display().to_string(),
            second: files[number].display().to_string(),
            games: shared[first],
        }),
        None => Ok(()),
    }
}

/// A fingerprint of a game: its start and its moves.
pub fn fingerprint(game: &Game) -> u64 {
    game.moves
        .iter()
        .fold(mix(game.start.key()), |hash, scored| {
            mix(hash ^ u64::from(scored.mv.bits()))
        })
}

/// Whether a game is held out. This depends on its moves alone, so that either all copies of a game in several files
/// are held out, or none.
pub fn is_held_out(game: &Game, share: f64) -> bool {
    is_within_share(fingerprint(game), share)
}
