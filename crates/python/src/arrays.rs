//! NumPy arrays of many positions, filled without a loop in Python, and passed to it without a copy.

mod columns;

use std::array::from_fn;

use numpy::{
    IntoPyArray, PyArray1, PyArray4, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use skewer_movegen::{
    Bitboard, Board, CastlingMode, CastlingSide, Color, Piece, Rank, Setup, Square, Strictness,
};

use crate::board::PyBoard;
use crate::errors::value;
use crate::moves::PyMove;
use crate::pieces::color;
use columns::Columns;
pub(crate) use columns::{PositionReader, position_columns};

/// Kinds of pieces of both colours: the planes of a position.
const PLANES: usize = 12;
/// The value in the array of results for a game without a result.
pub(crate) const NO_RESULT: i8 = -128;
/// The value in the array of en passant squares for a position without one.
const NO_SQUARE: i8 = -1;

/// Calls `visit` with the position of each item: Board objects, FEN texts, or both.
fn for_each_position(items: &Bound<'_, PyAny>, mut visit: impl FnMut(&Board)) -> PyResult<()> {
    for item in items.try_iter()? {
        let item = item?;
        if let Ok(board) = item.cast::<PyBoard>() {
            visit(board.try_borrow()?.position());
        } else {
            let fen: String = item.extract()?;
            let position = Board::from_fen(&fen)
                .map_err(|error| PyValueError::new_err(format!("invalid fen {fen:?}: {error}")))?;
            visit(&position);
        }
    }
    Ok(())
}

/// The length of a list or a tuple, to reserve memory by; 0 for anything else, whose `__len__` may
/// return any number.
fn known_length(items: &Bound<'_, PyAny>) -> usize {
    if items.is_exact_instance_of::<PyList>() || items.is_exact_instance_of::<PyTuple>() {
        items.len().unwrap_or(0)
    } else {
        0
    }
}

/// The positions of Board objects, FEN texts, or both.
pub(crate) fn positions(items: &Bound<'_, PyAny>) -> PyResult<Vec<Board>> {
    let mut positions = Vec::with_capacity(known_length(items));
    for_each_position(items, |position| positions.push(*position))?;
    Ok(positions)
}

/// The columns of boards or FEN texts; see `skewer.to_arrays`.
#[pyfunction]
pub(crate) fn board_columns<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyDict>> {
    let mut columns = Columns::with_capacity(known_length(boards));
    for_each_position(boards, |position| columns.push(position))?;
    columns.into_dict(py)
}

/// The bit of each square within the byte of its rank.
const FILE_BITS: [u8; 64] = {
    let mut bits = [0; 64];
    let mut square = 0;
    while square < 64 {
        bits[square] = 1 << (square % 8);
        square += 1;
    }
    bits
};

/// The bits of a mask as bytes, 0 or 1, the lowest first.
#[inline]
fn spread(mask: u64) -> [u8; 64] {
    let ranks = mask.to_le_bytes();
    // In two steps, because compilers make vector instructions of them.
    let repeated: [u8; 64] = from_fn(|square| ranks[square / 8]);
    from_fn(|square| u8::from(repeated[square] & FILE_BITS[square] != 0))
}

/// One-hot planes from bitboards: an array of shape (positions, 12, 8, 8), type uint8.
///
/// Plane 0 to 5 are White's pawns, knights, bishops, rooks, queens and king, 6 to 11 Black's; then
/// come rank (0 is the first) and file (0 is a). With `turn`, positions with Black to move are
/// turned upside down and the colours exchanged, so that planes 0 to 5 belong to the side to move.
#[pyfunction]
#[pyo3(signature = (bitboards, turn=None))]
pub(crate) fn planes<'py>(
    py: Python<'py>,
    bitboards: PyReadonlyArray2<'py, u64>,
    turn: Option<PyReadonlyArray1<'py, bool>>,
) -> PyResult<Bound<'py, PyArray4<u8>>> {
    let shape = bitboards.shape();
    let rows = shape[0];
    if shape[1] != PLANES {
        return Err(PyValueError::new_err(format!(
            "bitboards have 12 columns, not {}",
            shape[1]
        )));
    }
    if turn.as_ref().is_some_and(|turn| turn.len() != rows) {
        return Err(PyValueError::new_err(
            "turn has not as many rows as bitboards",
        ));
    }
    let masks = bitboards.as_array();
    let turn = turn.as_ref().map(PyReadonlyArray1::as_array);
    // A view of NumPy can have more rows than memory has room for.
    let mut cells: Vec<u8> = Vec::new();
    rows.checked_mul(PLANES * 64)
        .and_then(|size| cells.try_reserve_exact(size).ok())
        .ok_or_else(|| {
            PyMemoryError::new_err(format!("no memory for the planes of {rows} rows"))
        })?;
    let cells = py.detach(move || {
        for (row, masks) in masks.rows().into_iter().enumerate() {
            let flip = turn.as_ref().is_some_and(|turn| !turn[row]);
            for plane in 0..PLANES {
                let mask = if flip {
                    masks[(plane + 6) % PLANES].swap_bytes()
                } else {
                    masks[plane]
                };
                cells.extend_from_slice(&spread(mask));
            }
        }
        cells
    });
    cells.into_pyarray(py).reshape([rows, PLANES, 8, 8])
}

/// The FEN of a row of columns.
#[pyfunction]
pub(crate) fn row_fen(
    bitboards: Vec<u64>,
    turn: bool,
    castling: u8,
    ep_square: i64,
    halfmove_clock: u8,
    fullmove_number: u16,
) -> PyResult<String> {
    if bitboards.len() != PLANES {
        return Err(PyValueError::new_err("a position has 12 bitboards"));
    }
    let mut setup = Setup::empty();
    for (plane, &mask) in bitboards.iter().enumerate() {
        let piece = (Color::ALL[plane / 6], Piece::ALL[plane % 6]);
        for square in Bitboard(mask) {
            setup.set_piece(square, Some(piece));
        }
    }
    setup.turn = color(turn);
    setup.halfmove_clock = halfmove_clock;
    setup.fullmove_number = fullmove_number;
    setup.en_passant = u8::try_from(ep_square).ok().and_then(Square::from_index);
    // The rooks that castle are the outermost on each side of the king, as in X-FEN.
    for (bit, color) in Color::ALL
        .into_iter()
        .flat_map(|color| [color; 2])
        .enumerate()
    {
        if castling >> bit & 1 != 0 {
            let back = Rank::First.relative_to(color).bitboard();
            let rooks = Bitboard(bitboards[6 * color.index() + Piece::Rook.index()]) & back;
            let (wing, rook) = match bit % 2 {
                0 => (CastlingSide::King, rooks.into_iter().max()),
                _ => (CastlingSide::Queen, rooks.into_iter().min()),
            };
            setup.castling = setup
                .castling
                .with_rook(color, wing, rook.map(Square::file));
        }
    }
    let position = setup.build(Strictness::Relaxed).map_err(value)?;
    Ok(position.to_string())
}

/// The integer forms of moves, as an array of type uint16.
#[pyfunction]
pub(crate) fn encode_moves<'py>(
    py: Python<'py>,
    moves: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray1<u16>>> {
    let mut bits = Vec::with_capacity(known_length(moves));
    for item in moves.try_iter()? {
        bits.push(item?.extract::<PyMove>()?.bits());
    }
    Ok(bits.into_pyarray(py))
}

/// The Move objects of an array of integer forms. Raises ValueError for a number that is not a move.
#[pyfunction]
pub(crate) fn decode_moves<'py>(
    py: Python<'py>,
    moves: PyReadonlyArray1<'py, u16>,
) -> PyResult<Bound<'py, PyList>> {
    let moves: Vec<PyMove> = moves
        .as_array()
        .iter()
        .map(|&bits| {
            PyMove::from_bits(bits).ok_or_else(|| {
                PyValueError::new_err(format!("{bits} is not the integer of a move"))
            })
        })
        .collect::<PyResult<_>>()?;
    PyMove::list(py, moves)
}

/// Moves, and where the moves of each position begin.
type MovesAndOffsets<'py> = (Bound<'py, PyArray1<u16>>, Bound<'py, PyArray1<i64>>);

/// The legal moves of many positions: (moves, offsets), so that the moves of position i are
/// ``moves[offsets[i]:offsets[i + 1]]``.
#[pyfunction]
pub(crate) fn legal_moves_of<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
) -> PyResult<MovesAndOffsets<'py>> {
    let positions = positions(boards)?;
    let (moves, offsets) = py.detach(|| {
        let mut moves = Vec::with_capacity(positions.len() * 40);
        let mut offsets = Vec::with_capacity(positions.len() + 1);
        offsets.push(0);
        for position in &positions {
            position.for_each_move(|mv| {
                moves.push(PyMove::of(position, Some(mv), CastlingMode::Standard).bits());
            });
            offsets.push(moves.len() as i64);
        }
        (moves, offsets)
    });
    Ok((moves.into_pyarray(py), offsets.into_pyarray(py)))
}

/// Parses many FEN texts: a list of boards. Raises ValueError for the first that is wrong.
#[pyfunction]
#[pyo3(signature = (fens, *, chess960=false))]
pub(crate) fn parse_fens(
    py: Python<'_>,
    fens: Vec<String>,
    chess960: bool,
) -> PyResult<Vec<Py<PyBoard>>> {
    let mode = crate::board::mode(chess960);
    fens.iter()
        .map(|fen| Py::new(py, PyBoard::parse(fen, mode)?))
        .collect()
}
