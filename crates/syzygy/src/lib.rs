#![doc = include_str!("../README.md")]
//!
//! The tables are Ronald de Man's (2013): for every position with few men whether it is won,
//! drawn or lost, and how far the next capture or pawn move is. The library underneath keeps its
//! state in one place for the whole process, is spoilt for good by a folder without tables, and
//! trusts every file; so this adapter looks at folders and files first, and hands out one shared
//! instance.

mod error;
mod root_probe;

// The same condition as in Cargo.toml: where the library compiles.
#[cfg(any(
    windows,
    target_vendor = "apple",
    target_arch = "x86",
    target_arch = "x86_64"
))]
mod library;

#[cfg(not(any(
    windows,
    target_vendor = "apple",
    target_arch = "x86",
    target_arch = "x86_64"
)))]
#[path = "unsupported.rs"]
mod library;

pub use error::TablebaseError;
pub use library::Tablebases;
pub use root_probe::RootProbe;
