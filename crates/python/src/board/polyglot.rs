//! Keys of Polyglot opening books, including en passant squares that a legal position drops.

use std::sync::OnceLock;

use pyo3::prelude::*;
use skewer_movegen::{Board, polyglot};

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
            key ^ file_numbers()[square.file().index()]
        }
        _ => key,
    }
}

/// The numbers of en passant files, from positions with and without the capture.
fn file_numbers() -> &'static [u64; 8] {
    static NUMBERS: OnceLock<[u64; 8]> = OnceLock::new();
    NUMBERS.get_or_init(|| {
        let key = |rank: &str, square: &str| {
            let fen = format!("4k3/8/8/{rank}/8/8/8/4K3 w - {square} 0 1");
            Board::from_fen(&fen).map_or(0, |position| position.polyglot_key())
        };
        std::array::from_fn(|file| {
            // A black pawn on the file, a white one beside it.
            let beside = if file == 0 { 1 } else { file - 1 };
            let row: String = (0..8)
                .map(|at| match at {
                    _ if at == file => 'p',
                    _ if at == beside => 'P',
                    _ => '1',
                })
                .collect();
            let square = format!("{}6", char::from(b'a' + file as u8));
            key(&row, &square) ^ key(&row, "-")
        })
    })
}

/// The 781 numbers that keys are made of, in the order of the format.
#[pyfunction]
pub(crate) fn polyglot_numbers() -> Vec<u64> {
    (0..polyglot::COUNT).map(polyglot::number).collect()
}
