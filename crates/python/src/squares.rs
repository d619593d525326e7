//! `SquareSet`: a set of squares in 64 bits, with the interface of a Python set.

#![allow(
    unsafe_op_in_unsafe_fn,
    reason = "the code that pyo3 generates for operators, in a macro of our own"
)]

use std::ops::{BitAnd, BitOr, BitXor};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use pyo3::exceptions::{PyIndexError, PyKeyError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyIterator, PyList, PyTuple};
use skewer_movegen::{Bitboard, Color, Piece, Square, attacks};

use crate::moves::MoveObject;

/// A set of squares, stored as 64 bits: bit 0 is a1, bit 63 is h8.
///
/// >>> import skewer
/// >>> squares = skewer.SquareSet([skewer.A1, skewer.H8])
/// >>> len(squares), skewer.H8 in squares, int(squares) == skewer.BB_A1 | skewer.BB_H8
/// (2, True, True)
#[pyclass(frozen, subclass, weakref, module = "skewer")]
pub(crate) struct SquareSet {
    /// Atomic, so that a set is never borrowed: it may be its own argument, and an argument that is
    /// iterated may change it.
    bits: AtomicU64,
}

/// The bits of a set, an integer, or any iterable of squares.
pub(crate) fn mask_of(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    if let Ok(set) = value.cast::<SquareSet>() {
        return Ok(set.get().bits());
    }
    // The fast path: most arguments are masks.
    if value.is_exact_instance_of::<PyInt>()
        && let Ok(bits) = value.extract::<u64>()
    {
        return Ok(bits);
    }
    // A move has an integer form, which is no mask.
    if value.is_instance_of::<MoveObject>() {
        return Err(PyTypeError::new_err("a move is not a set of squares"));
    }
    if value.hasattr("__int__")? {
        // The complement of a mask, `~mask`, is negative, and a mask that was shifted has further bits. Integers of
        // NumPy become integers of Python first, because they have fewer bits than a mask.
        let number = value.call_method0("__int__")?;
        return number.call_method1("__and__", (u64::MAX,))?.extract();
    }
    let mut mask = 0;
    for item in value.try_iter()? {
        mask |= member(&item?)?.0;
    }
    Ok(mask)
}

/// The mask of a square that is to be in a set.
fn member(index: &Bound<'_, PyAny>) -> PyResult<Bitboard> {
    listed(index).map(Square::bitboard)
}

/// A square as an index of a list of 64: below 0 it counts from the end, and beyond either end it raises IndexError.
fn listed(index: &Bound<'_, PyAny>) -> PyResult<Square> {
    let number: i64 = index.extract().map_err(|error: PyErr| {
        if error.is_instance_of::<PyOverflowError>(index.py()) {
            PyIndexError::new_err("square is not in 0..=63")
        } else {
            error
        }
    })?;
    let from_start = if (-64..0).contains(&number) {
        number + 64
    } else {
        number
    };
    u8::try_from(from_start)
        .ok()
        .and_then(Square::from_index)
        .ok_or_else(|| PyIndexError::new_err(format!("square {number} is not in 0..=63")))
}

/// The bits moved by a number of squares. Raises ValueError if the number is negative.
fn shifted(bits: u64, by: &Bound<'_, PyAny>, shift: fn(u64, u32) -> Option<u64>) -> PyResult<u64> {
    match by.extract::<u32>() {
        Ok(by) => Ok(shift(bits, by).unwrap_or(0)),
        Err(error) if !error.is_instance_of::<PyOverflowError>(by.py()) => Err(error),
        Err(_) if by.lt(0)? => Err(PyValueError::new_err("negative shift count")),
        Err(_) => Ok(0),
    }
}

/// The squares that a rook reaches, or a bishop, on a board with these squares taken.
#[pyfunction]
pub(crate) fn slider_attacks(
    straight: bool,
    square: &Bound<'_, PyAny>,
    occupied: &Bound<'_, PyAny>,
) -> PyResult<u64> {
    let kind = if straight { Piece::Rook } else { Piece::Bishop };
    let occupied = Bitboard(mask_of(occupied)?);
    Ok(attacks::piece_attacks(kind, Color::White, listed(square)?, occupied).0)
}

/// `SquareSet.ray` as a mask.
#[pyfunction]
pub(crate) fn ray(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<u64> {
    Ok(attacks::line(listed(a)?, listed(b)?).0)
}

/// `SquareSet.between` as a mask.
#[pyfunction]
pub(crate) fn between(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<u64> {
    Ok(attacks::between(listed(a)?, listed(b)?).0)
}

/// The squares of a mask, the lowest first.
#[pyfunction]
pub(crate) fn scan_forward<'py>(bb: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyIterator>> {
    SquareSet::from_bits(mask_of(bb)?).__iter__(bb.py())
}

/// The squares of a mask, the highest first.
#[pyfunction]
pub(crate) fn scan_reversed<'py>(bb: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyIterator>> {
    SquareSet::from_bits(mask_of(bb)?).__reversed__(bb.py())
}

impl SquareSet {
    pub(crate) fn of(squares: Bitboard) -> Self {
        Self::from_bits(squares.0)
    }

    fn from_bits(bits: u64) -> Self {
        Self {
            bits: AtomicU64::new(bits),
        }
    }

    fn bits(&self) -> u64 {
        self.bits.load(Relaxed)
    }

    fn set(&self, bits: u64) {
        self.bits.store(bits, Relaxed);
    }

    pub(crate) fn squares(&self) -> Bitboard {
        Bitboard(self.bits())
    }
}

#[pymethods]
impl SquareSet {
    #[new]
    #[pyo3(signature = (squares=None), text_signature = "(squares=0)")]
    fn new(squares: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        squares.map_or(Ok(0), mask_of).map(Self::from_bits)
    }

    /// The set as an integer of 64 bits.
    #[getter]
    fn mask(&self) -> u64 {
        self.bits()
    }

    #[setter]
    fn set_mask(&self, mask: u64) {
        self.set(mask);
    }

    /// The set with one square.
    #[staticmethod]
    fn from_square(square: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self::of(member(square)?))
    }

    /// All squares of the rank, file or diagonal through two squares; empty if there is none.
    #[staticmethod]
    fn ray(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<Self> {
        ray(a, b).map(Self::from_bits)
    }

    /// The squares strictly between two squares of a rank, file or diagonal; empty if there is
    /// none.
    #[staticmethod]
    fn between(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<Self> {
        between(a, b).map(Self::from_bits)
    }

    fn __len__(&self) -> usize {
        self.bits().count_ones() as usize
    }

    fn __bool__(&self) -> bool {
        self.bits() != 0
    }

    fn __int__(&self) -> u64 {
        self.bits()
    }

    fn __index__(&self) -> u64 {
        self.bits()
    }

    fn __contains__(&self, square: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.bits() & member(square)?.0 != 0)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let squares = self.squares().into_iter().map(|square| square as u8);
        PyList::new(py, squares.collect::<Vec<_>>())?.try_iter()
    }

    fn __reversed__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let squares = self.squares().into_iter().rev().map(|square| square as u8);
        PyList::new(py, squares.collect::<Vec<_>>())?.try_iter()
    }

    /// The set as 64 booleans, a1 first.
    fn tolist(&self) -> Vec<bool> {
        (0..64).map(|index| self.bits() >> index & 1 != 0).collect()
    }

    /// The set upside down, as the other side sees the board.
    fn mirror(&self) -> Self {
        Self::from_bits(self.bits().swap_bytes())
    }

    /// Every subset of the set, the empty one first.
    fn carry_rippler<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        if self.bits().count_ones() > 20 {
            return Err(PyValueError::new_err(
                "the set has more than 20 squares, and too many subsets",
            ));
        }
        let subsets: Vec<u64> = self.squares().subsets().map(|subset| subset.0).collect();
        PyList::new(py, subsets)?.try_iter()
    }

    /// Adds a square.
    fn add(&self, square: &Bound<'_, PyAny>) -> PyResult<()> {
        self.set(self.bits() | member(square)?.0);
        Ok(())
    }

    /// Removes a square if it is there.
    fn discard(&self, square: &Bound<'_, PyAny>) -> PyResult<()> {
        self.set(self.bits() & !member(square)?.0);
        Ok(())
    }

    /// Removes a square. Raises KeyError if it is not there.
    fn remove(&self, square: &Bound<'_, PyAny>) -> PyResult<()> {
        let bit = member(square)?.0;
        if self.bits() & bit == 0 {
            return Err(PyKeyError::new_err(square.clone().unbind()));
        }
        self.set(self.bits() ^ bit);
        Ok(())
    }

    /// Removes and returns the lowest square. Raises KeyError if there is none.
    fn pop(&self) -> PyResult<u8> {
        let first = self.squares().first();
        let first = first.ok_or_else(|| PyKeyError::new_err("pop from an empty SquareSet"))?;
        self.set(self.bits() ^ first.bitboard().0);
        Ok(first as u8)
    }

    /// Removes all squares.
    fn clear(&self) {
        self.set(0);
    }

    /// A copy.
    fn copy(&self) -> Self {
        Self::from_bits(self.bits())
    }

    fn __copy__(&self) -> Self {
        self.copy()
    }

    /// Whether the sets have no square in common.
    fn isdisjoint(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(mask_of(other)? & self.bits() == 0)
    }

    /// Whether every square of this set is in the other.
    fn issubset(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(!mask_of(other)? & self.bits() == 0)
    }

    /// Whether every square of the other set is in this one.
    fn issuperset(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(mask_of(other)? & !self.bits() == 0)
    }

    fn __invert__(&self) -> Self {
        Self::from_bits(!self.bits())
    }

    fn __lshift__(&self, by: &Bound<'_, PyAny>) -> PyResult<Self> {
        shifted(self.bits(), by, u64::checked_shl).map(Self::from_bits)
    }

    fn __rshift__(&self, by: &Bound<'_, PyAny>) -> PyResult<Self> {
        shifted(self.bits(), by, u64::checked_shr).map(Self::from_bits)
    }

    fn __ilshift__(&self, by: &Bound<'_, PyAny>) -> PyResult<()> {
        self.set(shifted(self.bits(), by, u64::checked_shl)?);
        Ok(())
    }

    fn __irshift__(&self, by: &Bound<'_, PyAny>) -> PyResult<()> {
        self.set(shifted(self.bits(), by, u64::checked_shr)?);
        Ok(())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = other.py();
        match mask_of(other) {
            Ok(mask) => Ok((self.bits() == mask)
                .into_pyobject(py)?
                .to_owned()
                .into_any()
                .unbind()),
            // The other object may know how to compare itself.
            Err(error)
                if error.is_instance_of::<PyTypeError>(py)
                    || error.is_instance_of::<PyValueError>(py) =>
            {
                Ok(py.NotImplemented())
            }
            Err(error) => Err(error),
        }
    }

    fn __ne__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let equal = self.__eq__(other)?.into_bound(other.py());
        match equal.extract::<bool>() {
            Ok(equal) => Ok((!equal)
                .into_pyobject(other.py())?
                .to_owned()
                .into_any()
                .unbind()),
            Err(_) => Ok(equal.unbind()),
        }
    }

    fn __str__(&self) -> String {
        let rank = |rank: u32| {
            let squares = (0..8).map(|file| self.bits() >> (rank * 8 + file) & 1);
            squares
                .map(|bit| [".", "1"][bit as usize])
                .collect::<Vec<_>>()
                .join(" ")
        };
        (0..8).rev().map(rank).collect::<Vec<_>>().join("\n")
    }

    fn __repr__(&self) -> String {
        let parts = [48, 32, 16, 0].map(|shift| format!("{:04x}", self.bits() >> shift & 0xffff));
        format!("SquareSet(0x{})", parts.join("_"))
    }

    fn __reduce__(&self, py: Python<'_>) -> (Py<PyAny>, (u64,)) {
        (py.get_type::<Self>().into_any().unbind(), (self.bits(),))
    }
}

/// The squares of the first mask that are not in the second.
fn without(mask: u64, other: u64) -> u64 {
    mask & !other
}

/// Defines the forms of a set operation, given as a function of the masks of two sets: a method,
/// an operator with the set on either side, and both in place.
macro_rules! set_operation {
    (
        $of:path,
        $(#[$doc:meta])* $method:ident, $operator:ident, $reflected:ident,
        $(#[$update_doc:meta])* $update:ident, $in_place:ident
    ) => {
        #[pymethods]
        impl SquareSet {
            $(#[$doc])*
            fn $method(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
                self.$operator(other)
            }

            $(#[$update_doc])*
            #[pyo3(signature = (*others))]
            fn $update(&self, others: &Bound<'_, PyTuple>) -> PyResult<()> {
                others.iter().try_for_each(|other| self.$in_place(&other))
            }

            fn $operator(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
                let other = mask_of(other)?;
                Ok(Self::from_bits($of(self.bits(), other)))
            }

            fn $reflected(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
                let other = mask_of(other)?;
                Ok(Self::from_bits($of(other, self.bits())))
            }

            fn $in_place(&self, other: &Bound<'_, PyAny>) -> PyResult<()> {
                let other = mask_of(other)?;
                self.set($of(self.bits(), other));
                Ok(())
            }
        }
    };
}

set_operation!(
    BitOr::bitor,
    /// The squares of either set.
    union, __or__, __ror__,
    /// Adds the squares of another set.
    update, __ior__
);
set_operation!(
    BitAnd::bitand,
    /// The squares that are in both sets.
    intersection, __and__, __rand__,
    /// Keeps the squares that are in the other set as well.
    intersection_update, __iand__
);
set_operation!(
    without,
    /// The squares of this set that are not in the other.
    difference, __sub__, __rsub__,
    /// Removes the squares of another set.
    difference_update, __isub__
);
set_operation!(
    BitXor::bitxor,
    /// The squares of exactly one of the sets.
    symmetric_difference, __xor__, __rxor__,
    /// Keeps the squares of exactly one of the sets.
    symmetric_difference_update, __ixor__
);

/// The index of a square, 0 (a1) to 63 (h8), as Python has it.
pub(crate) fn index(square: Option<Square>) -> Option<u8> {
    square.map(|square| square as u8)
}
