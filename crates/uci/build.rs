//! Lets a build carry a network: `SKEWER_EVALFILE=path cargo build --release`.

fn main() {
    println!("cargo::rustc-check-cfg=cfg(embedded_network)");
    println!("cargo::rerun-if-env-changed=SKEWER_EVALFILE");
    if let Ok(path) = std::env::var("SKEWER_EVALFILE") {
        println!("cargo::rerun-if-changed={path}");
        println!("cargo::rustc-cfg=embedded_network");
    }
}
