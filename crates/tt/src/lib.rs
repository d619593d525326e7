#![doc = include_str!("../README.md")]

mod cluster;
mod entry;
#[cfg(all(test, loom))]
mod loom_models;
mod memory;
pub mod params;
mod prefetch;
mod snapshot;
mod sync;
mod table;

pub use entry::{Entry, MAX_ENTRY_DEPTH, MIN_ENTRY_DEPTH, RawEntry};
pub use memory::{HugePages, TableError, TableSize};
pub use snapshot::{SnapshotError, SnapshotInfo};
pub use table::Table;
