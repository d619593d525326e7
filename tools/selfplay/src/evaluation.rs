//! Which evaluation our engine plays with. The choice is the library's; networks that were read
//! are kept, since the threads of a run share their weights.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context as _, Result};
use skewer_eval::Evaluation;
pub use skewer_eval::{AnyEvaluator, EvaluationChoice};

/// The choice, as options of a command line.
#[derive(Debug, clap::Args)]
pub struct EvaluationArgs {
    /// What evaluates the positions: hce (by hand), net (the network that is built in), or the
    /// file of a network [default: what is built in]
    #[arg(
        long,
        default_value_t,
        hide_default_value = true,
        value_name = "hce|net|FILE"
    )]
    eval: EvaluationChoice,
    /// The file of a network, the same as --eval FILE
    #[arg(long, value_name = "FILE")]
    evalfile: Option<PathBuf>,
}

impl EvaluationArgs {
    /// What was chosen.
    pub fn choice(&self) -> EvaluationChoice {
        let file = self.evalfile.clone().map(EvaluationChoice::File);
        file.unwrap_or_else(|| self.eval.clone())
    }
}

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
