#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod analyst;
pub mod clocks;
mod confidence;
pub mod error;
pub mod formulas;
pub mod games;
pub mod input;
pub mod insights;
pub mod job;
pub mod journal;
pub mod json;
mod judge;
pub mod judged;
pub mod line;
pub mod motifs;
pub mod params;
pub mod phase;
pub mod positions;
pub mod reading;
pub mod run;
pub mod scale;
pub mod selection;
mod sentences;
pub mod standing;
pub mod suite;
pub mod workers;
#[cfg(any(test, target_family = "wasm"))]
mod zstd_frames;
