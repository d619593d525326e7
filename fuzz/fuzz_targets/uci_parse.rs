//! Any line can be parsed without a panic. The checks are shared with the test that replays
//! the kept inputs, `crates/uci/tests/replay`.
#![no_main]

#[path = "../../crates/uci/tests/replay/line.rs"]
mod line;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| line::check(bytes));
