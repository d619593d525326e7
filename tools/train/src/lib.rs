#![doc = include_str!("../README.md")]
//!
//! The library of the program `skewer-train`. [`Sample`](sample::Sample) is a position as the
//! trainer keeps it, [`model`] the network in floating point, [`gradient`] its gradient,
//! [`optimizer`] the step, [`net`] the loop over epochs; [`tune`] fits the hand-written
//! evaluation.

pub mod blocks;
pub mod checkpoint;
pub mod data;
pub mod gradient;
pub mod labels;
pub mod lag;
pub mod model;
pub mod net;
pub mod optimizer;
pub mod order;
mod packed;
mod rows;
pub mod sample;
pub mod scale;
pub mod settings;
pub mod shuffle;
pub mod tune;
