//! A program that is about to end. The end is for the whole process, so this file has one test.
#![cfg(unix)]

use skewer_uci_client::{Bounds, EngineError, Program, UciEngine, Variant, end_engines};

#[test]
fn no_engine_starts_once_all_were_ended() {
    let mut program = Program::new("sh");
    let script =
        "while read -r line; do case $line in uci) echo uciok;; isready) echo readyok;; esac; done";
    program.args = vec!["-c".to_owned(), script.to_owned()];
    let start = || UciEngine::start(&program, Variant::Standard, Bounds::default(), &|| false);
    let mut engine = start().unwrap();
    assert_eq!(engine.ready(&|| false), Ok(()));
    end_engines();
    assert_eq!(engine.ready(&|| false), Err(EngineError::Died));
    let refused = EngineError::NotStarted("this program is ending".to_owned());
    assert_eq!(start().unwrap_err(), refused);
}
