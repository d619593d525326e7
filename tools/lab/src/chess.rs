//! Chess in the lab: the game for the generic algorithms, and a small searcher whose techniques
//! follow the texts that [`claims`](crate::claims) measures.
//!
//! The searcher is not an engine. The real search has better forms of all these techniques; here
//! the textbook forms can be read, switched and measured.

pub mod config;
pub mod game;
pub mod match_play;
mod ordering;
pub mod position;
pub mod positions;
mod quiescence;
pub mod searcher;
