//! Embeds the engine for the pages of the report: the file that `SKEWER_PAGE_ENGINE` names, or the file that
//! `make wasm` has made in this clone of the repository. Without either, the build warns.

use std::path::Path;
use std::{env, fs};

/// The folder in which `make wasm` puts the engine, from this package.
const FOLDER: &str = "../wasm/npm";

fn main() {
    println!("cargo::rerun-if-env-changed=SKEWER_PAGE_ENGINE");
    // Watch the folder and not the file, because cargo would build anew each time if a watched file were missing.
    println!("cargo::rerun-if-changed={FOLDER}");
    let engine = match env::var("SKEWER_PAGE_ENGINE") {
        Ok(path) if !path.is_empty() => {
            println!("cargo::rerun-if-changed={path}");
            fs::read(&path).unwrap_or_else(|error| panic!("SKEWER_PAGE_ENGINE={path}: {error}"))
        }
        _ => fs::read(Path::new(FOLDER).join("skewer.wasm")).unwrap_or_else(|_| {
            println!(
                "cargo::warning=skewer-analyse is built without the engine for the pages of its reports: \
                 run `make wasm` in the repository, then build again"
            );
            Vec::new()
        }),
    };
    let folder = env::var("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&folder).join("engine.wasm"), engine).expect("cargo made the folder");
}
