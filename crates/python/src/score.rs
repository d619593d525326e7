//! Conversion of scores to Python: `Cp` or `Mate`, in a `PovScore`.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use skewer_eval::Evaluation;
use skewer_movegen::Color;
use skewer_pgn::EvalValue;
use skewer_types::{Score, WinCurve};

/// The value of a mate in arrays of numbers, in centipawns; the moves to mate are subtracted.
const MATE: i32 = 100_000;

/// Converts a score. `curve` is the curve of the win model for the material of the position.
pub(crate) fn value(score: Score, curve: WinCurve) -> EvalValue {
    match score.mate_distance() {
        Some(moves) => EvalValue::Mate(moves),
        None => EvalValue::Centipawns(curve.centipawns(score)),
    }
}

/// The score as one number of centipawns; a mate in n moves counts 100,000 - n.
pub(crate) fn number(value: EvalValue) -> i32 {
    match value {
        EvalValue::Centipawns(cp) => cp,
        EvalValue::Mate(moves) if moves > 0 => MATE - moves,
        EvalValue::Mate(moves) => -MATE - moves,
    }
}

/// The Python object of the score from the side of `color`.
pub(crate) fn pov(py: Python<'_>, value: EvalValue, color: Color) -> PyResult<Bound<'_, PyAny>> {
    static CLASSES: PyOnceLock<[Py<PyType>; 3]> = PyOnceLock::new();
    let [cp, mate, pov] = CLASSES.get_or_try_init(py, || -> PyResult<_> {
        let module = py.import("skewer._score")?;
        let class = |name| -> PyResult<Py<PyType>> {
            Ok(module.getattr(name)?.cast_into::<PyType>()?.unbind())
        };
        Ok([class("Cp")?, class("Mate")?, class("PovScore")?])
    })?;
    let relative = match value {
        EvalValue::Centipawns(value) => cp.bind(py).call1((value,))?,
        EvalValue::Mate(moves) => mate.bind(py).call1((moves,))?,
    };
    pov.bind(py).call1((relative, color == Color::White))
}

/// The material of a middlegame in pawns, at which a score without its position is converted to chances.
const MIDDLEGAME: u32 = 58;

/// Expected wins, draws and losses in thousandths, by the win model of the default evaluation for a middlegame. Called
/// by `Score.wdl`. If `mate` is 0, `given` says whether the side of the score has given the mate.
#[pyfunction]
pub(crate) fn expected_wdl(cp: Option<i32>, mate: Option<i32>, given: bool) -> (u32, u32, u32) {
    match (cp, mate) {
        (_, Some(moves)) if moves > 0 || given => (1000, 0, 0),
        (_, Some(_)) => (0, 0, 1000),
        (cp, None) => {
            let chances = Evaluation::default()
                .win_model()
                .at(MIDDLEGAME)
                .chances_of_centipawns(cp.unwrap_or(0));
            (chances.win, chances.draw, chances.loss)
        }
    }
}
