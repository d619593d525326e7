#![doc = include_str!("../README.md")]
//!
//! The parts: [`Evaluator`] is what a search sees; [`HandCrafted`] is the evaluation that a
//! person wrote and that can explain itself. Both follow the game by increments, which
//! [`Changes`] describes. [`EvaluationChoice`] is how a program lets its user choose.

mod changes;
mod choice;
mod evaluator;
mod hand;
pub mod network;
mod tapered;

pub use changes::{Changes, Feature};
pub use choice::{AnyEvaluator, Evaluation, EvaluationChoice, EvaluationError};
pub use evaluator::Evaluator;
pub use hand::{Breakdown, HandCrafted, PLAIN, Term, Trace, WEIGHTS, Weight};
pub use network::Network;
pub use tapered::Tapered;
