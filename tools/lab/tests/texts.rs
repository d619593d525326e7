//! `docs/texts.md` agrees with the project: every file, test, command and claim that it names exists, it has every
//! claim that is measured, and its verdicts agree with the tables.
//!
//! `SNAPSHOTS=overwrite cargo test -p skewer-lab --test texts` writes the verdicts of the tables into the
//! page.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use skewer_lab::claims::{CHAPTERS, Choice};
use snapbox::{Data, assert_data_eq};

fn workspace() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page() -> String {
    fs::read_to_string(workspace().join("docs/texts.md")).unwrap()
}

/// A row of a table: the six cells.
struct Row<'a> {
    here: &'a str,
    try_it: &'a str,
    measured: &'a str,
    test: &'a str,
    right: &'a str,
}

fn rows(page: &str) -> Vec<Row<'_>> {
    let lines = page
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| statement"));
    lines
        .map(|line| {
            let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
            let [_, here, try_it, measured, test, right] = cells[..] else {
                panic!("{} cells: {line}", cells.len())
            };
            Row {
                here,
                try_it,
                measured,
                test,
                right,
            }
        })
        .collect()
}

/// What stands in code quotes.
fn code(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// The claims of a cell: the text, the verdict, and the measurement.
fn claims(cell: &str) -> Vec<(String, &str, &str)> {
    let parts = cell.split('"').collect::<Vec<_>>();
    let pairs = parts[1..].chunks(2);
    pairs
        .map(|pair| {
            let rest = pair[1].strip_prefix(": ").expect("a verdict");
            let (verdict, rest) = rest.split_once(" [").expect("a measurement");
            let name = rest.split(']').next().unwrap();
            (pair[0].replace("\\*", "*"), verdict, name)
        })
        .collect()
}

/// The verdicts of the tables by claim, and the chapter of each.
fn measured() -> BTreeMap<String, (String, &'static str)> {
    let mut measured = BTreeMap::new();
    for chapter in CHAPTERS {
        let file = format!("benches/results/tables/claims-{}.csv", chapter.name);
        for row in csv::Reader::from_path(workspace().join(file))
            .unwrap()
            .records()
        {
            let row = row.unwrap();
            measured.insert(row[0].to_owned(), (row[5].to_owned(), chapter.name));
        }
    }
    measured
}

#[test]
fn every_claim_is_named_once_with_its_verdict_and_its_measurement() {
    let page = page();
    let measured = measured();
    let mut named = BTreeSet::new();
    let mut updated = page.clone();
    for row in rows(&page) {
        for (claim, verdict, name) in claims(row.measured) {
            let (found, chapter) = measured
                .get(&claim)
                .unwrap_or_else(|| panic!("no claim {claim:?}"));
            assert!(name.parse::<Choice>().is_ok(), "{name}");
            assert_eq!(name.split('/').next(), Some(*chapter), "{claim}");
            let quoted = claim.replace('*', "\\*");
            updated = updated.replace(
                &format!("\"{quoted}\": {verdict} ["),
                &format!("\"{quoted}\": {found} ["),
            );
            assert!(named.insert(claim.clone()), "{claim:?} is named twice");
        }
        // A row with a verdict says whether the statement is right.
        assert!(
            row.measured.is_empty() || !row.right.is_empty(),
            "{}",
            row.measured
        );
    }
    let missing: Vec<_> = measured
        .keys()
        .filter(|claim| !named.contains(*claim))
        .collect();
    assert!(missing.is_empty(), "without a row: {missing:?}");
    let path = workspace().join("docs/texts.md");
    assert_data_eq!(updated, Data::read_from(&path, None).raw());
}

/// Whether a text counts: a number and what it is out of, such as `7 of 2720` or `3 in 160`.
fn counts(text: &str) -> bool {
    let words: Vec<_> = text.split_whitespace().collect();
    let is_number = |word: &str| {
        let digits = word.trim_matches(|c: char| !c.is_ascii_digit());
        !digits.is_empty() && digits.replace(',', "").parse::<u64>().is_ok()
    };
    words
        .windows(3)
        .any(|three| is_number(three[0]) && matches!(three[1], "of" | "in") && is_number(three[2]))
}

#[test]
fn what_is_said_to_be_rare_is_counted() {
    assert!(counts("found in 7 of 2,720 pairs") && counts("3 in 160"));
    assert!(!counts("a share of 0.00") && !counts("one of them"));
    let says_rare = |text: &str| {
        let letters = |c: char| !c.is_alphabetic();
        text.split(letters)
            .any(|word| ["rare", "rarely", "seldom"].contains(&word))
    };
    let mut rare = 0;
    for chapter in CHAPTERS {
        let file = format!("benches/results/tables/claims-{}.csv", chapter.name);
        let rows = csv::Reader::from_path(workspace().join(file))
            .unwrap()
            .into_records();
        for row in rows.map(Result::unwrap) {
            if says_rare(&row[0]) || says_rare(&row[2]) || says_rare(&row[4]) {
                rare += 1;
                assert!(counts(&row[2]), "not counted: {}", &row[2]);
            }
        }
    }
    assert!(rare > 0, "the contradictions of the null move are");
    for page in ["texts", "techniques"] {
        let page = fs::read_to_string(workspace().join(format!("docs/{page}.md"))).unwrap();
        for line in page.lines().filter(|line| says_rare(line)) {
            let quoted = line.contains("such contradictions are rare");
            assert!(quoted || counts(line), "not counted: {line}");
        }
    }
}

/// All sources below a folder, joined.
fn sources(folder: &Path, into: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn every_file_test_and_technique_exists() {
    let page = page();
    let mut code_of_all = String::new();
    for folder in ["tools/lab", "crates/search", "crates/ordering"] {
        sources(&workspace().join(folder), &mut code_of_all);
    }
    let techniques = fs::read_to_string(workspace().join("docs/techniques.md")).unwrap();
    let headings: BTreeSet<_> = techniques
        .lines()
        .filter_map(|line| line.strip_prefix("### "))
        .map(|heading| heading.to_lowercase().replace(' ', "-"))
        .collect();
    let (mut files, mut tests, mut links) = (0, 0, 0);
    for row in rows(&page) {
        for file in code(row.here) {
            let folder = if file.starts_with("lab/") {
                "tools"
            } else {
                "crates"
            };
            let path = workspace().join(folder).join(file);
            assert!(path.exists(), "{} does not exist", path.display());
            files += 1;
        }
        for test in code(row.test) {
            assert!(
                code_of_all.contains(&format!("fn {test}(")),
                "no test {test}"
            );
            tests += 1;
        }
        for link in row.here.split("](techniques.md#").skip(1) {
            let anchor = link.split(')').next().unwrap();
            assert!(headings.contains(anchor), "no heading {anchor}");
            links += 1;
        }
    }
    assert!(
        files > 60 && tests > 50 && links > 10,
        "{files} files, {tests} tests, {links} links"
    );
}

#[test]
fn every_command_runs_and_compares_no_search_with_itself() {
    let page = page();
    let mut commands: BTreeSet<&str> = BTreeSet::new();
    for row in rows(&page) {
        commands.extend(code(row.try_it));
    }
    assert!(commands.len() > 40);
    for command in commands {
        // What stands in quotes is one argument.
        let mut arguments = Vec::new();
        for (number, part) in command.split('"').enumerate() {
            match number % 2 {
                0 => arguments.extend(part.split_whitespace()),
                _ => arguments.push(part),
            }
        }
        let output = Command::cargo_bin("skewer-lab")
            .unwrap()
            .args(&arguments)
            .output()
            .unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success() && !output.stdout.is_empty(),
            "{command}: {err}"
        );
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(
            !said.contains("here they are one search"),
            "{command} compares a search with itself: {said}"
        );
    }
}
