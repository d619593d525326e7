#![doc = include_str!("../README.md")]

mod bench;
mod book;
pub mod command;
#[cfg(target_arch = "x86_64")]
pub mod cpu;
mod evaluation;
mod front;
mod genfens;
mod help;
pub mod input;
mod job;
pub mod options;
pub mod output;
mod perft;
mod printer;
mod remarks;
mod session;
mod settings;
mod show;
mod strength;
mod tablebases;

pub use front::{console, run_commands};
pub use session::{InlineSession, Next, Session};
