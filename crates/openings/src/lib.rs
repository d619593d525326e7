#![doc = include_str!("../README.md")]
//!
//! The parts: [`Opening`] makes random openings by a [`Recipe`]; [`Judge`] says by a short search whether
//! one is balanced; [`chess960_start`] knows the 960 starting positions; `name_of` (feature
//! `names`) names a position.

#![forbid(unsafe_code)]

mod judge;
#[cfg(feature = "names")]
mod names;
mod random;
mod setup;

pub use judge::Judge;
#[cfg(feature = "names")]
pub use names::{Name, name_of, name_of_game};
pub use random::{Opening, Recipe};
pub use setup::{UnknownVariant, Variant, chess960_start};
pub use skewer_types::Rng;
