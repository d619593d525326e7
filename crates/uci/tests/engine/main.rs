//! Tests of the `skewer` program as its clients see it. The tests are one binary, because each test binary links the
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
