//! Random UCI scripts: valid commands, nearly valid ones, and bytes of any kind.

use std::fmt::Write as _;

use fastrand::Rng;
use skewer_movegen::{Board, CastlingMode, Scharnagl};

use crate::damage::damaged;
use crate::harness::Client;

/// Positions that have caused, or could cause, errors in reading, searching or writing moves.
const FENS: [&str; 16] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k3/8/8/8/8/8/8/6KR w H - 0 1",
    "4k3/8/8/8/8/8/8/5K1R w H - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "rrrrkrrr/pppppppp/8/8/8/8/PPPPPPPP/RRRRKRRR w HAha - 0 1",
    "QQQQQQQQ/QQQQQQQ1/8/8/8/8/6q1/k1K5 b - - 0 1",
    "qqqqqqqq/qqqqqqqk/8/8/8/8/QQQQQQQK/QQQQQQQQ w - - 0 1",
    "8/4p3/3K4/1n6/1Q6/8/8/k7 w - - 0 1",
    "7k/5Q2/8/8/8/8/8/K7 b - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 99 200",
    "k7/8/8/8/8/8/8/K7 w - - 100 65535",
    "44/8/8/2k5/8/8/4K3/8 w - - 0 1",
    "8/PPPPPPP1/8/2k5/8/5K2/1ppppppp/8 w - - 0 1",
    "5B2/6P1/1p6/8/1N6/kP6/2K5/8 w - - 0 1",
];

const OPTIONS: [(&str, &[&str]); 16] = [
    (
        "Hash",
        &["1", "2", "7", "33", "0", "-1", "99999999999999999999", "x"],
    ),
    ("Threads", &["1", "2", "3", "0", "4", "many"]),
    ("MultiPV", &["1", "2", "5", "256", "0", "300"]),
    ("UCI_Chess960", &["true", "false", "maybe"]),
    ("Ponder", &["true", "false"]),
    ("Move Overhead", &["0", "10", "1000", "-5"]),
    ("UCI_LimitStrength", &["true", "false"]),
    ("UCI_Elo", &["1320", "2000", "0", "9999"]),
    ("Clear Hash", &[]),
    ("EvalFile", &["/dev/null", "/no/such/file", "", "<empty>"]),
    ("SyzygyPath", &["/no/such/folder", "<empty>", "/dev/null"]),
    ("Hash File", &["/no/such/folder/file", "", "/dev/null"]),
    ("Book File", &["/no/such/file", "", "/dev/null"]),
    ("OwnBook", &["true", "false"]),
    ("Save Hash", &[]),
    ("No Such Option", &["1"]),
];

/// Plays one script to the end of the engine. An error names what went wrong and the script.
pub(crate) fn play(seed: u64) -> Result<(), String> {
    let mut rng = Rng::with_seed(seed);
    let mut engine = Client::start(&[]);
    let mut log = String::new();
    let mut board = Some(Board::STARTPOS);
    for _ in 0..rng.usize(1..40) {
        let done = step(&mut engine, &mut board, &mut log, &mut rng);
        done.map_err(|error| format!("{error}; script:\n{log}"))?;
    }
    // Whether a damaged `go` starts a search is unknown, so its answer is not checked.
    for _ in 0..rng.usize(..4) {
        let line = damaged(go(&mut rng).as_bytes(), &mut rng);
        let _ = writeln!(log, "(damaged) {}", line.escape_ascii());
        engine.send_bytes(&line);
        engine.send_bytes(b"\nstop\n");
    }
    let left = engine.leave().map(drop);
    left.map_err(|error| format!("{error}; script:\n{log}"))
}

fn step(
    engine: &mut Client,
    board: &mut Option<Board>,
    log: &mut String,
    rng: &mut Rng,
) -> Result<(), String> {
    let mut send = |engine: &mut Client, line: &str| {
        // Writing to a string does not fail.
        let _ = writeln!(log, "{line}");
        engine.send(line);
    };
    match rng.u8(..20) {
        0..5 => {
            let (line, new) = position(rng);
            send(engine, &line);
            *board = new;
        }
        5..11 => {
            send(engine, &go(rng));
            for _ in 0..rng.usize(..3) {
                send(engine, during(rng));
            }
            send(engine, "stop");
            send(engine, "ponderhit");
            send(engine, "stop");
            // Deferred commands have been executed now.
            let line = engine.wait_for("bestmove")?;
            check_answer(&line, board.as_ref())?;
            let answers = engine.count("bestmove");
            ready(engine)?;
            if engine.count("bestmove") > answers {
                return Err(format!("a second bestmove after {line}"));
            }
        }
        11..14 => send(engine, &option(rng)),
        14 => send(engine, "ucinewgame"),
        15 => {
            let _ = writeln!(log, "isready");
            ready(engine)?;
        }
        16 => {
            let words = [
                "uci",
                "d",
                "eval",
                "help",
                "debug on",
                "debug off",
                "stop",
                "ponderhit",
            ];
            send(engine, words[rng.usize(..words.len())]);
        }
        17 => {
            let good = [option(rng), position(rng).0];
            let line = damaged(good[rng.usize(..2)].as_bytes(), rng);
            let _ = writeln!(log, "(damaged) {}", line.escape_ascii());
            engine.send_bytes(&line);
            engine.send_bytes(b"\n");
            // The position may be another one now.
            let (line, new) = position(rng);
            let _ = writeln!(log, "{line}");
            engine.send(&line);
            *board = new;
        }
        _ => {
            let bytes: Vec<u8> = (0..rng.usize(..300))
                .map(|_| rng.u8(..))
                .filter(|byte| !matches!(byte, b'\n' | b'\r'))
                .collect();
            let _ = writeln!(log, "(bytes) {}", bytes.escape_ascii());
            // The line begins with "x", because the bytes alone could be a command.
            engine.send_bytes(&[b"x", &bytes[..], b"\n"].concat());
        }
    }
    Ok(())
}

/// Sends `isready` and waits for its answer.
fn ready(engine: &mut Client) -> Result<String, String> {
    engine.send("isready");
    engine.wait_for("readyok")
}

/// Checks that a `bestmove` line has a legal move, or `(none)` where there is no position or no move.
pub(crate) fn check_answer(line: &str, board: Option<&Board>) -> Result<(), String> {
    let word = line.split_whitespace().nth(1).unwrap_or_default();
    let right = match board {
        Some(board) if board.has_legal_moves() => board.parse_uci(word).is_ok(),
        _ => word == "(none)",
    };
    right
        .then_some(())
        .ok_or_else(|| format!("{board:?}: {line}"))
}

/// A `position` command, and the position if the command is valid.
fn position(rng: &mut Rng) -> (String, Option<Board>) {
    let (mut text, mut board) = if rng.u8(..4) == 0 {
        let number = rng.u16(..960);
        let start = Scharnagl::new(number).map_or(Board::STARTPOS, Board::chess960);
        (
            format!("position fen {}", start.to_fen_in(CastlingMode::Chess960)),
            start,
        )
    } else {
        let fen = FENS[rng.usize(..FENS.len())];
        match Board::from_fen(fen) {
            Ok(board) => (format!("position fen {fen}"), board),
            Err(_) => return (format!("position fen {fen}"), None),
        }
    };
    for number in 0..rng.usize(..30) {
        let moves = board.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves[rng.usize(..moves.len())];
        if number == 0 {
            text.push_str(" moves");
        }
        let mode = [CastlingMode::Standard, CastlingMode::Chess960][rng.usize(..2)];
        let _ = write!(text, " {}", board.uci_in(mv, mode));
        board = board.play(mv);
    }
    (text, Some(board))
}

fn go(rng: &mut Rng) -> String {
    let mut text = String::from("go");
    for _ in 0..rng.usize(1..3) {
        let number = [0, 1, 3, 20, 500][rng.usize(..5)];
        let _ = match rng.u8(..9) {
            0 => write!(text, " depth {}", rng.u8(..8)),
            1 => write!(text, " nodes {number}"),
            2 => write!(text, " movetime {}", number / 10),
            3 => write!(text, " wtime {number} btime {number} winc {number} binc 0"),
            4 => write!(text, " mate {}", rng.u8(..4)),
            5 => write!(text, " infinite"),
            6 => write!(text, " ponder wtime 100 btime 100"),
            7 => write!(text, " searchmoves e2e4 a7a6 e1g1 depth 3"),
            _ => write!(text, " wtime -{number} movestogo {number}"),
        };
    }
    text
}

/// What a client may send while the engine searches.
fn during(rng: &mut Rng) -> &'static str {
    let lines = [
        "isready",
        "ponderhit",
        "setoption name Hash value 3",
        "setoption name Threads value 2",
        "debug on",
        "nonsense",
        "setoption name Clear Hash",
    ];
    lines[rng.usize(..lines.len())]
}

fn option(rng: &mut Rng) -> String {
    let (name, values) = OPTIONS[rng.usize(..OPTIONS.len())];
    if values.is_empty() {
        format!("setoption name {name}")
    } else {
        format!(
            "setoption name {name} value {}",
            values[rng.usize(..values.len())]
        )
    }
}
