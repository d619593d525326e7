//! Puts the commit that the program is built from into `SKEWER_COMMIT`, by the build script of
//! `skewer-selfplay`.

#[path = "../selfplay/build.rs"]
mod selfplay;

fn main() {
    selfplay::main();
}
