//! The inputs that the fuzzers keep, replayed without a fuzzer: what they check is written here, and
//! the fuzz targets `uci_parse` and `uci_session` include it.

use std::fs::File;
use std::io::Read;
use std::path::Path;

mod line;
mod script;

/// Checks every kept input of a target.
fn replay(target: &str, check: fn(&[u8])) {
    let archive = format!("../../fuzz/corpus/{target}.tar");
    let file = File::open(Path::new(env!("CARGO_MANIFEST_DIR")).join(archive));
    let mut archive = tar::Archive::new(file.expect("an archive of inputs"));
    let mut inputs = 0;
    for entry in archive.entries().expect("an archive") {
        let mut input = Vec::new();
        let mut entry = entry.expect("an entry");
        entry.read_to_end(&mut input).expect("an input");
        check(&input);
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
