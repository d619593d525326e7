#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod manual;
pub mod options;
pub mod progress;
pub mod stop;
pub mod workers;
