//! The openings of a match: from a file, or random and balanced.

use std::collections::HashSet;
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use skewer_eval::Evaluation;
use skewer_movegen::{Board, CastlingMode};
use skewer_openings::{Opening, RandomOpening, Rng, Variant};
use skewer_pgn::{EpdReader, Games};
use skewer_search::Judge;
use skewer_store::{ShortLines, open_regular};
use skewer_types::Score;

use crate::identity::{Fingerprint, Hashed};

/// The greatest distance from zero of a random opening's score by the judge's search, in units of [`Score`].
pub(crate) const MARGIN: u32 = 90;

/// Nodes that the judge searches for an opening.
pub(crate) const JUDGE_NODES: u64 = 5_000;

/// How many random openings are tried for a balanced one.
const TRIES: u32 = 200;

/// The longest line of a file of openings, in bytes.
const MOST_LINE: usize = 1 << 24;

/// The openings of a match, by number.
pub(crate) enum Openings {
    /// From a file, in an order that depends on the seed.
    Listed {
        /// The openings.
        openings: Vec<Opening>,
        /// The fingerprint of the bytes that were read.
        fingerprint: Fingerprint,
    },
    /// Random openings, within [`MARGIN`].
    Random {
        /// The kind of openings.
        recipe: RandomOpening,
        /// The seed of the openings.
        seed: u64,
    },
}

/// In which order the openings of a file are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum Order {
    /// Shuffled by the seed
    #[default]
    Random,
    /// In the order of the file
    Sequential,
}

impl Openings {
    /// Reads a file of openings: EPD or FEN, one position a line, or PGN (by its extension), of whose games the
    /// first `plies` plies are used. Openings that lead to the position of an earlier opening are left out.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is not regular, or a line or game is bad. The error names the line or game.
    pub(crate) fn read(path: &Path, plies: usize, order: Order, seed: u64) -> Result<Self> {
        let mut bytes = Hashed::new(open_regular(path, u64::MAX)?);
        let file = ShortLines::new(&mut bytes, MOST_LINE);
        let is_pgn = path
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("pgn"));
        let mut openings = if is_pgn {
            read_pgn(file, plies)
        } else {
            read_epd(file)
        }
        .with_context(|| path.display().to_string())?;
        // A position that is reached twice gives the same games again, which would be counted as new.
        let mut seen = HashSet::new();
        openings.retain(|opening| seen.insert(opening.board.key()));
        if openings.is_empty() {
            bail!(
                "{}: has no opening; give FEN or EPD lines, or a PGN file",
                path.display()
            );
        }
        if order == Order::Random {
            let mut rng = Rng::new(seed);
            for last in (1..openings.len()).rev() {
                openings.swap(last, rng.below(last + 1));
            }
        }
        let fingerprint = bytes.finish().with_context(|| path.display().to_string())?;
        Ok(Self::Listed {
            openings,
            fingerprint,
        })
    }

    /// The number of different openings; `None` if it is unbounded. Random openings of no moves are all the
    /// starting position.
    pub(crate) fn count(&self) -> Option<u64> {
        match self {
            Self::Listed { openings, .. } => Some(openings.len() as u64),
            Self::Random { recipe, .. } => {
                let same = recipe.max_plies == 0 && recipe.variant == Variant::Standard;
                same.then_some(1)
            }
        }
    }

    /// Opening `number`, modulo the number of openings in a file.
    ///
    /// # Errors
    ///
    /// If there is no memory for the judge of random openings.
    pub(crate) fn get(&self, number: u64) -> Result<Opening> {
        match self {
            Self::Listed { openings, .. } => {
                Ok(openings[(number % openings.len() as u64) as usize].clone())
            }
            Self::Random { recipe, seed } => random(recipe, *seed, number),
        }
    }

    /// The notation of castling: Chess960's if any opening needs it.
    pub(crate) fn mode(&self) -> CastlingMode {
        let needs = match self {
            Self::Listed { openings, .. } => {
                let is_standard = |opening: &Opening| opening.start.is_standard_castling();
                !openings.iter().all(is_standard)
            }
            Self::Random { recipe, .. } => recipe.variant == Variant::Chess960,
        };
        if needs {
            CastlingMode::Chess960
        } else {
            CastlingMode::Standard
        }
    }
}

/// The balanced random opening with this number by a recipe and a seed: always the same.
fn random(recipe: &RandomOpening, seed: u64, number: u64) -> Result<Opening> {
    let mut judge = Judge::new(Evaluation::hand_written(), JUDGE_NODES)?;
    let score = |board: &Board| judge.score(board).map(Score::raw);
    let mut rng = Rng::stream(seed, number);
    Ok(Opening::balanced(recipe, &mut rng, MARGIN, TRIES, score))
}

fn without_moves(board: Board) -> Result<Opening> {
    if !board.has_legal_moves() {
        bail!("{board} has no legal moves");
    }
    Ok(board.into())
}

fn read_epd(file: impl Read) -> Result<Vec<Opening>> {
    EpdReader::new(file)
        .map(|placed| {
            let placed = placed?;
            without_moves(placed.epd.board).with_context(|| format!("line {}", placed.line))
        })
        .collect()
}

fn read_pgn(file: impl Read, plies: usize) -> Result<Vec<Opening>> {
    let mut openings = Vec::new();
    let mut file = Ending::new(file);
    for game in Games::new(&mut file) {
        let game = game?;
        let mut opening = Opening::from(game.start().board);
        for node in game.mainline().take(plies) {
            let Some(mv) = game.node(node).mv() else {
                break;
            };
            opening.moves.push(mv);
            opening.board = *game.node(node).board();
        }
        if opening.board.has_legal_moves() {
            openings.push(opening);
        }
    }
    // `Qh4xe1` that is cut after `Qh4` is another move.
    if !openings.is_empty() && !file.is_result() {
        bail!("the last game has no result, such as `*`: the file may have been cut");
    }
    Ok(openings)
}

/// Passes a file on, and remembers the beginning of its last word.
struct Ending<R> {
    file: R,
    word: Vec<u8>,
    /// Whether a blank or the end of a line came after the word.
    has_ended: bool,
}

impl<R: Read> Ending<R> {
    fn new(file: R) -> Self {
        Self {
            file,
            word: Vec::new(),
            has_ended: false,
        }
    }

    /// Whether the last word is the result of a game.
    fn is_result(&self) -> bool {
        [&b"*"[..], b"1-0", b"0-1", b"1/2-1/2"].contains(&&*self.word)
    }
}

impl<R: Read> Read for Ending<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        for &byte in &buffer[..read] {
            if byte.is_ascii_whitespace() {
                self.has_ended = true;
                continue;
            }
            if std::mem::take(&mut self.has_ended) {
                self.word.clear();
            }
            // No result is longer.
            if self.word.len() < 8 {
                self.word.push(byte);
            }
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const LINES: &str = "\
# three positions
rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1

rnbqkbnr/pppppppp/8/8/3P4/8/PPPP1PPP/RNBQKBNR b KQkq - id \"d4\";
rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq -
";

    #[test]
    fn openings_of_a_file_are_repeated() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.epd");
        // Every position twice.
        fs::write(&path, format!("{LINES}{LINES}")).unwrap();
        let book = Openings::read(&path, 8, Order::Sequential, 1).unwrap();
        let fen = |number| book.get(number).unwrap().board.to_string();
        assert!(fen(0).contains("4P3") && fen(2).contains("2P5"));
        assert_eq!(fen(1), fen(4));
        assert_eq!(book.count(), Some(3));
        assert_eq!(book.mode(), CastlingMode::Standard);

        let path = folder.path().join("book.PGN");
        fs::write(
            &path,
            "1. e4 e5 2. Nf3 *\n\n1. d4 *\n\n1. d4 d5 *\n\n1. e4 e5 *\n",
        )
        .unwrap();
        let book = Openings::read(&path, 2, Order::Sequential, 1).unwrap();
        assert_eq!(book.get(0).unwrap().moves.len(), 2);
        assert_eq!(book.get(1).unwrap().moves.len(), 1);
        assert_eq!(book.count(), Some(3));
    }

    #[test]
    fn a_bad_line_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.epd");
        fs::write(&path, format!("{LINES}no position\n")).unwrap();
        let error = Openings::read(&path, 8, Order::Random, 1).err().unwrap();
        let error = format!("{error:#}");
        assert!(
            error.contains("book.epd") && error.contains("line 6"),
            "{error}"
        );
        fs::write(&path, "\n").unwrap();
        assert!(Openings::read(&path, 8, Order::Random, 1).is_err());
    }

    /// What is read of a file that was cut or changed in one bit.
    fn read_damaged(name: &str, bytes: &[u8]) -> Result<Vec<Opening>> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        match Openings::read(&path, 30, Order::Sequential, 1)? {
            Openings::Listed {
                openings,
                fingerprint,
            } => {
                assert_eq!(fingerprint.number(), Fingerprint::of(bytes).number());
                Ok(openings)
            }
            Openings::Random { .. } => panic!("a file is not random"),
        }
    }

    const GAMES: &str = "\
[Event \"a\"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 1-0

[Event \"b\"]

1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. O-O-O O-O-O 6. Bxc7 Kxc7 *
";

    /// Text has no checksum. But a file that ends in the middle of an opening must not give another opening: `O-O` of
    /// `O-O-O`, or the castling rights `K` of `KQkq`.
    #[test]
    fn a_file_that_was_cut_has_the_first_openings_or_is_refused() {
        for (name, text) in [("book.pgn", GAMES), ("book.epd", LINES)] {
            let whole = read_damaged(name, text.as_bytes()).unwrap();
            let mut refused = 0;
            for length in 0..text.len() {
                match read_damaged(name, &text.as_bytes()[..length]) {
                    // Counters of moves may be cut: `0 1` of `0 12`.
                    Ok(openings) => {
                        assert!(!openings.is_empty() && openings.len() <= whole.len());
                        for (cut, opening) in openings.iter().zip(&whole) {
                            assert_eq!(
                                cut.board.key(),
                                opening.board.key(),
                                "{name}, {length} bytes"
                            );
                            assert_eq!(cut.moves, opening.moves, "{name}, {length} bytes");
                        }
                    }
                    Err(_) => refused += 1,
                }
            }
            assert!(
                refused > text.len() / 4,
                "{name}: {refused} cuts were refused"
            );
        }
    }

    /// A changed letter may make another legal position or move, which no reader can notice. Everything that is read is
    /// legal, and a letter that has no meaning in a position or move is an error.
    #[test]
    fn a_changed_bit_gives_legal_openings_or_an_error() {
        for (name, text) in [("book.pgn", GAMES), ("book.epd", LINES)] {
            for at in 0..text.len() {
                for bit in 0..8 {
                    let mut bytes = text.as_bytes().to_vec();
                    bytes[at] ^= 1 << bit;
                    for opening in read_damaged(name, &bytes).into_iter().flatten() {
                        let mut board = opening.start;
                        for &mv in &opening.moves {
                            assert!(board.is_legal(mv), "{name}: bit {bit} of byte {at}");
                            board = board.play(mv);
                        }
                        assert!(board.has_legal_moves(), "{name}: bit {bit} of byte {at}");
                        assert_eq!(
                            board.key(),
                            opening.board.key(),
                            "{name}: bit {bit} of byte {at}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn random_openings_depend_on_seed_and_number() {
        let openings = |seed| Openings::Random {
            recipe: RandomOpening::default(),
            seed,
        };
        let first = openings(1).get(7).unwrap();
        assert_eq!(first, openings(1).get(7).unwrap());
        assert_ne!(first, openings(2).get(7).unwrap());
        assert_ne!(first, openings(1).get(8).unwrap());
        assert_eq!(openings(1).count(), None);
        let none = Openings::Random {
            recipe: RandomOpening {
                min_plies: 0,
                max_plies: 0,
                ..RandomOpening::default()
            },
            seed: 1,
        };
        assert_eq!(none.count(), Some(1));
        assert_eq!(none.get(0).unwrap(), none.get(9).unwrap());
    }
}
