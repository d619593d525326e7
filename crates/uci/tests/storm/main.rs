//! Random UCI scripts and damaged files: every `go` is answered once by a legal move, and the engine ends
//! cleanly.

mod damage;
mod files;
#[path = "../harness/mod.rs"]
mod harness;
mod script;

#[test]
fn random_scripts_do_not_crash_or_hang() {
    for seed in 0..60 {
        if let Err(error) = script::play(seed) {
            panic!("seed {seed}: {error}");
        }
    }
}
