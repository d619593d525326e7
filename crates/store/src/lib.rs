#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod error;
mod header;
#[cfg(feature = "journal")]
mod journal;
mod output;
pub mod params;
mod pending;
mod resolve;
mod roles;
mod signal;
mod stream;
mod value;

pub use error::{StoreError, StoreErrorKind};
pub use header::{Header, Identity, inspect};
#[cfg(feature = "journal")]
pub use journal::{Damage, Journal, open_alone};
pub use output::{OutputFile, write};
pub use roles::{CommandFiles, FileConflictError};
pub use signal::report_file_size_limit;
pub use stream::{Reader, Writer};
pub use value::{load, save};
