//! Commands in quick succession, on the real binary: a job that is stopped prints its last line
//! before the next one begins, and deferred commands are executed.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::harness::Client;

/// The index of the first line that begins with `prefix`.
fn first_line(client: &Client, prefix: &str) -> usize {
    client
        .output
        .iter()
        .position(|line| line.starts_with(prefix))
        .unwrap_or(usize::MAX)
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
    assert!(first_line(&client, "info string perft was stopped") < first_line(&client, "bestmove"));
    let output = client.leave()?;
    assert!(
        !output
            .iter()
            .any(|line| line.contains("nothing is running"))
    );
    assert!(!output.iter().any(|line| line.contains("ignored")));
    Ok(())
}

#[test]
fn a_stopped_job_does_not_overlap_the_next() -> Result<(), String> {
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
    client.leave()?;
    Ok(())
}

/// Enough repeats to show a race between the last line of a job and the end of its thread.
const REPEATS: usize = 30;

/// A command that starts a job, and a test for the last line of its output.
type Job = (&'static str, fn(&str) -> bool);

/// The jobs other than a search.
const JOBS: [Job; 4] = [
    ("bench 1 1 1", |line| line.ends_with(" nps")),
    ("perft 1", |line| line.starts_with("Nodes searched: 20")),
    ("go perft 2", |line| line.starts_with("Nodes searched: 400")),
    ("genfens 1 seed 1 book None", |line| {
        line.starts_with("info string genfens ")
    }),
];

#[test]
fn go_is_accepted_right_after_the_last_line_of_a_job() -> Result<(), String> {
    for (job, is_last) in JOBS {
        let mut client = Client::start(&[]);
        for _ in 0..REPEATS {
            client.send(job);
            client.wait_until(job, is_last)?;
            // A `go` that is ignored has no `bestmove`.
            client.send("go depth 1");
            let answer = client.wait_until("bestmove", |line| {
                line.starts_with("bestmove ") || line.contains("is ignored")
            })?;
            assert!(answer.starts_with("bestmove "), "after {job}: {answer}");
        }
        let output = client.leave()?;
        let answers = output.iter().filter(|line| line.starts_with("bestmove "));
        assert_eq!(answers.count(), REPEATS, "{job}");
    }
    Ok(())
}

#[test]
fn a_job_is_accepted_right_after_the_last_line_of_another() -> Result<(), String> {
    let mut client = Client::start(&[]);
    for _ in 0..REPEATS {
        for (job, is_last) in JOBS {
            client.send(job);
            let last = client.wait_until(job, |line| is_last(line) || line.contains("ignored"))?;
            assert!(is_last(&last), "{job}: {last}");
        }
    }
    client.leave()?;
    Ok(())
}

#[test]
fn jobs_right_after_stop_wait_for_the_search_to_end() -> Result<(), String> {
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
        assert!(
            first_line(&client, "bestmove ") < first_line(&client, end),
            "{line}"
        );
    }
    Ok(())
}

/// How a client ends an infinite search.
#[derive(Debug, Clone, Copy)]
enum Ending {
    StopAndQuit,
    Quit,
    EndOfInput,
}

#[test]
fn deferred_commands_run_however_the_search_ends() -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    for end in [Ending::StopAndQuit, Ending::Quit, Ending::EndOfInput] {
        // The end of input does not stop a perft: see the test below.
        let works = match end {
            Ending::EndOfInput => &["go infinite"][..],
            _ => &["go infinite", "perft 15"],
        };
        for work in works {
            let file = folder.path().join(format!("{end:?} {work}"));
            let mut client = Client::start(&[]);
            client.send(work);
            client.set("Hash File", file.display());
            client.send("setoption name Save Hash");
            client.send("isready");
            client.wait_for("readyok")?;
            assert!(!file.exists(), "the command was not deferred");
            match end {
                Ending::StopAndQuit => client.send_bytes(b"stop\nquit\n"),
                Ending::Quit => client.send("quit"),
                Ending::EndOfInput => client.close_stdin(),
            }
            let (status, stderr) = client.wait_for_exit()?;
            assert!(status.success() && stderr.is_empty(), "{stderr}");
            assert!(file.exists(), "{end:?} of {work}");
        }
    }
    Ok(())
}

/// `echo bench | skewer` and the like print their results, also with a `quit` at the end of the input.
#[test]
fn the_end_of_input_waits_for_a_job() -> Result<(), String> {
    for (work, last) in [
        ("bench 1", "nodes"),
        ("perft 5", "Nodes searched: 4865609"),
        ("go perft 5", "Nodes searched: 4865609"),
        ("genfens 2 seed 1 book None", "genfens"),
    ] {
        for quit in ["", "quit\n", "quit\n\n"] {
            let mut client = Client::start(&[]);
            client.send_bytes(format!("{work}\n{quit}").as_bytes());
            client.close_stdin();
            let output = client.leave()?;
            assert!(
                output.last().is_some_and(|line| line.contains(last)),
                "{work}, {quit}: {output:?}"
            );
        }
    }
    Ok(())
}

#[test]
fn command_line_commands_end_when_the_pipe_closes() -> Result<(), String> {
    for arguments in ["go infinite", "genfens 1000000 seed 1 book None"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_skewer"))
            .args(arguments.split(' '))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| error.to_string())?;
        let mut line = String::new();
        let stdout = child.stdout.take().ok_or("no pipe")?;
        // Close the pipe after the first line.
        BufReader::new(stdout)
            .read_line(&mut line)
            .map_err(|error| error.to_string())?;
        assert!(line.starts_with("info"), "{arguments}: {line:?}");
        let started = Instant::now();
        while child
            .try_wait()
            .map_err(|error| error.to_string())?
            .is_none()
        {
            assert!(
                started.elapsed() < crate::harness::TIMEOUT,
                "{arguments}: still running"
            );
            std::thread::sleep(Duration::from_millis(5));
        }
    }
    Ok(())
}

#[test]
fn the_exit_status_tells_whether_all_commands_succeeded() -> Result<(), String> {
    for (arguments, done) in [
        (&["go", "depth", "1"][..], true),
        (&["UCI"], true),
        (&["position startpos", "go depth 1"], true),
        (&["setoption name SyzygyPath value"], true),
        (&["bench", "--without", "nosuch"], false),
        (&["genfens", "many"], false),
        (&["genfens", "1", "book", "/no/such/book"], false),
        (&["perft", "2", "8/8 w - -"], false),
        (&["setoption name Hash value lots", "go depth 1"], false),
        (&["position startpos moves e2e5", "go depth 1"], false),
        (&["nonsense"], false),
    ] {
        let mut client = Client::start(arguments);
        let (status, stderr) = client.wait_for_exit()?;
        assert_eq!(status.success(), done, "{arguments:?}: {:?}", client.output);
        assert_eq!(stderr, "", "{arguments:?}");
    }
    Ok(())
}

#[test]
fn a_new_hash_table_reports_its_pages() -> Result<(), String> {
    let mut client = Client::start(&[]);
    client.set("Hash", "32");
    client.send("isready");
    client.wait_for("readyok")?;
    // Without `debug on` there is a line only if the system has huge pages off: users can change that.
    let without_debug = usize::from(
        std::fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled")
            .is_ok_and(|setting| setting.contains("[never]")),
    );
    assert_eq!(
        client.count("info string"),
        without_debug,
        "{:?}",
        client.output
    );
    client.send("debug on");
    client.set("Hash", "64");
    let said = client.wait_for("info string Hash: ")?;
    assert!(said.contains("huge pages"), "{said}");
    // The same size is no new table.
    client.set("Hash", "64");
    let output = client.leave()?;
    assert_eq!(
        output.iter().filter(|line| line.contains("pages")).count(),
        without_debug + 1
    );
    Ok(())
}
