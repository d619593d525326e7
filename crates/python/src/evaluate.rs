//! Evaluation without search, of one position and of many.

use std::cell::RefCell;

use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use rayon::prelude::*;
use skewer_eval::{Evaluation, Evaluator};
use skewer_movegen::Board;
use skewer_types::WinModel;

use crate::arrays::positions;
use crate::board::PyBoard;
use crate::score::{number, value};

/// The evaluation of a position by the built-in network, in centipawns from White's side.
fn evaluate_with(with: &mut CentipawnEvaluator, position: &Board) -> i32 {
    with.evaluator.reset(position);
    let score = with.evaluator.evaluate(position);
    let curve = with.model.at(position.material());
    let cp = number(value(score, curve));
    position.turn().fold(cp, -cp)
}

/// An evaluator for one thread, with the model that converts its scores to centipawns.
struct CentipawnEvaluator {
    evaluator: Box<dyn Evaluator + Send>,
    model: WinModel,
}

impl CentipawnEvaluator {
    fn new(evaluation: &Evaluation) -> Self {
        Self {
            evaluator: evaluation.evaluator(),
            model: evaluation.win_model(),
        }
    }
}

thread_local! {
    /// An evaluator for single positions.
    static EVALUATOR: RefCell<CentipawnEvaluator> =
        RefCell::new(CentipawnEvaluator::new(&Evaluation::default()));
}

/// Evaluates a position without search: centipawns from White's side, by the built-in network.
///
/// >>> import skewer
/// >>> skewer.evaluate(skewer.Board("4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1")) > 500
/// True
#[pyfunction]
pub(crate) fn evaluate(board: &PyBoard) -> i32 {
    EVALUATOR.with_borrow_mut(|evaluator| evaluate_with(evaluator, board.position()))
}

/// Evaluates many positions, Board objects or FEN texts, on every core: an array of type int32,
/// centipawns from White's side.
#[pyfunction]
pub(crate) fn evaluate_many<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray1<i32>>> {
    let positions = positions(boards)?;
    let values: Vec<i32> = crate::pool::run(py, || {
        let evaluation = Evaluation::default();
        positions
            .par_iter()
            .with_min_len(256)
            .map_init(|| CentipawnEvaluator::new(&evaluation), evaluate_with)
            .collect()
    })?;
    Ok(values.into_pyarray(py))
}
