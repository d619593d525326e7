#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod analyst;
pub mod cli;
pub mod clocks;
pub mod formats;
pub mod formulas;
pub mod games;
pub mod input;
pub mod insights;
pub mod job;
pub mod journal;
pub mod json;
pub mod motifs;
pub mod output;
pub mod page_engine;
pub mod params;
pub mod phase;
pub mod position;
pub mod progress;
pub mod record;
pub mod report;
pub mod suite;
pub mod workers;
