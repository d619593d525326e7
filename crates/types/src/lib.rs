#![doc = include_str!("../README.md")]
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
mod text;

pub use bound::Bound;
#[cfg(feature = "std")]
pub use chances::{Chances, FULL_MATERIAL, WinCurve, WinModel};
pub use depth::{Depth, MAX_DEPTH, MAX_PLY, Ply};
pub use rng::{Rng, is_within_share, mix};
pub use score::Score;
pub use techniques::{DefaultTechniques, TechniqueSet, Techniques, UnknownTechniqueError};
#[cfg(feature = "std")]
pub use text::not_utf8;
pub use text::{is_printable, printable, printable_json, printable_lines};
