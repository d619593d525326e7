//! The limits of a search, from keyword arguments and `skewer.Limit`.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use skewer_movegen::Color;
use skewer_search::Limits;
use skewer_types::MAX_DEPTH;

use crate::board::PyBoard;
use crate::errors::{positive, seconds, within};
use crate::moves::PyMove;

/// Nodes of a search without any limit.
const DEFAULT_NODES: u64 = 1_000_000;

/// The keyword arguments of a search, or the fields of a `skewer.Limit`.
#[derive(FromPyObject, Default, PartialEq)]
pub(super) struct LimitArgs {
    nodes: Option<u64>,
    depth: Option<i64>,
    time: Option<f64>,
    mate: Option<i64>,
    white_clock: Option<f64>,
    black_clock: Option<f64>,
    white_inc: Option<f64>,
    black_inc: Option<f64>,
    remaining_moves: Option<u32>,
}

impl LimitArgs {
    /// The keyword arguments of a search.
    pub(super) fn new(
        nodes: Option<u64>,
        depth: Option<i64>,
        time: Option<f64>,
        mate: Option<i64>,
    ) -> Self {
        Self {
            nodes,
            depth,
            time,
            mate,
            ..Self::default()
        }
    }

    /// The limits of a search for the side to move.
    fn limits(&self, turn: Color) -> PyResult<Limits> {
        let count = |name, number: Option<i64>| {
            let number = number.map(|number| positive(name, number));
            number.transpose()
        };
        let depth = count("depth", self.depth)?;
        let remaining = turn.fold(self.white_clock, self.black_clock);
        let increment = turn.fold(self.white_inc, self.black_inc).unwrap_or(0.0);
        let clock = remaining
            .map(|remaining| -> PyResult<_> {
                Ok(skewer_search::Clock {
                    remaining: seconds("clock", remaining)?,
                    increment: seconds("increment", increment)?,
                    moves_to_go: self.remaining_moves.and_then(std::num::NonZeroU32::new),
                })
            })
            .transpose()?;
        let mate = count("mate", self.mate)?;
        let move_time = self.time.map(|time| seconds("time", time)).transpose()?;
        let nodes = self.nodes.map(|nodes| nodes.min(i64::MAX as u64) as i64);
        count("nodes", nodes)?;
        let mut limits = Limits {
            depth: depth.map(|depth| depth.min(MAX_DEPTH as usize) as _),
            nodes: self.nodes,
            move_time,
            clock,
            mate: mate.map(|mate| u32::try_from(mate).unwrap_or(u32::MAX)),
            ..Limits::default()
        };
        if limits == Limits::default() {
            limits.nodes = Some(DEFAULT_NODES);
        }
        Ok(limits)
    }
}

/// The arguments of a search, checked and converted.
pub(super) struct Request {
    /// A copy of the board, since Python code may change the board while the search runs.
    pub(super) board: PyBoard,
    pub(super) limits: Limits,
    /// Whether to return a list of lines.
    pub(super) list: bool,
}

/// Combines the arguments of a search. Keyword arguments take precedence over the fields of `limit`.
pub(super) fn request(
    board: &Bound<'_, PyBoard>,
    limit: Option<&Bound<'_, PyAny>>,
    multipv: Option<i64>,
    root_moves: Option<&Bound<'_, PyAny>>,
    own: LimitArgs,
) -> PyResult<Request> {
    let board = board.try_borrow()?.clone();
    let from_limit: Option<LimitArgs> = limit
        .map(|limit| {
            limit.extract().map_err(|_| {
                PyTypeError::new_err("limit is a skewer.Limit; or give nodes=, depth= or time=")
            })
        })
        .transpose()?;
    let base = from_limit.unwrap_or_default();
    let merged = LimitArgs {
        nodes: own.nodes.or(base.nodes),
        depth: own.depth.or(base.depth),
        time: own.time.or(base.time),
        mate: own.mate.or(base.mate),
        ..base
    };
    let position = board.position();
    let mut limits = merged.limits(position.turn())?;
    limits.multi_pv = multipv.map_or(Ok(1), |lines| within("multipv", lines, 256))?;
    if let Some(moves) = root_moves {
        for item in moves.try_iter()? {
            let mv = item?.extract::<PyMove>()?.legal_on(position)?;
            limits.search_moves.push(mv);
        }
    }
    if root_moves.is_some() && limits.search_moves.is_empty() {
        return Err(PyValueError::new_err("root_moves has no move"));
    }
    Ok(Request {
        board,
        limits,
        list: multipv.is_some(),
    })
}
