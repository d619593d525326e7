//! A hash table that is saved, and loaded by another process.

use crate::harness::Client;

#[test]
fn a_loaded_table_survives_ucinewgame() -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = folder.path().join("table.skewer");
    let set = format!("setoption name Hash File value {}", file.display());

    let mut first = Client::start(&[]);
    first.send(&set);
    let fresh = first.search(8)?;
    first.send("setoption name Save Hash");
    first.wait_for("info string the hash table was saved")?;

    let mut second = Client::start(&[]);
    second.send(&set);
    second.send("setoption name Load Hash");
    second.wait_for("info string a hash table of ")?;
    // GUIs may send it twice. Nothing has been searched yet, so the table is kept.
    second.send("ucinewgame");
    second.send("ucinewgame");
    let again = folder.path().join("again.skewer");
    second.set("Hash File", again.display());
    second.send("setoption name Save Hash");
    second.wait_for("info string the hash table was saved")?;
    let read = |path| std::fs::read(path).map_err(|error| error.to_string());
    assert!(
        read(&file)? == read(&again)?,
        "the saved table differs from the loaded one"
    );

    // After a search, `ucinewgame` clears the loaded table too.
    second.search(8)?;
    second.send("ucinewgame");
    assert_eq!(second.search(8)?, fresh);
    Ok(())
}

#[test]
fn ucinewgame_after_loading_clears_other_entries() -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = folder.path().join("table.skewer");
    let load = |client: &mut Client| {
        client.send("setoption name Load Hash");
        client.send("ucinewgame");
        client.wait_for("info string a hash table of ")
    };
    let mut clients = [Client::start(&[]), Client::start(&[])];
    for client in &mut clients {
        client.set("Hash File", file.display());
    }
    let [first, second] = &mut clients;
    first.search(7)?;
    first.send("setoption name Save Hash");
    first.wait_for("info string the hash table was saved")?;
    first.search(9)?;
    load(first)?;
    load(second)?;
    assert_eq!(first.search(9)?, second.search(9)?);
    Ok(())
}

#[test]
fn ucinewgame_clears_a_loaded_table_that_was_cleared() -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = folder.path().join("table.skewer");
    for (change, kept) in [
        ("Threads value 2", true),
        ("Hash value 16", true),
        ("Hash value 8", false),
        ("Clear Hash", false),
    ] {
        let mut client = Client::start(&[]);
        client.send("debug on");
        client.set("Hash File", file.display());
        client.send("setoption name Save Hash");
        client.send("setoption name Load Hash");
        client.wait_for("info string a hash table of ")?;
        client.send(&format!("setoption name {change}"));
        client.send("ucinewgame");
        client.send("isready");
        client.wait_for("readyok")?;
        let kept_lines =
            client.count("info string ucinewgame: the hash table that was loaded is kept");
        assert_eq!(kept_lines, usize::from(kept), "{change}");
    }
    Ok(())
}

#[test]
fn a_file_that_is_not_a_table_is_refused() -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = folder.path().join("table.skewer");
    std::fs::write(&file, "not a table").map_err(|error| error.to_string())?;
    let mut client = Client::start(&[]);
    client.send("setoption name Load Hash");
    client.wait_for("info string Load Hash: set Hash File first")?;
    client.set("Hash File", file.display());
    client.send("setoption name Load Hash");
    client.wait_for("info string Load Hash: ")?;
    client.send("go depth 3");
    client.wait_for("bestmove ")?;
    client.send("quit");
    let (status, stderr) = client.wait_for_exit()?;
    assert!(status.success() && stderr.is_empty(), "{stderr}");
    Ok(())
}

fn files_in(folder: &std::path::Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("readable").flatten();
    let mut names: Vec<_> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn a_file_of_another_kind_is_not_overwritten() -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = folder.path().join("games.pgn");
    let mut client = Client::start(&[]);
    client.set("Hash File", file.display());
    for text in ["1. e4 e5 *", "\u{89}SKW", "x"] {
        std::fs::write(&file, text).map_err(|error| error.to_string())?;
        client.send("setoption name Save Hash");
        client.wait_for("info string Save Hash: ")?;
        let said = client.output.last().cloned().unwrap_or_default();
        assert!(said.contains("this file is not a hash table"), "{said}");
        assert_eq!(std::fs::read_to_string(&file).expect("there"), text);
    }
    std::fs::write(&file, "").map_err(|error| error.to_string())?;
    for _ in 0..2 {
        client.send("setoption name Save Hash");
        client.wait_for("info string the hash table was saved")?;
    }
    assert_eq!(files_in(folder.path()), ["games.pgn"]);
    client.leave().map(drop)
}

#[cfg(unix)]
#[test]
fn a_killed_save_is_cleaned_up_by_the_next() -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = folder.path().join("table.skewer");
    let set = format!("setoption name Hash File value {}", file.display());
    let temporary = || {
        let mut names = files_in(folder.path());
        names.retain(|name| name.contains(".part"));
        names
    };
    let deadline = std::time::Instant::now() + crate::harness::TIMEOUT;
    // A save that ends before it can be killed leaves nothing, and another is tried.
    while temporary().is_empty() {
        assert!(std::time::Instant::now() < deadline, "no save was killed");
        let mut client = Client::start(&[]);
        client.set("Hash", "256");
        client.send(&set);
        client.send("setoption name Save Hash");
        // The engine is killed as soon as a temporary file is there.
        while files_in(folder.path()).is_empty() && std::time::Instant::now() < deadline {
            std::thread::yield_now();
        }
        drop(client);
        if file.exists() {
            std::fs::remove_file(&file).map_err(|error| error.to_string())?;
        }
    }
    let mut client = Client::start(&[]);
    client.set("Hash", "1");
    client.send(&set);
    client.send("setoption name Save Hash");
    client.wait_for("info string the hash table was saved")?;
    assert_eq!(files_in(folder.path()), ["table.skewer"]);
    client.leave().map(drop)
}

#[cfg(unix)]
#[test]
fn a_file_size_limit_is_an_error_like_a_full_disk() -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = folder.path().join("table.skewer");
    let script = format!(
        "ulimit -f 100; exec {} 'setoption name Hash File value {}' 'setoption name Save Hash' \
         'go depth 2'",
        env!("CARGO_BIN_EXE_skewer"),
        file.display()
    );
    let output = std::process::Command::new("sh")
        .args(["-c", &script])
        .output()
        .map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(said.matches("File too large").count(), 1, "{said}");
    assert!(said.contains("bestmove "), "{said}");
    assert!(files_in(folder.path()).is_empty());
    Ok(())
}
