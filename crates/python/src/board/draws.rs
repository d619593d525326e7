//! How a game ends: mate, stalemate, draws by rule and draws by claim.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyType};
use skewer_movegen::{Bitboard, Board, Color, DrawRules, Move, Piece, Termination};

use super::PyBoard;
use crate::pieces::{color, is_white};

/// Plies without a capture or pawn move after which a draw may be claimed.
const FIFTY_MOVES: u8 = 100;
/// Plies without a capture or pawn move after which the game is drawn.
const SEVENTY_FIVE_MOVES: u8 = 150;

/// How a game ended, by the values of Python's `Termination`.
#[derive(Clone, Copy)]
enum End {
    Checkmate = 1,
    Stalemate,
    InsufficientMaterial,
    SeventyFiveMoves,
    FivefoldRepetition,
    FiftyMoves,
    ThreefoldRepetition,
}

impl PyBoard {
    /// How often `position` occurs on the stack. Positions before the last capture or pawn move cannot be the same, and
    /// are not looked at.
    fn occurrences(&self, position: &Board) -> usize {
        let reach = usize::from(position.halfmove_clock());
        // The clock stops at 255; then look through the whole stack.
        let reach = if reach == usize::from(u8::MAX) {
            usize::MAX
        } else {
            reach
        };
        let same = |(before, _): &&(super::Snapshot, _)| before.position.same_position(position);
        self.stack.iter().rev().take(reach).filter(same).count()
    }

    fn end(&self, claim_draw: bool) -> Option<End> {
        let position = self.position();
        let occurrences = 1 + self.occurrences(position);
        Some(match position.ending(occurrences, DrawRules::Unclaimed) {
            Some(Termination::Checkmate { .. }) => End::Checkmate,
            // python-chess gives this reason if both apply.
            Some(Termination::Stalemate) if position.is_insufficient_material() => {
                End::InsufficientMaterial
            }
            Some(Termination::Stalemate) => End::Stalemate,
            Some(Termination::InsufficientMaterial) => End::InsufficientMaterial,
            Some(Termination::SeventyFiveMoves) => End::SeventyFiveMoves,
            Some(Termination::FivefoldRepetition) => End::FivefoldRepetition,
            _ if claim_draw && self.fifty_moves_claim() => End::FiftyMoves,
            _ if claim_draw && self.threefold_claim() => End::ThreefoldRepetition,
            _ => return None,
        })
    }

    fn repeated(&self, count: usize) -> bool {
        1 + self.occurrences(self.position()) >= count
    }

    /// Whether the fifty-move rule lets the side to move claim a draw, now or by announcing a move.
    fn fifty_moves_claim(&self) -> bool {
        let position = self.position();
        match position.halfmove_clock() {
            FIFTY_MOVES.. => position.has_legal_moves(),
            clock if clock + 1 == FIFTY_MOVES => position
                .legal_moves()
                .iter()
                .any(|&mv| !zeroes(position, mv) && position.play(mv).has_legal_moves()),
            _ => false,
        }
    }

    /// Whether a position has occurred three times, or does after a legal move.
    fn threefold_claim(&self) -> bool {
        if self.repeated(3) {
            return true;
        }
        let position = self.position();
        // The third occurrence is at least four plies after the first.
        self.stack.len() >= 3
            && position
                .legal_moves()
                .iter()
                .any(|&mv| self.occurrences(&position.play(mv)) >= 2)
    }
}

/// Whether a legal move sets the half-move clock to zero.
pub(super) fn zeroes(position: &Board, mv: Move) -> bool {
    position.is_capture(mv) || position.moved(mv) == Piece::Pawn
}

/// Whether `color` cannot give mate with its material, even with the other side's help.
fn cannot_win(position: &Board, color: Color) -> bool {
    let own = position.color(color);
    let of = |kind| position.pieces(kind);
    let strong = of(Piece::Pawn) | of(Piece::Rook) | of(Piece::Queen);
    if (own & strong).any() {
        return false;
    }
    if (own & of(Piece::Knight)).any() {
        // A lone knight mates only if a piece of the other side, other than a queen, blocks its own
        // king.
        let blockers = position.color(!color) - of(Piece::King) - of(Piece::Queen);
        return own.count() <= 2 && blockers.is_empty();
    }
    if (own & of(Piece::Bishop)).any() {
        let bishops = of(Piece::Bishop);
        let one_colour = bishops.is_subset(Bitboard::LIGHT) || bishops.is_subset(Bitboard::DARK);
        return one_colour && of(Piece::Pawn).is_empty() && of(Piece::Knight).is_empty();
    }
    true
}

#[pymethods]
impl PyBoard {
    /// Whether the side to move is in check.
    fn is_check(&self) -> bool {
        self.position().in_check()
    }

    /// Whether the side to move is checkmated.
    fn is_checkmate(&self) -> bool {
        self.position().in_check() && !self.position().has_legal_moves()
    }

    /// Whether the side to move has no legal move and is not in check.
    fn is_stalemate(&self) -> bool {
        !self.position().in_check() && !self.position().has_legal_moves()
    }

    /// Whether neither side has the pieces to give mate.
    fn is_insufficient_material(&self) -> bool {
        Color::ALL
            .into_iter()
            .all(|color| cannot_win(self.position(), color))
    }

    /// Whether a side does not have the pieces to give mate.
    fn has_insufficient_material(&self, color: crate::pieces::Side) -> bool {
        cannot_win(self.position(), self::color(color.0))
    }

    /// Whether 75 moves of each side were made without a capture or pawn move: a draw.
    fn is_seventyfive_moves(&self) -> bool {
        self.position().halfmove_clock() >= SEVENTY_FIVE_MOVES && self.position().has_legal_moves()
    }

    /// Whether the position has occurred five times: a draw.
    fn is_fivefold_repetition(&self) -> bool {
        self.repeated(5)
    }

    /// Whether 50 moves of each side were made without a capture or pawn move.
    fn is_fifty_moves(&self) -> bool {
        self.position().halfmove_clock() >= FIFTY_MOVES && self.position().has_legal_moves()
    }

    /// Whether the position has occurred `count` times, this time included.
    #[pyo3(signature = (count=3))]
    fn is_repetition(&self, count: usize) -> bool {
        self.repeated(count)
    }

    /// Whether the side to move can claim a draw, by the fifty-move rule or by repetition.
    fn can_claim_draw(&self) -> bool {
        self.fifty_moves_claim() || self.threefold_claim()
    }

    /// Whether the side to move can claim a draw by the fifty-move rule, now or by announcing a
    /// move.
    fn can_claim_fifty_moves(&self) -> bool {
        self.fifty_moves_claim()
    }

    /// Whether the side to move can claim a draw by repetition, now or by announcing a move.
    fn can_claim_threefold_repetition(&self) -> bool {
        self.threefold_claim()
    }

    /// Whether the game is over; with `claim_draw`, also when a draw can be claimed.
    #[pyo3(signature = (*, claim_draw=false))]
    fn is_game_over(&self, claim_draw: bool) -> bool {
        self.end(claim_draw).is_some()
    }

    /// The result as PGN writes it, "*" for a game that is not over.
    #[pyo3(signature = (*, claim_draw=false))]
    fn result(&self, claim_draw: bool) -> &'static str {
        match self.end(claim_draw) {
            None => "*",
            Some(End::Checkmate) => self.position().turn().fold("0-1", "1-0"),
            Some(_) => "1/2-1/2",
        }
    }

    /// How the game ended: an Outcome with its termination and winner, or None while it goes on.
    #[pyo3(signature = (*, claim_draw=false))]
    fn outcome<'py>(
        &self,
        py: Python<'py>,
        claim_draw: bool,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        static OUTCOME: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        static TERMINATION: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let Some(end) = self.end(claim_draw) else {
            return Ok(None);
        };
        let termination = TERMINATION
            .import(py, "skewer._outcome", "Termination")?
            .call1((end as u8,))?;
        let winner = match end {
            End::Checkmate => Some(PyBool::new(py, !is_white(self.position().turn()))),
            _ => None,
        };
        OUTCOME
            .import(py, "skewer._outcome", "Outcome")?
            .call1((termination, winner))
            .map(Some)
    }
}
