//! `docs/techniques.md` agrees with the code and the tables: it has all techniques with their figures, and
//! the files that it names exist.
//!
//! `SNAPSHOTS=overwrite cargo test -p skewer-lab --test documents` writes the figures of the tables into the
//! page.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use skewer_types::Techniques;
use snapbox::{Data, assert_data_eq};

/// How a line with the figures of a technique begins.
const WORTH: &str = "**Elo ";

fn workspace() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page() -> String {
    fs::read_to_string(workspace().join("docs/techniques.md")).unwrap()
}

fn names() -> BTreeSet<String> {
    Techniques::all()
        .iter_names()
        .map(|(name, _)| skewer_lab::real::kebab(name))
        .collect()
}

/// The rows of a table, without the heads of its columns.
fn rows(table: &str) -> Vec<csv::StringRecord> {
    let file = workspace().join(format!("benches/results/tables/{table}.csv"));
    let rows = csv::Reader::from_path(file).unwrap().into_records();
    rows.map(Result::unwrap).collect()
}

/// The Elo of each technique with its error, from games for the technique alone or else from the screening. A technique
/// is worth the Elo that the engine loses without it.
fn elos() -> BTreeMap<String, String> {
    let games = [rows("screening"), rows("matches")].concat();
    let elo = |row: &csv::StringRecord| {
        let [elo, error]: [f64; 2] = [2, 3].map(|column| row[column].parse().unwrap());
        let (sign, name) = match row[0].split_at(1) {
            ("-", name) => (-1.0, name),
            (_, name) => (1.0, name),
        };
        // Adding 0.0 turns -0.0 into 0.0, so that no figure is printed as -0.
        let elo = (sign * elo).round() + 0.0;
        (name.to_owned(), format!("{elo:+.0} ± {error:.0}"))
    };
    games.iter().map(elo).collect()
}

/// The line of figures of each technique.
fn worths() -> BTreeMap<String, String> {
    let elo = elos();
    let nodes = rows("nodes");
    let line = |row: &csv::StringRecord| {
        let added = row[0].strip_prefix("none; with ");
        let (way, name) = added.map_or(("", &row[0]), |name| ("with it ", name));
        let solved = row[3].split(['(', ')']).nth(1).unwrap();
        let (elo, nodes) = (&elo[name], &row[2]);
        let line = format!("{WORTH}{elo}; {way}×{nodes} nodes, {solved} solved**");
        (name.to_owned(), line)
    };
    // The first row has the full search.
    nodes.iter().skip(1).map(line).collect()
}

#[test]
fn every_technique_has_the_figures_of_the_tables() {
    let page = page();
    let (worths, mut name) = (worths(), "");
    let mut quoted = BTreeSet::new();
    let lines = page.lines().map(|line| {
        name = line.strip_prefix("### ").unwrap_or(name);
        if !line.starts_with(WORTH) {
            return line;
        }
        quoted.insert(name.to_owned());
        worths.get(name).expect(name)
    });
    let updated: String = lines.flat_map(|line| [line, "\n"]).collect();
    assert_eq!(quoted, names());
    let path = workspace().join("docs/techniques.md");
    assert_data_eq!(updated, Data::read_from(&path, None).raw());
}

#[test]
fn every_file_exists() {
    let page = page();
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
    let tables = fs::read_dir(workspace().join("benches/results/tables")).unwrap();
    for table in tables {
        let name = table.unwrap().file_name().into_string().unwrap();
        assert!(
            page.contains(&format!("(../benches/results/tables/{name})")),
            "no link to {name}"
        );
    }
}
