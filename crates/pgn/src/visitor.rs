//! What the event reader tells, and to whom.

use std::fmt;
use std::ops::ControlFlow;

use skewer_movegen::Outcome;

use crate::{Comment, Nag, San, TagValue};

/// Whether to read a variation or to pass over it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Variation {
    /// Tell what is in it.
    Read,
    /// Go on behind its closing parenthesis, without a call of
    /// [`end_variation`](Visitor::end_variation).
    Skip,
}

/// Something wrong with the file itself, as opposed to the moves in it. The reader has gone on
/// as best it can; a visitor that minds may break off.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Problem {
    /// A brace comment goes on to the end of the file, or to what is plainly the next game.
    UnclosedComment,
    /// A comment or a tag is longer than [`params::LONGEST_TOKEN`](crate::params::LONGEST_TOKEN),
    /// and has been cut there.
    TooLong,
    /// The game ends inside a variation.
    UnclosedVariation,
    /// A closing parenthesis has nothing to close.
    StrayParenthesis,
    /// Variations nest deeper than
    /// [`params::DEEPEST_NESTING`](crate::params::DEEPEST_NESTING). What lies deeper is skipped.
    TooDeep,
    /// A line that begins like a tag is none.
    BadTag,
    /// The file ends right behind what may be half a move or half a tag.
    CutShort,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnclosedComment => "a comment has no closing brace",
            Self::TooLong => "a comment or a tag is too long and was cut",
            Self::UnclosedVariation => "a variation has no closing parenthesis",
            Self::StrayParenthesis => "a closing parenthesis closes nothing",
            Self::TooDeep => "variations are nested too deeply",
            Self::BadTag => "a line begins like a tag but is none",
            Self::CutShort => "the file ends in the middle of a token",
        })
    }
}

impl std::error::Error for Problem {}

/// Receives one game as a stream of events, in the order of the file.
///
/// Every call but the last may break off with the output: the reader then passes over the rest of
/// the game at full speed. All calls do nothing unless they are written, so a visitor says only
/// what it is interested in.
///
/// ```
/// use std::ops::ControlFlow;
/// use skewer_pgn::{Reader, San, Visitor};
///
/// /// Counts half-moves of the main line.
/// struct Count(usize);
///
/// impl Visitor for Count {
///     type Output = usize;
///     fn begin_game(&mut self) -> ControlFlow<usize> {
///         self.0 = 0;
///         ControlFlow::Continue(())
///     }
///     fn begin_variation(&mut self) -> ControlFlow<usize, skewer_pgn::Variation> {
///         ControlFlow::Continue(skewer_pgn::Variation::Skip)
///     }
///     fn san(&mut self, _: San<'_>) -> ControlFlow<usize> {
///         self.0 += 1;
///         ControlFlow::Continue(())
///     }
///     fn end_game(&mut self) -> usize {
///         self.0
///     }
/// }
///
/// # fn main() -> std::io::Result<()> {
/// let file = "1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *".as_bytes();
/// let game = Reader::new(file).read_game(&mut Count(0))?.expect("there is a game");
/// assert_eq!(game.output, 3);
/// # Ok(())
/// # }
/// ```
#[allow(
    unused_variables,
    reason = "the default methods do nothing with what they are given"
)]
pub trait Visitor {
    /// What a game amounts to.
    type Output;

    /// A game begins.
    fn begin_game(&mut self) -> ControlFlow<Self::Output> {
        ControlFlow::Continue(())
    }

    /// A tag pair.
    fn tag(&mut self, name: &[u8], value: TagValue<'_>) -> ControlFlow<Self::Output> {
        ControlFlow::Continue(())
    }

    /// All tags have been told; the moves follow.
    fn end_tags(&mut self) -> ControlFlow<Self::Output> {
        ControlFlow::Continue(())
    }

    /// A move, null moves included, or what stands where a move should.
    fn san(&mut self, san: San<'_>) -> ControlFlow<Self::Output> {
        ControlFlow::Continue(())
    }

    /// An annotation glyph to the last move.
    fn nag(&mut self, nag: Nag) -> ControlFlow<Self::Output> {
        ControlFlow::Continue(())
    }

    /// A comment of either kind.
    fn comment(&mut self, comment: Comment<'_>) -> ControlFlow<Self::Output> {
        ControlFlow::Continue(())
    }

    /// A variation begins: another way to play in place of the last move.
    fn begin_variation(&mut self) -> ControlFlow<Self::Output, Variation> {
        ControlFlow::Continue(Variation::Read)
    }

    /// The variation ends; what follows is told in the line that it left.
    fn end_variation(&mut self) -> ControlFlow<Self::Output> {
        ControlFlow::Continue(())
    }

    /// The result at the end of the moves. Not called when it is missing.
    fn outcome(&mut self, outcome: Option<Outcome>) -> ControlFlow<Self::Output> {
        ControlFlow::Continue(())
    }

    /// Something is wrong with the file.
    fn problem(&mut self, problem: Problem) -> ControlFlow<Self::Output> {
        ControlFlow::Continue(())
    }

    /// The game is over. Not called after breaking off.
    fn end_game(&mut self) -> Self::Output;
}

/// Hears everything and says nothing: what passes over the rest of a game.
pub(crate) struct Silent;

impl Visitor for Silent {
    type Output = ();

    fn end_game(&mut self) {}
}
