//! The events of the reader, and the trait that receives them.

use std::fmt;
use std::ops::ControlFlow;

use skewer_movegen::Outcome;

use crate::{Comment, Location, Nag, San, TagValue};

/// Whether to read a variation or to skip it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Variation {
    /// Report its content.
    Read,
    /// Continue after its closing parenthesis, without a call of
    /// [`end_variation`](Visitor::end_variation).
    Skip,
}

/// A syntax error in the file. The reader continues after it; a visitor may break off.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum PgnError {
    /// A brace comment is not closed before the end of the file or the next game. The next game begins at the first
    /// tag section (lines that are tags, before an empty line or moves), or behind an empty line at `1.` before a legal
    /// first move, with no closing brace or, before it, another opening one behind it. In a comment that is closed, tags
    /// and games are text.
    UnclosedComment,
    /// A bracket, quote or other sign that means nothing where it stands. It is passed over.
    StrayCharacter(char),
    /// A result among the moves, or behind another result. It is passed over.
    StrayResult,
    /// A glyph in a game that has no move.
    LoneGlyph(Nag),
    /// Digits without a dot between the moves of White and Black that are not the number of the move, or with no move
    /// behind them. They are passed over.
    LoneNumber(u32),
    /// A variation before the first move of a game, in whose place it could be.
    EarlyVariation,
    /// A letter that is read as a glyph stands between a move and a square, and may be a piece of the next move: `N f3`.
    PieceApart,
    /// The number of a glyph is missing or above 255.
    BadGlyph,
    /// The rest of a variation was passed over, because the visitor [refused](Visitor::refuses) a move.
    CutVariation,
    /// A comment or a tag is longer than [`params::LONGEST_TOKEN`](crate::params::LONGEST_TOKEN),
    /// and has been cut there.
    TooLong,
    /// The game ends inside a variation.
    UnclosedVariation,
    /// A closing parenthesis without an opening one.
    StrayParenthesis,
    /// Variations nest deeper than
    /// [`params::DEEPEST_NESTING`](crate::params::DEEPEST_NESTING). Deeper ones are skipped.
    TooDeep,
    /// A line begins like a tag but is not one.
    BadTag,
    /// The game has more tags than [`params::MOST_TAGS`](crate::params::MOST_TAGS). The others are
    /// passed over.
    TooManyTags,
    /// The file ends after an incomplete move or tag, or possibly so.
    CutShort,
}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::StrayCharacter(c) => {
                return write!(f, "\"{}\" means nothing here", c.escape_debug());
            }
            Self::LoneGlyph(nag) => return write!(f, "the glyph {nag} has no move"),
            Self::LoneNumber(number) => {
                return write!(f, "{number} is neither a move nor the number of a move");
            }
            Self::EarlyVariation => "a variation stands before the first move",
            Self::PieceApart => "a letter before a square is read as a glyph, and may be a piece",
            Self::StrayResult => "a result stands among the moves or behind another one",
            Self::BadGlyph => "the number of a glyph is missing or too large",
            Self::CutVariation => "a variation was cut at a bad move",
            Self::UnclosedComment => "a comment has no closing brace",
            Self::TooLong => "a comment or a tag is too long and was cut",
            Self::UnclosedVariation => "a variation has no closing parenthesis",
            Self::StrayParenthesis => "a closing parenthesis has no opening one",
            Self::TooDeep => "variations are nested too deeply",
            Self::BadTag => "a line begins like a tag but is not one",
            Self::TooManyTags => "there are too many tags, and some were passed over",
            Self::CutShort => "the file ends in the middle of a token",
        })
    }
}

impl std::error::Error for PgnError {}

/// Receives one game as a stream of events, in the order of the file.
///
/// Every method except `end_game` may break off with the output; the reader then skips the rest of the
/// game. By default these methods do nothing, so a visitor implements only the methods that it needs.
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
    reason = "the default methods do not use their arguments"
)]
pub trait Visitor {
    /// The result of reading a game.
    type Output;

    /// A game begins.
    fn begin_game(&mut self) -> ControlFlow<Self::Output> {
        ControlFlow::Continue(())
    }

    /// A tag pair.
    fn tag(&mut self, name: &[u8], value: TagValue<'_>) -> ControlFlow<Self::Output> {
        ControlFlow::Continue(())
    }

    /// The end of the tags; the moves follow.
    fn end_tags(&mut self) -> ControlFlow<Self::Output> {
        ControlFlow::Continue(())
    }

    /// A move or null move, or any word in the place of a move. Nothing between moves, comments, glyphs and numbers
    /// is passed over: characters without a meaning are words or [problems](Self::problem).
    fn san(&mut self, san: San<'_>) -> ControlFlow<Self::Output> {
        ControlFlow::Continue(())
    }

    /// Whether the last move cannot be played, so that its variation must end there. Asked after every move of a
    /// variation. The reader then reports [`PgnError::CutVariation`] and passes over the rest of the variation, the
    /// variations in it included, up to [`end_variation`](Self::end_variation).
    fn refuses(&self) -> bool {
        false
    }

    /// An annotation glyph of the last move.
    fn nag(&mut self, nag: Nag) -> ControlFlow<Self::Output> {
        ControlFlow::Continue(())
    }

    /// An annotation glyph of the next move: before the first move of the game or of a variation, or behind the number of
    /// a move. By default as [`nag`](Self::nag).
    fn nag_ahead(&mut self, nag: Nag) -> ControlFlow<Self::Output> {
        self.nag(nag)
    }

    /// A word or sign behind a move that says what the board shows as well: check, mate, en passant. Apart from a move
    /// it is a word in the place of a move, or a [problem](Self::problem).
    fn mark(&mut self, mark: &[u8]) -> ControlFlow<Self::Output> {
        ControlFlow::Continue(())
    }

    /// A comment of either kind.
    fn comment(&mut self, comment: Comment<'_>) -> ControlFlow<Self::Output> {
        ControlFlow::Continue(())
    }

    /// A variation begins, an alternative to the last move.
    fn begin_variation(&mut self) -> ControlFlow<Self::Output, Variation> {
        ControlFlow::Continue(Variation::Read)
    }

    /// The variation ends; the line that it left continues.
    fn end_variation(&mut self) -> ControlFlow<Self::Output> {
        ControlFlow::Continue(())
    }

    /// The result at the end of the moves. Not called when it is missing.
    fn outcome(&mut self, outcome: Option<Outcome>) -> ControlFlow<Self::Output> {
        ControlFlow::Continue(())
    }

    /// A syntax error, and where it stands.
    fn problem(&mut self, problem: PgnError, location: Location) -> ControlFlow<Self::Output> {
        ControlFlow::Continue(())
    }

    /// The end of the game. Not called after breaking off.
    fn end_game(&mut self) -> Self::Output;
}

/// Ignores all events, to skip the rest of a game.
pub(crate) struct Silent;

impl Visitor for Silent {
    type Output = ();

    fn end_game(&mut self) {}
}
