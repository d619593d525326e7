//! Keys of Polyglot opening books, which may need an en passant square that a position does not keep.

use pyo3::prelude::*;
use skewer_movegen::polyglot;

use super::text::is_pseudo_en_passant;
use super::{PyBoard, Snapshot};

#[pymethods]
impl PyBoard {
    /// The key of the position in Polyglot opening books.
    fn polyglot_key(&self) -> u64 {
        key(&self.now)
    }
}

/// The Polyglot key of a position. The format counts an en passant capture even if it would leave the
/// king in check; such captures are not stored in a position, but in the snapshot.
fn key(snapshot: &Snapshot) -> u64 {
    let position = &snapshot.position;
    let key = position.polyglot_key();
    match snapshot.passed {
        Some(square)
            if position.en_passant().is_none() && is_pseudo_en_passant(position, square) =>
        {
            key ^ polyglot::number(polyglot::EN_PASSANT + square.file().index())
        }
        _ => key,
    }
}

/// The 781 numbers that keys are made of, in the order of the format.
#[pyfunction]
pub(crate) fn polyglot_numbers() -> Vec<u64> {
    (0..polyglot::COUNT).map(polyglot::number).collect()
}
