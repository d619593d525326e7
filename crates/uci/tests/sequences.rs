//! Commands that follow closely on each other, on the real binary: what was stopped ends and says
//! its last word before the next thing begins, and what was put off is done.

mod harness;

use harness::Client;

/// Where `prefix` first begins a line that was heard.
fn place(client: &Client, prefix: &str) -> usize {
    client
        .heard
        .iter()
        .position(|line| line.starts_with(prefix))
        .unwrap_or(usize::MAX)
}

/// Leaves, and sees that all went well.
fn leave(mut client: Client) -> Result<Vec<String>, String> {
    client.send("quit");
    let (status, stderr) = client.wait_for_exit()?;
    if status.success() && stderr.is_empty() {
        Ok(std::mem::take(&mut client.heard))
    } else {
        Err(format!("{status} {stderr:?}"))
    }
}

#[test]
fn a_deep_perft_can_be_stopped_and_a_search_follows() -> Result<(), String> {
    let mut client = Client::start(&[]);
    client.send("debug on");
    client.send("go perft 15");
    client.send("isready");
    client.wait_for("readyok")?;
    client.send("stop");
    client.send("go depth 1");
    client.wait_for("bestmove ")?;
    assert!(place(&client, "info string perft was stopped") < place(&client, "bestmove"));
    let heard = leave(client)?;
    assert!(!heard.iter().any(|line| line.contains("nothing is running")));
    assert!(!heard.iter().any(|line| line.contains("ignored")));
    Ok(())
}

#[test]
fn what_was_stopped_does_not_let_two_things_run_at_once() -> Result<(), String> {
    let mut client = Client::start(&[]);
    client.send("go infinite");
    client.wait_for("info depth 2 ")?;
    client.send("stop");
    client.wait_for("bestmove ")?;
    client.send("bench 20");
    client.send("go depth 20");
    client.wait_for("info string go is ignored")?;
    client.send("stop");
    client.wait_for("info string bench was stopped")?;
    leave(client)?;
    Ok(())
}

#[test]
fn perft_and_bench_right_after_stop_wait_as_go_does() -> Result<(), String> {
    for (line, end) in [
        ("perft 1", "Nodes searched: 20"),
        ("bench 1", "info string position 1/"),
        ("genfens 1 seed 1 book None", "info string genfens "),
    ] {
        let mut client = Client::start(&[]);
        client.send("go infinite");
        client.wait_for("info depth 2 ")?;
        client.send(&format!("stop\n{line}"));
        client.wait_for(end)?;
        assert!(place(&client, "bestmove ") < place(&client, end), "{line}");
    }
    Ok(())
}
