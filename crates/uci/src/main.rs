//! The `skewer` binary.
fn main() {}
