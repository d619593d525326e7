//! `Piece`: a type and a colour. Piece types are numbered from 1 (pawn) to 6 (king), and White is
//! True, as in python-chess.

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
#[pyclass(name = "Piece", frozen, eq, module = "skewer")]
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct PyPiece {
    pub(crate) kind: Piece,
    pub(crate) color: Color,
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
impl PyPiece {
    #[new]
    fn new(piece_type: i64, color: bool) -> PyResult<Self> {
        Ok(Self {
            kind: kind(piece_type)?,
            color: self::color(color),
        })
    }

    /// The piece of a letter: upper case is White. Raises ValueError for any other text.
    #[staticmethod]
    fn from_symbol(symbol: &str) -> PyResult<Self> {
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

    /// The type, from skewer.PAWN (1) to skewer.KING (6).
    #[getter]
    fn piece_type(&self) -> u8 {
        number(self.kind)
    }

    /// The colour: skewer.WHITE (True) or skewer.BLACK (False).
    #[getter]
    fn color(&self) -> bool {
        is_white(self.color)
    }

    /// The letter: upper case for White.
    fn symbol(&self) -> char {
        self.letter()
    }

    /// The figurine of Unicode, of the other colour with `invert_color`.
    #[pyo3(signature = (*, invert_color=false))]
    fn unicode_symbol(&self, invert_color: bool) -> char {
        self.figurine(invert_color)
    }

    fn __hash__(&self) -> u64 {
        self.kind.index() as u64 + if self.color == Color::White { 0 } else { 6 }
    }

    fn __str__(&self) -> String {
        self.letter().to_string()
    }

    fn __repr__(&self) -> String {
        format!("Piece.from_symbol('{}')", self.letter())
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, (char,))> {
        let make = py.get_type::<Self>().getattr("from_symbol")?;
        Ok((make.unbind(), (self.letter(),)))
    }
}
