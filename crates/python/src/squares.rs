//! `SquareSet`: a set of squares in 64 bits, with the interface of a Python set.

use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList};
use skewer_movegen::{Bitboard, Square, attacks};

use crate::errors::square;
use crate::svg;

/// A set of squares, stored as 64 bits: bit 0 is a1, bit 63 is h8.
///
/// >>> import skewer
/// >>> squares = skewer.SquareSet([skewer.A1, skewer.H8])
/// >>> len(squares), skewer.H8 in squares, int(squares) == skewer.BB_A1 | skewer.BB_H8
/// (2, True, True)
#[pyclass(module = "skewer")]
#[derive(Clone, Copy)]
pub(crate) struct SquareSet {
    mask: u64,
}

/// The bits of a set, an integer, or any iterable of squares.
pub(crate) fn mask_of(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    if let Ok(set) = value.cast::<SquareSet>() {
        return Ok(set.borrow().mask);
    }
    if value.hasattr("__index__")? {
        return value.extract::<u64>().map_err(|_| {
            PyValueError::new_err("a mask of squares has 64 bits and is not negative")
        });
    }
    let mut mask = 0;
    for item in value.try_iter()? {
        mask |= 1 << square(item?.extract()?)? as u32;
    }
    Ok(mask)
}

impl SquareSet {
    pub(crate) fn of(squares: Bitboard) -> Self {
        Self { mask: squares.0 }
    }

    fn squares(self) -> Bitboard {
        Bitboard(self.mask)
    }

    fn drawing(self) -> String {
        let mut text = String::with_capacity(127);
        for rank in (0..8).rev() {
            for file in 0..8 {
                text.push(if self.mask >> (rank * 8 + file) & 1 == 0 {
                    '.'
                } else {
                    '1'
                });
                if file < 7 {
                    text.push(' ');
                }
            }
            if rank > 0 {
                text.push('\n');
            }
        }
        text
    }
}

#[pymethods]
impl SquareSet {
    #[new]
    #[pyo3(signature = (squares=None))]
    fn new(squares: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        Ok(Self {
            mask: squares.map_or(Ok(0), mask_of)?,
        })
    }

    /// The set as an integer of 64 bits.
    #[getter]
    fn mask(&self) -> u64 {
        self.mask
    }

    #[setter]
    fn set_mask(&mut self, mask: u64) {
        self.mask = mask;
    }

    /// The set with one square.
    #[staticmethod]
    fn from_square(index: i64) -> PyResult<Self> {
        Ok(Self::of(square(index)?.bitboard()))
    }

    /// All squares of the rank, file or diagonal through two squares; empty if there is none.
    #[staticmethod]
    fn ray(a: i64, b: i64) -> PyResult<Self> {
        Ok(Self::of(attacks::line(square(a)?, square(b)?)))
    }

    /// The squares strictly between two squares of a rank, file or diagonal; empty if there is
    /// none.
    #[staticmethod]
    fn between(a: i64, b: i64) -> PyResult<Self> {
        Ok(Self::of(attacks::between(square(a)?, square(b)?)))
    }

    fn __len__(&self) -> usize {
        self.mask.count_ones() as usize
    }

    fn __bool__(&self) -> bool {
        self.mask != 0
    }

    fn __int__(&self) -> u64 {
        self.mask
    }

    fn __index__(&self) -> u64 {
        self.mask
    }

    fn __contains__(&self, index: i64) -> bool {
        (0..64).contains(&index) && self.mask >> index & 1 != 0
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let squares = self.squares().into_iter().map(|square| square as u8);
        PyList::new(py, squares.collect::<Vec<_>>())?.try_iter()
    }

    fn __reversed__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let mut squares: Vec<u8> = self
            .squares()
            .into_iter()
            .map(|square| square as u8)
            .collect();
        squares.reverse();
        PyList::new(py, squares)?.try_iter()
    }

    /// The set as 64 booleans, a1 first.
    fn tolist(&self) -> Vec<bool> {
        (0..64).map(|index| self.mask >> index & 1 != 0).collect()
    }

    /// The set upside down, as the other side sees the board.
    fn mirror(&self) -> Self {
        Self {
            mask: self.mask.swap_bytes(),
        }
    }

    /// Every subset of the set, the empty one first.
    fn carry_rippler<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        if self.mask.count_ones() > 20 {
            return Err(PyValueError::new_err(
                "the set has more than 20 squares, and too many subsets",
            ));
        }
        let subsets: Vec<u64> = self.squares().subsets().map(|subset| subset.0).collect();
        PyList::new(py, subsets)?.try_iter()
    }

    /// Adds a square.
    fn add(&mut self, index: i64) -> PyResult<()> {
        self.mask |= square(index)?.bitboard().0;
        Ok(())
    }

    /// Removes a square if it is there.
    fn discard(&mut self, index: i64) -> PyResult<()> {
        self.mask &= !square(index)?.bitboard().0;
        Ok(())
    }

    /// Removes a square. Raises KeyError if it is not there.
    fn remove(&mut self, index: i64) -> PyResult<()> {
        let bit = square(index)?.bitboard().0;
        if self.mask & bit == 0 {
            return Err(PyKeyError::new_err(index));
        }
        self.mask ^= bit;
        Ok(())
    }

    /// Removes and returns the lowest square. Raises KeyError if there is none.
    fn pop(&mut self) -> PyResult<u8> {
        let first = self.squares().first();
        let first = first.ok_or_else(|| PyKeyError::new_err("pop from an empty SquareSet"))?;
        self.mask ^= first.bitboard().0;
        Ok(first as u8)
    }

    /// Removes all squares.
    fn clear(&mut self) {
        self.mask = 0;
    }

    /// A copy.
    fn copy(&self) -> Self {
        *self
    }

    fn __copy__(&self) -> Self {
        *self
    }

    /// Whether the sets have no square in common.
    fn isdisjoint(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.mask & mask_of(other)? == 0)
    }

    /// Whether every square of this set is in the other.
    fn issubset(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.mask & !mask_of(other)? == 0)
    }

    /// Whether every square of the other set is in this one.
    fn issuperset(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(mask_of(other)? & !self.mask == 0)
    }

    /// The squares of either set.
    fn union(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.__or__(other)
    }

    /// The squares of both sets.
    fn intersection(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.__and__(other)
    }

    /// The squares of this set that are not in the other.
    fn difference(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.__sub__(other)
    }

    /// The squares of exactly one of the sets.
    fn symmetric_difference(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.__xor__(other)
    }

    /// Adds the squares of another set.
    fn update(&mut self, other: &Bound<'_, PyAny>) -> PyResult<()> {
        self.__ior__(other)
    }

    /// Keeps the squares that are in the other set as well.
    fn intersection_update(&mut self, other: &Bound<'_, PyAny>) -> PyResult<()> {
        self.__iand__(other)
    }

    /// Removes the squares of another set.
    fn difference_update(&mut self, other: &Bound<'_, PyAny>) -> PyResult<()> {
        self.__isub__(other)
    }

    /// Keeps the squares of exactly one of the sets.
    fn symmetric_difference_update(&mut self, other: &Bound<'_, PyAny>) -> PyResult<()> {
        self.__ixor__(other)
    }

    fn __or__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self {
            mask: self.mask | mask_of(other)?,
        })
    }

    fn __and__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self {
            mask: self.mask & mask_of(other)?,
        })
    }

    fn __sub__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self {
            mask: self.mask & !mask_of(other)?,
        })
    }

    fn __xor__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self {
            mask: self.mask ^ mask_of(other)?,
        })
    }

    fn __ror__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.__or__(other)
    }

    fn __rand__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.__and__(other)
    }

    fn __rxor__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.__xor__(other)
    }

    fn __rsub__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self {
            mask: mask_of(other)? & !self.mask,
        })
    }

    fn __ior__(&mut self, other: &Bound<'_, PyAny>) -> PyResult<()> {
        self.mask |= mask_of(other)?;
        Ok(())
    }

    fn __iand__(&mut self, other: &Bound<'_, PyAny>) -> PyResult<()> {
        self.mask &= mask_of(other)?;
        Ok(())
    }

    fn __isub__(&mut self, other: &Bound<'_, PyAny>) -> PyResult<()> {
        self.mask &= !mask_of(other)?;
        Ok(())
    }

    fn __ixor__(&mut self, other: &Bound<'_, PyAny>) -> PyResult<()> {
        self.mask ^= mask_of(other)?;
        Ok(())
    }

    fn __invert__(&self) -> Self {
        Self { mask: !self.mask }
    }

    fn __lshift__(&self, by: u32) -> Self {
        Self {
            mask: self.mask.checked_shl(by).unwrap_or(0),
        }
    }

    fn __rshift__(&self, by: u32) -> Self {
        Self {
            mask: self.mask.checked_shr(by).unwrap_or(0),
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        match mask_of(other) {
            Ok(mask) => Ok(self.mask == mask),
            Err(error) if error.is_instance_of::<PyTypeError>(other.py()) => Ok(false),
            Err(error) if error.is_instance_of::<PyValueError>(other.py()) => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn __str__(&self) -> String {
        self.drawing()
    }

    fn __repr__(&self) -> String {
        let m = self.mask;
        let part = |shift: u32| m >> shift & 0xffff;
        format!(
            "SquareSet(0x{:04x}_{:04x}_{:04x}_{:04x})",
            part(48),
            part(32),
            part(16),
            part(0)
        )
    }

    fn _repr_svg_(&self) -> String {
        svg::squares(self.squares())
    }

    fn __reduce__(&self, py: Python<'_>) -> (Py<PyAny>, (u64,)) {
        (py.get_type::<Self>().into_any().unbind(), (self.mask,))
    }
}

/// The index of a square, 0 (a1) to 63 (h8), as Python has it.
pub(crate) fn index(square: Option<Square>) -> Option<u8> {
    square.map(|square| square as u8)
}
