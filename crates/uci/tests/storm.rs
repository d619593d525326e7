//! Random UCI scripts: every `go` is answered once by a legal move, and the engine ends cleanly.
//! The soak program plays such scripts for an hour.

use std::path::Path;

#[test]
fn random_scripts_do_not_crash_or_hang() {
    let engine = Path::new(env!("CARGO_BIN_EXE_skewer"));
    for seed in 0..60 {
        if let Err(error) = skewer_soak::storm::script(engine, seed) {
            panic!("seed {seed}: {error:#}");
        }
    }
}
