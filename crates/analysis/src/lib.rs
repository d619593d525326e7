#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod analyst;
pub mod clocks;
pub mod formulas;
pub mod input;
pub mod insights;
pub mod job;
pub mod journal;
pub mod json;
pub mod motifs;
pub mod params;
pub mod phase;
pub mod record;
pub mod report;
pub mod workers;
