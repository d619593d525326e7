#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod chart;
pub mod draw;
pub mod pieces;
