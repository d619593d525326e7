//! The events of the reader, and the trait that receives them.

use std::fmt;
use std::ops::ControlFlow;

use skewer_movegen::Outcome;

use crate::{Comment, Location, MoveNumber, Nag, San, TagValue};

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
    /// tag section (lines that are tags, before an empty line or moves), or after an empty line at `1.` before a legal
    /// first move. If a closing brace follows before another opening brace, the comment is closed, and tags and games
    /// in it are text.
    UnclosedComment,
    /// A bracket, quote or other sign that means nothing where it stands. It is skipped.
    StrayCharacter(char),
    /// A result among the moves, or after another result. It is skipped.
    StrayResult,
    /// A glyph in a game that has no move.
    LoneGlyph(Nag),
    /// Digits without a dot that are not a move number: between the moves of White and Black, or where no move follows.
    /// They are skipped.
    LoneNumber(u32),
    /// A variation before the first move of a game.
    EarlyVariation,
    /// A letter that is read as a glyph stands between a move and a square, and may be a piece of the next move: `N f3`.
    PieceApart,
    /// A line begins with White's number 1 before a legal first move, after a whole move of a game without a result. It
    /// begins another game.
    SecondGame,
    /// A second tag `Event` follows other tags, with neither moves nor an empty line between them. It begins another
    /// game, and the game before it has no moves.
    SecondEvent,
    /// The visitor [doubts](Visitor::doubts) a number or a result.
    Contradiction,
    /// The number of a glyph is missing or above 255.
    BadGlyph,
    /// The rest of a variation was skipped, because the visitor [refused](Visitor::refuses) a move.
    CutVariation,
    /// A comment or a tag is longer than [`params::LONGEST_TOKEN`](crate::params::LONGEST_TOKEN),
    /// and has been cut there.
    TooLong,
    /// The game ends inside a variation.
    UnclosedVariation,
    /// A closing parenthesis without an opening parenthesis.
    StrayParenthesis,
    /// Variations nest deeper than
    /// [`params::DEEPEST_NESTING`](crate::params::DEEPEST_NESTING). Deeper variations are skipped.
    TooDeep,
    /// A line begins like a tag but is not one.
    BadTag,
    /// The game has more tags than [`params::MOST_TAGS`](crate::params::MOST_TAGS). The others are
    /// passed over.
    TooManyTags,
    /// The file ends after a move or tag that may be incomplete.
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
            Self::SecondGame => "the numbers begin again at 1, and there is no result before them",
            Self::SecondEvent => {
                "a second tag Event stands here, and neither moves nor an empty line before it"
            }
            Self::Contradiction => "a number or a result contradicts the game",
            Self::StrayResult => "a result stands among the moves or after another result",
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
/// /// Counts plies of the main line.
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

    /// The number of a move.
    fn number(&mut self, number: MoveNumber<'_>) -> ControlFlow<Self::Output> {
        ControlFlow::Continue(())
    }

    /// Whether the number or result that was just reported contradicts the game. The reader asks after each number and
    /// each result. If the answer is `true`, it reports [`PgnError::Contradiction`] at that place.
    fn doubts(&self) -> bool {
        false
    }

    /// A move or null move, or any other word where a move is expected. Nothing between moves, comments, glyphs and
    /// numbers is skipped in silence: characters without a meaning are reported as moves or as
    /// [problems](Self::problem).
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

    /// An annotation glyph of the next move: before the first move of the game or of a variation, or after the number of
    /// a move. By default as [`nag`](Self::nag).
    fn nag_ahead(&mut self, nag: Nag) -> ControlFlow<Self::Output> {
        self.nag(nag)
    }

    /// A word or sign after a move that says only what the board shows: check, mate, en passant. Elsewhere such a word
    /// is reported as a move, and such a sign as a [problem](Self::problem).
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

    /// The result at the end of the moves; `None` for a star, and for points that are no outcome, such as `1/2-0`. Not
    /// called when it is missing.
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
