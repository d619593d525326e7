//! `genfens N seed S book B`: starting positions for distributed data generation.

use crate::output::Output;

pub(crate) fn run(_words: &[&str], output: &Output) {
    output.note("genfens cannot be used yet");
}
