//! A hash table that is saved, and loaded by another process.

mod harness;

use harness::Client;

#[test]
fn a_loaded_table_outlives_the_new_game_that_clients_send() -> Result<(), String> {
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
    // GUIs may send it twice: nothing has been searched yet.
    second.send("ucinewgame");
    second.send("ucinewgame");
    let again = folder.path().join("again.skewer");
    second.send(&format!(
        "setoption name Hash File value {}",
        again.display()
    ));
    second.send("setoption name Save Hash");
    second.wait_for("info string the hash table was saved")?;
    let read = |path| std::fs::read(path).map_err(|error| error.to_string());
    assert!(read(&file)? == read(&again)?, "the table is another one");

    // Once it has been searched with, a new game is a new game.
    second.search(8)?;
    second.send("ucinewgame");
    assert_eq!(second.search(8)?, fresh);
    Ok(())
}

#[test]
fn a_new_game_after_loading_forgets_what_is_not_from_the_file() -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = folder.path().join("table.skewer");
    let load = |client: &mut Client| {
        client.send("setoption name Load Hash");
        client.send("ucinewgame");
        client.wait_for("info string a hash table of ")
    };
    let mut clients = [Client::start(&[]), Client::start(&[])];
    for client in &mut clients {
        client.send(&format!(
            "setoption name Hash File value {}",
            file.display()
        ));
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
fn a_loaded_table_that_was_emptied_is_no_longer_spared() -> Result<(), String> {
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
        client.send(&format!(
            "setoption name Hash File value {}",
            file.display()
        ));
        client.send("setoption name Save Hash");
        client.send("setoption name Load Hash");
        client.wait_for("info string a hash table of ")?;
        client.send(&format!("setoption name {change}"));
        client.send("ucinewgame");
        client.send("isready");
        client.wait_for("readyok")?;
        let spared = client.count("info string ucinewgame: the hash table that was loaded is kept");
        assert_eq!(spared, usize::from(kept), "{change}");
    }
    Ok(())
}

#[test]
fn a_file_that_is_no_table_changes_nothing() -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = folder.path().join("table.skewer");
    std::fs::write(&file, "not a table").map_err(|error| error.to_string())?;
    let mut client = Client::start(&[]);
    client.send("setoption name Load Hash");
    client.wait_for("info string Load Hash: set Hash File first")?;
    client.send(&format!(
        "setoption name Hash File value {}",
        file.display()
    ));
    client.send("setoption name Load Hash");
    client.wait_for("info string Load Hash: ")?;
    client.send("go depth 3");
    client.wait_for("bestmove ")?;
    client.send("quit");
    let (status, stderr) = client.wait_for_exit()?;
    assert!(status.success() && stderr.is_empty(), "{stderr}");
    Ok(())
}
