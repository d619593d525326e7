//! Positions labelled as `skewer-analyse positions` does it.

use std::sync::Arc;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use skewer_analysis::analyst::{Settings, UciProgram};
use skewer_analysis::error::AnalysisError;
use skewer_analysis::job::{Job, MainLine, Plan};
use skewer_analysis::positions::{Labelled, PlainPosition};
use skewer_analysis::report::Origin;
use skewer_analysis::workers::Workers;
use skewer_movegen::{Board, CastlingMode};
use skewer_pgn::Start;

use crate::errors::value;

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
    threads: Option<usize>,
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
    let positions: Vec<PlainPosition> = fens
        .iter()
        .map(|fen| {
            let board = Board::from_fen(fen).map_err(|error| {
                PyValueError::new_err(format!("\"{fen}\" is not a position: {error}"))
            })?;
            Ok(PlainPosition {
                board,
                mode: Start::from_board(board, CastlingMode::Standard).mode,
                id: None,
                ply: None,
            })
        })
        .collect::<PyResult<_>>()?;
    let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = threads.filter(|&threads| threads > 0).unwrap_or_else(cores);
    py.detach(|| label(positions, &settings, threads))
        .map_err(|error| PyRuntimeError::new_err(error.to_string()))
}

fn label(
    positions: Vec<PlainPosition>,
    settings: &Settings,
    threads: usize,
) -> Result<Vec<String>, LabelError> {
    let (plan, model) = (Plan::new(settings), settings.win_model());
    let workers = Workers::start(threads, settings, move |analyst, job: &Job| {
        plan.analyse(analyst, job)
    })?;
    let jobs = positions.iter().map(|position| Job {
        range: 0..1,
        line: Arc::new(MainLine::position(position.board, position.mode)),
        given: Vec::new(),
    });
    let jobs: Vec<Job> = jobs.collect();
    let mut lines = Vec::with_capacity(jobs.len());
    workers.in_order(jobs, |index, found| {
        let found = found.map_err(LabelError::Failed)?;
        let labelled = Labelled {
            origin: Origin {
                number: index as u64 + 1,
                file: String::new(),
                line: 0,
            },
            position: positions[index].clone(),
            found: found.into_iter().next().unwrap_or_default(),
            model,
        };
        let rows = labelled.json_lines();
        lines.extend(rows.map_err(|error| LabelError::Failed(error.to_string()))?);
        Ok::<(), LabelError>(())
    })?;
    Ok(lines)
}

/// Why positions have no labels.
enum LabelError {
    Analysis(AnalysisError),
    Failed(String),
}

impl From<AnalysisError> for LabelError {
    fn from(error: AnalysisError) -> Self {
        Self::Analysis(error)
    }
}

impl std::fmt::Display for LabelError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Analysis(error) => error.fmt(f),
            Self::Failed(error) => f.write_str(error),
        }
    }
}
