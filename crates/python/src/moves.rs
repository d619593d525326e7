//! `Move`: two squares and a promotion, without a board, as python-chess has it.

use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyString};
use skewer_movegen::{Board, CastlingMode, CastlingSide, Move, Piece, Square, UciMove};

use crate::errors::{IllegalMoveError, InvalidMoveError, square};

/// A move from a square to a square, with the piece that a pawn becomes.
///
/// Immutable and hashable. Castling is the king's two steps (``e1g1``), and in Chess960 the king
/// taking its own rook (``e1h1``). ``Move.null()`` passes the turn.
///
/// >>> import skewer
/// >>> move = skewer.Move.from_uci("a7a8q")
/// >>> move.from_square == skewer.A7, move.promotion == skewer.QUEEN
/// (True, True)
/// >>> skewer.Move(skewer.E2, skewer.E4)
/// Move.from_uci('e2e4')
#[pyclass(name = "Move", frozen, subclass, module = "skewer")]
pub(crate) struct MoveObject {
    /// Atomic for the subclass of `skewer.chess`, whose fields can be set.
    bits: AtomicU16,
}

/// The value of a move, which functions take as an argument and return.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct PyMove(u16);

impl MoveObject {
    pub(crate) fn value(&self) -> PyMove {
        PyMove(self.bits.load(Relaxed))
    }

    pub(crate) fn set(&self, mv: PyMove) {
        self.bits.store(mv.0, Relaxed);
    }
}

impl From<PyMove> for MoveObject {
    fn from(mv: PyMove) -> Self {
        Self {
            bits: AtomicU16::new(mv.0),
        }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for PyMove {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        Ok(object.cast::<MoveObject>()?.get().value())
    }
}

/// Bits of a square in the integer form of a move.
const SQUARE: u16 = 63;

/// One more than the largest integer form of a move.
pub(crate) const FORMS: usize = 1 << 15;

/// Why a move is not legal, after a colon.
pub(crate) fn reason(board: &Board, mv: Move) -> String {
    board
        .why_illegal(mv)
        .map_or_else(String::new, |reason| format!(": {reason}"))
}

/// Every move that has been asked for, so that each is one Python object.
static OBJECTS: [PyOnceLock<Py<MoveObject>>; FORMS] = [const { PyOnceLock::new() }; FORMS];

/// The UCI texts of all moves, by the same index.
static TEXTS: [PyOnceLock<Py<PyString>>; FORMS] = [const { PyOnceLock::new() }; FORMS];

impl PyMove {
    pub(crate) const NULL: Self = Self(0);

    /// The move between two squares, with the piece that a pawn becomes.
    pub(crate) fn between(from: Square, to: Square, promotion: Option<Piece>) -> Self {
        Self::pack(from, to, promotion.map_or(0, |piece| piece as u16 + 1))
    }

    pub(crate) fn pack(from: Square, to: Square, promotion: u16) -> Self {
        Self(from as u16 | (to as u16) << 6 | promotion << 12)
    }

    pub(crate) fn is_null(self) -> bool {
        self == Self::NULL
    }

    pub(crate) fn from(self) -> Square {
        Square::ALL[usize::from(self.0 & SQUARE)]
    }

    pub(crate) fn to(self) -> Square {
        Square::ALL[usize::from(self.0 >> 6 & SQUARE)]
    }

    /// The number of the piece that a pawn becomes, 0 for none.
    pub(crate) fn promotion_number(self) -> u16 {
        self.0 >> 12
    }

    fn promotion_piece(self) -> Option<Piece> {
        Piece::ALL
            .get(usize::from(self.promotion_number().checked_sub(1)?))
            .copied()
    }

    /// The integer form: from + 64 * to + 4096 * promotion.
    pub(crate) fn bits(self) -> u16 {
        self.0
    }

    /// The inverse of [`bits`](Self::bits); `None` for a number that is not a move.
    pub(crate) fn from_bits(bits: u16) -> Option<Self> {
        let promotion = bits >> 12;
        let same = bits & SQUARE == bits >> 6 & SQUARE;
        let dropped = (1..=6).contains(&promotion);
        (bits == 0 || (promotion <= 6 && !same) || (same && dropped)).then_some(Self(bits))
    }

    /// Whether a piece is put on the board, as in Crazyhouse: never legal here. Such a move goes
    /// from its square to the same square, and the piece is in the place of the promotion.
    pub(crate) fn is_drop(self) -> bool {
        self.from() == self.to() && self.promotion_number() > 0
    }

    /// The move `mv` of `board` without its board; `None` is the null move.
    pub(crate) fn of(board: &Board, mv: Option<Move>, mode: CastlingMode) -> Self {
        let Some(mv) = mv else { return Self::NULL };
        let (from, mut to) = (mv.from(), mv.to());
        if mv.is_castle() && mode == CastlingMode::Standard {
            to = CastlingSide::of(from, to).king_target(board.turn());
        }
        Self::between(from, to, mv.promotion())
    }

    /// This move as a move of `board`, legal or not. Castling may have either form.
    pub(crate) fn on(self, board: &Board) -> Move {
        let (from, to) = (self.from(), self.to());
        let nowhere = Move::normal(from, from);
        let promotion = self.promotion_piece();
        // A promotion to a pawn or king is never legal. Without this test it could become the move with the same
        // squares and no promotion, which may be legal.
        if let Some(Piece::Pawn | Piece::King) = promotion {
            return nowhere;
        }
        // A drop has no legal form either: it starts where it ends.
        let uci = UciMove::Normal {
            from,
            to,
            promotion,
        };
        uci.to_any_move(board).unwrap_or(nowhere)
    }

    /// This move as a legal move of `board`.
    pub(crate) fn legal_on(self, board: &Board) -> PyResult<Move> {
        let mv = self.on(board);
        if board.is_legal(mv) {
            Ok(mv)
        } else {
            Err(IllegalMoveError::new_err(format!(
                "move {} in {board}: not legal{}",
                self.text(),
                reason(board, mv)
            )))
        }
    }

    /// The Python object of this move, always the same one.
    pub(crate) fn object(self, py: Python<'_>) -> PyResult<Py<MoveObject>> {
        OBJECTS[usize::from(self.0)]
            .get_or_try_init(py, || Py::new(py, MoveObject::from(self)))
            .map(|object| object.clone_ref(py))
    }

    /// The moves of a line from `board` as objects.
    pub(crate) fn line<'py>(
        py: Python<'py>,
        mut board: Board,
        moves: &[Move],
        mode: CastlingMode,
    ) -> PyResult<Bound<'py, PyList>> {
        let moves = moves.iter().map(|&mv| {
            let before = board;
            board = before.play(mv);
            Self::of(&before, Some(mv), mode)
        });
        Self::list(py, moves)
    }

    /// A Python list of moves.
    pub(crate) fn list(
        py: Python<'_>,
        moves: impl IntoIterator<Item = Self>,
    ) -> PyResult<Bound<'_, PyList>> {
        let objects: Vec<Py<MoveObject>> = moves
            .into_iter()
            .map(|mv| mv.object(py))
            .collect::<PyResult<_>>()?;
        PyList::new(py, objects)
    }

    /// The text as a Python object, always the same one.
    pub(crate) fn shared_text(self, py: Python<'_>) -> Py<PyString> {
        TEXTS[usize::from(self.0)]
            .get_or_init(py, || PyString::new(py, &self.text()).unbind())
            .clone_ref(py)
    }

    pub(crate) fn text(self) -> String {
        if self.is_null() {
            return "0000".to_owned();
        }
        if let Some(piece) = self.promotion_piece().filter(|_| self.is_drop()) {
            return format!(
                "{}@{}",
                piece.letter(skewer_movegen::Color::White),
                self.to()
            );
        }
        let mut text = format!("{}{}", self.from(), self.to());
        text.extend(
            self.promotion_piece()
                .map(|piece| piece.letter(skewer_movegen::Color::Black)),
        );
        text
    }

    pub(crate) fn parse(uci: &str) -> PyResult<Self> {
        // The fast path: most texts are two squares and nothing else.
        if let &[a, b, c, d] = uci.as_bytes() {
            let square = |file: u8, rank: u8| {
                let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
                (file < 8 && rank < 8).then(|| Square::ALL[usize::from(8 * rank + file)])
            };
            if let (Some(from), Some(to)) = (square(a, b), square(c, d))
                && from != to
            {
                return Ok(Self::pack(from, to, 0));
            }
        }
        if uci == "0000" {
            return Ok(Self::NULL);
        }
        let invalid = || InvalidMoveError::new_err(format!("invalid uci: {uci:?}"));
        let from = uci.get(..2).ok_or_else(invalid)?;
        if let [piece, b'@'] = from.as_bytes() {
            let piece = Piece::from_letter(*piece as char).ok_or_else(invalid)?;
            let to: Square = uci[2..].parse().map_err(|_| invalid())?;
            return Ok(Self::pack(to, to, piece as u16 + 1));
        }
        let to = uci.get(2..4).ok_or_else(invalid)?;
        let from: Square = from.parse().map_err(|_| invalid())?;
        let to: Square = to.parse().map_err(|_| invalid())?;
        let promotion = match &uci.as_bytes()[4..] {
            [] => 0,
            [letter] if letter.is_ascii_lowercase() => {
                Piece::from_letter(*letter as char).ok_or_else(invalid)? as u16 + 1
            }
            _ => return Err(invalid()),
        };
        if from == to {
            return Err(invalid());
        }
        Ok(Self::pack(from, to, promotion))
    }
}

#[pymethods]
impl MoveObject {
    #[new]
    #[pyo3(signature = (from_square, to_square, promotion=None, drop=None))]
    fn new(
        from_square: i64,
        to_square: i64,
        promotion: Option<i64>,
        drop: Option<i64>,
    ) -> PyResult<Self> {
        let number = |piece: Option<i64>| match piece {
            None => Ok(0),
            Some(piece @ 1..=6) => Ok(piece as u16),
            Some(piece) => Err(PyValueError::new_err(format!(
                "promotion {piece} is not a piece type (1 to 6)"
            ))),
        };
        let (promotion, drop) = (number(promotion)?, number(drop)?);
        let (from, to) = (square(from_square)?, square(to_square)?);
        if from == to && promotion == 0 && drop != 0 {
            return Ok(PyMove::pack(to, to, drop).into());
        }
        if drop != 0 || from == to && (from != Square::A1 || promotion != 0) {
            return Err(InvalidMoveError::new_err(format!(
                "a move from {from} to {to} goes nowhere; Move.null() passes the turn"
            )));
        }
        Ok(PyMove::pack(from, to, promotion).into())
    }

    /// The square that the piece leaves, from 0 (a1) to 63 (h8).
    #[getter]
    fn from_square(&self) -> u8 {
        self.value().from() as u8
    }

    /// The square that the piece goes to.
    #[getter]
    fn to_square(&self) -> u8 {
        self.value().to() as u8
    }

    /// The type of piece that a pawn becomes, or None.
    #[getter]
    fn promotion(&self) -> Option<u16> {
        let mv = self.value();
        Some(mv.promotion_number()).filter(|&number| number > 0 && !mv.is_drop())
    }

    /// The type of piece that is put on the board, or None; such a move is never legal.
    #[getter]
    fn drop(&self) -> Option<u16> {
        let mv = self.value();
        Some(mv.promotion_number()).filter(|_| mv.is_drop())
    }

    /// The move as UCI text, such as "g1f3" or "a7a8q"; "0000" for the null move.
    fn uci(&self, py: Python<'_>) -> Py<PyString> {
        self.value().shared_text(py)
    }

    /// The move as XBoard text, where the null move is "@@@@".
    fn xboard(&self) -> String {
        if self.value().is_null() {
            "@@@@".to_owned()
        } else {
            self.value().text()
        }
    }

    /// Parses UCI text. Raises InvalidMoveError, a ValueError, for anything else.
    #[staticmethod]
    #[pyo3(name = "from_uci")]
    fn from_uci(py: Python<'_>, uci: &str) -> PyResult<Py<Self>> {
        PyMove::parse(uci)?.object(py)
    }

    /// The null move, which passes the turn. It is false in a boolean context.
    #[staticmethod]
    #[pyo3(name = "null")]
    fn null_move(py: Python<'_>) -> PyResult<Py<Self>> {
        PyMove::NULL.object(py)
    }

    /// The integer form, as in NumPy arrays: from + 64 * to + 4096 * promotion.
    fn __int__(&self) -> u16 {
        self.value().bits()
    }

    fn __index__(&self) -> u16 {
        self.value().bits()
    }

    /// The move of an integer form. Raises ValueError for a number that is not a move.
    #[staticmethod]
    #[pyo3(name = "from_int")]
    pub(crate) fn from_int(py: Python<'_>, number: i64) -> PyResult<Py<Self>> {
        u16::try_from(number)
            .ok()
            .and_then(PyMove::from_bits)
            .ok_or_else(|| PyValueError::new_err(format!("{number} is not the integer of a move")))?
            .object(py)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        (other.extract::<PyMove>()).is_ok_and(|other| other == self.value())
    }

    fn __hash__(&self) -> u64 {
        self.value().bits().into()
    }

    fn __bool__(&self) -> bool {
        !self.value().is_null()
    }

    fn __repr__(&self) -> String {
        format!("Move.from_uci('{}')", self.value().text())
    }

    fn __str__(&self, py: Python<'_>) -> Py<PyString> {
        self.value().shared_text(py)
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, (u16,))> {
        Ok((
            py.get_type::<Self>().getattr("from_int")?.unbind(),
            (self.value().bits(),),
        ))
    }
}
