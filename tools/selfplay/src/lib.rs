#![doc = include_str!("../README.md")]
//!
//! The parts, for those who want them in a program of their own: [`datagen`] plays training
//! games; [`stats`] says what results mean; [`rules`] says when a game is over.

#![forbid(unsafe_code)]

pub mod cli;
pub mod datagen;
pub mod evaluation;
pub mod params;
pub mod player;
mod progress;
pub mod rules;
pub mod stats;
pub mod stop;
