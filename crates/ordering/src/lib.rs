#![doc = include_str!("../README.md")]
//!
//! # What is where
//!
//! - [`see`]: whether an exchange on a square is worth at least a threshold.
//! - [`Histories`] and its parts: which moves failed high in the search so far.
//! - [`MovePicker`]: the moves of a node, the most promising first, generated in stages.
//! - [`params`]: the parameters.

#![forbid(unsafe_code)]

mod checks;
mod history;
pub mod params;
mod picker;
mod quiets;
pub mod see;
mod threats;

pub use checks::Checks;
pub use history::{
    CONTINUATIONS, ContinuationKey, Histories, MoveContext, PieceHistories, PlayedMove,
    QuietHistories, SharedMoveHistories, colored_piece,
};
pub use picker::{MovePicker, Stage, is_tactical};
pub use quiets::Guide;
pub use threats::{Threats, attacked_by};
