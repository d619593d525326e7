//! Missing files, folders in place of files, and files of another kind: one remark, and nothing changes.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::case::{Case, One, unanswered};
use crate::harness::{Client, fits};

/// A file that an option names, and the remark about it.
fn named(name: &'static str, option: &str, path: &str, remark: &'static str) -> Case {
    let line = format!("setoption name {option} value {path}");
    unanswered(name, &[&line], One(remark))
}

/// Files of the system that have no end or make a reader wait, and a character that reorders the text around it.
fn hostile() -> Vec<Case> {
    vec![
        named(
            "an EvalFile without an end",
            "EvalFile",
            "/dev/zero",
            "EvalFile*/dev/zero*nothing changed",
        ),
        named(
            "an EvalFile whose reader waits",
            "EvalFile",
            "/proc/kmsg",
            "EvalFile*/proc/kmsg*nothing changed",
        ),
        named(
            "a Book File without an end",
            "Book File",
            "/dev/zero",
            "Book File*/dev/zero*nothing changed",
        ),
        named(
            "a Book File whose reader waits",
            "Book File",
            "/proc/kmsg",
            "Book File*/proc/kmsg*nothing changed",
        ),
        named(
            "an EvalFile with a control character for the direction of text",
            "EvalFile",
            "/no\u{202e}such",
            "EvalFile*/no such*nothing changed",
        ),
    ]
}

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = plain();
    cases.extend(hostile());
    cases
}

fn plain() -> Vec<Case> {
    // Remarks shorten long names and replace control characters.
    let long = "x".repeat(1_000_000);
    let control = "no\rbestmove\te2e4\u{1}";
    vec![
        named(
            "a SyzygyPath that is not there",
            "SyzygyPath",
            "/no/such/folder",
            "SyzygyPath*/no/such/folder*nothing changed",
        ),
        named(
            "an EvalFile that is not there",
            "EvalFile",
            "/no/such/file",
            "EvalFile*/no/such/file*nothing changed",
        ),
        named(
            "a SyzygyPath of 1 MB",
            "SyzygyPath",
            &long,
            "SyzygyPath*nothing changed",
        ),
        named(
            "an EvalFile of 1 MB",
            "EvalFile",
            &long,
            "EvalFile*nothing changed",
        ),
        named(
            "a SyzygyPath with control characters",
            "SyzygyPath",
            control,
            "SyzygyPath*no bestmove e2e4*nothing changed",
        ),
        named(
            "an EvalFile with control characters",
            "EvalFile",
            control,
            "EvalFile*no bestmove e2e4*nothing changed",
        ),
        named(
            "a Book File that is not there",
            "Book File",
            "/no/such/file",
            "Book File*/no/such/file*nothing changed",
        ),
        named(
            "a Book File that is a folder",
            "Book File",
            env!("CARGO_MANIFEST_DIR"),
            "Book File*uci*not a regular file*nothing changed",
        ),
        named(
            "a Book File that is no book",
            "Book File",
            concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"),
            "Book File*Cargo.toml*not a Polyglot book*nothing changed",
        ),
        named(
            "a Book File with control characters",
            "Book File",
            control,
            "Book File*no bestmove e2e4*nothing changed",
        ),
        unanswered(
            "a Hash File of 1 MB",
            &[
                &format!("setoption name Hash File value {long}"),
                "setoption name Load Hash",
            ],
            One("Load Hash"),
        ),
        unanswered(
            "a Hash File with control characters",
            &[
                &format!("setoption name Hash File value {control}"),
                "setoption name Load Hash",
            ],
            One("Load Hash*no bestmove e2e4"),
        ),
        unanswered(
            "saving into a missing folder",
            &[
                "setoption name Hash File value /no/such/folder/table",
                "setoption name Save Hash",
            ],
            One("Save Hash*/no/such/folder/table"),
        ),
    ]
}

/// Deep enough for another evaluation or another table to change the node count.
const DEPTH: u32 = 7;

/// A network that this build can run.
fn network() -> PathBuf {
    let nets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../eval/nets");
    let name = std::fs::read_to_string(nets.join("default")).expect("the name of a network");
    nets.join(name.trim())
}

/// Damaged copies of a good file, a folder, and a missing file.
fn spoiled(folder: &TempDir, good: &[u8]) -> Result<Vec<PathBuf>, String> {
    let mut flipped = good.to_vec();
    flipped[good.len() / 2] ^= 1;
    let mut longer = good.to_vec();
    longer.push(0);
    let mut paths = vec![folder.path().to_owned(), folder.path().join("not-there")];
    for (name, bytes) in [
        ("empty", &[][..]),
        ("one-byte", &good[..1]),
        ("start", &good[..20]),
        ("half", &good[..good.len() / 2]),
        ("all-but-one", &good[..good.len() - 1]),
        ("one-more", &longer),
        ("flipped", &flipped),
        ("text", b"not what it should be"),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).map_err(|error| error.to_string())?;
        paths.push(path);
    }
    Ok(paths)
}

/// Sends lines and returns the one remark about them.
fn remark(client: &mut Client, lines: &[String]) -> Result<String, String> {
    let before = client.output.len();
    for line in lines {
        client.send(line);
    }
    client.send("isready");
    client.wait_for("readyok")?;
    match &client.output[before..] {
        [one, _] if one.starts_with("info string") => Ok(one.clone()),
        output => Err(format!("{lines:?}: {output:?}")),
    }
}

#[test]
fn an_eval_file_that_cannot_be_used_changes_nothing() -> Result<(), String> {
    let good = std::fs::read(network()).map_err(|error| error.to_string())?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut client = Client::start(&[]);
    let fresh = client.search(DEPTH)?;
    for path in spoiled(&folder, &good)? {
        let set = format!("setoption name EvalFile value {}", path.display());
        let said = remark(&mut client, &[set])?;
        assert!(fits(&said, "EvalFile*nothing changed"), "{said}");
        client.send("ucinewgame");
        assert_eq!(client.search(DEPTH)?, fresh, "{}", path.display());
    }
    client.leave()?;
    Ok(())
}

#[test]
fn a_hash_file_that_cannot_be_used_changes_nothing() -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = folder.path().join("good");
    let set = |path: &Path| format!("setoption name Hash File value {}", path.display());
    let load = || "setoption name Load Hash".to_owned();
    let mut client = Client::start(&[]);
    client.set("Hash", "1");
    client.send(&set(&file));
    client.search(DEPTH)?;
    client.send("setoption name Save Hash");
    client.wait_for("info string the hash table was saved")?;
    // The nodes of a search that continues with the table of the first.
    let next = client.search(DEPTH + 1)?;
    let good = std::fs::read(&file).map_err(|error| error.to_string())?;
    for path in spoiled(&folder, &good)? {
        client.send("ucinewgame");
        client.search(DEPTH)?;
        let said = remark(&mut client, &[set(&path), load()])?;
        assert!(fits(&said, "Load Hash: "), "{said}");
        assert_eq!(client.search(DEPTH + 1)?, next, "{}", path.display());
    }
    client.leave()?;
    Ok(())
}
