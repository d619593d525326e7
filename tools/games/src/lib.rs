#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod rules;
pub mod sprt;
pub mod stats;
