#![doc = include_str!("../README.md")]
#![deny(unsafe_code)]

mod error;
mod header;
#[cfg(feature = "journal")]
mod journal;
mod lock;
mod output;
pub mod params;
mod pending;
mod regular;
mod resolve;
mod roles;
mod signal;
mod standard;
mod stream;
mod value;

pub use error::{StoreError, StoreErrorKind};
pub use header::{Header, Identity, inspect};
#[cfg(feature = "journal")]
pub use journal::{Damage, Journal, open_alone};
pub use lock::LockedFile;
pub use output::{OutputFile, is_file_of_its_own, write};
pub use regular::{ShortLines, open_regular, read_regular};
pub use roles::{CommandFiles, FileConflictError};
pub use signal::report_file_size_limit;
pub use standard::check_standard_output;
pub use stream::{Reader, Writer};
pub use value::{load, save};
