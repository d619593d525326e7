//! Notes the commit that the program is built from, for the records that it writes. The programs
//! beside it use this file, too.

use std::path::Path;
use std::process::Command;

/// What a program is made of, from its own folder: a change to any of it may change what is to be
/// noted. (Of the other tools, but for the game files, no program here is made.)
const SOURCES: [&str; 8] = [
    "src",
    "Cargo.toml",
    "build.rs",
    "../gamedata",
    "../../crates",
    "../../Cargo.toml",
    "../../Cargo.lock",
    "../../.cargo/config.toml",
];

pub(crate) fn main() {
    let commit = Command::new("git")
        .args([
            "describe",
            "--always",
            "--dirty",
            "--abbrev=12",
            "--exclude=*",
        ])
        .output()
        .ok()
        .filter(|output| output.status.success())
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .map_or_else(|| "unknown".to_owned(), |commit| commit.trim().to_owned());
    println!("cargo::rustc-env=SKEWER_COMMIT={commit}");
    // Not the index: every look at the state of the tree writes it, and what it holds differs from
    // the commit only where a source or the log of the head was written, too.
    let watched = ["../../.git/HEAD", "../../.git/logs/HEAD"];
    // What is not there would count as changed at every build.
    for path in watched.into_iter().chain(SOURCES) {
        if Path::new(path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
}
