#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod bench;
mod context;
mod control;
mod correction;
mod descend;
mod diversity;
mod draws;
mod extend;
mod factory;
mod iterate;
mod judge;
mod learn;
mod limits;
mod moves;
mod node;
mod parameters;
pub mod params;
mod position;
mod prune;
mod quiesce;
mod reduce;
mod report;
mod resume;
mod root;
mod scale;
mod search;
mod shared;
mod solo;
mod stack;
mod state;
mod table;
mod table_key;
mod tablebases;
mod time;
#[cfg(test)]
mod unit_tests;
mod window;
mod worker;

pub use context::{Context, Counters, CurrentMove, Poll, TablebaseRules, TablebaseUse};
pub use control::{SearchControl, SearchState};
pub use factory::WorkerFactory;
pub use judge::Judge;
pub use limits::{Clock, Limits, Mode, TimeSource};
pub use parameters::Parameters;
pub use position::Position;
pub use report::{Line, Report, SearchResult};
pub use shared::SharedHistories;
pub use skewer_syzygy::FiftyMoveRule;
pub use skewer_types::params::{Param, ParamError};
pub use solo::Solo;
pub use worker::Worker;
