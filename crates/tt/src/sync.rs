//! The atomics of the table: the standard library's or, with `--cfg loom`, those of loom, which explores all
//! interleavings of small models.

#[cfg(loom)]
pub(crate) use loom::sync::atomic::{AtomicU8, AtomicU64, Ordering};
#[cfg(not(loom))]
pub(crate) use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
