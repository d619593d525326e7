//! Puts the version that the engine gives into `SKEWER_VERSION`: that of the package and, for a version under
//! development, the commit, so that testers can tell builds apart.

mod commit;

/// The folders that the engine is built from. A change to any of them can change the commit's `-dirty`.
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
}
