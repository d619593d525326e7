//! Tests of the `skewer` program as its clients see it. One binary, because each one links the
//! whole engine.

#[path = "../harness/mod.rs"]
mod harness;

mod book;
mod castling;
mod docs;
mod hash_file;
#[cfg(feature = "play")]
mod play;
mod processor;
mod sequences;
mod terminal;
mod threads;
mod transcripts;
