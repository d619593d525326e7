//! Any bytes that an engine writes are accepted or refused without a panic. The checks are shared with
//! the tests of the client.
#![no_main]

#[path = "../../crates/uci-client/tests/answers/check.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check::check(bytes));
