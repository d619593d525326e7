//! An iterator over the games of a file.

use std::fmt;
use std::io::{self, Read};
use std::mem::take;
use std::ops::ControlFlow;

use skewer_movegen::{FenError, Outcome, ParseMoveError, Termination};

use crate::contradictions;
use crate::numbers::{Numbering, dots_before};
use crate::params::MOST_MOVES;
use crate::results::outcome_of;
use crate::text::decode;
use crate::visitor::{PgnError, Variation, Visitor};
use crate::{
    Comment, Location, MoveNumber, Nag, NodeId, PgnGame, Problem, Reader, San, Start, StartError,
    TagValue,
};

/// What is wrong with a game.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum GameErrorKind {
    /// Its start position is invalid.
    Start(StartError),
    /// Its FEN gives a right that the position contradicts. The right is passed over.
    Right(FenError),
    /// A tag of this name stands twice, with two known values. The last one counts. The name is shortened if it is
    /// long.
    DoubledTag(String),
    /// The tag `SetUp` says 0, and a `FEN` gives another position than the usual one. The `FEN` counts.
    FenWithoutSetUp,
    /// The tag `SetUp` says 1, and there is no `FEN`. The game is read from the usual position.
    SetUpWithoutFen,
    /// The number of a move contradicts the position, or the numbers before it.
    Number {
        /// The number in the file: `12.` or `12...`.
        found: String,
        /// The number that is due there.
        due: String,
    },
    /// The moves end with another result than the tag `Result` has. The result of the moves counts.
    TwoResults {
        /// The result in the tag.
        tag: Outcome,
        /// The result at the end of the moves.
        moves: Outcome,
    },
    /// The last position of the main line is checkmate or stalemate, and the game has another result.
    WrongResult {
        /// How the game ended on the board.
        ending: Termination,
        /// The result in the file.
        given: Outcome,
    },
    /// A move is illegal or ambiguous.
    Move {
        /// The text in the file, shortened if it is long.
        san: String,
        /// The number of the move with its dots: `12. ` or `12... `.
        number: String,
        /// What is wrong with it.
        error: ParseMoveError,
        /// Whether it is the last word of the file and may be incomplete.
        at_end: bool,
    },
    /// It has more moves than [`params::MOST_MOVES`](crate::params::MOST_MOVES).
    TooManyMoves,
    /// The file is damaged here.
    File(PgnError),
}

impl fmt::Display for GameErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(error) => error.fmt(f),
            Self::Right(error) => error.fmt(f),
            Self::DoubledTag(name) => write!(f, "the tag {name} stands twice, with two values"),
            Self::FenWithoutSetUp => f.write_str("the tag SetUp says 0, and there is a FEN"),
            Self::SetUpWithoutFen => f.write_str("the tag SetUp says 1, and there is no FEN"),
            Self::Number { found, due } => {
                write!(f, "the number \"{found}\" stands where \"{due}\" is due")
            }
            Self::TwoResults { tag, moves } => {
                write!(
                    f,
                    "the moves end with {moves}, and the tag Result says {tag}"
                )
            }
            Self::WrongResult { ending, given } => {
                let outcome = ending.outcome();
                write!(
                    f,
                    "the result is {given}, and the last position is {ending}: {outcome}"
                )
            }
            Self::Move {
                san,
                number,
                error,
                at_end,
            } => {
                let end = if *at_end { " (the file ends here)" } else { "" };
                write!(f, "move {number}{san} is {error}{end}")
            }
            Self::TooManyMoves => f.write_str("there are too many moves"),
            Self::File(problem) => problem.fmt(f),
        }
    }
}

impl std::error::Error for GameErrorKind {}

/// A game that could not be read to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct GameError {
    /// Its number in the file, from 1.
    pub number: u64,
    /// The line, from 1, on which the game begins.
    pub line: u64,
    /// Where the error is.
    pub location: Location,
    /// What is wrong.
    pub reason: GameErrorKind,
    /// The game up to the error.
    pub partial: PgnGame,
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: game {}", self.location, self.number)?;
        if let (Some(white), Some(black)) = (
            self.partial.tags.get("White"),
            self.partial.tags.get("Black"),
        ) {
            write!(f, " ({white} - {black})")?;
        }
        write!(f, ": {}", self.reason)
    }
}

impl std::error::Error for GameError {}

/// Why a game could not be read. The cause is part of the message, so it is not also the
/// [source](std::error::Error::source).
#[derive(Debug)]
#[non_exhaustive]
pub enum ReadError {
    /// The file cannot be read.
    Io(io::Error),
    /// This game is bad; the next one may be good.
    Bad(Box<GameError>),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "cannot read: {error}"),
            Self::Bad(bad) => bad.fmt(f),
        }
    }
}

impl std::error::Error for ReadError {}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// The games of a file, one after the other.
///
/// A bad game is an `Err` with its line, the reason and the moves before the error; the iterator
/// continues with the next game. After an error of the file it ends.
///
/// ```
/// use skewer_pgn::{Games, ReadError};
///
/// let file = "[White \"A\"]\n1. e4 e5 *\n[White \"B\"]\n1. e5 *\n[White \"C\"]\n1. d4 *";
/// let games: Vec<_> = Games::new(file.as_bytes()).collect();
/// assert_eq!(games.len(), 3);
/// assert_eq!(games[0].as_ref().unwrap().mainline().count(), 2);
/// let Err(ReadError::Bad(bad)) = &games[1] else { panic!("1. e5 is not legal") };
/// assert_eq!(bad.to_string(), "line 4, column 4: game 2: move 1. e5 is not legal: no such pawn can reach e5");
/// ```
#[derive(Debug)]
pub struct Games<R> {
    reader: Reader<R>,
    failed: bool,
    most_moves: usize,
}

/// A good game with its place in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Placed {
    /// The game.
    pub game: PgnGame,
    /// Its number in the file, from 1.
    pub number: u64,
    /// The line, from 1, on which it begins.
    pub line: u64,
}

impl<R: Read> Games<R> {
    /// The games of `source`, which needs no buffering of its own.
    pub fn new(source: R) -> Self {
        Self {
            reader: Reader::new(source),
            failed: false,
            most_moves: MOST_MOVES,
        }
    }

    /// Bytes read so far, for showing progress.
    pub fn offset(&self) -> u64 {
        self.reader.offset()
    }

    /// The next game with its number and line; `None` at the end of the file.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or the game is bad.
    pub fn next_placed(&mut self) -> Result<Option<Placed>, ReadError> {
        if self.failed {
            return Ok(None);
        }
        loop {
            let mut builder = Builder {
                most_moves: self.most_moves,
                ..Builder::default()
            };
            let visited = match self.reader.read_game(&mut builder) {
                Ok(Some(visited)) => visited,
                Ok(None) => return Ok(None),
                Err(error) => {
                    self.failed = true;
                    return Err(error.into());
                }
            };
            let Builder {
                mut game, of_tags, ..
            } = builder;
            // The reader does not report the place of a tag.
            let location = Location::of_line(visited.line);
            let of_tags = of_tags.into_iter().map(|reason| Problem {
                location,
                in_variation: false,
                reason,
            });
            game.problems.splice(0..0, of_tags);
            let Some((mut reason, location)) = visited.output else {
                if game.is_empty()
                    && game.tags.is_empty()
                    && game.node(NodeId::ROOT).comments.is_empty()
                    && !builder.has_outcome
                {
                    // Signs without a move are not a game.
                    let Some(problem) = game.problems.pop() else {
                        continue;
                    };
                    return Err(ReadError::Bad(Box::new(GameError {
                        number: visited.number,
                        line: visited.line,
                        location: problem.location,
                        reason: problem.reason,
                        partial: game,
                    })));
                }
                let (number, line) = (visited.number, visited.line);
                return Ok(Some(Placed { game, number, line }));
            };
            let stopped = visited.stopped;
            if let GameErrorKind::Move { at_end, .. } = &mut reason {
                *at_end = stopped.is_some_and(|stopped| stopped.at_end);
            }
            return Err(ReadError::Bad(Box::new(GameError {
                number: visited.number,
                line: visited.line,
                location: location
                    .or(stopped.map(|stopped| stopped.location))
                    .unwrap_or(Location::of_line(visited.line)),
                reason,
                partial: game,
            })));
        }
    }
}

impl<R: Read> Iterator for Games<R> {
    type Item = Result<PgnGame, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.next_placed() {
            Ok(placed) => placed.map(|placed| Ok(placed.game)),
            Err(error) => Some(Err(error)),
        }
    }
}

/// Builds the tree of a game from events.
#[derive(Default)]
struct Builder {
    game: PgnGame,
    most_moves: usize,
    has_outcome: bool,
    /// What is wrong with the tags.
    of_tags: Vec<GameErrorKind>,
    /// What is wrong with the last number or result.
    doubts: Vec<GameErrorKind>,
    /// The index in `problems` of the problem with the number before the next move.
    doubted: Option<usize>,
    /// The last move of the line.
    at: NodeId,
    /// How the moves of the line are numbered.
    numbering: Numbering,
    /// The last moves of the lines around the current variation, and their numbering.
    left: Vec<(NodeId, Numbering)>,
    /// Whether a variation has begun and has no move yet.
    fresh: bool,
    /// Comments at the beginning of a variation.
    before: Vec<String>,
    /// Glyphs before the first move of a line.
    nags: Vec<Nag>,
    /// What is wrong with the last move, in a variation.
    refused: Option<GameErrorKind>,
    /// Whether the open variation was cut.
    is_cut: bool,
}

/// What ended the reading of a game, and where it is if that is not where the reading ended.
type Fault = (GameErrorKind, Option<Location>);

impl Visitor for Builder {
    type Output = Option<Fault>;

    fn tag(&mut self, name: &[u8], value: TagValue<'_>) -> ControlFlow<Self::Output> {
        let doubled = contradictions::store(&mut self.game.tags, decode(name), value.decode());
        self.of_tags.extend(doubled);
        ControlFlow::Continue(())
    }

    fn end_tags(&mut self) -> ControlFlow<Self::Output> {
        let tags = take(&mut self.game.tags);
        let fen = tags.get_in_any_case("FEN");
        let start = Start::from_tags(fen, tags.get_in_any_case("Variant"));
        self.of_tags
            .extend(contradictions::of_start(&tags, start.as_ref().ok()));
        self.game.tags = tags;
        match start {
            Ok(start) => {
                self.numbering = Numbering::new(&start);
                let mut game = PgnGame::from_start(start);
                game.tags = take(&mut self.game.tags);
                game.problems = take(&mut self.game.problems);
                self.game = game;
                ControlFlow::Continue(())
            }
            Err(error) => ControlFlow::Break(Some((GameErrorKind::Start(error), None))),
        }
    }

    fn number(&mut self, number: MoveNumber<'_>) -> ControlFlow<Self::Output> {
        let board = self.game.node(self.at).board();
        if let Some(due) = self.numbering.due_instead_of(number, board) {
            let found = number.to_string();
            self.doubts.push(GameErrorKind::Number { found, due });
        }
        ControlFlow::Continue(())
    }

    fn doubts(&self) -> bool {
        !self.doubts.is_empty()
    }

    fn san(&mut self, san: San<'_>) -> ControlFlow<Self::Output> {
        if self.game.len() >= self.most_moves {
            return ControlFlow::Break(Some((GameErrorKind::TooManyMoves, None)));
        }
        let at = self.at;
        let board = self.game.node(at).board();
        let played = san.resolve(board).and_then(|mv| {
            let after = match mv {
                Some(mv) => Some(board.play(mv)),
                None => board.play_null(),
            };
            Ok((mv, after.ok_or(ParseMoveError::Null)?))
        });
        match played {
            Ok((mv, after)) => {
                let id = self.game.add_checked(at, mv, after);
                if at == NodeId::ROOT && self.left.is_empty() {
                    self.game.put_first(id);
                }
                self.at = id;
                self.fresh = false;
                self.doubted = None;
                let node = self.game.node_mut(id);
                node.comments_before = take(&mut self.before);
                node.nags = take(&mut self.nags);
                ControlFlow::Continue(())
            }
            Err(error) => {
                let dots = dots_before(board.turn());
                let error = GameErrorKind::Move {
                    san: san.to_string(),
                    number: format!("{}{dots} ", board.fullmove_number()),
                    error,
                    at_end: false,
                };
                if self.left.is_empty() {
                    return ControlFlow::Break(Some((error, None)));
                }
                self.refused = Some(error);
                ControlFlow::Continue(())
            }
        }
    }

    fn refuses(&self) -> bool {
        self.refused.is_some()
    }

    fn nag(&mut self, nag: Nag) -> ControlFlow<Self::Output> {
        if self.at != NodeId::ROOT && !self.fresh {
            self.game.node_mut(self.at).nags.push(nag);
            ControlFlow::Continue(())
        } else {
            self.nag_ahead(nag)
        }
    }

    fn nag_ahead(&mut self, nag: Nag) -> ControlFlow<Self::Output> {
        self.nags.push(nag);
        ControlFlow::Continue(())
    }

    fn comment(&mut self, comment: Comment<'_>) -> ControlFlow<Self::Output> {
        let text = comment.decode();
        if !text.is_empty() {
            if self.fresh {
                self.before.push(text.into_owned());
            } else {
                self.game.node_mut(self.at).comments.push(text.into_owned());
            }
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self) -> ControlFlow<Self::Output, Variation> {
        self.keep_nags();
        self.drop_before();
        self.doubted = None;
        self.left.push((self.at, self.numbering));
        self.numbering = self.numbering.of_variation();
        // A variation before the first move can only be another first move.
        if !self.fresh {
            self.at = self.game.node(self.at).parent().unwrap_or(NodeId::ROOT);
        }
        self.fresh = true;
        ControlFlow::Continue(Variation::Read)
    }

    fn end_variation(&mut self) -> ControlFlow<Self::Output> {
        if self.is_cut {
            // The glyphs belong to the move at which the variation was cut.
            self.nags.clear();
        }
        self.keep_nags();
        self.drop_before();
        if let Some((at, numbering)) = self.left.pop() {
            self.at = at;
            self.numbering = numbering;
        }
        self.doubted = None;
        self.fresh = false;
        self.is_cut = false;
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, outcome: Option<Outcome>) -> ControlFlow<Self::Output> {
        self.has_outcome = true;
        // A star does not say that there is no result: the tag may have one.
        if let Some(moves) = outcome {
            self.game.outcome = outcome;
            let tag = self.game.tags.get("Result").and_then(outcome_of);
            self.doubts.extend(contradictions::two_results(tag, moves));
            self.doubts.extend(self.wrong_result(moves));
        }
        ControlFlow::Continue(())
    }

    fn problem(&mut self, problem: PgnError, location: Location) -> ControlFlow<Self::Output> {
        let fatal = match problem {
            PgnError::UnclosedComment | PgnError::CutShort => true,
            // The rest of the main line may be part of the text that was cut.
            PgnError::UnclosedVariation => self.is_cut,
            _ => false,
        };
        if fatal {
            return ControlFlow::Break(Some((GameErrorKind::File(problem), Some(location))));
        }
        let in_variation = !self.left.is_empty();
        if problem == PgnError::Contradiction {
            self.doubted = Some(self.game.problems.len());
            let doubts = self.doubts.drain(..).map(|reason| Problem {
                location,
                in_variation,
                reason,
            });
            self.game.problems.extend(doubts);
            return ControlFlow::Continue(());
        }
        if problem == PgnError::CutVariation {
            self.is_cut = true;
            // The error of the move follows from what is wrong with the number before it.
            if let Some(number) = self.doubted.take() {
                self.game.problems.remove(number);
            }
        }
        let reason = self.refused.take();
        self.game.problems.push(Problem {
            location,
            in_variation,
            reason: reason.unwrap_or(GameErrorKind::File(problem)),
        });
        ControlFlow::Continue(())
    }

    fn end_game(&mut self) -> Self::Output {
        self.keep_nags();
        if self.game.outcome.is_none() {
            self.game.outcome = self.game.tags.get("Result").and_then(outcome_of);
            let given = self.game.outcome;
            let wrong = given.and_then(|given| self.wrong_result(given));
            self.of_tags.extend(wrong);
        }
        None
    }
}

impl Builder {
    /// What is wrong with a result if the main line ends with checkmate or stalemate.
    fn wrong_result(&self, given: Outcome) -> Option<GameErrorKind> {
        let last = self.left.first().map_or(self.at, |&(at, _)| at);
        contradictions::wrong_result(given, self.game.node(last).board())
    }

    /// Gives glyphs after a number that no move follows to the last move of the line.
    fn keep_nags(&mut self) {
        if !self.nags.is_empty() && !self.fresh && self.at != NodeId::ROOT {
            self.game.node_mut(self.at).nags.append(&mut self.nags);
        }
    }

    /// Gives the comments and glyphs of a variation without moves to the move that the variation would replace.
    fn drop_before(&mut self) {
        if (self.before.is_empty() && self.nags.is_empty()) || !self.fresh {
            return;
        }
        if let Some(&(at, _)) = self.left.last() {
            let node = self.game.node_mut(at);
            node.comments.append(&mut self.before);
            if at != NodeId::ROOT {
                node.nags.append(&mut self.nags);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Games, ReadError};

    #[test]
    fn moves_have_a_bound() {
        let file = "1. e4 (d4) (c4) e5 *\n\n1. e4\n(d4) (c4) e5 d4 *\n\n1. e4 *";
        let games = Games {
            most_moves: 4,
            ..Games::new(file.as_bytes())
        };
        let games: Vec<_> = games.collect();
        assert_eq!(games[0].as_ref().unwrap().len(), 4);
        let Err(ReadError::Bad(bad)) = &games[1] else {
            panic!("it has five moves");
        };
        assert_eq!(
            bad.to_string(),
            "line 4, column 14: game 2: there are too many moves"
        );
        assert_eq!(bad.partial.len(), 4);
        assert_eq!(games[2].as_ref().unwrap().len(), 1);
        assert_eq!(games.len(), 3);
    }
}
