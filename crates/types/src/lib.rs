#![doc = include_str!("../README.md")]
//!
//! The words that every Skewer crate shares: what a score is, how deep is deep, which side of
//! the truth a bound lies on, which search techniques can be switched off by name, how a
//! crate declares its parameters, and the workspace's generator of random numbers.
//!
//! Nothing here knows the rules of chess or allocates, and only the chances that a score is worth
//! need the standard library: they are behind the feature `std`.

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
