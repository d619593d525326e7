#![doc = include_str!("../README.md")]

#[cfg(feature = "uci")]
mod bench;
#[cfg(feature = "uci")]
mod book;
#[cfg(feature = "uci")]
pub mod command;
#[cfg(all(feature = "uci", target_arch = "x86_64"))]
pub mod cpu;
#[cfg(feature = "uci")]
mod evaluation;
#[cfg(feature = "uci")]
mod front;
#[cfg(feature = "uci")]
mod genfens;
#[cfg(feature = "uci")]
mod help;
#[cfg(feature = "uci")]
pub mod input;
#[cfg(feature = "uci")]
mod job;
#[cfg(feature = "uci")]
mod manual;
#[cfg(feature = "uci")]
pub mod options;
#[cfg(feature = "uci")]
pub mod output;
#[cfg(feature = "uci")]
mod perft;
#[cfg(feature = "play")]
mod play;
#[cfg(feature = "uci")]
mod printer;
#[cfg(feature = "uci")]
mod remarks;
#[cfg(feature = "uci")]
mod session;
#[cfg(feature = "uci")]
mod settings;
#[cfg(feature = "uci")]
mod show;
#[cfg(feature = "uci")]
mod strength;
#[cfg(feature = "uci")]
mod tablebases;

#[cfg(feature = "uci")]
pub use front::{console, run_commands, written};
#[cfg(feature = "play")]
pub use play::play;
#[cfg(feature = "uci")]
pub use session::{InlineSession, Next, Session};

pub use skewer_eval::{Evaluation, Evaluator};
pub use skewer_movegen::{
    self as movegen, Board, CastlingMode, Color, DrawRules, Game, Move, Outcome, Piece, Square,
    Termination, UciMove,
};
#[cfg(feature = "openings")]
pub use skewer_openings as openings;
#[cfg(feature = "pgn")]
pub use skewer_pgn as pgn;
pub use skewer_search::{
    Clock, FiftyMoveRule, Limits, Mode, Position, Report, SearchResult, TablebaseRules,
    WorkerFactory,
};
pub use skewer_smp::{Engine, EngineError, Event, Execution, Options, Schedule, SearchHandle};
pub use skewer_syzygy::Tables;
pub use skewer_tt::TableSize;
pub use skewer_types::{Bound, Chances, Score, WinCurve, WinModel};
#[cfg(feature = "client")]
pub use skewer_uci_client as client;
