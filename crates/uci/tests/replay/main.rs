//! Runs the corpus of the fuzz targets `uci_parse` and `uci_session` without a fuzzer. The checks are
//! defined here, and the fuzz targets include them.

use std::fs::File;
use std::io::Read;
use std::path::Path;

mod line;
mod script;

/// Checks every input in the corpus of a target.
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
    assert!(inputs > 0, "the corpus of {target} is empty");
}

#[test]
fn every_line_of_the_corpus_can_be_parsed() {
    replay("uci_parse", line::check);
}

#[test]
fn every_script_of_the_corpus_is_answered_correctly() {
    replay("uci_session", script::check);
}
