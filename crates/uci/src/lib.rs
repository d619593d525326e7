#![doc = include_str!("../README.md")]

mod bench;
mod chores;
pub mod command;
pub mod cpu;
mod evaluation;
mod front;
mod genfens;
mod go;
mod help;
pub mod input;
pub mod options;
pub mod output;
mod perft;
mod session;
mod settings;
mod setup;
mod show;
mod strength;
mod tables;
mod teller;

pub use front::{console, run_commands};
pub use session::{Next, Session};
