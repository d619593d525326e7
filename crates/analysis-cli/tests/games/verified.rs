//! What `verify` compares with the inputs.

use std::fs;

use sha2::Digest as _;

use crate::attacks::POSITIONS;
use crate::{folder, printed, program, run, write};

/// Labels are compared with the positions of the input, and not with what the labels say about themselves.
#[test]
fn verify_compares_labels_with_the_positions_of_the_input() {
    let folder = folder();
    let lines = POSITIONS.replacen("- 0 1\n", "- id \"a\";\n", 1);
    let input = write(folder.path(), "in.epd", lines.as_bytes());
    let csv = folder.path().join("out.csv");
    let mut command = program();
    command.args(["positions", &input, "--nodes", "50", "--quiet"]);
    run(command.arg("--csv").arg(&csv));
    let manifest = folder.path().join("out.csv.manifest.json");
    let (table, marks) = (
        fs::read_to_string(&csv).unwrap(),
        fs::read_to_string(&manifest).unwrap(),
    );
    let sum = |text: &str| format!("{:x}", sha2::Sha256::digest(text));
    // Somebody changes the labels, and gives them the right fingerprint.
    let verify = |text: &str| {
        fs::write(&csv, text).unwrap();
        fs::write(&manifest, marks.replace(&sum(&table), &sum(text))).unwrap();
        let mut verify = program();
        printed(
            verify
                .arg("verify")
                .arg(&manifest)
                .args(["--sample", "100%"]),
        )
    };
    let (code, out, errors) = verify(&table);
    assert_eq!(code, Some(0), "{out}{errors}");
    let rows: Vec<&str> = table.lines().collect();
    let [heading, first, second] = rows[..] else {
        panic!("{table}");
    };
    let join = |rows: &[&str]| rows.join("\n") + "\n";
    let repeated = join(&[heading, first, second, first]);
    let renumbered = first.replacen("1,", "2,", 1);
    for (what, changed, said) in [
        (
            "the name of a position",
            table.replace(",a,", ",b,"),
            "1 differ",
        ),
        (
            "its line",
            table.replace("in.epd,1,", "in.epd,2,"),
            "1 differ",
        ),
        (
            "the same position twice",
            join(&[heading, first, &renumbered]),
            "1 differ",
        ),
        (
            "a position that the input lacks",
            table.replace("\n2,", "\n3,"),
            "3: not in the input",
        ),
        (
            "how many positions were computed again",
            table.replace("\n2,", "\n3,"),
            "1 of 2 positions computed again",
        ),
        (
            "the order",
            join(&[heading, second, first]),
            "position 1 comes after 2",
        ),
        ("a position once more", repeated, "position 1 comes after 2"),
    ] {
        let (code, out, errors) = verify(&changed);
        assert_ne!(code, Some(0), "{what}: {out}{errors}");
        assert!(
            format!("{out}{errors}").contains(said),
            "{what}: {out}{errors}"
        );
    }
}

/// A manifest says which part of the inputs has labels, and how many of its lines could not be read. `verify` counts
/// what the inputs hold, so that labels cannot be left out together with their number.
#[test]
fn verify_counts_what_the_inputs_hold() {
    let folder = folder();
    let lines = POSITIONS.repeat(3) + "nonsense\n";
    let input = write(folder.path(), "in.epd", lines.as_bytes());
    let csv = folder.path().join("out.csv");
    let manifest = folder.path().join("out.csv.manifest.json");
    let label = |shard: &str| {
        let mut command = program();
        command.args(["positions", &input, "--nodes", "9", "-q", "--shard", shard]);
        run(command.arg("--csv").arg(&csv));
        let marks = fs::read_to_string(&manifest).unwrap();
        serde_json::from_str::<serde_json::Value>(&marks).unwrap()
    };
    let verify = |marks: &serde_json::Value| {
        fs::write(&manifest, marks.to_string()).unwrap();
        printed(program().arg("verify").arg(&manifest))
    };
    for (shard, counts) in [("1/1", [7, 6, 1]), ("1/2", [7, 3, 1]), ("2/2", [7, 3, 0])] {
        let marks = label(shard);
        let found = ["read", "positions", "unread"].map(|name| marks[name].as_u64().unwrap());
        assert_eq!(found, counts, "{shard}");
        assert_eq!(
            (&marks["shard"], &marks["failed"]),
            (&shard.into(), &0.into())
        );
        let (code, out, errors) = verify(&marks);
        assert_eq!(code, Some(0), "{shard}: {out}{errors}");
    }
    // The last label is left out, and all numbers of the labels agree.
    let mut marks = label("1/1");
    let table = fs::read_to_string(&csv).unwrap();
    let rows: Vec<&str> = table.lines().collect();
    let short = rows[..rows.len() - 1].join("\n") + "\n";
    fs::write(&csv, &short).unwrap();
    marks["positions"] = 5.into();
    marks["outputs"][0]["sha256"] = format!("{:x}", sha2::Sha256::digest(&short)).into();
    let (code, out, errors) = verify(&marks);
    assert_eq!(code, Some(1), "{out}{errors}");
    let said = "the inputs (shard 1/1) have 6 positions, not 5";
    assert!(out.contains(said), "{out}{errors}");
    // Labels of another shard.
    let mut marks = label("2/2");
    marks["shard"] = "1/2".into();
    let (code, out, errors) = verify(&marks);
    assert_ne!(code, Some(0), "{out}{errors}");
    assert!(
        errors.contains("position 2 does not belong to shard 1/2"),
        "{out}{errors}"
    );
}

/// Every row of a position is computed again, and not only the row of the best line.
#[test]
fn verify_compares_every_line_of_a_position() {
    let folder = folder();
    let input = write(folder.path(), "in.epd", POSITIONS.as_bytes());
    let csv = folder.path().join("out.csv");
    let mut command = program();
    command.args([
        "positions",
        &input,
        "--nodes",
        "200",
        "--multipv",
        "2",
        "-q",
    ]);
    run(command.arg("--csv").arg(&csv));
    let manifest = folder.path().join("out.csv.manifest.json");
    let verify = || {
        printed(
            program()
                .arg("verify")
                .arg(&manifest)
                .args(["--sample", "100%"]),
        )
    };
    assert_eq!(verify().0, Some(0));
    let table = fs::read_to_string(&csv).unwrap();
    let second = table.lines().find(|row| row.starts_with("2,2,")).unwrap();
    let mut cells: Vec<&str> = second.split(',').collect();
    cells[7] = "999";
    let changed = table.replace(second, &cells.join(","));
    let sum = |text: &str| format!("{:x}", sha2::Sha256::digest(text));
    let marks = fs::read_to_string(&manifest).unwrap();
    fs::write(&csv, &changed).unwrap();
    fs::write(&manifest, marks.replace(&sum(&table), &sum(&changed))).unwrap();
    let (code, out, errors) = verify();
    assert_eq!(code, Some(1), "{out}{errors}");
    assert!(
        out.contains("2 of 2 positions computed again, 1 differ"),
        "{out}"
    );
}

/// Labels are verified only if there is one to be computed again.
#[test]
fn verify_fails_without_a_position() {
    let folder = folder();
    let input = write(folder.path(), "in.epd", POSITIONS.as_bytes());
    let csv = folder.path().join("out.csv");
    let mut command = program();
    command.args(["positions", &input, "--nodes", "9", "-q", "--shard", "9/9"]);
    run(command.arg("--csv").arg(&csv));
    let manifest = folder.path().join("out.csv.manifest.json");
    let (code, out, errors) = printed(program().arg("verify").arg(manifest));
    assert_eq!(code, Some(1), "{out}{errors}");
    assert!(out.contains("no position was computed again"), "{out}");
}

/// Files that were moved together with their manifest are found beside it.
#[test]
fn verify_finds_files_that_were_moved_with_the_manifest() {
    let (first, second) = (folder(), folder());
    let input = write(first.path(), "in.epd", POSITIONS.as_bytes());
    let csv = first.path().join("out.csv");
    let mut command = program();
    command.args(["positions", &input, "--nodes", "9", "-q"]);
    run(command.arg("--csv").arg(&csv));
    for name in ["in.epd", "out.csv", "out.csv.manifest.json"] {
        fs::rename(first.path().join(name), second.path().join(name)).unwrap();
    }
    let manifest = second.path().join("out.csv.manifest.json");
    let (code, out, errors) = printed(program().arg("verify").arg(manifest));
    assert_eq!(code, Some(0), "{out}{errors}");
}
