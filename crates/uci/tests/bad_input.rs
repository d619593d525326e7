//! What no client should send, and some do. Every case runs on the real binary over real pipes,
//! and says how many answers and how many remarks there must be. Whatever it was, the engine must
//! afterwards play a legal move from a good position and leave with success when told to, without
//! a word on stderr.

mod harness;

use harness::Client;

/// What the client does.
enum Do {
    /// Sends a line.
    Line(&'static str),
    /// Sends bytes as they are.
    Bytes(Vec<u8>),
    /// Waits for a line with this beginning.
    Wait(&'static str),
    /// Closes its end of the input.
    Eof,
}

use Do::{Bytes, Eof, Line, Wait};

/// The remarks (`info string` lines) that are expected.
enum Remarks {
    /// This many.
    Count(usize),
    /// One, that contains this.
    One(&'static str),
}

use Remarks::{Count, One};

struct Case {
    /// Number and name.
    name: &'static str,
    script: Vec<Do>,
    answers: usize,
    /// What the only answer begins with, if it matters.
    answer: &'static str,
    remarks: Remarks,
}

fn case(name: &'static str, script: Vec<Do>, answers: usize, remarks: Remarks) -> Case {
    Case {
        name,
        script,
        answers,
        answer: "bestmove",
        remarks,
    }
}

/// A `position` that cannot be set up: one remark, and no move from it.
fn bad_position(name: &'static str, line: &'static str, remark: &'static str) -> Case {
    Case {
        answer: "bestmove (none)",
        ..case(
            name,
            vec![Line(line), Line("go depth 3"), Wait("bestmove")],
            1,
            One(remark),
        )
    }
}

/// A position that is accepted, with so many remarks.
fn good_position(name: &'static str, line: &'static str, remarks: Remarks) -> Case {
    case(
        name,
        vec![Line(line), Line("go depth 3"), Wait("bestmove ")],
        1,
        remarks,
    )
}

/// A `go` that ends by itself.
fn go(name: &'static str, line: &'static str, remarks: Remarks) -> Case {
    case(
        name,
        vec![Line("position startpos"), Line(line), Wait("bestmove ")],
        1,
        remarks,
    )
}

/// Something said while a search runs, which is then stopped.
fn while_searching(name: &'static str, lines: &[&'static str], remarks: Remarks) -> Case {
    let mut script = vec![
        Line("position startpos"),
        Line("go infinite"),
        Wait("info depth 2 "),
    ];
    script.extend(lines.iter().map(|line| Line(line)));
    script.extend([Line("stop"), Wait("bestmove ")]);
    case(name, script, 1, remarks)
}

fn line_of(byte: u8, length: usize) -> Vec<u8> {
    let mut line = vec![byte; length];
    line.push(b'\n');
    line
}

fn streams() -> Vec<Case> {
    let bytes = |bytes: &[u8]| Bytes(bytes.to_vec());
    vec![
        case("1 end of input when idle", vec![Eof], 0, Count(0)),
        case(
            "2 end of input while searching",
            vec![Line("go infinite"), Wait("info depth 2 "), Eof],
            1,
            Count(0),
        ),
        case(
            "3 CRLF",
            vec![
                bytes(b"uci\r\nisready\r\nposition startpos\r\ngo depth 2\r\n"),
                Wait("bestmove "),
            ],
            1,
            Count(0),
        ),
        case(
            "4 blank lines",
            vec![bytes(b"\n\n \n\t\n\r\n")],
            0,
            Count(0),
        ),
        case(
            "5 tabs and runs of blanks",
            vec![
                bytes(b"\t position \t startpos   moves\te2e4  \n  go\t\tdepth   2 \n"),
                Wait("bestmove "),
            ],
            1,
            Count(0),
        ),
        case(
            "6 NUL bytes",
            vec![bytes(b"isready\0\n"), Wait("readyok")],
            0,
            One("NUL"),
        ),
        case("6 only NUL bytes", vec![bytes(b"\0\0\0\n")], 0, One("NUL")),
        case(
            "7 invalid UTF-8",
            vec![bytes(b"\xFF\xFE\xC0\n")],
            0,
            Count(1),
        ),
        case(
            "7 invalid UTF-8 in a FEN",
            vec![
                bytes(b"position fen 8/8/8/8/8/8/8/\xFFK w - -\ngo depth 2\n"),
                Wait("bestmove (none)"),
            ],
            1,
            Count(1),
        ),
        case(
            "8 byte-order mark",
            vec![bytes(b"\xEF\xBB\xBFuci\n"), Wait("uciok")],
            0,
            Count(0),
        ),
        case(
            "9 a line of 1 MB",
            vec![Bytes(line_of(b'x', 1_000_000))],
            0,
            Count(1),
        ),
        case(
            "9 a line of 20 MB",
            vec![Bytes(line_of(b'x', 20_000_000))],
            0,
            One("bytes"),
        ),
        case(
            "9 a line of 1 MB of blanks",
            vec![Bytes(line_of(b' ', 1_000_000))],
            0,
            Count(0),
        ),
        case(
            "10 a last line without newline",
            vec![
                bytes(b"go depth 1\n"),
                Wait("bestmove "),
                bytes(b"isready"),
                Eof,
            ],
            1,
            Count(0),
        ),
    ]
}

fn unexpected_commands() -> Vec<Case> {
    vec![
        case(
            "12 an unknown command",
            vec![Line("xyzzy")],
            0,
            One("xyzzy"),
        ),
        case(
            "12 a known one after unknown words",
            vec![Line("xyzzy foo isready"), Wait("readyok")],
            0,
            One("xyzzy foo"),
        ),
        case(
            "13 UCI in capitals",
            vec![Line("UCI"), Wait("uciok")],
            0,
            One("lower case"),
        ),
        case(
            "14 go before anything",
            vec![Line("go depth 2"), Wait("bestmove ")],
            1,
            Count(0),
        ),
        case("15 stop when idle", vec![Line("stop")], 0, Count(0)),
        case(
            "16 ponderhit when idle",
            vec![Line("ponderhit")],
            0,
            One("ponderhit"),
        ),
        while_searching(
            "16 ponderhit in a search that ponders not",
            &["ponderhit"],
            Count(1),
        ),
        while_searching("17 stop twice", &["stop"], Count(0)),
        while_searching(
            "18 go while searching",
            &["go depth 1"],
            One("go is ignored"),
        ),
        while_searching(
            "19 position while searching",
            &["position startpos moves e2e4"],
            One("next one"),
        ),
        while_searching(
            "19 a bad position while searching",
            &["position fen 8/8 w - -"],
            One("next one; position"),
        ),
        while_searching("20 ucinewgame while searching", &["ucinewgame"], Count(1)),
        while_searching(
            "21 Hash and Threads while searching",
            &[
                "setoption name Hash value 8",
                "setoption name Threads value 2",
            ],
            Count(2),
        ),
        case(
            "22 a flood of isready while searching",
            {
                let mut script = vec![Line("go infinite"), Wait("info depth 2 ")];
                script.extend((0..2000).map(|_| Line("isready")));
                script.extend((0..2000).map(|_| Wait("readyok")));
                script.extend([Line("stop"), Wait("bestmove ")]);
                script
            },
            1,
            Count(0),
        ),
        case(
            "23 quit while searching",
            vec![Line("go infinite"), Wait("info depth 2 "), Line("quit")],
            1,
            Count(0),
        ),
        while_searching("24 uci while searching", &["uci"], Count(0)),
        case(
            "25 a thousand go and stop",
            {
                let mut script: Vec<Do> = (0..1000)
                    .flat_map(|_| [Line("go infinite"), Line("stop")])
                    .collect();
                script.extend((0..1000).map(|_| Wait("bestmove ")));
                script
            },
            1000,
            Count(0),
        ),
    ]
}

#[allow(clippy::too_many_lines, reason = "a table, one row after another")]
fn positions() -> Vec<Case> {
    vec![
        bad_position("26 bare position", "position", "position"),
        bad_position("26 a bare FEN", "position 8/8 w - -", "startpos"),
        bad_position(
            "26 moves without their word",
            "position startpos e2e4",
            "e2e4",
        ),
        bad_position("27 empty FEN", "position fen", "FEN"),
        bad_position("27 empty FEN with moves", "position fen moves e2e4", "FEN"),
        bad_position("28 fen startpos", "position fen startpos", "FEN"),
        bad_position(
            "29 seven ranks",
            "position fen rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rank",
        ),
        bad_position(
            "30 nine squares",
            "position fen rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rank 7",
        ),
        bad_position(
            "31 digit 9",
            "position fen rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "'9'",
        ),
        bad_position(
            "32 piece X",
            "position fen rnbqkbnr/ppppXppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "'X'",
        ),
        bad_position(
            "33 no king",
            "position fen 8/8/8/8/8/8/8/K7 w - - 0 1",
            "king",
        ),
        bad_position(
            "34 two kings of a colour",
            "position fen kk6/8/8/8/8/8/8/K7 w - - 0 1",
            "king",
        ),
        bad_position(
            "35 a pawn on the last rank",
            "position fen k6P/8/8/8/8/8/8/K7 w - - 0 1",
            "pawn",
        ),
        bad_position(
            "36 the side not to move in check",
            "position fen k6R/8/8/8/8/8/8/K7 w - - 0 1",
            "check",
        ),
        bad_position(
            "37 side x",
            "position fen k7/8/8/8/8/8/8/K7 x - - 0 1",
            "'x'",
        ),
        good_position(
            "38 a castling right without a rook",
            "position fen 4k3/8/8/8/8/8/8/4K3 w K - 0 1",
            One("castling"),
        ),
        bad_position(
            "39 KKkq",
            "position fen r3k2r/8/8/8/8/8/8/R3K2R w KKkq - 0 1",
            "castling",
        ),
        good_position(
            "40 en passant on e5",
            "position fen 4k3/8/8/8/8/8/8/4K3 w - e5 0 1",
            One("en passant"),
        ),
        good_position(
            "41 en passant that no pawn can make",
            "position fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            Count(0),
        ),
        bad_position(
            "42 clock -1",
            "position fen 4k3/8/8/8/8/8/8/4K3 w - - -1 1",
            "clock",
        ),
        good_position(
            "42 clock 99999",
            "position fen 4k3/8/8/8/8/8/8/4K2R w - - 99999 1",
            One("clock"),
        ),
        bad_position(
            "42 clocks in letters",
            "position fen 4k3/8/8/8/8/8/8/4K3 w - - a b",
            "clock",
        ),
        good_position(
            "43 four fields only",
            "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
            Count(0),
        ),
        bad_position(
            "44 sixty-four queens",
            "position fen QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ w - - 0 1",
            "king",
        ),
        bad_position(
            "45 an illegal move",
            "position startpos moves e2e4 e2e4",
            "move 2",
        ),
        bad_position(
            "45 e7e8 without a piece",
            "position fen 8/4P3/8/k7/8/8/8/K7 w - - 0 1 moves e7e8",
            "e7e8",
        ),
        bad_position("45 the null move", "position startpos moves 0000", "0000"),
        good_position(
            "46 two thousand moves",
            {
                let mut line = "position startpos moves".to_owned();
                for _ in 0..500 {
                    line.push_str(" g1f3 g8f6 f3g1 f6g8");
                }
                line.leak()
            },
            Count(0),
        ),
        Case {
            answer: "bestmove (none)",
            ..good_position(
                "47 mated",
                "position fen rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
                Count(0),
            )
        },
        Case {
            answer: "bestmove (none)",
            ..good_position(
                "47 stalemated",
                "position fen k7/8/1Q6/8/8/8/8/K7 b - - 0 1",
                Count(0),
            )
        },
    ]
}

fn limits() -> Vec<Case> {
    vec![
        go("48 depth abc", "go depth abc", One("abc")),
        go("48 depth -1", "go depth -1", One("-1")),
        go(
            "48 depth 2^64",
            "go depth 18446744073709551616",
            One("18446744073709551616"),
        ),
        go("48 depth without a number", "go depth", One("depth")),
        go("49 wtime -5", "go wtime -5 btime 1000", One("wtime")),
        go("49 wtime 0", "go wtime 0 btime 0 winc 0 binc 0", Count(0)),
        go("49 movetime 0", "go movetime 0", One("movetime")),
        go(
            "50 movestogo 0",
            "go wtime 100 btime 100 movestogo 0",
            One("movestogo"),
        ),
        go(
            "51 an illegal searchmove",
            "go searchmoves e2e5 depth 2",
            One("e2e5"),
        ),
        Case {
            answer: "bestmove a2a3",
            ..go(
                "51 one legal searchmove",
                "go searchmoves e2e5 a2a3 depth 2",
                One("e2e5"),
            )
        },
        go(
            "51 an illegal searchmove and a bad depth",
            "GO depth x searchmoves e2e5",
            One("is no legal move"),
        ),
        go(
            "51 no searchmoves",
            "go searchmoves depth 2",
            One("searchmoves"),
        ),
        case(
            "52 infinite depth 3 waits for stop",
            vec![
                Line("go infinite depth 3"),
                Wait("info depth 3 "),
                Line("isready"),
                Wait("readyok"),
                Line("stop"),
                Wait("bestmove "),
            ],
            1,
            Count(0),
        ),
        Case {
            answer: "bestmove (none)",
            ..case(
                "52 ponder on mate waits for ponderhit",
                vec![
                    Line("position fen k7/8/1Q6/8/8/8/8/K7 b - - 0 1"),
                    Line("go ponder wtime 1000 btime 1000"),
                    Line("isready"),
                    Wait("readyok"),
                    Line("ponderhit"),
                    Wait("bestmove "),
                ],
                1,
                Count(0),
            )
        },
        go(
            "unknown words after go",
            "go quickly depth 2",
            One("quickly"),
        ),
        go("a clock for the other side only", "go btime 200", Count(0)),
        go(
            "clocks of ages",
            "go wtime 18446744073709551615 btime 1 movetime 20",
            Count(0),
        ),
    ]
}

fn options() -> Vec<Case> {
    let option = |name, line, remarks| case(name, vec![Line(line)], 0, remarks);
    vec![
        option("53 setoption alone", "setoption", One("name")),
        option(
            "53 setoption without a value",
            "setoption name Hash",
            One("Hash"),
        ),
        option(
            "53 a value without a name",
            "setoption value 3",
            One("name"),
        ),
        option(
            "53 an unknown name",
            "setoption name Nonsense value 3",
            One("Nonsense"),
        ),
        option("53 odd case", "setoption name hAsH vAlUe 8", Count(0)),
        option(
            "53 neither true nor false",
            "setoption name Ponder value maybe",
            One("maybe"),
        ),
        option(
            "54 Hash above memory",
            "setoption name Hash value 33554432",
            One("memory"),
        ),
        option(
            "54 Hash above reason",
            "setoption name Hash value 99999999999",
            One("Hash"),
        ),
        option("54 Hash -1", "setoption name Hash value -1", One("Hash")),
        option(
            "54 Threads 0",
            "setoption name Threads value 0",
            One("Threads"),
        ),
        option(
            "54 Threads 10^12",
            "setoption name Threads value 1000000000000",
            One("Threads"),
        ),
        option(
            "55 a SyzygyPath that is not there",
            "setoption name SyzygyPath value /no/such/folder",
            Count(1),
        ),
        option(
            "55 an EvalFile that is not there",
            "setoption name EvalFile value /no/such/file",
            Count(1),
        ),
        option(
            "55 MultiPV 500",
            "setoption name MultiPV value 500",
            One("MultiPV"),
        ),
        option(
            "an unknown technique",
            "setoption name Without value magic",
            One("magic"),
        ),
        option(
            "an unknown option in capitals",
            "SETOPTION name Nonsense",
            One("Nonsense"),
        ),
    ]
}

fn own_commands() -> Vec<Case> {
    let bad = |name, line, remarks| case(name, vec![Line(line)], 0, remarks);
    vec![
        bad("bench with nonsense", "bench fast", One("fast")),
        bad("perft with nonsense", "perft deep", One("deep")),
        bad("genfens with nonsense", "genfens many", One("many")),
        case(
            "genfens with a bad book",
            vec![Line("genfens 1 book /no/book"), Wait("info string")],
            0,
            One("/no/book"),
        ),
        bad("perft of a bad FEN", "perft 2 8/8 w - -", One("FEN")),
        case(
            "perft while searching",
            vec![
                Line("go infinite"),
                Wait("info depth 2 "),
                Line("perft 3"),
                Line("stop"),
                Wait("bestmove "),
            ],
            1,
            One("perft"),
        ),
        case(
            "a perft of ages can be stopped by leaving",
            vec![
                Line("go perft 15"),
                Line("isready"),
                Wait("readyok"),
                Line("quit"),
            ],
            0,
            Count(0),
        ),
    ]
}

/// Whether a line is one that the protocol, or one of our own commands above, may print.
fn is_well_formed(line: &str) -> bool {
    let first = line.split(' ').next().unwrap_or_default();
    !line.contains('\r')
        && line == line.trim()
        && ["id", "option", "uciok", "readyok", "bestmove", "info"].contains(&first)
}

fn run(case: &Case) -> Result<(), String> {
    let mut client = Client::start(&[]);
    let mut left = false;
    for step in &case.script {
        match step {
            Line(line) => {
                left |= *line == "quit";
                client.send(line);
            }
            Bytes(bytes) => client.send_bytes(bytes),
            Wait(prefix) => {
                client.wait_for(prefix)?;
            }
            Eof => {
                left = true;
                client.close_stdin();
            }
        }
    }
    if !left {
        // Everything has been done when this is answered.
        client.send("isready");
        client.wait_for("readyok")?;
    }
    let (answers, remarks) = if left {
        let (status, stderr) = client.wait_for_exit()?;
        if !status.success() || !stderr.is_empty() {
            return Err(format!("left with {status}, stderr {stderr:?}"));
        }
        (client.count("bestmove"), client.count("info string"))
    } else {
        let counts = (client.count("bestmove"), client.count("info string"));
        // It goes on.
        client.send("position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6");
        client.send("go depth 3 searchmoves d7c6 b7c6");
        let answer = client.wait_for("bestmove ")?;
        if !["d7c6", "b7c6"].contains(&answer.split(' ').nth(1).unwrap_or_default()) {
            return Err(format!("afterwards it plays {answer:?}"));
        }
        client.send("quit");
        let (status, stderr) = client.wait_for_exit()?;
        if !status.success() || !stderr.is_empty() {
            return Err(format!("left with {status}, stderr {stderr:?}"));
        }
        counts
    };
    if answers != case.answers {
        return Err(format!("{answers} answers, not {}", case.answers));
    }
    if let Some(answer) = client
        .heard
        .iter()
        .find(|line| line.starts_with("bestmove"))
        && case.answers > 0
        && !answer.starts_with(case.answer)
    {
        return Err(format!("{answer:?} instead of {:?}", case.answer));
    }
    let said: Vec<&String> = client
        .heard
        .iter()
        .filter(|line| line.starts_with("info string"))
        .collect();
    match case.remarks {
        Count(count) if count != remarks => {
            Err(format!("{remarks} remarks, not {count}: {said:?}"))
        }
        One(part) if remarks != 1 || !said[0].contains(part) => {
            Err(format!("not one remark with {part:?}: {said:?}"))
        }
        _ => Ok(()),
    }?;
    if let Some(line) = client.heard.iter().find(|line| !is_well_formed(line)) {
        return Err(format!("a strange line: {line:?}"));
    }
    Ok(())
}

#[test]
fn every_bad_input_is_survived_and_answered_in_one_plain_line() {
    let cases = [
        streams(),
        unexpected_commands(),
        positions(),
        limits(),
        options(),
        own_commands(),
    ];
    let failures: Vec<String> = cases
        .iter()
        .flatten()
        .filter_map(|case| {
            run(case)
                .err()
                .map(|error| format!("{}: {error}", case.name))
        })
        .collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
fn a_closed_output_ends_the_session() {
    use std::process::{Command, Stdio};
    use std::time::Instant;

    // 11: nobody reads, and the input stays open.
    for script in ["uci\n", "go infinite\n", "isready\ngo depth 5\n"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_skewer"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().unwrap();
        std::io::Write::write_all(&mut stdin, script.as_bytes()).unwrap();
        let started = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            assert!(
                started.elapsed() < harness::PATIENCE,
                "{script:?}: it does not leave"
            );
            std::thread::sleep(std::time::Duration::from_millis(5));
        };
        let mut stderr = String::new();
        std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut stderr).unwrap();
        assert!(
            status.success() && stderr.is_empty(),
            "{script:?}: {status} {stderr:?}"
        );
    }
}
