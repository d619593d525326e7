//! The atomics that the table is built from: the standard library's, or loom's when the crate is
//! built with `--cfg loom` to have every interleaving of a small model tried.

#[cfg(loom)]
pub(crate) use loom::sync::atomic::{AtomicU8, AtomicU64, Ordering};
#[cfg(not(loom))]
pub(crate) use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
