//! `Piece`: a type and a colour. Piece types are numbered from 1 (pawn) to 6 (king), and White is
//! True, as in python-chess.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use skewer_movegen::{Color, Piece};

/// A piece: its type, from skewer.PAWN (1) to skewer.KING (6), and its colour, skewer.WHITE (True)
/// or skewer.BLACK (False).
///
/// >>> import skewer
/// >>> skewer.Piece.from_symbol("n") == skewer.Piece(skewer.KNIGHT, skewer.BLACK)
/// True
/// >>> skewer.Piece.from_symbol("Q").unicode_symbol()
/// '♕'
#[pyclass(name = "Piece", frozen, subclass, module = "skewer")]
pub(crate) struct PieceObject {
    /// The type and the colour in one number. Atomic for the subclass of `skewer.chess`, whose fields
    /// can be set.
    index: AtomicU8,
}

/// The value of a piece, which functions take as an argument and return.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct PyPiece {
    pub(crate) kind: Piece,
    pub(crate) color: Color,
}

impl PieceObject {
    pub(crate) fn value(&self) -> PyPiece {
        let index = usize::from(self.index.load(Relaxed));
        PyPiece {
            kind: Piece::ALL[index % Piece::COUNT],
            color: color(index < Piece::COUNT),
        }
    }

    pub(crate) fn set(&self, piece: PyPiece) {
        self.index.store(piece.index(), Relaxed);
    }
}

impl From<PyPiece> for PieceObject {
    fn from(piece: PyPiece) -> Self {
        Self {
            index: AtomicU8::new(piece.index()),
        }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for PyPiece {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        Ok(object.cast::<PieceObject>()?.get().value())
    }
}

impl<'py> IntoPyObject<'py> for PyPiece {
    type Target = PieceObject;
    type Output = Bound<'py, PieceObject>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        Bound::new(py, PieceObject::from(self))
    }
}

/// A colour as an argument: a bool, or any integer, of which only 0 is Black.
pub(crate) struct Side(pub(crate) bool);

impl<'a, 'py> FromPyObject<'a, 'py> for Side {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match object.extract::<bool>() {
            Ok(white) => Ok(Self(white)),
            Err(error) => match object.extract::<i64>() {
                Ok(number) => Ok(Self(number != 0)),
                Err(_) => Err(error),
            },
        }
    }
}

/// The colour of a Python bool: True is White, False is Black.
pub(crate) fn color(white: bool) -> Color {
    if white { Color::White } else { Color::Black }
}

/// The Python bool of a colour.
pub(crate) fn is_white(color: Color) -> bool {
    color == Color::White
}

/// The type of piece with this number in Python, 1 to 6.
pub(crate) fn kind(number: i64) -> PyResult<Piece> {
    number
        .checked_sub(1)
        .and_then(|index| usize::try_from(index).ok())
        .and_then(Piece::from_index)
        .ok_or_else(|| PyValueError::new_err(format!("{number} is not a piece type (1 to 6)")))
}

/// The number of a type of piece in Python.
pub(crate) fn number(kind: Piece) -> u8 {
    kind as u8 + 1
}

impl PyPiece {
    /// A number from 0 to 11.
    fn index(self) -> u8 {
        self.kind.index() as u8 + if self.color == Color::White { 0 } else { 6 }
    }

    /// The piece of a letter: upper case is White.
    pub(crate) fn parse(symbol: &str) -> PyResult<Self> {
        let mut letters = symbol.chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) => Piece::from_letter(letter).map(|kind| Self {
                kind,
                color: color(letter.is_ascii_uppercase()),
            }),
            _ => None,
        }
        .ok_or_else(|| PyValueError::new_err(format!("{symbol:?} is not the symbol of a piece")))
    }

    pub(crate) fn letter(self) -> char {
        self.kind.letter(self.color)
    }

    pub(crate) fn figurine(self, invert_color: bool) -> char {
        const FIGURINES: [[char; 6]; 2] = [
            ['♙', '♘', '♗', '♖', '♕', '♔'],
            ['♟', '♞', '♝', '♜', '♛', '♚'],
        ];
        FIGURINES[self.color.index() ^ usize::from(invert_color)][self.kind.index()]
    }
}

#[pymethods]
impl PieceObject {
    #[new]
    fn new(piece_type: i64, color: Side) -> PyResult<Self> {
        let piece = PyPiece {
            kind: kind(piece_type)?,
            color: self::color(color.0),
        };
        Ok(piece.into())
    }

    /// The piece of a letter: upper case is White. Raises ValueError for any other text.
    #[staticmethod]
    fn from_symbol(symbol: &str) -> PyResult<Self> {
        Ok(PyPiece::parse(symbol)?.into())
    }

    /// The type, from skewer.PAWN (1) to skewer.KING (6).
    #[getter]
    fn piece_type(&self) -> u8 {
        number(self.value().kind)
    }

    /// The colour: skewer.WHITE (True) or skewer.BLACK (False).
    #[getter]
    fn color(&self) -> bool {
        is_white(self.value().color)
    }

    /// The letter: upper case for White.
    fn symbol(&self) -> char {
        self.value().letter()
    }

    /// The figurine of Unicode, of the other colour with `invert_color`.
    #[pyo3(signature = (*, invert_color=false))]
    fn unicode_symbol(&self, invert_color: bool) -> char {
        self.value().figurine(invert_color)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        (other.extract::<PyPiece>()).is_ok_and(|other| other == self.value())
    }

    fn __hash__(&self) -> u64 {
        self.value().index().into()
    }

    fn __str__(&self) -> String {
        self.value().letter().to_string()
    }

    fn __repr__(&self) -> String {
        format!("Piece.from_symbol('{}')", self.value().letter())
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, (char,))> {
        let make = py.get_type::<Self>().getattr("from_symbol")?;
        Ok((make.unbind(), (self.value().letter(),)))
    }
}
