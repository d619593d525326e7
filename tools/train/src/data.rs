//! Game files into memory: every position that the filter lets through, as a [`Sample`], with
//! whole games held out to measure by.

use std::collections::HashMap;
use std::path::PathBuf;

use rayon::prelude::*;
use skewer_gamedata::{DataError, Filter, Game, PositionRecord, Reader, Tail};
use skewer_movegen::Board;

use crate::labels::Foresight;
use crate::order::mix;
use crate::sample::{Sample, stretch_of};

/// Where positions come from and which are taken.
#[derive(Debug, Clone)]
pub struct Source {
    /// The game files, plain or packed.
    pub files: Vec<PathBuf>,
    /// What to make of a file that ends in the middle of a game.
    pub tail: Tail,
    /// Which positions are used.
    pub filter: Filter,
    /// Which of them are left out at random, if any.
    pub thinning: Option<Thinning>,
    /// How the rest of a game labels its positions.
    pub foresight: Foresight,
    /// The share of games that are held out, 0 to 1.
    pub hold_out: f64,
}

/// Leaves out a part of the positions that are decided.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thinning {
    /// Positions whose score is this far from zero or further are decided, in units of
    /// [`Score`](skewer_types::Score).
    pub score: u16,
    /// The share of them that is kept, 0 to 1.
    pub keep: f64,
}

impl Thinning {
    /// Whether the position is kept. Chance depends on the position alone, so the same data are
    /// thinned in the same way.
    fn keeps(self, record: &PositionRecord) -> bool {
        record.score.unsigned_abs() < self.score
            || ((mix(record.board.key()) >> 11) as f64) < self.keep * (1u64 << 53) as f64
    }
}

/// Why games cannot be learned from.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// A file cannot be read or is damaged.
    #[error(transparent)]
    Data(#[from] DataError),
    /// Two files hold the same games, as a file does that was judged anew: their scores would
    /// contradict each other.
    #[error(
        "{first} and {second} hold {games} of the same games; leave one of them out, or join them \
         with dedup"
    )]
    SameGames {
        /// The file given first.
        first: String,
        /// The other.
        second: String,
        /// How many games of the second stand in the first too.
        games: usize,
    },
}

/// The positions of a training.
#[derive(Debug, Clone, Default)]
pub struct Dataset {
    /// To learn from.
    pub train: Vec<Sample>,
    /// Of games held out, to measure by.
    pub valid: Vec<Sample>,
    /// A few boards of the held-out games, to compare the engine's integers with.
    pub boards: Vec<Board>,
    /// Games read.
    pub games: u64,
    /// Positions read, used or not.
    pub positions: u64,
}

/// Boards kept of each file.
const BOARDS: usize = 2_000;
/// One game in so many of a file may stand in another: short games come again by chance.
const CHANCE: usize = 100;

/// What one file gives: its positions, and the fingerprints of its games.
#[derive(Default)]
struct Part {
    data: Dataset,
    games: Vec<u64>,
}

impl Dataset {
    /// Reads the files, several at a time. `each` is called after every file.
    ///
    /// The files are taken in the order given, so the same files make the same dataset.
    ///
    /// # Errors
    ///
    /// [`LoadError`], which names the file, the game and the byte, at the first fault of any
    /// file: nothing damaged is learned from. Also if two files hold the same games.
    pub fn load(source: &Source, each: impl Fn() + Sync) -> Result<Self, LoadError> {
        let parts: Vec<Part> = source
            .files
            .par_iter()
            .map(|file| {
                let mut part = Part::default();
                let mut reader = Reader::open(file, source.tail)?;
                let mut game = Game::new(Board::STARTPOS);
                while reader.read_game(&mut game)? {
                    part.data.add(&game, source);
                    part.games.push(fingerprint(&game));
                }
                each();
                Ok(part)
            })
            .collect::<Result<_, DataError>>()?;
        refuse_same_games(source, &parts)?;
        let mut all = Self::default();
        for Part { data: part, .. } in parts {
            all.train.extend_from_slice(&part.train);
            all.valid.extend_from_slice(&part.valid);
            all.boards.extend_from_slice(&part.boards);
            all.games += part.games;
            all.positions += part.positions;
        }
        Ok(all)
    }

    /// Takes the positions of one game.
    fn add(&mut self, game: &Game, source: &Source) {
        self.games += 1;
        self.positions += game.moves.len() as u64;
        let held = is_held_out(game, source.hold_out);
        let futures = source.foresight.of(game);
        for (record, future) in game.positions().zip(futures) {
            if !source.filter.accepts(&record)
                || source.thinning.is_some_and(|thin| !thin.keeps(&record))
            {
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
                if self.boards.len() < BOARDS {
                    self.boards.push(record.board);
                }
            } else {
                self.train.push(sample);
            }
        }
    }

    /// The stretch of its scores: `sigmoid(score / stretch)` foretells the results best.
    pub fn stretch(&self) -> f32 {
        let pair = |sample: &Sample| (f32::from(sample.score()), sample.points());
        stretch_of(&self.train.par_iter().map(pair).collect::<Vec<_>>())
    }

    /// A number that tells this dataset from others.
    pub fn fingerprint(&self) -> u64 {
        let one = |sample: &Sample| mix(sample.hash());
        self.train
            .par_iter()
            .map(one)
            .reduce(|| 0, u64::wrapping_add)
            ^ self
                .valid
                .par_iter()
                .map(one)
                .reduce(|| 0, u64::wrapping_add)
                .rotate_left(32)
    }
}

/// Refuses files that share more games than chance explains.
fn refuse_same_games(source: &Source, parts: &[Part]) -> Result<(), LoadError> {
    let mut first_file = HashMap::new();
    for (number, part) in parts.iter().enumerate() {
        let mut shared = vec![0; number];
        for &game in &part.games {
            let first = *first_file.entry(game).or_insert(number);
            if first != number {
                shared[first] += 1;
            }
        }
        if let Some(first) = shared.iter().position(|&n| n * CHANCE > part.games.len()) {
            return Err(LoadError::SameGames {
                first: source.files[first].display().to_string(),
                second: source.files[number].display().to_string(),
                games: shared[first],
            });
        }
    }
    Ok(())
}

/// A number that tells games apart by where they start and what was played.
pub fn fingerprint(game: &Game) -> u64 {
    game.moves
        .iter()
        .fold(mix(game.start.key()), |hash, scored| {
            mix(hash ^ u64::from(scored.mv.bits()))
        })
}

/// Whether a game is held out: decided by its moves, so that a game that is in two files, or
/// comes again in a later generation, stays on the same side.
pub fn is_held_out(game: &Game, share: f64) -> bool {
    ((fingerprint(game) >> 11) as f64) < share * (1u64 << 53) as f64
}
