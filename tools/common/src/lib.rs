#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod chart;
pub mod options;
pub mod pieces;
pub mod progress;
pub mod rules;
pub mod sprt;
pub mod stats;
pub mod stop;
pub mod workers;
