//! Notes the commit that the program is built from, as the program that plays the games does.

#[path = "../selfplay/build.rs"]
mod selfplay;

fn main() {
    selfplay::main();
}
