//! What in a game contradicts the rest of it.

use std::borrow::Cow;
use std::mem::take;

use skewer_movegen::{Board, DrawRules, Outcome, Termination};

use crate::numbers::Numbering;
use crate::results::outcome_of;
use crate::san::quoted;
use crate::start::{impossible_rights, is_placeholder, is_unknown};
use crate::{GameErrorKind, MoveNumber, Start, Tags};

/// Finds contradictions in a game: doubled tags, and a start, numbers of moves or a result that do not fit.
///
/// It is for visitors that read main lines alone. Pass it the events of the game, and answer
/// [`doubts`](crate::Visitor::doubts) with [`has_found`](Self::has_found). [Take](Self::take) what was found after the
/// tags, in [`problem`](crate::Visitor::problem) at each [contradiction](crate::PgnError::Contradiction), and at the end
/// of the game. [`Games`](crate::Games) finds the same by itself, in variations, too.
///
/// ```
/// use skewer_pgn::{Contradictions, Start, Tags};
///
/// let (mut tags, mut contradictions) = (Tags::default(), Contradictions::default());
/// contradictions.tag(&mut tags, "White".into(), "Anderssen".into());
/// contradictions.tag(&mut tags, "White".into(), "Kieseritzky".into());
/// contradictions.start(&tags, &Start::default());
/// let found = contradictions.take();
/// assert_eq!(found[0].to_string(), "the tag White stands twice, with two values");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Contradictions {
    numbering: Numbering,
    found: Vec<GameErrorKind>,
    /// The result in the tag.
    tag_result: Option<Outcome>,
    /// Whether the moves end with a result.
    has_result: bool,
}

impl Contradictions {
    /// Stores a tag. A value that is known replaces the value before, and an unknown value (`?`) does not.
    pub fn tag(&mut self, tags: &mut Tags, name: Cow<'_, str>, value: Cow<'_, str>) {
        self.found.extend(store(tags, name, value));
    }

    /// The tags are complete, and the game starts from `start`.
    pub fn start(&mut self, tags: &Tags, start: &Start) {
        self.found.extend(of_start(tags, Some(start)));
        self.numbering = Numbering::new(start);
        self.tag_result = tags.get("Result").and_then(outcome_of);
    }

    /// A number stands before a move in this position.
    #[inline]
    pub fn number(&mut self, number: MoveNumber<'_>, board: &Board) {
        if let Some(due) = self.numbering.due_instead_of(number, board) {
            let found = number.to_string();
            self.found.push(GameErrorKind::Number { found, due });
        }
    }

    /// The main line ends in this position with a result, or with a star.
    pub fn outcome(&mut self, outcome: Option<Outcome>, board: &Board) {
        if let Some(moves) = outcome {
            self.has_result = true;
            self.found.extend(two_results(self.tag_result, moves));
            self.found.extend(wrong_result(moves, board));
        }
    }

    /// The game ends in this position. Without a result at the end of the moves the result of the tag counts.
    pub fn end(&mut self, board: &Board) {
        if let Some(given) = self.tag_result.filter(|_| !self.has_result) {
            self.found.extend(wrong_result(given, board));
        }
    }

    /// Whether something was found that was not taken yet.
    #[inline]
    pub fn has_found(&self) -> bool {
        !self.found.is_empty()
    }

    /// What was found since it was last taken.
    pub fn take(&mut self) -> Vec<GameErrorKind> {
        take(&mut self.found)
    }
}

/// Stores a tag. Returns the error if it has another known value already.
pub(crate) fn store(
    tags: &mut Tags,
    name: Cow<'_, str>,
    value: Cow<'_, str>,
) -> Option<GameErrorKind> {
    // The tags of the start may be written in any case.
    let is_of_start = |tag: &&str| name.eq_ignore_ascii_case(tag);
    let other = if ["FEN", "SetUp", "Variant"].iter().any(is_of_start) {
        tags.remove_other_cases(&name)
    } else {
        None
    };
    let old = other.or_else(|| tags.get(&name).map(str::to_owned));
    match old.filter(|old| !is_placeholder(old)) {
        // The known value counts, whichever comes last.
        Some(old) if is_placeholder(&value) => {
            tags.set(name, old);
            None
        }
        Some(old) => {
            let doubled = (old != value).then(|| GameErrorKind::DoubledTag(quoted(&name)));
            tags.set(name, value);
            doubled
        }
        None => {
            tags.set(name, value);
            None
        }
    }
}

/// What the tags say about the start that does not fit. `start` is `None` if they name no valid position.
pub(crate) fn of_start(tags: &Tags, start: Option<&Start>) -> Vec<GameErrorKind> {
    let fen = tags.get_in_any_case("FEN");
    let rights = fen.into_iter().flat_map(impossible_rights);
    let setup = start.and_then(|start| wrong_setup(tags, start));
    rights.map(GameErrorKind::Right).chain(setup).collect()
}

/// The contradiction between the tags `SetUp` and `FEN`, if there is one.
fn wrong_setup(tags: &Tags, start: &Start) -> Option<GameErrorKind> {
    let fen = tags.get_in_any_case("FEN");
    let has_fen = fen.is_some_and(|fen| !is_unknown(fen));
    match tags.get_in_any_case("SetUp")?.trim() {
        "0" if start.board != Board::STARTPOS => Some(GameErrorKind::FenWithoutSetUp),
        "1" if !has_fen => Some(GameErrorKind::SetUpWithoutFen),
        _ => None,
    }
}

/// The error of a result at the end of the moves, if the tag has another one.
pub(crate) fn two_results(tag: Option<Outcome>, moves: Outcome) -> Option<GameErrorKind> {
    let tag = tag.filter(|&tag| tag != moves)?;
    Some(GameErrorKind::TwoResults { tag, moves })
}

/// What is wrong with a result if the main line ends with checkmate or stalemate.
pub(crate) fn wrong_result(given: Outcome, board: &Board) -> Option<GameErrorKind> {
    let ending = board.ending(1, DrawRules::Unclaimed)?;
    // Other rules may be unknown to the players, or depend on the moves before a position.
    let is_over = matches!(
        ending,
        Termination::Checkmate { .. } | Termination::Stalemate
    );
    let is_wrong = is_over && ending.outcome() != given;
    is_wrong.then_some(GameErrorKind::WrongResult { ending, given })
}
