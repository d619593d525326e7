#![doc = include_str!("../README.md")]
#![deny(unsafe_code)]

mod clock;
mod engine;
mod error;
mod go;
mod helpers;
mod info;
mod message;
mod params;
mod pipes;
mod process;
mod program;

pub use clock::{Clock, SystemClock};
pub use engine::{Answer, Output, UciEngine, Variant};
pub use error::EngineError;
pub use go::{Go, Timers};
pub use info::{Bound, CurrentLine, Info, InfoScore};
pub use message::{Analysis, Message, OptionKind, OptionSpec, SearchEnd};
pub use params::Bounds;
pub use process::{adopt_helpers, end_engines, end_engines_on_signals};
pub use program::{Program, ProgramError};
