//! The arguments of `position`, and the position that they set up.

use skewer_movegen::{
    Board, FenError, FenErrorKind, FenField, Rank, Scharnagl, Setup, SetupError, Square, Strictness,
};
use skewer_search::Position;

use super::quote;
use super::words::{find_word, split_word};
use crate::remarks::Remarks;

/// The arguments of `position`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionText<'a> {
    /// Where the moves start from.
    pub start: Start<'a>,
    /// The moves as written.
    pub moves: Vec<&'a str>,
}

/// Where the moves of a `position` command start from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start<'a> {
    /// `startpos`.
    Initial,
    /// `fen ...`: the text between `fen` and `moves`, which may be empty.
    Fen(&'a str),
    /// `chess960 N`: a starting position of Chess960 by its number.
    Chess960(Scharnagl),
    /// Any other text, which may be empty.
    Unreadable(&'a str),
}

pub(super) fn read_position(rest: &str) -> PositionText<'_> {
    let (head, moves) = match find_word(rest, "moves") {
        Some((start, end)) => (rest[..start].trim_ascii(), &rest[end..]),
        None => (rest, ""),
    };
    let start = match split_word(head) {
        Some((word, "")) if word.eq_ignore_ascii_case("startpos") => Start::Initial,
        Some((word, after)) if word.eq_ignore_ascii_case("fen") => Start::Fen(after),
        Some((word, number)) if word.eq_ignore_ascii_case("chess960") => {
            let number = number.parse().ok().and_then(Scharnagl::new);
            number.map_or(Start::Unreadable(head), Start::Chess960)
        }
        _ => Start::Unreadable(head),
    };
    PositionText {
        start,
        moves: moves.split_ascii_whitespace().collect(),
    }
}

/// The position of a `position` command. If it is invalid, adds a remark and returns `None`: the
/// engine must not search another position than the client means.
pub(crate) fn position(text: &PositionText<'_>, remarks: &mut Remarks) -> Option<Position> {
    let board = match text.start {
        Start::Initial => Board::STARTPOS,
        Start::Chess960(number) => Board::chess960(number),
        Start::Fen(fen) => match Board::from_fen(fen) {
            Ok(board) => {
                note_repairs(fen, remarks);
                board
            }
            Err(error) => {
                remarks.add_failure(format_args!("position {}: {error}", quote(fen)));
                return None;
            }
        },
        Start::Unreadable(text) => {
            remarks.add_failure(format_args!(
                "position: {} is neither startpos, nor fen and a FEN, nor chess960 and a number from 0 to 959, with \
                 moves M1 M2 .. or without; there is no position now",
                quote(text)
            ));
            return None;
        }
    };
    let mut position = Position::new(board);
    for (number, word) in (1..).zip(&text.moves) {
        match position.board().parse_uci(word) {
            Ok(mv) => position.play(mv),
            Err(error) => {
                remarks.add_failure(format_args!(
                    "position: move {number}, {}: {error}; there is no position now",
                    quote(word)
                ));
                return None;
            }
        }
    }
    Some(position)
}

/// Adds remarks about what was corrected in a FEN. GUIs send FENs without counters and with en passant squares that
/// no pawn can use, so both get no remark. An en passant square on an impossible rank gets a remark.
fn note_repairs(fen: &str, remarks: &mut Remarks) {
    // The strict reader stops at the first error, which may be that there are no counters.
    let setup = Setup::from_fen(fen, Strictness::Relaxed);
    let is_usual = |right: &SetupError| matches!(right, SetupError::InvalidEnPassant(square) if is_passed(*square));
    let mut rights = setup.iter().flat_map(Setup::impossible_rights);
    if let Some(right) = rights.find(|right| !is_usual(right)) {
        let error = FenError::from(right);
        remarks.add(format_args!("position: {error}; corrected"));
    }
    let Err(error) = Board::from_fen_strict(fen) else {
        return;
    };
    match error.kind() {
        FenErrorKind::AdjacentDigits(_) => {
            remarks.add(format_args!("position: {error}; corrected"));
        }
        FenErrorKind::InvalidNumber if error.field() == FenField::HalfmoveClock => {
            remarks.add(format_args!("position: {error}; corrected"));
        }
        FenErrorKind::Position(SetupError::TooManyPromoted(_)) => {
            remarks.add(format_args!(
                "position: {error}; it is searched all the same"
            ));
        }
        _ => {}
    }
}

/// Whether pawns can pass a square.
fn is_passed(square: Square) -> bool {
    matches!(square.rank(), Rank::Third | Rank::Sixth)
}
