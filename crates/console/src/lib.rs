#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
// `println!` and `eprintln!` panic where nothing can be written.
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod manual;
pub mod options;
pub mod progress;
pub mod standard;
pub mod stop;
pub mod workers;
