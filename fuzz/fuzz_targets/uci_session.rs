//! Any sequence of commands leaves a live engine alive.
//! What is checked is also replayed by an ordinary test, beside which it stands.
#![no_main]

#[path = "../../crates/uci/tests/replay/script.rs"]
mod script;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| script::check(bytes));
