//! Puts the commit that the program is built from into `SKEWER_COMMIT`, for the records that the
//! program writes. The build scripts of other tools include this file.

#[path = "../../crates/uci/build/commit.rs"]
mod commit;

/// The paths that a tool is built from, relative to its folder. A change to any of them can change
/// the commit's `-dirty`. (Of the other tools, only games and gamedata are dependencies.)
const SOURCES: [&str; 9] = [
    "src",
    "Cargo.toml",
    "build.rs",
    "../games",
    "../gamedata",
    "../../crates",
    "../../Cargo.toml",
    "../../Cargo.lock",
    "../../.cargo/config.toml",
];

pub(crate) fn main() {
    let commit = commit::commit(&SOURCES).unwrap_or_else(|| "unknown".to_owned());
    println!("cargo::rustc-env=SKEWER_COMMIT={commit}");
}
