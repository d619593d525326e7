//! What `verify` makes of manifests that say something else than the files, or are damaged or hostile.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::Value;

use crate::attacks::POSITIONS;
use crate::{fifo, folder, printed, program, run, write};

/// Labels of four positions with their manifest, which a test spoils. Returns the path of the manifest.
pub(crate) fn labelled(folder: &Path) -> std::path::PathBuf {
    let input = write(folder, "in.epd", POSITIONS.repeat(2).as_bytes());
    let csv = folder.join("out.csv");
    run(program()
        .args([
            "positions",
            &input,
            "--nodes",
            "50",
            "--hash",
            "1",
            "--quiet",
            "--csv",
        ])
        .arg(&csv));
    folder.join("out.csv.manifest.json")
}

/// `verify` compares the inputs, the outputs and the number of positions with the manifest, and fails if one of them
/// cannot be compared.
#[test]
fn verify_compares_all_that_the_manifest_says() {
    let folder = folder();
    let manifest = labelled(folder.path());
    let verify = |more: &[&str]| printed(program().arg("verify").arg(&manifest).args(more));
    for sample in ["0%", "0.001%", "100%"] {
        let (code, out, errors) = verify(&["--sample", sample]);
        assert_eq!(code, Some(0), "{out}{errors}");
        assert!(
            !out.contains(" 0 of "),
            "{sample}: at least one position: {out}"
        );
    }
    let (code, _, errors) = verify(&["--engine", "/bin/true"]);
    assert_eq!(code, Some(2), "{errors}");
    assert!(errors.contains("leave out --engine"), "{errors}");
    let (input, csv) = (folder.path().join("in.epd"), folder.path().join("out.csv"));
    // A file is looked for beside the manifest only if there is none with the name in the manifest.
    let beside = folder.path().join("beside");
    fs::create_dir(&beside).unwrap();
    fs::copy(&manifest, beside.join("out.csv.manifest.json")).unwrap();
    fs::write(beside.join("in.epd"), "other").unwrap();
    fs::write(beside.join("out.csv"), "other").unwrap();
    let moved = beside.join("out.csv.manifest.json");
    let (code, out, errors) = printed(program().arg("verify").arg(&moved));
    assert_eq!(code, Some(0), "{out}{errors}");
    let text = fs::read_to_string(&manifest).unwrap();
    let spoiled: [(&str, &dyn Fn()); 10] = [
        ("in.epd: has been changed", &|| {
            fs::write(&input, "8/8/8/8/8/5k2/8/6QK b - -\n").unwrap();
        }),
        ("in.epd: not compared", &|| fs::remove_file(&input).unwrap()),
        ("out.csv: not compared", &|| fs::remove_file(&csv).unwrap()),
        ("out.csv: has been changed", &|| {
            let rows = fs::read_to_string(&csv).unwrap();
            fs::write(&csv, rows + "\n").unwrap();
        }),
        ("out.csv: has 4 positions, not 5", &|| {
            fs::write(
                &manifest,
                text.replace("\"positions\": 4", "\"positions\": 5"),
            )
            .unwrap();
        }),
        ("no position was computed again", &|| {
            let rows = fs::read_to_string(&csv).unwrap();
            fs::write(&csv, rows.lines().next().unwrap()).unwrap();
        }),
        ("not compared: ", &|| {
            let path = format!("\"path\": \"{}\"", csv.display());
            fs::write(&manifest, text.replace(&path, "\"path\": \"/dev/zero\"")).unwrap();
        }),
        ("in.epd: not compared: it has no fingerprint", &|| {
            let mut value: Value = serde_json::from_str(&text).unwrap();
            value["inputs"][0]["sha256"] = Value::Null;
            fs::write(&manifest, value.to_string()).unwrap();
        }),
        ("no file of positions is named", &|| {
            let mut value: Value = serde_json::from_str(&text).unwrap();
            value["inputs"] = Value::Array(Vec::new());
            fs::write(&manifest, value.to_string()).unwrap();
        }),
        ("no file of labels is named", &|| {
            let mut value: Value = serde_json::from_str(&text).unwrap();
            value["outputs"] = Value::Array(Vec::new());
            fs::write(&manifest, value.to_string()).unwrap();
        }),
    ];
    // Every value of the manifest is compared: a change of any of them is noticed.
    let value: Value = serde_json::from_str(&text).unwrap();
    for (key, held) in value.as_object().unwrap() {
        let mut changed = value.clone();
        changed[key] = match held {
            Value::Number(number) => (number.as_u64().unwrap() + 1).into(),
            Value::String(text) => format!("{text}?").into(),
            _ => Value::Array(Vec::new()),
        };
        fs::write(&manifest, changed.to_string()).unwrap();
        let (code, out, errors) = verify(&[]);
        assert_ne!(code, Some(0), "{key}: {out}{errors}");
    }
    for (said, spoil) in spoiled {
        labelled(folder.path());
        spoil();
        let (code, out, errors) = verify(&[]);
        assert_eq!(code, Some(1), "{said}: {out}{errors}");
        assert!(out.contains(said), "{said}: {out}{errors}");
    }
}

/// A manifest of which a part is missing or a bit has changed verifies nothing.
#[test]
fn a_damaged_manifest_is_refused_or_differs() {
    let folder = folder();
    write(folder.path(), "in.epd", POSITIONS.as_bytes());
    let here = |line: &str| {
        let mut command = program();
        command.current_dir(&folder).args(line.split_whitespace());
        command
    };
    run(&mut here("positions in.epd --nodes 5 --quiet --csv o.csv"));
    let whole = fs::read(folder.path().join("o.csv.manifest.json")).unwrap();
    let verified = |bytes: &[u8]| {
        fs::write(folder.path().join("damaged.json"), bytes).unwrap();
        let (code, _, errors) = printed(&mut here("verify damaged.json --sample 100%"));
        assert!(matches!(code, Some(0..=2)), "{code:?}: {errors}");
        code == Some(0)
    };
    assert!(verified(&whole));
    // The closing brace is the last byte but one.
    for at in (0..whole.len() - 1).step_by(23) {
        assert!(!verified(&whole[..at]), "cut after {at} bytes");
    }
    for at in (0..whole.len() - 1).step_by(5) {
        let mut changed = whole.clone();
        changed[at] ^= 1 << (at % 7);
        assert!(!verified(&changed), "bit {} of byte {at}", at % 7);
    }
}

/// `verify` cannot compare fields that it does not know, or fields of another type.
#[test]
fn verify_refuses_a_manifest_with_other_fields() {
    let folder = folder();
    let manifest = labelled(folder.path());
    let text = fs::read_to_string(&manifest).unwrap();
    let changed = |change: fn(&mut Value)| {
        let mut value = serde_json::from_str(&text).unwrap();
        change(&mut value);
        value.to_string()
    };
    for (said, text) in [
        (
            "unknown field `seed`",
            changed(|value| value["seed"] = Value::from(1)),
        ),
        (
            "unknown field `sha512`",
            changed(|value| value["inputs"][0]["sha512"] = Value::from("00")),
        ),
        (
            "it is skewer-manifest/3, not",
            changed(|value| {
                value["schema"] = Value::from("skewer-manifest/3");
                value["seed"] = Value::from(1);
            }),
        ),
        (
            "invalid type",
            changed(|value| value["positions"] = Value::from("4")),
        ),
        (
            "invalid value",
            changed(|value| value["positions"] = Value::from(-4)),
        ),
        (
            "duplicate field",
            text.replacen('{', "{\"positions\": 4,", 1),
        ),
    ] {
        fs::write(&manifest, text).unwrap();
        let (code, out, errors) = printed(program().arg("verify").arg(&manifest));
        assert_eq!(code, Some(2), "{said}: {out}{errors}");
        assert!(errors.contains(said), "{said}: {errors}");
    }
}

/// Manifests that are no files, and names in them that a terminal would obey.
#[test]
fn hostile_manifests_are_refused_in_plain_text() {
    let folder = folder();
    let fifo = fifo(folder.path(), "fifo");
    for path in [&fifo, Path::new("/dev/zero"), folder.path()] {
        let (code, _, errors) = printed(program().arg("verify").arg(path));
        assert_eq!(code, Some(2), "{errors}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
    }
    let manifest = labelled(folder.path());
    let mut value: Value = serde_json::from_slice(&fs::read(&manifest).unwrap()).unwrap();
    value["outputs"][0]["path"] = Value::from("x\u{1b}[31m\u{202e}\u{2066}\u{9b}");
    value["inputs"][0]["path"] = Value::from(fifo.to_str().unwrap());
    fs::write(&manifest, value.to_string()).unwrap();
    let (code, out, errors) = printed(program().arg("verify").arg(&manifest));
    assert_eq!(code, Some(1), "{out}{errors}");
    assert!(out.contains("x?[31m???"), "{out}");
    assert!(
        !out.contains(['\u{1b}', '\u{202e}', '\u{2066}', '\u{9b}']),
        "{out:?}"
    );
    // A row without an end.
    let manifest = labelled(folder.path());
    let csv = File::options()
        .write(true)
        .open(folder.path().join("out.csv"))
        .unwrap();
    csv.set_len(40 << 20).unwrap();
    let (code, out, errors) = printed(program().arg("verify").arg(&manifest));
    assert_eq!(code, Some(2), "{out}{errors}");
    assert!(errors.contains("a row is longer than"), "{errors}");
}

/// If no file can stand beside an output, no manifest is written unless the user asks for it.
#[test]
fn outputs_that_are_no_files_have_no_manifest_of_their_own() {
    let folder = folder();
    let input = write(folder.path(), "in.epd", POSITIONS.as_bytes());
    let fifo = fifo(folder.path(), "fifo");
    let reader = fifo.clone();
    let reader = std::thread::spawn(move || fs::read(reader).unwrap());
    let link = folder.path().join("link");
    symlink("/dev/null", &link).unwrap();
    let link = link.to_str().unwrap();
    let fifo_name = fifo.to_str().unwrap();
    for path in [
        "/dev/null",
        "/dev/stdout",
        "/dev/fd/1",
        "/proc/self/fd/1",
        link,
        fifo_name,
    ] {
        let mut command = program();
        command.args([
            "positions",
            &input,
            "--nodes",
            "5",
            "--quiet",
            "--csv",
            path,
        ]);
        let (code, out, errors) = printed(&mut command);
        assert_eq!(code, Some(0), "{path}: {errors}");
        assert_eq!(
            out.contains("number,rank"),
            path.contains("/fd/") || path.contains("stdout")
        );
        assert_eq!(errors, "", "{path}");
    }
    assert!(reader.join().unwrap().starts_with(b"number,rank"));
    let beside = fs::read_dir(folder.path()).unwrap();
    let names = beside.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(names.filter(|name| name.contains("manifest")).count(), 0);
    assert!(!Path::new("/dev/null.manifest.json").exists());
    // The first output that is a file has one.
    let csv = folder.path().join("out.csv");
    run(program()
        .args([
            "positions",
            &input,
            "--nodes",
            "5",
            "--quiet",
            "--jsonl",
            "/dev/null",
            "--csv",
        ])
        .arg(csv));
    assert!(folder.path().join("out.csv.manifest.json").is_file());
}
