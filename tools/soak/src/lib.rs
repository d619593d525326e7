#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod damage;
pub mod files;
#[cfg(unix)]
pub mod hostile;
pub mod kill;
pub mod process;
pub mod programs;
pub mod storm;
pub mod uci;
