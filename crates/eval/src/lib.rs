#![doc = include_str!("../README.md")]
//!
//! [`Evaluator`] is the interface to the search. [`HandWritten`] is the hand-written evaluation, which
//! can be printed term by term, and [`Network`] the neural network. Both are updated incrementally, by
//! [`Changes`]. [`Evaluation`] is either evaluation, chosen at run time.

mod changes;
mod evaluation;
mod evaluator;
mod hand;
pub mod network;
mod tapered;

pub use changes::{Changes, Feature};
pub use evaluation::{Evaluation, EvaluationError};
pub use evaluator::Evaluator;
pub use hand::{Breakdown, HandWritten, PLAIN, Term, Trace, WEIGHTS, Weight};
pub use network::Network;
pub use tapered::Tapered;
