//! Suites, single positions, and the summary on the terminal.

use std::fs;
use std::path::Path;
use std::process::Command;

use skewer_eval::Evaluation;
use skewer_movegen::Board;
use skewer_search::Limits;
use skewer_smp::{Engine, Options};

use crate::{GAMES, folder, printed, program, program_with_limits, run, write};

#[test]
fn suites_are_solved_and_failures_set_the_exit_status() {
    let folder = folder();
    let suite = concat!(
        "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; dm 1; id \"back rank\";\n",
        "6k1/5ppp/8/8/8/8/8/R5K1 w - - am Ra8#; id \"never\";\n",
        "nonsense\n",
        "k7/8/8/8/8/8/8/K6R w - - id \"nothing to find\";\n",
    );
    let file = write(folder.path(), "suite.epd", suite.as_bytes());
    let solve = |more: &[&str]| {
        program()
            .args(["suite", &file, "--nodes", "3000", "--threads", "2"])
            .args(more)
            .output()
            .unwrap()
    };
    let output = solve(&[]);
    assert_eq!(output.status.code(), Some(1));
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        printed.contains("back rank: bm Ra8#, dm 1: solved"),
        "{printed}"
    );
    assert!(
        printed.contains("never: am Ra8#: not solved, Ra8#"),
        "{printed}"
    );
    assert!(printed.contains("1 of 4 solved"), "{printed}");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        errors.contains("line 3: not a position") && errors.contains("line 4: no bm, am or dm")
    );
    assert_eq!(solve(&["--at-least", "1"]).status.code(), Some(0));
}

#[test]
fn a_line_of_a_suite_that_cannot_be_read_is_not_solved() {
    let folder = folder();
    let suite = b"6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#;\nnonsense\n";
    let file = write(folder.path(), "suite.epd", suite);
    let (code, out, _) = printed(program().args(["suite", &file, "--nodes", "3000"]));
    assert_eq!(code, Some(1));
    assert!(out.contains("1 of 2 solved"), "{out}");
}

/// A line that no answer could solve, or whose question cannot be read, is named with its number and counts as a
/// position that is not solved, so that it cannot leave the total.
#[test]
fn lines_that_cannot_be_judged_are_named_and_counted() {
    let folder = folder();
    let mate = "6k1/5ppp/8/8/8/8/8/R5K1 w - -";
    let (corner, stalemate) = ("8/8/8/8/8/8/8/K6k w - -", "7k/5Q2/6K1/8/8/8/8/8 b - -");
    let no_mate = |text: &str| format!("\"{text}\" gives no valid number of moves to mate");
    let bad = [
        (mate, "dm x;", no_mate("dm x")),
        (mate, "dm;", no_mate("dm")),
        (mate, "dm 0;", no_mate("dm 0")),
        (mate, "dm -1;", no_mate("dm -1")),
        (mate, "dm 1 2;", no_mate("dm 1 2")),
        (mate, "dm 5000000000;", no_mate("dm 5000000000")),
        (mate, "bm Ra8#; dm x;", no_mate("dm x")),
        (mate, "dm 1; dm 2;", "dm is 1 and 2".to_owned()),
        (
            mate,
            "bm Ra8#; acd x;",
            "\"acd x\" gives no valid number of plies".to_owned(),
        ),
        (mate, "bm Ra8#; acd 3; acd 4;", "acd is 3 and 4".to_owned()),
        (
            mate,
            "bm Ra8#; am Ra8#;",
            "Ra8# is in bm and in am".to_owned(),
        ),
        (
            mate,
            "bm Ra8# Ra7; am Ra7;",
            "Ra7 is in bm and in am".to_owned(),
        ),
        (
            corner,
            "am Ka2 Kb1 Kb2;",
            "am has every legal move".to_owned(),
        ),
        (
            stalemate,
            "dm 1;",
            "the position has no legal move".to_owned(),
        ),
        (mate, "bm;", "no move follows bm".to_owned()),
        (mate, "bm Ra9;", "bm: \"Ra9\" is not a move".to_owned()),
        (mate, "moves a1a8;", "moves follow the position".to_owned()),
        (mate, "id \"x\";", "no bm, am or dm".to_owned()),
    ];
    // The same number twice, and a depth of 0, are no reason.
    let good = format!("{mate} bm Ra8#; dm 1; dm 1; acd 0;");
    let lines = bad.iter().map(|(board, rest, _)| format!("{board} {rest}"));
    let lines: Vec<String> = std::iter::once(good).chain(lines).collect();
    let file = write(folder.path(), "bad.epd", lines.join("\n").as_bytes());
    for (at_least, expected) in [(&[][..], 1), (&["--at-least", "1"], 0)] {
        let mut command = program();
        command.args(["suite", &file, "--nodes", "3000"]);
        let (code, out, errors) = printed(command.args(at_least));
        assert_eq!(code, Some(expected), "{out}{errors}");
        for (line, (_, rest, reason)) in (2..).zip(&bad) {
            let named = format!("{file}: line {line}: {reason}");
            assert!(errors.contains(&named), "{rest} {errors}");
        }
        let (bad, all) = (bad.len(), lines.len());
        let counted = format!("{bad} of {all} positions could not be judged");
        assert!(errors.contains(&counted), "{errors}");
        assert!(out.contains(&format!("1 of {all} solved")), "{out}");
    }
}

/// A right that the position of a file contradicts is named by every command that reads the file, and the position is
/// analysed without it.
#[test]
fn rights_that_a_position_contradicts_are_named() {
    let folder = folder();
    let fen = "6k1/5ppp/8/8/8/8/8/R5K1 w k e3 0 1";
    let epd = write(
        folder.path(),
        "in.epd",
        format!("{fen} bm Ra8#;\n").as_bytes(),
    );
    let game = format!("[FEN \"{fen}\"]\n\n1. Ra8# 1-0\n");
    let pgn = write(folder.path(), "in.pgn", game.as_bytes());
    for (command, file, place) in [
        ("positions", &epd, "line 1"),
        ("suite", &epd, "line 1"),
        ("games", &pgn, "line 1, column 1: game 1"),
    ] {
        let mut analyse = program();
        analyse.args([command, file, "--nodes", "3000", "--hash", "1", "--quiet"]);
        let (code, out, errors) = printed(&mut analyse);
        assert_eq!(code, Some(0), "{command}: {out}{errors}");
        let named = format!(
            "{file}: {place}: FEN, castling rights: \
             black cannot castle kingside: king or rook is not on its square; passed over"
        );
        assert!(errors.contains(&named), "{command}: {errors}");
        let second = match command {
            "games" => "(and 1 more in this game)",
            _ => "no pawn can have passed e3 on the last move; passed over",
        };
        assert!(errors.contains(second), "{command}: {errors}");
    }
    let mut position = program();
    position.args(["position", fen, "--depth", "3", "--threads", "1", "--quiet"]);
    let (code, out, errors) = printed(&mut position);
    assert_eq!(code, Some(0), "{out}{errors}");
    assert_eq!(errors.matches("; passed over").count(), 2, "{errors}");
}

/// Where the game is over there is nothing to search, and the message says how it ended.
#[test]
fn a_game_that_is_over_is_not_searched() {
    for (fen, ending) in [
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "checkmate"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate"),
        ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", "insufficient material"),
        (
            "4k3/8/8/8/8/8/8/3QK3 w - - 150 120",
            "seventy-five-move rule",
        ),
    ] {
        let (code, _, errors) = printed(program().args(["position", fen, "--depth", "3"]));
        assert_eq!(code, Some(2), "{errors}");
        let said = format!("the game is over: {ending}");
        assert!(errors.contains(&said), "{errors}");
    }
}

#[test]
fn one_position_is_analysed() {
    let mate = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
    let output =
        run(program().args(["position", mate, "--depth", "4", "--threads", "1", "--json"]));
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["lines"][0]["mate"], 1);
    assert_eq!(found["lines"][0]["moves"][0], "Ra8#");
    let output = run(program().args([
        "position",
        "startpos",
        "--nodes",
        "5000",
        "--multipv",
        "3",
        "--quiet",
    ]));
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(
        printed
            .lines()
            .filter(|line| line.starts_with("depth"))
            .count(),
        3,
        "{printed}"
    );
    assert_eq!(
        printed.lines().last().unwrap().split(' ').count(),
        3,
        "{printed}"
    );
    for wrong in ["x", "7k/5Q2/5K2/8/8/8/8/8 b - -"] {
        assert_eq!(
            program()
                .args(["position", wrong])
                .output()
                .unwrap()
                .status
                .code(),
            Some(2)
        );
    }
}

#[test]
fn centipawns_follow_the_win_model_of_the_network() {
    let fen = "rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1";
    let output = run(program().args(["position", fen, "--depth", "6", "--threads", "1", "--json"]));
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut engine = Engine::new(Options::default()).unwrap();
    let board = Board::from_fen(fen).unwrap();
    let outcome = engine.search(board, Limits::depth(6), |_| {}).wait();
    let centipawns = -Evaluation::default()
        .win_curve(&board)
        .centipawns(outcome.score);
    assert!(centipawns > 100, "White is a knight up");
    assert_eq!(found["lines"][0]["cp"], centipawns);
}

#[test]
fn without_an_output_there_is_a_summary() {
    let folder = folder();
    let file = write(folder.path(), "in.pgn", GAMES.as_bytes());
    let (code, out, _) = printed(program().args(["games", &file, "--nodes", "500", "--hash", "1"]));
    assert_eq!(code, Some(1), "one could not be read");
    assert!(out.contains("A <b>") && out.contains("accuracy"), "{out}");
    assert!(out.contains("    2  not read"), "{out}");
    assert!(out.contains("--html"), "{out}");
}

/// Files without a command get the command that fits them, whether they come before or after the options, and a line
/// says which. Other unknown words stay errors.
#[test]
fn files_without_a_command_are_analysed() {
    let folder = folder();
    let games = write(folder.path(), "my.pgn", b"1. e4 e5 *");
    let suite = write(
        folder.path(),
        "my.epd",
        b"6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8#;",
    );
    let upper_case = write(
        folder.path(),
        "OTHER.EPD",
        b"6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8#;",
    );
    let limits = ["--nodes", "50", "--hash", "1"];
    let orders: [(&str, Vec<&str>); 4] = [
        ("games", [&[games.as_str()], &limits[..]].concat()),
        ("games", [&limits[..], &[games.as_str()]].concat()),
        ("suite", [&[suite.as_str()], &limits[..]].concat()),
        ("suite", [&[upper_case.as_str()], &limits[..]].concat()),
    ];
    for (command, words) in orders {
        let (code, out, errors) = printed(program().args(&words));
        assert_eq!(code, Some(0), "{words:?}: {errors}");
        assert!(!out.is_empty(), "{words:?}");
        let note = format!("taken as `skewer-analyse {command} ...`");
        assert!(errors.contains(&note), "{errors}");
    }
    let (code, _, errors) = printed(program().arg("missing.pgn"));
    assert_eq!(code, Some(2));
    assert!(
        errors.contains("missing.pgn") && !errors.contains("subcommand"),
        "{errors}"
    );
    let (code, _, errors) = printed(program().args(["game", &games]));
    assert_eq!(code, Some(2));
    assert!(errors.contains("unrecognized subcommand"), "{errors}");
}

/// Each figure of the summary has a name of its own, and the score over all players says whose it is.
#[test]
fn the_figures_of_the_summary_have_names() {
    let folder = folder();
    let file = write(
        folder.path(),
        "in.pgn",
        b"[White \"A\"]\n[Black \"B\"]\n\n1. f3 e5 2. g4 Qh4# 0-1",
    );
    let (_, out, errors) =
        printed(program().args(["games", &file, "--nodes", "50", "--hash", "1"]));
    for name in [
        "game accuracy",
        "move accuracy",
        "cp loss",
        "all (White's score)",
        "likely to stay the same",
    ] {
        assert!(out.contains(name), "{name}: {out}{errors}");
    }
    assert!(
        !out.contains("  accuracy") && !out.contains("\nall  "),
        "{out}"
    );
}

/// A mate is printed without a depth, because the search finishes the remaining depths at once.
#[test]
fn a_mate_has_no_depth() {
    let mate = "6k1/5ppp/8/8/8/8/8/R6K w - -";
    let (code, out, errors) = printed(program().args([
        "position", mate, "--nodes", "5000", "--hash", "1", "--quiet",
    ]));
    assert_eq!(code, Some(0), "{errors}");
    assert!(out.contains("#1") && !out.contains("depth"), "{out}");
}

#[cfg(unix)]
#[test]
fn the_script_for_gnu_parallel_says_that_it_is_missing() {
    let folder = folder();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/cluster/parallel.sh");
    // A `parallel` of another kind, as in moreutils, is not enough.
    write(folder.path(), "parallel", b"#!/bin/sh\necho usage\n");
    let parallel = folder.path().join("parallel");
    // The path has only the programs that the script calls, so that a GNU parallel of this machine is not found.
    let grep = ["/bin/grep", "/usr/bin/grep"]
        .into_iter()
        .find(|grep| Path::new(grep).exists());
    std::os::unix::fs::symlink(grep.unwrap(), folder.path().join("grep")).unwrap();
    for mode in [0o755, 0o644] {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(&parallel, fs::Permissions::from_mode(mode)).unwrap();
        let mut command = Command::new("/bin/sh");
        command
            .args([script, "games.pgn", "2"])
            .env("PATH", folder.path());
        let (code, _, errors) = printed(command.current_dir(folder.path()));
        assert_eq!(code, Some(2), "{errors}");
        assert!(errors.contains("GNU parallel is not installed"), "{errors}");
    }
}

#[test]
fn games_that_cannot_be_read_are_counted() {
    let folder = folder();
    let file = write(folder.path(), "in.pgn", GAMES.as_bytes());
    let (code, whole, errors) = printed(program_with_limits(&file).args(["--csv", "-"]));
    assert_eq!(code, Some(1));
    assert_eq!(whole.lines().count(), 1 + 4 + 8 + 20, "the other games");
    let hint = "1 of 4 games could not be read and was left out; add --partial";
    assert!(errors.contains(hint), "{errors}");

    // A shard returns 0, because schedulers start a failed shard again; `merge` returns 1.
    for (shard, partial) in [("1/2", &[][..]), ("2/2", &[]), ("1/1", &["--partial"])] {
        let journal = folder.path().join(shard.replace('/', "-") + ".journal");
        let mut command = program_with_limits(&file);
        command.args(["--shard", shard]).args(partial);
        let (code, ..) = printed(command.arg("--journal").arg(journal));
        assert_eq!(code, Some(0), "{shard}");
    }
    let merge = |journals: &[&str], more: &[&str]| {
        let mut command = program();
        command.args(["merge", &file, "--quiet", "--csv", "-"]);
        command.args(more).arg("--from");
        command.args(journals.iter().map(|name| folder.path().join(name)));
        printed(&mut command)
    };
    let (code, merged, errors) = merge(&["1-2.journal", "2-2.journal"], &[]);
    assert_eq!((code, merged), (Some(1), whole), "{errors}");
    assert!(errors.contains(hint), "{errors}");
    let (code, merged, errors) = merge(&["1-1.journal"], &["--partial"]);
    assert_eq!(code, Some(0), "{errors}");
    assert_eq!(merged.lines().count(), 1 + 4 + 2 + 8 + 20);
}
