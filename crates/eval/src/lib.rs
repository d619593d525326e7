#![doc = include_str!("../README.md")]
//!
//! The parts: [`Evaluator`] is what a search sees; [`HandCrafted`] is the evaluation that a
//! person wrote and that can explain itself. Both follow the game by increments, which
//! [`Changes`] describes. [`Evaluation`] is one
//! of them, chosen when a program runs.

mod changes;
mod evaluation;
mod evaluator;
mod hand;
pub mod network;
mod tapered;

pub use changes::{Changes, Feature};
pub use evaluation::{Evaluation, EvaluationError};
pub use evaluator::Evaluator;
pub use hand::{Breakdown, HandCrafted, PLAIN, Term, Trace, WEIGHTS, Weight};
pub use network::Network;
pub use tapered::Tapered;
