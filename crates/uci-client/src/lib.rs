#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod clock;
mod engine;
mod error;
mod go;
mod info;
mod params;
mod pipes;
mod program;

pub use clock::{Clock, SystemClock};
pub use engine::{Answer, Output, UciEngine, Variant};
pub use error::EngineError;
pub use go::{Go, Timers};
pub use info::{Bound, Info, InfoScore};
pub use params::Bounds;
pub use program::{Program, ProgramError};
