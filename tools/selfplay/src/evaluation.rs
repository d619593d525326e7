//! Which evaluation our engine plays with.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, Result};
use skewer_eval::network::Parameters;
use skewer_eval::{Evaluator, HandCrafted, Network};
use skewer_movegen::{Board, Move};
use skewer_types::Score;

/// An evaluation chosen when the program runs. The choice costs a well-predicted branch a call.
pub enum Evaluation {
    /// The terms that a person wrote.
    HandCrafted(HandCrafted),
    /// A network.
    Network(Box<Network>),
}

/// Kinds of evaluations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum EvaluationKind {
    /// The hand-written evaluation
    #[default]
    Hce,
    /// A network
    Net,
}

/// Which evaluation, as the command line says it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EvaluationChoice {
    /// Which kind.
    pub kind: EvaluationKind,
    /// The file of the network.
    pub file: Option<PathBuf>,
}

/// Networks read so far. The threads of a run share their weights.
static LOADED: Mutex<Vec<(PathBuf, Arc<Parameters>)>> = Mutex::new(Vec::new());

impl EvaluationChoice {
    /// Makes the evaluation.
    ///
    /// # Errors
    ///
    /// When its file cannot be used.
    pub fn load(&self) -> Result<Evaluation> {
        if self.kind == EvaluationKind::Hce {
            return Ok(Evaluation::HandCrafted(HandCrafted::default()));
        }
        let file = self
            .file
            .as_ref()
            .context("a network needs its file: --evalfile FILE, or evalfile=FILE")?;
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        let known = loaded.iter().find(|(path, _)| path == file);
        let parameters = if let Some((_, parameters)) = known {
            Arc::clone(parameters)
        } else {
            let parameters = Parameters::load(file)
                .with_context(|| format!("cannot use the network {}", file.display()))?;
            let parameters = Arc::new(parameters);
            loaded.push((file.clone(), Arc::clone(&parameters)));
            parameters
        };
        Ok(Evaluation::Network(Box::new(Network::new(parameters))))
    }

    /// The name that records give it.
    pub fn name(&self) -> String {
        match (self.kind, &self.file) {
            (EvaluationKind::Hce, _) => "hand-written".to_owned(),
            (EvaluationKind::Net, Some(file)) => file.display().to_string(),
            (EvaluationKind::Net, None) => "the built-in network".to_owned(),
        }
    }
}

impl Evaluator for Evaluation {
    fn reset(&mut self, board: &Board) {
        match self {
            Self::HandCrafted(eval) => eval.reset(board),
            Self::Network(eval) => eval.reset(board),
        }
    }

    #[inline]
    fn push(&mut self, before: &Board, mv: Move, after: &Board) {
        match self {
            Self::HandCrafted(eval) => eval.push(before, mv, after),
            Self::Network(eval) => eval.push(before, mv, after),
        }
    }

    #[inline]
    fn pop(&mut self) {
        match self {
            Self::HandCrafted(eval) => eval.pop(),
            Self::Network(eval) => eval.pop(),
        }
    }

    #[inline]
    fn evaluate(&mut self, board: &Board) -> Score {
        match self {
            Self::HandCrafted(eval) => eval.evaluate(board),
            Self::Network(eval) => eval.evaluate(board),
        }
    }

    #[inline]
    fn quiet_delta(&self, board: &Board, mv: Move) -> i16 {
        match self {
            Self::HandCrafted(eval) => eval.quiet_delta(board, mv),
            Self::Network(eval) => eval.quiet_delta(board, mv),
        }
    }
}
