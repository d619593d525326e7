#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod analyst;
pub mod annotate;
pub mod cli;
pub mod formulas;
pub mod games;
pub mod graph;
pub mod html;
pub mod input;
pub mod job;
pub mod journal;
pub mod json;
pub mod output;
pub mod params;
pub mod position;
pub mod progress;
pub mod record;
pub mod report;
pub mod suite;
