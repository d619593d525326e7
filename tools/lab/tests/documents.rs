//! `docs/techniques.md` agrees with the code: it has all techniques, and the files that it names exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use skewer_types::Techniques;

fn workspace() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(name: &str) -> String {
    fs::read_to_string(workspace().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn names() -> BTreeSet<String> {
    Techniques::all()
        .iter_names()
        .map(|(name, _)| skewer_lab::real::kebab(name))
        .collect()
}

#[test]
fn every_technique_has_a_heading_and_every_file_exists() {
    let page = read("docs/techniques.md");
    let headings: BTreeSet<String> = page
        .lines()
        .filter_map(|line| line.strip_prefix("### "))
        .map(str::to_owned)
        .collect();
    let missing: Vec<_> = names().difference(&headings).cloned().collect();
    assert!(missing.is_empty(), "no heading for {missing:?}");
    for (crates, prefix) in [
        ("crates", "search/src/"),
        ("crates", "ordering/src/"),
        ("tools", "lab/src/"),
    ] {
        for after in page.split(&format!("`{prefix}")).skip(1) {
            let file = after.split('`').next().unwrap_or_default();
            let path = workspace().join(crates).join(format!("{prefix}{file}"));
            assert!(path.exists(), "{} does not exist", path.display());
        }
    }
}
