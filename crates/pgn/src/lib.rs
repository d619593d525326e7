#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod annotation;
mod buffer;
mod epd;
mod epd_reader;
mod game;
mod games;
mod movetext;
mod nag;
pub mod params;
mod place;
mod reader;
mod replay;
mod san;
mod start;
mod tally;
mod text;
mod visitor;
mod writer;

pub use annotation::{EvalTag, EvalValue};
pub use epd::{Epd, EpdError, Op, Operation};
pub use epd_reader::{EpdReadError, EpdReader, PlacedEpd};
pub use game::{Node, NodeId, PgnGame, ROSTER, Tags};
pub use games::{GameError, GameErrorKind, Games, Placed, ReadError};
pub use nag::Nag;
pub use reader::{Reader, Stopped, Visited};
pub use replay::Replay;
pub use san::San;
pub use skewer_movegen::Outcome;
pub use start::{Start, StartError};
pub use tally::{Tally, check};
pub use text::{Comment, TagValue};
pub use visitor::{PgnError, Variation, Visitor};
