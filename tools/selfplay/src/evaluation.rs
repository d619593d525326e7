//! Which evaluation our engine plays with. The choice is the library's; networks that were read
//! are kept, since the threads of a run share their weights.

use std::sync::{Mutex, PoisonError};

use anyhow::{Context as _, Result};
use skewer_eval::Evaluation;
pub use skewer_eval::{AnyEvaluator, EvaluationChoice};

/// Evaluations read so far.
static LOADED: Mutex<Vec<(EvaluationChoice, Evaluation)>> = Mutex::new(Vec::new());

/// Reads what the choice needs, once a run.
///
/// # Errors
///
/// When its file cannot be used, or there is no built-in network and one is asked for.
pub fn load(choice: &EvaluationChoice) -> Result<Evaluation> {
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, evaluation)) = loaded.iter().find(|(known, _)| known == choice) {
        return Ok(evaluation.clone());
    }
    let evaluation = choice
        .load()
        .with_context(|| format!("the evaluation `{choice}` cannot be used"))?;
    loaded.push((choice.clone(), evaluation.clone()));
    Ok(evaluation)
}

/// An evaluator for one thread.
///
/// # Errors
///
/// As [`load`].
pub fn evaluator(choice: &EvaluationChoice) -> Result<AnyEvaluator> {
    Ok(load(choice)?.evaluator())
}
