//! Labels positions in the same way as `skewer-analyse positions`.

use std::io;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use skewer_analysis::analyst::{Settings, UciProgram};
use skewer_analysis::judged::Origin;
use skewer_analysis::positions::{PlainPosition, label};
use skewer_movegen::Board;

use crate::errors::{value, within};
use crate::pgn::source::check_signals;

/// The labels of positions as lines of JSON, in their order: one for each line of the engine.
#[pyfunction]
#[pyo3(signature = (fens, *, nodes, depth, multipv, hash, threads, evaluation, engine))]
pub(crate) fn label_fens(
    py: Python<'_>,
    fens: Vec<String>,
    nodes: Option<u64>,
    depth: Option<i32>,
    multipv: usize,
    hash: usize,
    threads: Option<i64>,
    evaluation: &str,
    engine: Option<&str>,
) -> PyResult<Vec<String>> {
    if nodes == Some(0) || depth.is_some_and(|depth| depth < 1) || multipv == 0 || hash == 0 {
        return Err(PyValueError::new_err(
            "nodes, depth, multipv and hash must be at least 1",
        ));
    }
    let engine = engine
        .map(|text| UciProgram::ask(text.parse().map_err(value)?).map_err(value))
        .transpose()?;
    let settings = Settings {
        nodes: nodes.or(depth
            .is_none()
            .then_some(skewer_analysis::params::DEFAULT_NODES)),
        depth,
        multi_pv: multipv,
        hash,
        evaluation: evaluation.parse().map_err(value)?,
        engine,
        ..Settings::default()
    };
    let positions = (1..).zip(&fens).map(|(number, fen)| {
        let board = Board::from_fen(fen).map_err(|error| {
            PyValueError::new_err(format!("\"{fen}\" is not a position: {error}"))
        })?;
        let file = String::new();
        let origin = Origin {
            number,
            file,
            line: 0,
        };
        Ok((origin, PlainPosition::new(board)))
    });
    let positions = positions.collect::<PyResult<Vec<_>>>()?;
    let threads = match threads {
        Some(threads) => within("threads", threads, 1024)?,
        None => crate::pool::cores(),
    };
    let done = py.detach(|| lines(&positions, &settings, threads));
    done.map_err(|error| match error.downcast::<io::Error>() {
        // An interrupt is raised as it is.
        Ok(error) => PyErr::from(*error),
        Err(error) => PyRuntimeError::new_err(error.to_string()),
    })
}

type Failure = Box<dyn std::error::Error + Send + Sync>;

fn lines(
    positions: &[(Origin, PlainPosition)],
    settings: &Settings,
    threads: usize,
) -> Result<Vec<String>, Failure> {
    let mut lines = Vec::with_capacity(positions.len());
    label(positions, settings, threads, |labelled| {
        lines.extend(labelled?.json_lines()?);
        check_signals()?;
        Ok::<(), Failure>(())
    })?;
    Ok(lines)
}
