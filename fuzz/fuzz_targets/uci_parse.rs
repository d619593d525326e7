//! Any line can be read.
//! What is checked is also replayed by an ordinary test, beside which it stands.
#![no_main]

#[path = "../../crates/uci/tests/replay/line.rs"]
mod line;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| line::check(bytes));
