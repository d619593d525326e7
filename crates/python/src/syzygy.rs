//! `Tables`: endgame tables, for `skewer.chess.syzygy`.

use pyo3::exceptions::{PyKeyError, PyOSError};
use pyo3::prelude::*;
use skewer_syzygy::{Material, ProbeError, TableKind, Wdl};

use crate::board::PyBoard;
use crate::errors::value;

/// Endgame tables of some folders and files. Outcomes are from -2 (lost) to 2 (won).
#[pyclass(frozen, module = "skewer")]
pub(crate) struct Tables(skewer_syzygy::Tables);

/// A KeyError if there is no table for the position, a ValueError if the table is damaged.
fn failed(error: ProbeError) -> PyErr {
    match error {
        ProbeError::Table(error) => value(error),
        error => PyKeyError::new_err(error.to_string()),
    }
}

fn number(wdl: Wdl) -> i8 {
    wdl as i8 - Wdl::Draw as i8
}

#[pymethods]
impl Tables {
    /// Opens the tables of folders and of single files, whose names are like KRPvKR.rtbw.
    #[new]
    fn new(folders: Vec<String>, files: Vec<String>) -> PyResult<Self> {
        let mut builder = skewer_syzygy::Tables::builder();
        for file in files {
            let path = std::path::Path::new(&file);
            let name = path.file_stem().and_then(|stem| stem.to_str());
            let material: Material = name.unwrap_or_default().parse().map_err(value)?;
            let kind = TableKind::ALL
                .into_iter()
                .find(|kind| path.extension().is_some_and(|end| end == kind.extension()))
                .ok_or_else(|| value(format!("{file} is not the name of a table")))?;
            let content = std::fs::read(path)
                .map_err(|error| PyOSError::new_err(format!("cannot read {file}: {error}")))?;
            builder = builder.table(material, kind, content);
        }
        let builder = folders
            .into_iter()
            .fold(builder, skewer_syzygy::TablesBuilder::directory);
        Ok(Self(builder.open().map_err(value)?))
    }

    /// The outcome for the side to move.
    fn probe_wdl(&self, board: &PyBoard) -> PyResult<i8> {
        self.0
            .probe_wdl(board.position())
            .map(number)
            .map_err(failed)
    }

    /// The signed plies to the next capture, pawn move or mate.
    fn probe_dtz(&self, board: &PyBoard) -> PyResult<i32> {
        let dtz = self.0.probe_dtz(board.position()).map_err(failed)?;
        Ok(dtz.signed())
    }

    /// The value in the table of outcomes, without a search of captures and en passant.
    fn stored_wdl(&self, board: &PyBoard) -> PyResult<i8> {
        self.0
            .stored_wdl(board.position())
            .map(number)
            .map_err(failed)
    }

    /// The value in the table of distances for a position of this outcome; None if the table has only positions with
    /// the other side to move.
    fn stored_dtz(&self, board: &PyBoard, wdl: i8) -> PyResult<Option<u32>> {
        let wdl = match wdl {
            ..=-2 => Wdl::Loss,
            -1 => Wdl::BlessedLoss,
            0 => Wdl::Draw,
            1 => Wdl::CursedWin,
            2.. => Wdl::Win,
        };
        self.0.stored_dtz(board.position(), wdl).map_err(failed)
    }
}
