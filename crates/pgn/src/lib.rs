//! Streaming PGN and EPD, reading and writing.
