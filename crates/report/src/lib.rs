#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
// `println!` and `eprintln!` panic if they cannot write.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod annotate;
pub mod csv;
pub mod folder;
pub mod html;
pub mod insights_csv;
pub mod jsonl;
mod live;
mod notes;
mod output;
mod outputs;
mod page;
mod page_data;
mod page_engine;
pub mod pgn;
pub mod summary;

pub use live::LiveReport;
pub use output::Output;
pub use outputs::{Format, MissingPlayer, Outputs, RunInfo, Summaries};
pub use page::{Application, application};
pub use page_engine::PageEngine;
