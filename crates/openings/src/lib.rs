#![doc = include_str!("../README.md")]
//!
//! [`Opening`] makes random openings by a [`Recipe`]; [`Judge`] scores them by a short search;
//! [`chess960_start`] gives the starting positions of Chess960; `name_of` (feature `names`) names a
//! position.

#![forbid(unsafe_code)]

mod judge;
#[cfg(feature = "names")]
mod names;
mod random;
mod setup;

pub use judge::Judge;
#[cfg(feature = "names")]
pub use names::{Name, name_of, name_of_game};
pub use random::{Opening, Recipe, most_balanced};
pub use setup::{UnknownVariant, Variant, chess960_start};
pub use skewer_types::Rng;
