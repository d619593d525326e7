//! Notes the commit that the program is built from, for the records that it writes.

use std::process::Command;

fn main() {
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
    println!("cargo::rerun-if-changed=../../.git/HEAD");
    println!("cargo::rerun-if-changed=../../.git/logs/HEAD");
}
