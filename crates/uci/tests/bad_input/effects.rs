//! Effects of commands that are deferred until a search has ended, and of ignored values, that no
//! single line of output shows.

use std::time::{Duration, Instant};

use crate::harness::Client;

/// Deep enough for entries of an earlier search in the hash table to change the node count.
const DEPTH: u32 = 8;

/// Sends lines while a search runs, and stops it.
fn while_searching(client: &mut Client, lines: &[&str]) -> Result<(), String> {
    client.send("go infinite");
    // With entries in the hash table, the first line may have a greater depth than 1.
    client.wait_for("info depth ")?;
    for line in lines {
        client.send(line);
    }
    client.send("stop");
    client.wait_for("bestmove ")?;
    Ok(())
}

#[test]
fn a_deferred_new_game_clears_the_table() -> Result<(), String> {
    let mut client = Client::start(&[]);
    let fresh = client.search(DEPTH)?;
    while_searching(&mut client, &[])?;
    assert_ne!(
        client.search(DEPTH)?,
        fresh,
        "the earlier search left nothing in the table"
    );
    while_searching(&mut client, &["ucinewgame"])?;
    assert_eq!(client.search(DEPTH)?, fresh);
    client.leave()?;
    Ok(())
}

#[test]
fn a_value_given_with_a_button_is_ignored() -> Result<(), String> {
    let mut client = Client::start(&[]);
    let fresh = client.search(DEPTH)?;
    client.send("setoption name Clear Hash value 7");
    assert_eq!(client.search(DEPTH)?, fresh);
    client.leave()?;
    Ok(())
}

#[test]
fn a_deferred_hash_size_is_set() -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = folder.path().join("table.skewer");
    let mut client = Client::start(&[]);
    while_searching(
        &mut client,
        &[
            "setoption name Hash value 4",
            &format!("setoption name Hash File value {}", file.display()),
        ],
    )?;
    client.send("setoption name Save Hash");
    client.send("setoption name Load Hash");
    client.wait_for("info string a hash table of 4 M")?;
    client.leave()?;
    Ok(())
}

/// The number of search threads, by their names.
#[cfg(target_os = "linux")]
fn workers(client: &Client) -> Option<usize> {
    let tasks = std::fs::read_dir(format!("/proc/{}/task", client.id())).ok()?;
    let names =
        tasks.filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("comm")).ok());
    let is_worker = |name: &String| {
        let number = name.trim().strip_prefix("skewer-");
        number.is_some_and(|number| number.parse::<u32>().is_ok())
    };
    Some(names.filter(is_worker).count())
}

// Only Linux lists the threads of a process in a folder.
#[cfg(target_os = "linux")]
#[test]
fn a_deferred_number_of_threads_is_set() -> Result<(), String> {
    let mut client = Client::start(&[]);
    client.send("isready");
    client.wait_for("readyok")?;
    let before = workers(&client).ok_or("no list of threads")?;
    while_searching(&mut client, &["setoption name Threads value 3"])?;
    client.send("go depth 2");
    client.wait_for("bestmove ")?;
    // The threads of the old pool end by themselves.
    let deadline = Instant::now() + crate::harness::TIMEOUT;
    while workers(&client) != Some(before + 2) {
        if Instant::now() > deadline {
            return Err(format!("{before} threads, then {:?}", workers(&client)));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    client.leave()?;
    Ok(())
}
