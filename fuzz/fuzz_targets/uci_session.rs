//! Any sequence of commands leaves the engine working. The checks are shared with the test that replays
//! the kept inputs, `crates/uci/tests/replay`.
#![no_main]

#[path = "../../crates/uci/tests/replay/script.rs"]
mod script;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| script::check(bytes));
