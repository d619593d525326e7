//! Takes the engine for the pages of the report in, if `SKEWER_PAGE_ENGINE` names its file.

use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-env-changed=SKEWER_PAGE_ENGINE");
    let engine = match env::var("SKEWER_PAGE_ENGINE") {
        Ok(path) if !path.is_empty() => {
            println!("cargo::rerun-if-changed={path}");
            fs::read(&path).unwrap_or_else(|error| panic!("SKEWER_PAGE_ENGINE={path}: {error}"))
        }
        _ => Vec::new(),
    };
    let folder = env::var("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&folder).join("engine.wasm"), engine).expect("cargo made the folder");
}
