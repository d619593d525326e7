//! The inputs that the fuzzers keep, replayed without a fuzzer: what they check is written here, and
//! the fuzz targets `uci_parse` and `uci_session` include it.

use std::path::Path;

mod line;
mod script;

/// Checks every kept input of a target; there are none where the crate is built without its
/// repository, as a published one is.
fn replay(target: &str, check: fn(&[u8])) {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    if !fuzz.exists() {
        println!("skipped: this is not the repository, so there is no fuzz/corpus");
        return;
    }
    let kept = std::fs::read_dir(fuzz.join("corpus").join(target)).expect("a folder of inputs");
    let mut inputs = 0;
    for input in kept {
        let path = input.expect("an input").path();
        check(&std::fs::read(path).expect("an input"));
        inputs += 1;
    }
    assert!(inputs > 0, "no input of {target} is kept");
}

#[test]
fn every_kept_line_can_be_read() {
    replay("uci_parse", line::check);
}

#[test]
fn every_kept_script_leaves_the_engine_alive() {
    replay("uci_session", script::check);
}
