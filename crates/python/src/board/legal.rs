//! The legal moves of a board: a view that Python iterates, counts and searches.

use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList};
use skewer_movegen::{Bitboard, Move};

use super::PyBoard;
use crate::moves::{MoveObject, PyMove};
use crate::squares::mask_of;

/// The legal moves of a board. The view follows the board: it has the moves of the present position.
///
/// >>> import skewer
/// >>> board = skewer.Board()
/// >>> board.legal_moves.count(), len(board.legal_moves)
/// (20, 20)
/// >>> skewer.Move.from_uci("e2e4") in board.legal_moves
/// True
#[pyclass(frozen, module = "skewer")]
pub(crate) struct LegalMoves {
    board: Py<PyBoard>,
}

/// The legal moves for which `keep` is true.
fn list<'py>(
    board: &PyBoard,
    py: Python<'py>,
    keep: impl Fn(Move) -> bool,
) -> PyResult<Bound<'py, PyList>> {
    let position = board.position();
    let moves = position.legal_moves();
    let moves = moves.iter().filter(|&&mv| keep(mv));
    PyMove::list(
        py,
        moves.map(|&mv| PyMove::of(position, Some(mv), board.mode)),
    )
}

#[pymethods]
impl LegalMoves {
    /// The number of legal moves.
    fn count(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.board.try_borrow(py)?.position().count_legal_moves())
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.count(py)
    }

    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.board.try_borrow(py)?.position().has_legal_moves())
    }

    fn __contains__(&self, py: Python<'_>, r#move: PyMove) -> PyResult<bool> {
        Ok(self.board.try_borrow(py)?.is_legal(r#move))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.list(py)?.try_iter()
    }

    /// The moves as a list: the same as list(board.legal_moves), a little faster.
    fn list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        list(&*self.board.try_borrow(py)?, py, |_| true)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let board = self.board.try_borrow(py)?;
        let position = board.position();
        let moves = position.legal_moves();
        let sans: Vec<String> = moves
            .iter()
            .map(|&mv| position.san(mv).to_string())
            .collect();
        Ok(format!("<LegalMoves ({})>", sans.join(", ")))
    }
}

#[pymethods]
impl PyBoard {
    /// The legal moves: iterable, countable, and `move in board.legal_moves` asks for one.
    #[getter]
    fn legal_moves(board: Bound<'_, Self>) -> LegalMoves {
        LegalMoves {
            board: board.unbind(),
        }
    }

    /// The legal moves from squares of one mask to squares of another.
    #[pyo3(signature = (from_mask=None, to_mask=None))]
    fn generate_legal_moves<'py>(
        &self,
        py: Python<'py>,
        from_mask: Option<&Bound<'py, PyAny>>,
        to_mask: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyIterator>> {
        let from = Bitboard(from_mask.map_or(Ok(u64::MAX), mask_of)?);
        let to = Bitboard(to_mask.map_or(Ok(u64::MAX), mask_of)?);
        let position = self.position();
        let keep = |mv: Move| {
            let target = PyMove::of(position, Some(mv), self.mode).to();
            from.contains(mv.from()) && to.contains(target)
        };
        list(self, py, keep)?.try_iter()
    }

    /// The legal captures, including captures en passant.
    fn generate_legal_captures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        list(self, py, |mv| self.position().is_capture(mv))?.try_iter()
    }

    /// The legal captures en passant.
    fn generate_legal_ep<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        list(self, py, Move::is_en_passant)?.try_iter()
    }

    /// The legal castling moves.
    fn generate_castling_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        list(self, py, Move::is_castle)?.try_iter()
    }

    /// Whether a move is legal.
    pub(super) fn is_legal(&self, r#move: PyMove) -> bool {
        !r#move.is_null() && self.position().is_legal(r#move.on(self.position()))
    }

    /// The legal move between two squares; a pawn becomes a queen by default. Raises
    /// IllegalMoveError if there is none.
    #[pyo3(signature = (from_square, to_square, promotion=None))]
    fn find_move(
        &self,
        py: Python<'_>,
        from_square: i64,
        to_square: i64,
        promotion: Option<i64>,
    ) -> PyResult<Py<MoveObject>> {
        use skewer_movegen::{Piece, Rank};
        let from = crate::errors::square(from_square)?;
        let to = crate::errors::square(to_square)?;
        let position = self.position();
        let last = Rank::Eighth.relative_to(position.turn());
        let piece = match promotion {
            Some(number) => Some(crate::pieces::kind(number)?),
            None if position.piece_at(from) == Some(Piece::Pawn) && to.rank() == last => {
                Some(Piece::Queen)
            }
            None => None,
        };
        let mv = PyMove::between(from, to, piece);
        let inner = mv.legal_on(position)?;
        PyMove::of(position, Some(inner), self.mode).object(py)
    }
}
