#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod baton;
mod caller;
mod crew;
mod engine;
mod error;
mod handle;
#[cfg(all(loom, test))]
mod loom_models;
mod options;
mod parallel;
mod params;
mod shared;
mod sync;
mod sync_std;
mod vote;
mod workers;

pub use caller::CallerSearch;
pub use engine::Engine;
pub use error::EngineError;
pub use handle::SearchHandle;
pub use options::{Execution, Options, Schedule};
pub use parallel::Event;
pub use params::{DEFAULT_HASH_MB, MAX_THREADS};
