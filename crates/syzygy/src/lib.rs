#![doc = include_str!("../README.md")]
#![cfg_attr(not(feature = "memmap2"), forbid(unsafe_code))]
#![cfg_attr(feature = "memmap2", deny(unsafe_code))]

mod error;
mod material;
mod outcome;
mod probe;
mod source;
mod table;
mod tables;

#[doc = include_str!("../FORMAT.md")]
pub mod format {}

pub use error::{OpenError, ProbeError, TableError};
pub use material::{MAX_PIECES, Material, ParseMaterialError};
pub use outcome::{Dtz, FiftyMoveRule, RankedMove, TableKind, Wdl};
pub use tables::{Tables, TablesBuilder};
