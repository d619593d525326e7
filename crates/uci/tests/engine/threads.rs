//! Many threads, as a client sees them.

use crate::harness::Client;

const POSITIONS: [&str; 3] = [
    "startpos",
    "fen r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "fen 8/pp3k2/2p2np1/2P1p2p/1P2P2P/P2N1KP1/8/8 w - - 0 1",
];

/// With `Lockstep`, searches by eight threads print the same bytes in every process. With `nodestime`, where time is
/// counted in nodes, the printed times are the same too.
#[test]
fn eight_threads_in_lockstep_print_the_same_bytes_again() -> Result<(), String> {
    let run = || {
        let mut client = Client::start(&[]);
        client.set("Threads", 8);
        client.set("Lockstep", true);
        client.set("nodestime", 100);
        for position in POSITIONS {
            for go in [
                "depth 7",
                "nodes 20000",
                "movetime 200",
                "wtime 3000 btime 3000",
            ] {
                client.send(&format!("position {position}"));
                client.send(&format!("go {go}"));
                client.wait_for("bestmove ")?;
            }
        }
        client.leave()
    };
    let first = run()?;
    let answers = first.iter().filter(|line| line.starts_with("bestmove "));
    assert_eq!(answers.count(), 12);
    assert_eq!(first, run()?);
    Ok(())
}

/// More than four threads for each core are possible, and one line warns of them. Fewer threads cause no warning.
#[test]
fn too_many_threads_cause_a_warning_and_answer_all_the_same() -> Result<(), String> {
    let cores = std::thread::available_parallelism().map_err(|error| error.to_string())?;
    let most = 4 * cores.get();
    let notes = |threads: usize| {
        let mut client = Client::start(&[]);
        client.set("Threads", threads);
        client.send("go movetime 50");
        client.wait_for("bestmove ")?;
        client.send("go infinite");
        client.wait_for("info depth ")?;
        client.send("stop");
        client.wait_for("bestmove ")?;
        let output = client.leave()?.into_iter();
        Ok::<_, String>(
            output
                .filter(|line| line.starts_with("info string"))
                .count(),
        )
    };
    assert_eq!(notes(most)?, 0);
    assert_eq!(notes(most + 1)?, 1);
    Ok(())
}
