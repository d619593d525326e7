#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod engine;
mod error;
mod handle;
#[cfg(all(loom, test))]
mod model;
mod options;
mod params;
mod search;
mod shared;
mod sync;
mod sync_std;
mod vote;
mod workers;

pub use engine::Engine;
pub use error::EngineError;
pub use handle::SearchHandle;
pub use options::Options;
pub use params::{DEFAULT_HASH_MB, MAX_THREADS};
pub use search::Event;

// Re-exported so that a program needs only this crate.
pub use skewer_eval::network::{NetworkError, Parameters};
pub use skewer_eval::{Evaluation, EvaluationError};
pub use skewer_eval::{Evaluator, HandCrafted, Network};
pub use skewer_movegen::{Board, Move, Piece};
pub use skewer_search::bench;
pub use skewer_search::{
    Clock, CurrentMove, FiftyMoveRule, Limits, Line, Mode, Outcome, Position, Report,
    TablebaseRules, TimeSource, WorkerFactory,
};
pub use skewer_syzygy as syzygy;
pub use skewer_tt::{HugePages, Table, TableError, TableSize};
pub use skewer_types::{Bound, Depth, Score, Techniques};
