//! Turns the arguments of `position` and `go` into a [`Position`] and [`Limits`].

use std::num::NonZeroU32;
use std::time::Duration;

use skewer_movegen::{Board, Color, FenErrorKind, FenField, Move, Rank, SetupError};
use skewer_search::{Clock, Limits, Mode, Position};
use skewer_types::MAX_DEPTH;

use crate::command::{Go, PositionText, Start, quote};
use crate::session::Remarks;
use crate::settings::Settings;

/// The longest time of a limit, in milliseconds: a month. Longer ones are cut to it.
const MAX_MILLIS: u64 = 31 * 24 * 60 * 60 * 1000;

/// The position of a `position` command. If it is invalid, adds a remark and returns `None`: the
/// engine must not search another position than the client means.
pub(crate) fn position(text: &PositionText<'_>, remarks: &mut Remarks) -> Option<Position> {
    let board = match text.start {
        Start::Initial => Board::STARTPOS,
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
                "position: {} is neither startpos nor fen and a FEN, with moves M1 M2 .. or \
                 without; there is no position now",
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

/// Adds a remark about what was corrected in a FEN. GUIs send FENs without counters and with en passant
/// squares that no pawn can use, so these get no remark; an en passant square on an impossible rank does.
fn note_repairs(fen: &str, remarks: &mut Remarks) {
    let Err(error) = Board::from_fen_strict(fen) else {
        return;
    };
    let is_unusual = match error.kind() {
        FenErrorKind::Position(SetupError::InvalidCastling(..))
        | FenErrorKind::AdjacentDigits(_) => true,
        FenErrorKind::Position(SetupError::InvalidEnPassant(square)) => {
            !matches!(square.rank(), Rank::Third | Rank::Sixth)
        }
        FenErrorKind::InvalidNumber => error.field() == FenField::HalfmoveClock,
        FenErrorKind::Position(SetupError::TooManyPromoted(_)) => {
            remarks.add(format_args!(
                "position: {error}; it is searched all the same"
            ));
            false
        }
        _ => false,
    };
    if is_unusual {
        remarks.add(format_args!("position: {error}; corrected"));
    }
}

fn millis(number: u64) -> Duration {
    Duration::from_millis(number.min(MAX_MILLIS))
}

/// The limits of a `go` command for the side to move on `board`.
pub(crate) fn limits(
    go: &Go<'_>,
    board: &Board,
    settings: &Settings,
    remarks: &mut Remarks,
) -> Limits {
    let mode = if go.infinite {
        Mode::Infinite
    } else if go.ponder {
        Mode::Ponder
    } else {
        Mode::Answer
    };
    // The only limit could not be read, and the client waits for an answer.
    let hurry = go.unreadable && !go.is_limited() && mode == Mode::Answer;
    Limits {
        depth: if hurry {
            Some(1)
        } else {
            go.depth
                .map(|depth| depth.min(MAX_DEPTH as u64) as skewer_types::Depth)
        },
        nodes: go.nodes,
        clock: clock(go, board.turn()),
        move_time: go.movetime.map(millis),
        move_overhead: settings.move_overhead,
        time_source: settings.time_source(),
        mate: go
            .mate
            .map(|moves| u32::try_from(moves).unwrap_or(u32::MAX)),
        search_moves: search_moves(go, board, remarks),
        multi_pv: settings.multi_pv,
        mode,
        ..Limits::default()
    }
}

/// The clock of the side to move; the other side's if only that was sent.
fn clock(go: &Go<'_>, turn: Color) -> Option<Clock> {
    let (own, other, increment) = match turn {
        Color::White => (go.wtime, go.btime, go.winc),
        Color::Black => (go.btime, go.wtime, go.binc),
    };
    Some(Clock {
        remaining: millis(own.or(other)?),
        increment: millis(increment.unwrap_or(0)),
        moves_to_go: go
            .movestogo
            .and_then(|moves| NonZeroU32::new(u32::try_from(moves).unwrap_or(u32::MAX))),
    })
}

fn search_moves(go: &Go<'_>, board: &Board, remarks: &mut Remarks) -> Vec<Move> {
    let mut moves = Vec::new();
    let mut illegal = Vec::new();
    let words = go.searchmoves.as_deref().unwrap_or_default();
    for &word in words {
        match board.parse_uci(word) {
            Ok(mv) if moves.contains(&mv) => {}
            Ok(mv) => moves.push(mv),
            Err(_) => illegal.push(word),
        }
    }
    if let Some(first) = illegal.first() {
        let then = if moves.is_empty() {
            "; all moves are searched"
        } else {
            ""
        };
        remarks.add_failure(format_args!(
            "searchmoves: {} is no legal move here{then}",
            quote(first)
        ));
    }
    moves
}
