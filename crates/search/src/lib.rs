//! Chess search: iterative deepening, principal variation search, quiescence, pruning, time.

mod context;
mod limits;
mod report;
mod worker;

pub use context::{Context, Counters, FiftyMoveRule, Signals, TablebaseUse};
pub use limits::{Clock, Limits, Mode, Position, TimeSource};
pub use report::{Line, Outcome, Report};
pub use worker::Worker;
