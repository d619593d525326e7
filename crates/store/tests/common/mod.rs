//! Helpers of the tests.

use std::fs;
use std::path::Path;

/// The names of the files in a folder, sorted.
pub(crate) fn files_in(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .expect("readable")
        .map(|entry| entry.expect("readable").file_name())
        .map(|name| name.into_string().expect("UTF-8"))
        .collect();
    names.sort();
    names
}
