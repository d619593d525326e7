#![doc = include_str!("../README.md")]
//!
//! Modules for use from other programs: [`datagen`] plays training games; [`mod@matches`] plays
//! [`duel`]s between engines, each a [`uci`] process or our own search in this process; [`stats`]
//! computes Elo and sequential tests; [`spsa`] tunes parameters of the search;
//! [`book`] makes openings.

#![forbid(unsafe_code)]

pub mod book;
pub mod cli;
pub mod datagen;
pub mod duel;
pub mod evaluation;
mod identity;
pub mod journal;
pub mod limit;
mod lines;
pub mod matches;
pub mod openings;
pub mod params;
mod pipes;
pub mod precision;
mod progress;
pub mod record;
pub mod rules;
pub mod spec;
pub mod spsa;
pub mod standing;
pub mod stats;
pub mod stop;
pub mod uci;
