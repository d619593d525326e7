//! Benches and oracle tests against peer crates.
