#![doc = include_str!("../README.md")]
//!
//! [`Opening::random`] makes a random opening as a [`RandomOpening`] describes it. [`Opening::balanced`] chooses among
//! random openings by scores that the caller computes. `name_of` (feature `names`) names a position.

#![forbid(unsafe_code)]

#[cfg(feature = "names")]
mod names;
mod random;
mod setup;

#[cfg(feature = "names")]
pub use names::{Name, last_name, name_of};
pub use random::{Opening, RandomOpening, most_balanced};
pub use setup::{UnknownVariantError, Variant};
pub use skewer_types::Rng;
