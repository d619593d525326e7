//! The atomics of the table: from the standard library or, with `--cfg loom`, from loom, which explores all
//! interleavings of small models.

#[cfg(loom)]
pub(crate) use loom::sync::atomic::{AtomicU8, AtomicU64, Ordering};
#[cfg(not(loom))]
pub(crate) use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
