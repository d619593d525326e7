//! Which evaluation our engine plays with.

use anyhow::Result;
use skewer_eval::{Evaluator, HandCrafted};
use skewer_movegen::{Board, Move};
use skewer_types::Score;

/// An evaluation chosen when the program runs. The choice costs a well-predicted branch a call.
pub enum Evaluation {
    /// The terms that a person wrote.
    HandCrafted(HandCrafted),
}

/// Which evaluation, as the command line says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum EvaluationKind {
    /// The hand-written evaluation
    #[default]
    Hce,
}

impl EvaluationKind {
    /// Makes the evaluation.
    ///
    /// # Errors
    ///
    /// When its file cannot be used.
    pub fn load(self) -> Result<Evaluation> {
        match self {
            Self::Hce => Ok(Evaluation::HandCrafted(HandCrafted::default())),
        }
    }

    /// The name that records give it.
    pub fn name(self) -> String {
        match self {
            Self::Hce => "hand-written".to_owned(),
        }
    }
}

impl Evaluator for Evaluation {
    fn reset(&mut self, board: &Board) {
        match self {
            Self::HandCrafted(eval) => eval.reset(board),
        }
    }

    #[inline]
    fn push(&mut self, before: &Board, mv: Move, after: &Board) {
        match self {
            Self::HandCrafted(eval) => eval.push(before, mv, after),
        }
    }

    #[inline]
    fn pop(&mut self) {
        match self {
            Self::HandCrafted(eval) => eval.pop(),
        }
    }

    #[inline]
    fn evaluate(&mut self, board: &Board) -> Score {
        match self {
            Self::HandCrafted(eval) => eval.evaluate(board),
        }
    }

    #[inline]
    fn quiet_delta(&self, board: &Board, mv: Move) -> i16 {
        match self {
            Self::HandCrafted(eval) => eval.quiet_delta(board, mv),
        }
    }
}
