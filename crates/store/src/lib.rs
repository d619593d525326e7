#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod atomic;
mod error;
mod header;
mod journal;
pub mod params;
mod stream;
mod value;

pub use error::{StoreError, StoreErrorKind};
pub use header::{Contents, Header, Identity, inspect};
pub use journal::{Journal, Replay, Tail};
pub use stream::{Reader, Writer};
pub use value::{load, save};
