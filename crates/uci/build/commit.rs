//! The commit that a program is built from, for build scripts.

use std::path::Path;
use std::process::Command;

/// The abbreviated commit of the repository whose root is two folders above the package, with `-dirty` after it if a
/// file differs from it; `None` outside the repository or without git.
///
/// Cargo runs the build script again when the commit or one of `sources`, paths relative to the package, changes.
pub(crate) fn commit(sources: &[&str]) -> Option<String> {
    // Do not watch `.git/index`: `git status` writes to it, and any change that matters also changes a
    // source or the log of HEAD.
    let watched = ["../../.git/HEAD", "../../.git/logs/HEAD"];
    // Cargo treats a missing path as changed in every build.
    for path in watched.iter().chain(sources) {
        if Path::new(path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    // A package that was unpacked inside another repository must not take the commit of that repository.
    if !Path::new("../../.git").exists() {
        return None;
    }
    let output = Command::new("git")
        .args([
            "describe",
            "--always",
            "--dirty",
            "--abbrev=12",
            "--exclude=*",
        ])
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    let commit = String::from_utf8(output.stdout).ok()?;
    Some(commit.trim().to_owned())
}
