//! Puts the version that the engine prints into `SKEWER_VERSION`: the version of the package and, for a
//! version under development, the commit, so that testers can tell builds apart. The command `compiler` prints the
//! rest.

mod commit;

use std::process::Command;

/// The folders that the engine is built from. Whether the commit is `-dirty` depends on their files.
const SOURCES: [&str; 14] = [
    "build",
    "src",
    "Cargo.toml",
    "../eval",
    "../movegen",
    "../openings",
    "../ordering",
    "../search",
    "../smp",
    "../store",
    "../syzygy",
    "../tt",
    "../types",
    "../../Cargo.lock",
];

fn main() {
    let version = std::env::var("CARGO_PKG_VERSION").expect("cargo sets it");
    let commit = if version.contains('-') {
        commit::commit(&SOURCES)
    } else {
        println!("cargo::rerun-if-changed=build");
        None
    };
    let commit = commit
        .map(|commit| format!("-{commit}"))
        .unwrap_or_default();
    println!("cargo::rustc-env=SKEWER_VERSION={version}{commit}");
    describe_compiler();
}

/// What the command `compiler` prints.
fn describe_compiler() {
    let variable = |name| std::env::var(name).unwrap_or_default();
    let asked = Command::new(variable("RUSTC")).arg("--version").output();
    let compiler = asked.map(|asked| String::from_utf8_lossy(&asked.stdout).trim().to_owned());
    let compiler = compiler.unwrap_or_else(|_| "unknown".to_owned());
    let features = variable("CARGO_CFG_TARGET_FEATURE").replace(',', " ");
    println!("cargo::rustc-env=SKEWER_COMPILER={compiler}");
    println!("cargo::rustc-env=SKEWER_TARGET={}", variable("TARGET"));
    println!("cargo::rustc-env=SKEWER_CPU_FEATURES={features}");
}
