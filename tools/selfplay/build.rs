//! Puts the commit that the program is built from into `SKEWER_COMMIT`, for the records that the
//! program writes. The build scripts of other tools include this file.

use std::path::Path;
use std::process::Command;

/// The paths that a tool is built from, relative to its folder. A change to any of them can change
/// the output of `git describe`. (Of the other tools, only common and gamedata are dependencies.)
const SOURCES: [&str; 9] = [
    "src",
    "Cargo.toml",
    "build.rs",
    "../common",
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
    // Do not watch `.git/index`: `git status` writes to it, and any change that matters also changes a
    // source or the log of HEAD.
    let watched = ["../../.git/HEAD", "../../.git/logs/HEAD"];
    // Cargo treats a missing path as changed in every build.
    for path in watched.into_iter().chain(SOURCES) {
        if Path::new(path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
}
