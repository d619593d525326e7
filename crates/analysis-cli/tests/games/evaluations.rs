//! Evaluations that games already have, engines other than our own, and doubtful labels.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use skewer_analysis::params::MOST_PER_CENT;

use crate::{folder, printed, program, program_with_limits, run, write};

/// A game with evaluations of its own, in the manner of lichess, and the labels that follow from them by
/// lichess's limits: a drop of 0.1 in chances, a loss of one and of three pawns, and mates.
const EVALUATED: &str = "\
[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n
1. e4 { [%eval 0.15] } e5 { [%eval 0.20] } 2. Nf3 { [%eval 0.20] } f6 { [%eval 1.40] }
3. a3 { [%eval -1.00] } g5 { [%eval 0.90] } 4. Nc3 { [%eval 0.85] } d6 { [%eval 1.00] }
5. Qe2 { [%eval 0.40] } Bg4 { [%eval 0.50] } 6. h3 { [%eval 0.50] } Bxf3 { [%eval 0.70] }
7. g4 { [%eval -8.00] } h5 { [%eval #4] } 8. b3 { [%eval #4] } a6 { [%eval #3] }
9. b4 { [%eval 11.00] } a5 { [%eval 11.00] } 0-1\n";

/// The labels of the moves of [`EVALUATED`].
const LABELS: [&str; 18] = [
    "",
    "",
    "",
    "mistake",
    "mistake",
    "mistake",
    "",
    "",
    "inaccuracy",
    "",
    "",
    "",
    "blunder",
    "blunder",
    "",
    "",
    "inaccuracy",
    "",
];

fn jsonl(command: &mut Command) -> Vec<Value> {
    let output = run(command.args(["--quiet", "--jsonl", "-"]));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn moves(game: &Value) -> &[Value] {
    game["moves"].as_array().unwrap()
}

fn labels(game: &Value) -> Vec<&str> {
    moves(game)
        .iter()
        .map(|mv| mv["label"].as_str().unwrap_or_default())
        .collect()
}

#[test]
fn evaluations_of_a_file_are_used_without_a_search() {
    let folder = folder();
    let bare = "[White \"C\"]\n[Black \"D\"]\n\n1. e4 e5 *\n";
    let file = write(
        folder.path(),
        "in.pgn",
        format!("{EVALUATED}\n{bare}").as_bytes(),
    );
    let lines = jsonl(program().args(["games", &file, "--pgn-evals", "use"]));
    assert!(
        lines[0]["settings"]
            .as_str()
            .unwrap()
            .contains("evals=of-the-games")
    );
    let game = &lines[1];
    assert_eq!(labels(game), LABELS);
    assert_eq!(moves(game)[0]["eval"]["cp"], 15);
    assert_eq!(moves(game)[13]["eval"]["mate"], 4);
    assert!(moves(game).iter().all(|mv| mv["nodes"] == 0));
    // A mate that was allowed is seen without a search.
    assert_eq!(moves(game)[13]["motifs"][0]["kind"], "allowed_mate");
    let reason = lines[2]["reason"].as_str().unwrap();
    assert_eq!(reason, "there is no [%eval] after ply 1");

    // Errors: games without evaluations only, and a journal that would stay empty.
    let bare = write(folder.path(), "bare.pgn", bare.as_bytes());
    let journal = folder.path().join("journal");
    let journal = ["--journal", journal.to_str().unwrap()];
    for (file, more, says) in [
        (&bare, &[][..], "no game has an evaluation ([%eval])"),
        (&file, &journal, "leave out --journal"),
    ] {
        let mut command = program();
        command.args(["games", file, "--pgn-evals", "use"]);
        let (code, _, errors) = printed(command.args(more));
        assert_eq!(code, Some(2), "{errors}");
        assert!(errors.contains(says), "{errors}");
    }
}

#[test]
fn positions_that_a_label_depends_on_are_searched() {
    let folder = folder();
    let file = write(folder.path(), "in.pgn", EVALUATED.as_bytes());
    let limits = ["--nodes", "2000", "--hash", "1", "--pgn-evals", "refine"];
    let lines = jsonl(program().args(["games", &file]).args(limits));
    let moves = moves(&lines[1]);
    // The first moves lose nothing by the evaluations of the file, which are kept.
    assert_eq!(
        (&moves[0]["nodes"], &moves[0]["eval"]["cp"]),
        (&Value::from(0), &Value::from(15))
    );
    // No label rests on an evaluation of the file.
    for (index, mv) in moves.iter().enumerate() {
        let before = index.checked_sub(1).map(|index| &moves[index]["nodes"]);
        if mv["label"].is_string() {
            assert!(mv["nodes"].as_u64() > Some(0), "{mv}");
            assert!(before.is_none_or(|nodes| nodes.as_u64() > Some(0)), "{mv}");
        }
    }
    let searched = moves.iter().filter(|mv| mv["nodes"] != 0).count();
    assert!((1..moves.len()).contains(&searched), "{searched}");
}

#[test]
fn a_journal_of_refined_evaluations_depends_on_them() {
    let folder = folder();
    let file = write(folder.path(), "in.pgn", EVALUATED.as_bytes());
    let journal = folder.path().join("journal");
    let journal = journal.to_str().unwrap();
    let refine = || {
        let mut command = program();
        command.args(["games", &file, "--nodes", "500", "--hash", "1", "--quiet"]);
        printed(command.args(["--pgn-evals", "refine", "--csv", "-", "--journal", journal]))
    };
    let (code, found, errors) = refine();
    assert_eq!(code, Some(0), "{errors}");
    let (_, merged, errors) =
        printed(program().args(["merge", &file, "--csv", "-", "--from", journal]));
    assert_eq!(merged, found, "{errors}");
    fs::write(&file, EVALUATED.replace("-8.00", "-0.10")).unwrap();
    let (code, _, errors) = refine();
    assert_eq!(code, Some(2));
    assert!(errors.contains("the journal is of other games"), "{errors}");
}

#[test]
fn doubtful_labels_are_searched_again_until_they_are_sure() {
    let folder = folder();
    let file = write(folder.path(), "in.pgn", crate::GAMES.as_bytes());
    let nodes = |more: &[&str]| -> Vec<(u64, f64, bool)> {
        let mut command = program();
        command
            .args(["games", &file, "--nodes", "500", "--hash", "1"])
            .args(more);
        let lines = jsonl(&mut command);
        let games = lines.iter().filter(|line| line["kind"] == "game");
        games
            .flat_map(moves)
            .filter_map(|mv| {
                let is_mate = mv["eval"]["mate"].is_number();
                Some((mv["nodes"].as_u64()?, mv["sure"].as_f64()?, is_mate))
            })
            .collect()
    };
    let once = nodes(&["--confidence", "none"]);
    let sure = nodes(&["--confidence", "97%"]);
    assert_eq!(once.len(), sure.len());
    let total = |all: &[(u64, f64, bool)]| all.iter().map(|found| found.0).sum::<u64>();
    assert!(total(&sure) > total(&once));
    // What is still doubtful has been searched with all the nodes that there are, unless a mate ended the
    // search before.
    for (nodes, chance, is_mate) in sure {
        assert!((0.0..=1.0).contains(&chance));
        assert!(
            chance >= 0.965 || nodes >= 32_000 || is_mate,
            "{nodes} {chance}"
        );
    }
}

/// Unless something else is asked for, doubtful moves are searched again with at most 1.8 times the nodes of a plain
/// search on average over each game, whatever number of nodes that is.
#[test]
fn doubtful_labels_are_searched_again_within_a_limit() {
    let folder = folder();
    let file = write(folder.path(), "in.pgn", crate::GAMES.as_bytes());
    // The nodes of all searches, and the number of moves, by game.
    let nodes = |more: &[&str]| -> Vec<(u64, u64)> {
        let mut command = program();
        command
            .args(["games", &file, "--nodes", "2000", "--hash", "1"])
            .args(more);
        let lines = jsonl(&mut command);
        let games = lines.iter().filter(|line| line["kind"] == "game");
        let of_game = |game: &Value| (game["nodes"].as_u64().unwrap(), moves(game).len() as u64);
        games.map(of_game).collect()
    };
    let (once, default) = (nodes(&["--confidence", "none"]), nodes(&[]));
    let total = |games: &[(u64, u64)]| games.iter().map(|game| game.0).sum::<u64>();
    assert!(total(&default) > total(&once), "nothing is searched again");
    for (nodes, count) in default {
        // A search may exceed its limit by a little.
        assert!(
            nodes <= 2000 * MOST_PER_CENT * (count + 1) / 100 * 11 / 10,
            "{nodes} nodes for {count} moves"
        );
    }
}

/// Writes a UCI engine as a shell script. It knows the positions of the game 1. f3 e5 2. g4 Qh4#. `trouble`
/// is run at each `go`, with the number of `go` commands so far in the file `$0.count`.
#[cfg(unix)]
fn engine(folder: &Path, name: &str, trouble: &str) -> String {
    use std::os::unix::fs::PermissionsExt as _;
    let script = format!(
        r#"#!/bin/sh
say() {{ echo "info depth 3 multipv 1 score $1 nodes 10 pv $2"; echo "bestmove $2"; }}
while read -r line; do
case "$line" in
uci) echo "id name Stub {name}"; echo "option name Hash type spin default 1 min 1 max 99"
  echo "option name MultiPV type spin default 1 min 1 max 9"; echo uciok ;;
isready) echo readyok ;;
setoption*) echo "$line" >> "$0.options" ;;
position*) at=$line ;;
go*)
  echo x >> "$0.count"; count=$(wc -l < "$0.count"); {trouble}
  case "$at" in
  *g2g4 | *"P2P/RNBQKBNR b"*) say "mate 1" d8h4 ;;
  *e7e5) say "cp -50" e2e4 ;;
  *f2f3 | *"P1PP/RNBQKBNR b"*) say "cp 60" e7e5 ;;
  *) say "cp 20" e2e4 ;;
  esac ;;
quit) exit 0 ;;
esac
done
"#
    );
    let path = folder.join(name);
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

#[cfg(unix)]
const MATE: &str = "[White \"A\"]\n[Black \"B\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n";

#[cfg(unix)]
#[test]
fn any_engine_analyses_and_is_named() {
    let folder = folder();
    let file = write(folder.path(), "in.pgn", MATE.as_bytes());
    let stub = engine(folder.path(), "one", "");
    let with_options = format!("{stub},option.Hash=7");
    let lines = jsonl(program().args(["games", &file, "--engine", &with_options]));
    let settings = lines[0]["settings"].as_str().unwrap();
    assert!(settings.contains("engine=Stub-one Hash=7"), "{settings}");
    let found = moves(&lines[1]);
    assert_eq!(
        (&found[0]["best"]["cp"], &found[0]["eval"]["cp"]),
        (&Value::from(20), &Value::from(-60))
    );
    assert_eq!(
        (&found[2]["label"], &found[2]["eval"]["mate"]),
        (&Value::from("blunder"), &Value::from(-1))
    );
    assert_eq!(found[3]["eval"]["mate"], 0);
    let options = fs::read_to_string(format!("{stub}.options")).unwrap();
    assert!(
        options.contains("name Hash value 7") && !options.contains("value 16"),
        "{options}"
    );
    // Labels of positions as well.
    let output = run(program().args(["positions", &file, "--engine", &stub, "--quiet"]));
    assert!(String::from_utf8_lossy(&output.stdout).contains("\"best\":\"d8h4\""));
    let output = run(program().args(["position", "startpos", "--engine", &stub]));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "depth  3   1.    +0.20  e4\n"
    );
}

#[cfg(unix)]
#[test]
fn several_lines_have_the_depth_of_the_last_whole_iteration() {
    let folder = folder();
    let line =
        |depth, rank, mv| format!("echo info depth {depth} multipv {rank} score cp 9 pv {mv};");
    let lines = [(3, 1, "e2e4"), (3, 2, "d2d4"), (4, 1, "c2c4")];
    let lines: String = lines
        .map(|(depth, rank, mv)| line(depth, rank, mv))
        .concat();
    let stub = engine(
        folder.path(),
        "cut",
        &(lines + "echo bestmove e2e4; continue"),
    );
    let output = run(program().args(["position", "startpos", "--multipv", "2", "--engine", &stub]));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "depth  3   1.    +0.09  e4\ndepth  3   2.    +0.09  d4\n"
    );
}

#[cfg(unix)]
#[test]
fn verify_starts_an_engine_only_if_it_is_told_to() {
    let folder = folder();
    let file = write(folder.path(), "in.pgn", MATE.as_bytes());
    let stub = engine(folder.path(), "label", "");
    let csv = folder.path().join("out.csv");
    run(program()
        .args(["positions", &file, "--engine", &stub, "--quiet", "--csv"])
        .arg(&csv));
    let verify = |more: &[&str]| {
        let manifest = folder.path().join("out.csv.manifest.json");
        printed(program().arg("verify").arg(manifest).args(more))
    };
    let (code, out, errors) = verify(&["--sample", "100%", "--engine", &stub]);
    assert_eq!(code, Some(0), "{out}{errors}");
    fs::write(&stub, "#!/bin/sh\ntouch \"$0.started\"\n").unwrap();
    for other in [&[][..], &["--engine", "/no/such/engine"]] {
        let (code, _, errors) = verify(other);
        assert_eq!(code, Some(2));
        let says = format!("made by the engine {stub}; give --engine '{stub}' to start it");
        assert!(errors.contains(&says), "{errors}");
    }
    assert!(!Path::new(&format!("{stub}.started")).exists());
}

#[cfg(unix)]
#[test]
fn an_engine_that_fails_costs_one_more_attempt_and_is_named() {
    let folder = folder();
    let file = write(folder.path(), "in.pgn", MATE.repeat(3).as_bytes());
    let games = |engine: &str| {
        let mut command = program();
        command.args([
            "games",
            &file,
            "--engine",
            engine,
            "--time",
            "20",
            "--threads",
            "1",
            "--csv",
            "-",
        ]);
        command
    };
    let (_, undisturbed, _) = printed(&mut games(&engine(folder.path(), "good", "")));
    for (name, trouble, says) in [
        ("crashes", "[ $count != 6 ] || exit 3", "ended unexpectedly"),
        (
            "hangs",
            "[ $count != 6 ] || sleep 60",
            "did not answer `go`",
        ),
        (
            "floods",
            "[ $count != 6 ] || head -c 1000000 /dev/zero",
            "flooded its output",
        ),
        (
            "cheats",
            "[ $count != 6 ] || { echo bestmove a1a8; continue; }",
            "chose the move `a1a8`",
        ),
    ] {
        let (code, out, errors) = printed(&mut games(&engine(folder.path(), name, trouble)));
        assert_eq!(
            (code, out == undisturbed),
            (Some(0), true),
            "{name}: {errors}"
        );
        let message = format!("the engine Stub {name} {says}");
        assert!(
            errors.contains(&message) && errors.contains("trying again"),
            "{errors}"
        );
    }
    // The engine fails again and again at one game; the other games are analysed.
    let stub = engine(folder.path(), "fails", "case $count in 6|7) exit 3 ;; esac");
    let (code, out, errors) = printed(&mut games(&stub));
    assert_eq!(code, Some(1), "{errors}");
    assert!(
        errors.contains("game 2: the engine Stub fails ended unexpectedly"),
        "{errors}"
    );
    assert_eq!(out.lines().count(), 1 + 2 * 4);

    let (code, _, errors) = printed(&mut games("/no/such/engine"));
    assert_eq!(code, Some(2));
    let says = "--engine /no/such/engine: could not be started";
    assert!(errors.contains(says), "{errors}");
}

#[test]
fn a_game_with_an_illegal_move_can_be_analysed_up_to_it() {
    let folder = folder();
    let file = write(folder.path(), "in.pgn", crate::GAMES.as_bytes());
    let command = |more: &[&str]| {
        let mut command = program();
        command
            .args(["games", &file, "--nodes", "50", "--quiet", "--csv", "-"])
            .args(more);
        printed(&mut command)
    };
    let (_, without, errors) = command(&[]);
    assert!(errors.contains("--partial"), "{errors}");
    let (code, with, errors) = command(&["--partial"]);
    assert_eq!(code, Some(0));
    assert_eq!(
        with.lines().count(),
        without.lines().count() + 2,
        "1. e4 e5"
    );
    assert!(
        errors.contains("move 2. Ke3 is not legal") && errors.contains("up to there"),
        "{errors}"
    );
}

/// A variation with a bad move is cut there: the game is analysed, a warning names the place, the summary counts the
/// cuts, and the exit code is 0. An archive is named.
#[test]
fn a_bad_variation_is_cut_and_an_archive_is_named() {
    let folder = folder();
    let text = "[Event \"x\"]\n\n1. e4 e5 (1... Ke4 2. d4) 2. Nf3 (2. Ke3) Nc6 *\n";
    let input = write(folder.path(), "in.pgn", text.as_bytes());
    let output = program_with_limits(&input).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let warning = "line 3, column 16, in a variation: game 1: move 1... Ke4 is not legal: \
                   the king cannot reach e4; the variation is cut there (and 1 more in this game)";
    assert!(errors.contains(warning), "{errors}");
    assert!(
        errors.contains("2 variations were cut at an error"),
        "{errors}"
    );
    let zip = write(folder.path(), "in.zip", b"PK\x03\x04\x14\0\0\0");
    let output = program_with_limits(&zip).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("it is a ZIP archive; unzip it"), "{errors}");
}

/// A game that contradicts itself is analysed. A warning names the place and what is wrong, and says what was done.
#[test]
fn contradictions_in_games_are_named() {
    let folder = folder();
    let text = "1. e4 e5\n1. d4 d5 *\n\n[Result \"1-0\"]\n\n1. e4 e5 3. Nf3 0-1\n\n1. f3 e5 2. g4 Qh4# 1-0\n";
    let input = write(folder.path(), "in.pgn", text.as_bytes());
    let output = program_with_limits(&input).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    for warning in [
        "line 2, column 1: game 1: the numbers begin again at 1, and there is no result before them; \
         read as two games\n",
        "line 6, column 17: game 3: the moves end with 0-1, and the tag Result says 1-0; \
         the result of the moves counts (and 1 more in this game)\n",
        "line 8, column 21: game 4: the result is 1-0, and the last position is checkmate: 0-1; \
         the result is kept\n",
    ] {
        assert!(errors.contains(warning), "{warning}{errors}");
    }
}

/// A game from a position begins at the evaluation of the position: the only legal move loses nothing, and odds are no
/// error of the first move. A draw that stands on the board is 0.00.
#[test]
fn games_from_positions_begin_at_their_evaluation() {
    let folder = folder();
    let moves = |text: &str| {
        let input = write(folder.path(), "in.pgn", text.as_bytes());
        let output = program_with_limits(&input)
            .args(["--jsonl", "-"])
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        let lines = printed
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines
            .filter(|line| line["kind"] == "game")
            .collect::<Vec<_>>()
    };
    let only = moves("[FEN \"k7/8/1K6/8/8/8/8/7R b - - 0 1\"]\n\n1... Kb8 2. Rh8# 1-0\n");
    assert_eq!(
        only[0]["players"]["black"]["accuracy"], 100.0,
        "{}",
        only[0]
    );
    let odds =
        moves("[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1\"]\n\n1. d4 d5 *\n");
    assert!(
        odds[0]["players"]["white"]["average_loss"]
            .as_f64()
            .unwrap()
            < 200.0,
        "{}",
        odds[0]
    );
}
