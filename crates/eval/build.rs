//! Embeds a network: the file in `SKEWER_EVALFILE`, or the file that `nets/default` names. Without
//! either, the hand-written evaluation is the default.
//!
//! A truncated or damaged file is a build error.

use std::hash::Hasher;
use std::path::PathBuf;
use std::{env, fs, process};

use fnv::FnvHasher;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(embedded_network)");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=nets");
    println!("cargo::rerun-if-env-changed=SKEWER_EVALFILE");
    let Some(path) = network() else {
        return;
    };
    println!("cargo::rerun-if-changed={}", path.display());
    let checked = fs::read(&path)
        .map_err(|error| format!("cannot be read: {error}"))
        .and_then(|bytes| {
            is_network(&bytes)
                .then_some(())
                .ok_or("is not a complete network".into())
        });
    if let Err(fault) = checked {
        println!("cargo::error=the network {} {fault}", path.display());
        process::exit(1);
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    println!("cargo::rustc-env=SKEWER_NETWORK={}", path.display());
    println!("cargo::rustc-env=SKEWER_NETWORK_NAME={name}");
    println!("cargo::rustc-cfg=embedded_network");
}

/// The network to embed, if there is one. The path in `SKEWER_EVALFILE` should be absolute, as
/// make gives it: a build script does not know the folder in which cargo was started.
fn network() -> Option<PathBuf> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?);
    if let Some(given) = env::var_os("SKEWER_EVALFILE").filter(|given| !given.is_empty()) {
        return Some(here.join(given));
    }
    let nets = here.join("nets");
    let name = fs::read_to_string(nets.join("default")).ok()?;
    Some(nets.join(name.trim()))
}

/// Whether these are the bytes of a complete network: the first checks of `network::Parameters`
/// (magic, length, checksum). The checksum is at the end of the header.
fn is_network(bytes: &[u8]) -> bool {
    let number = |at: usize| {
        bytes
            .get(at..at + 8)
            .and_then(|eight| eight.try_into().ok())
            .map(u64::from_le_bytes)
    };
    let (Some(header), Some(numbers)) = (bytes.get(..56), bytes.get(64..)) else {
        return false;
    };
    let mut checksum = FnvHasher::default();
    checksum.write(header);
    checksum.write(numbers);
    header.starts_with(b"SKEWERNN")
        && number(40) == Some(numbers.len() as u64)
        && number(56) == Some(checksum.finish())
}
