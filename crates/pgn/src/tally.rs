//! Reads a whole file, plays all moves and counts them: the fastest way to validate a file.

use std::io::{self, Read};
use std::ops::ControlFlow;

use crate::{Location, PgnError, Reader, Replay, San, TagValue, Variation, Visitor};

/// The counts of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Tally {
    /// Games, including bad ones.
    pub games: u64,
    /// Games with an invalid start position, an illegal move in the main line, or a comment that is not closed.
    pub bad_games: u64,
    /// Variations that end at a move that is not legal.
    pub cut_variations: u64,
    /// Legal plies of the main lines and of all variations.
    pub moves: u64,
    /// Bytes read.
    pub bytes: u64,
}

/// Reads all games of `source` and checks every move, in variations too. Moves after the first bad one of
/// a game, or of a variation, are not counted.
///
/// # Errors
///
/// When the source cannot be read.
///
/// ```
/// let tally = skewer_pgn::check("1. e4 e5 (1... c5) * 1. e5 *".as_bytes())?;
/// assert_eq!((tally.games, tally.bad_games, tally.moves), (2, 1, 3));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn check(source: impl Read) -> io::Result<Tally> {
    let mut reader = Reader::new(source);
    let mut checker = Checker {
        replay: Replay::new(),
        moves: 0,
        cuts: 0,
        refused: false,
        is_cut: false,
    };
    let mut tally = Tally::default();
    while let Some(game) = reader.read_game(&mut checker)? {
        tally.games += 1;
        tally.bad_games += u64::from(!game.output);
    }
    tally.moves = checker.moves;
    tally.cut_variations = checker.cuts;
    tally.bytes = reader.offset();
    Ok(tally)
}

struct Checker {
    replay: Replay,
    moves: u64,
    cuts: u64,
    /// Whether the last move, in a variation, is not legal.
    refused: bool,
    /// Whether the open variation was cut.
    is_cut: bool,
}

impl Visitor for Checker {
    /// Whether the game is sound.
    type Output = bool;

    fn begin_game(&mut self) -> ControlFlow<bool> {
        self.replay.reset();
        (self.refused, self.is_cut) = (false, false);
        ControlFlow::Continue(())
    }

    #[inline]
    fn tag(&mut self, name: &[u8], value: TagValue<'_>) -> ControlFlow<bool> {
        self.replay.tag(name, value);
        ControlFlow::Continue(())
    }

    fn end_tags(&mut self) -> ControlFlow<bool> {
        match self.replay.start() {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(false),
        }
    }

    #[inline]
    fn san(&mut self, san: San<'_>) -> ControlFlow<bool> {
        if self.replay.play(san).is_ok() {
            self.moves += 1;
            return ControlFlow::Continue(());
        }
        self.refused = self.replay.depth() > 0;
        if self.refused {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(false)
        }
    }

    #[inline]
    fn refuses(&self) -> bool {
        self.refused
    }

    fn problem(&mut self, problem: PgnError, _: Location) -> ControlFlow<bool> {
        match problem {
            PgnError::UnclosedComment => return ControlFlow::Break(false),
            // The rest of the main line may be part of the text that was cut.
            PgnError::UnclosedVariation if self.is_cut => return ControlFlow::Break(false),
            PgnError::CutVariation => {
                (self.refused, self.is_cut) = (false, true);
                self.cuts += 1;
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self) -> ControlFlow<bool, Variation> {
        self.replay.open();
        ControlFlow::Continue(Variation::Read)
    }

    fn end_variation(&mut self) -> ControlFlow<bool> {
        self.replay.close();
        self.is_cut = false;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self) -> bool {
        true
    }
}
