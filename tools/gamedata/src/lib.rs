#![doc = include_str!("../README.md")]
//!
//! The parts: [`Game`] and its [`PositionRecord`]s; [`Reader`] and [`Writer`]; [`Filter`], which says what
//! is worth learning from; [`Provenance`], the record of where the games come from.

#![forbid(unsafe_code)]

mod error;
mod filter;
mod game;
mod layout;
mod provenance;
mod reader;
mod writer;

pub use error::{DataError, DataErrorKind};
pub use filter::Filter;
pub use game::{Game, PositionRecord, ScoredMove};
pub use provenance::{EndRules, Prefix, Provenance, Run, RunPart, ScoreScale, Step};
pub use reader::{Reader, Tail};
pub use writer::{ExistingContent, Writer, write_game};
