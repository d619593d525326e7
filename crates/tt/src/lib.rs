#![doc = include_str!("../README.md")]

mod cluster;
mod entry;
mod memory;
pub mod params;
mod prefetch;
mod sync;
mod table;

pub use entry::{Entry, MAX_ENTRY_DEPTH, MIN_ENTRY_DEPTH, RawEntry};
pub use memory::{HugePages, TableError, TableSize};
pub use table::Table;
