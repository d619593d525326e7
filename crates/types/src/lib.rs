#![doc = include_str!("../README.md")]
//!
//! The words that every Skewer crate shares: what a score is, how deep is deep, which side of
//! the truth a bound lies on, and which search techniques can be switched off by name.
//!
//! Nothing here knows the rules of chess, allocates, or needs the standard library.

#![no_std]
#![forbid(unsafe_code)]

mod bound;
mod depth;
mod score;
mod techniques;
mod wdl;

pub use bound::Bound;
pub use depth::{Depth, MAX_DEPTH, MAX_PLY, Ply};
pub use score::Score;
pub use techniques::{AllTechniques, TechniqueSet, Techniques, UnknownTechnique};
pub use wdl::Wdl;
