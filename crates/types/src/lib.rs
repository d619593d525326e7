#![doc = include_str!("../README.md")]
//!
//! The types that all Skewer crates share: scores, depths, bounds, the set of search techniques that
//! can be switched by name, declarations of parameters, and a random number generator.
//!
//! They do not depend on the rules of chess and do not allocate. Only the conversion of scores to
//! winning chances needs the standard library, so it has the feature `std`.

#![no_std]
#![forbid(unsafe_code)]

#[cfg(any(feature = "std", disable_technique))]
extern crate std;

mod bound;
#[cfg(feature = "std")]
mod chances;
mod depth;
pub mod params;
mod rng;
mod score;
mod techniques;

pub use bound::Bound;
#[cfg(feature = "std")]
pub use chances::{Chances, WinModel, centipawns};
pub use depth::{Depth, MAX_DEPTH, MAX_PLY, Ply};
pub use rng::{Rng, mix};
pub use score::Score;
pub use techniques::{DefaultTechniques, TechniqueSet, Techniques, UnknownTechnique};
