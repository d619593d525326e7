#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod annotation;
mod buffer;
mod characters;
mod cut;
mod epd;
mod epd_reader;
mod foreign;
mod game;
mod games;
mod location;
mod movetext;
mod nag;
pub mod params;
mod place;
mod problem;
mod reader;
mod replay;
mod san;
mod sniff;
mod start;
mod tag;
mod tally;
mod text;
mod tokens;
mod utf16;
mod visitor;
mod writer;

pub use annotation::{EvalTag, EvalValue};
pub use epd::{Epd, EpdError, Op, Operation};
pub use epd_reader::{EpdReadError, EpdReader, PlacedEpd};
pub use foreign::Foreign;
pub use game::{Node, NodeId, PgnGame, ROSTER, Tags};
pub use games::{GameError, GameErrorKind, Games, Placed, ReadError};
pub use location::Location;
pub use nag::Nag;
pub use problem::Problem;
pub use reader::{Reader, Stopped, Visited};
pub use replay::Replay;
pub use san::San;
pub use skewer_movegen::Outcome;
pub use sniff::looks_like_pgn;
pub use start::{Start, StartError};
pub use tally::{Tally, check};
pub use text::{Comment, TagValue};
pub use visitor::{PgnError, Variation, Visitor};
