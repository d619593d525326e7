//! What the outputs of a run contain.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use flate2::read::GzDecoder;
use sha2::{Digest as _, Sha256};
use skewer_pgn::{EvalTag, Games, ReadError};

use crate::{GAMES, folder, games, printed, program, program_with_limits, results, run, write};

#[test]
fn every_format_has_the_games_and_evaluations() {
    let folder = folder();
    let input = write(folder.path(), "in.pgn", GAMES.as_bytes());
    let output = run(&mut games(
        &input,
        folder.path(),
        &["--threads", "1", "--multipv", "2"],
    ));
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(
        printed.contains("line 12, column 13: game 2 (C - D): move 2. Ke3 is not legal"),
        "{printed}"
    );

    check_pgn(folder.path());
    check_jsonl(folder.path());
    let csv = fs::read_to_string(folder.path().join("out.csv")).unwrap();
    // A header and a row for each of 4, 8 and 20 plies.
    assert_eq!(csv.lines().count(), 1 + 4 + 8 + 20);
    let html = fs::read_to_string(folder.path().join("out.html")).unwrap();
    assert!(html.contains("A \\u003cb>"), "names cannot become markup");
    assert!(html.contains("default-src 'none'"), "nothing is loaded");
    for outside in ["src=\"http", "src='http", "url(", "@import", "<link"] {
        assert!(!html.contains(outside), "{outside}");
    }
    let mut graphs = results(folder.path());
    graphs.retain(|(name, _)| name.starts_with("game-"));
    assert_eq!(graphs.len(), 3);
    let mut dots = 0;
    for (name, bytes) in graphs {
        let svg = String::from_utf8(bytes).unwrap();
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>"), "{name}");
        assert!(!svg.contains("<b>"), "names cannot become markup: {name}");
        dots += svg.matches("<circle").count();
    }
    let data = fs::read_to_string(folder.path().join("out.jsonl")).unwrap();
    let weak = data.matches(r#""label":""#).count();
    assert!(
        weak > 0 && dots == weak,
        "a dot for each weak move: {dots} for {weak}"
    );
}

fn check_pgn(folder: &Path) {
    let pgn = fs::read(folder.join("out.pgn")).unwrap();
    let games: Vec<_> = Games::new(&pgn[..])
        .collect::<Result<_, ReadError>>()
        .unwrap();
    assert_eq!(games.len(), 3);
    for game in &games {
        for id in game.mainline() {
            let evals = game
                .node(id)
                .comments
                .iter()
                .filter_map(|text| EvalTag::find(text));
            assert_eq!(evals.count(), 1, "one evaluation a move:\n{game}");
        }
    }
    let text = String::from_utf8(pgn).unwrap().replace('\n', " ");
    assert!(
        text.contains("[%clk 0:05:00]") && text.contains("[%clk 0:04:59] hm"),
        "{text}"
    );
    assert!(text.contains("2. g4 $4 { [%eval #-1"), "{text}");
    assert!(text.contains("(2. d4 exd4)"), "{text}");
    assert!(text.contains("Qh4# { [%eval #0] }"), "{text}");
    assert!(text.contains("[ECO \"A00\"]"), "{text}");
}

fn check_jsonl(folder: &Path) {
    let jsonl = fs::read_to_string(folder.join("out.jsonl")).unwrap();
    let lines: Vec<serde_json::Value> = jsonl
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(
        lines
            .iter()
            .all(|line| line["schema"] == "skewer-analyse/1")
    );
    let kinds: Vec<_> = lines
        .iter()
        .map(|line| line["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["header", "game", "bad", "game", "game"]);
    let first = &lines[1];
    assert_eq!(first["moves"][2]["label"], "blunder");
    assert_eq!(first["moves"][3]["eval"]["mate"], 0);
    assert_eq!(first["moves"][0]["clock"], 300.0);
    assert!(first["moves"][0]["gap"].is_i64());
    assert_eq!(first["players"]["white"]["blunders"], 1);
    assert_eq!(first["players"]["black"]["blunders"], 0);
    assert_eq!(lines[4]["opening"]["eco"].as_str().unwrap().len(), 3);
    for game in lines.iter().filter(|line| line["kind"] == "game") {
        for mv in game["moves"].as_array().unwrap() {
            let wdl = mv["wdl"].as_array().unwrap();
            assert_eq!(
                wdl.iter().map(|part| part.as_u64().unwrap()).sum::<u64>(),
                1000
            );
            // A null move has neither an accuracy nor a UCI text.
            let accuracy = mv["accuracy"].as_f64();
            assert_eq!(accuracy.is_some(), mv["uci"].is_string(), "{mv}");
            if let Some(accuracy) = accuracy {
                assert!((0.0..=100.0).contains(&accuracy));
            }
        }
    }
}

#[test]
fn the_evaluation_is_chosen_and_recorded() {
    let folder = folder();
    let input = write(folder.path(), "in.pgn", GAMES.as_bytes());
    run(&mut games(&input, folder.path(), &["--eval", "hce"]));
    let jsonl = fs::read_to_string(folder.path().join("out.jsonl")).expect("it is there");
    let header = jsonl.lines().next().expect("a header");
    assert!(header.contains("eval=hand-written"), "{header}");

    let output = games(&input, folder.path(), &["--eval", "no/such.nnue"])
        .output()
        .expect("the program runs");
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(
        !output.status.success() && printed.contains("no/such.nnue"),
        "{printed}"
    );
}

#[test]
fn endgame_tables_are_used() {
    let bad = program()
        .args(["position", "startpos", "--syzygy", "no/such/folder"])
        .output()
        .expect("the program runs");
    let printed = String::from_utf8_lossy(&bad.stderr);
    assert!(
        !bad.status.success() && printed.contains("no/such/folder"),
        "{printed}"
    );

    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/../syzygy/tests/data");
    // Won by the tables, but too deep for a search of a few nodes.
    let ending = "8/8/8/4k3/8/8/8/KBN5 w - - 0 1";
    let output = run(program()
        .args(["position", ending, "--nodes", "100", "--threads", "1"])
        .args(["--json", "--syzygy", tables]));
    let found = String::from_utf8_lossy(&output.stdout);
    let cp: i32 = found
        .split_once("\"cp\":")
        .and_then(|(_, rest)| rest.split([',', '}']).next())
        .and_then(|cp| cp.parse().ok())
        .unwrap_or_else(|| panic!("no score in {found}"));
    assert!(cp > 10_000, "{found}");
}

#[test]
fn a_player_is_aggregated_under_all_names() {
    let folder = folder();
    let file = write(folder.path(), "in.pgn", GAMES.as_bytes());
    let summary = |names: &[&str]| {
        let mut command = program();
        command.args(["games", &file, "--nodes", "200", "--quiet"]);
        command.args(["--summary", "-"]);
        for name in names {
            command.args(["--player", name]);
        }
        printed(&mut command)
    };
    let (_, out, _) = summary(&["b", "G"]);
    let found: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(found["schema"], "skewer-summary/2");
    assert_eq!(found["player"]["total"]["games"], 2);
    assert_eq!(found["player"]["total"]["wins"], 2);
    // A game counts once, with White's result: lost, drawn, won.
    let all = &found["all"];
    assert_eq!(
        (&all["total"]["games"], &all["total"]["score_percent"]),
        (&3.into(), &50.0.into())
    );
    let openings = all["groups"]["opening"].as_array().unwrap();
    assert!(
        openings.iter().all(|group| group["games"] == 1),
        "{openings:?}"
    );
    assert_eq!(
        openings
            .iter()
            .filter(|group| group["score_percent"] == 50.0)
            .count(),
        0
    );
    let colors = all["groups"]["color"].as_array().unwrap();
    assert!(colors.iter().all(|group| group["games"] == 3), "{colors:?}");
    let (code, out, errors) = summary(&["Nobody"]);
    assert_eq!(code, Some(2));
    assert!(errors.contains("no game has the player Nobody"), "{errors}");
    assert_eq!(out, "", "nothing is analysed");
    // The player's games may be in another shard.
    let mut shard = program_with_limits(&file);
    shard.args(["--player", "G", "--shard", "1/4", "--csv", "-", "--journal"]);
    let (code, out, errors) = printed(shard.arg(folder.path().join("journal")));
    assert_eq!(code, Some(0), "{errors}");
    assert!(out.contains(",B,") && !out.contains(",G,"), "{out}");
}

#[test]
fn names_are_not_formulas_in_a_spreadsheet() {
    let folder = folder();
    let text = "[White \"=HYPERLINK(1)\"]\n[Black \"@B\"]\n[Event \"+1\"]\n\n1. e4 -- 2. d4 *\n";
    let file = write(folder.path(), "in.pgn", text.as_bytes());
    let output = run(program().args(["games", &file, "--nodes", "50", "--quiet", "--csv", "-"]));
    let mut rows = csv::Reader::from_reader(&output.stdout[..]);
    let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 3);
    assert_eq!((&rows[0][3], &rows[0][4]), ("'=HYPERLINK(1)", "'@B"));
    assert_eq!((&rows[0][11], &rows[1][17]), ("'+1", "'--"));
}

/// The smallest WebAssembly file: magic number and version.
const WASM: &[u8] = b"\0asm\x01\0\0\0";

#[test]
fn the_report_contains_the_given_engine() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let input = write(folder.path(), "games.pgn", GAMES.as_bytes());
    let engine = write(folder.path(), "engine.wasm", WASM);
    let command = |outputs: &[&str]| {
        let mut command = program_with_limits(&input);
        command.args(outputs);
        command
    };
    let (html, without, pages) = (at("with.html"), at("without.html"), at("pages"));
    run(&mut command(&[
        "--html",
        &html,
        "--html-folder",
        &pages,
        "--page-engine",
        &engine,
    ]));
    run(&mut command(&["--html", &without, "--page-engine", "none"]));

    let (html, without) = (
        fs::read_to_string(html).unwrap(),
        fs::read_to_string(without).unwrap(),
    );
    let script = "id=\"data-engine\">";
    let (_, carried) = html.split_once(script).expect("an engine");
    let (carried, _) = carried.split_once('<').expect("an end");
    let packed = BASE64_STANDARD.decode(carried).expect("base64");
    let mut unpacked = Vec::new();
    GzDecoder::new(&packed[..])
        .read_to_end(&mut unpacked)
        .expect("gzip");
    assert_eq!(unpacked, WASM);
    assert!(html.contains("'wasm-unsafe-eval'") && html.contains("\"engine\":true"));
    assert!(!without.contains(script) && !without.contains("wasm-unsafe-eval"));
    assert!(without.contains("\"engine\":false"));
    let file = fs::read_to_string(Path::new(&pages).join("data/engine.js")).unwrap();
    assert_eq!(file, format!("skewer.engine(\"{carried}\");\n"));
}

/// The security policy of the report, in one file or in a folder, names the script of the page and no other source of
/// scripts.
#[test]
fn a_report_runs_no_script_but_its_own() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let input = write(folder.path(), "games.pgn", GAMES.as_bytes());
    let (html, pages) = (at("report.html"), at("pages"));
    let mut command = program_with_limits(&input);
    command.args(["--page-engine", "none", "--html", &html]);
    run(command.args(["--html-folder", &pages]));
    // In a folder, data files are scripts that the script of the page loads.
    for (page, more) in [(html, ""), (at("pages/index.html"), " 'strict-dynamic'")] {
        let page = fs::read_to_string(page).unwrap();
        let (head, rest) = page.split_once("<script>").expect("a script");
        let (script, tail) = rest.split_once("</script>").expect("its end");
        let hash = BASE64_STANDARD.encode(Sha256::digest(script));
        let policy =
            format!("default-src 'none'; script-src 'sha256-{hash}'{more}; style-src 'sha256-");
        assert_eq!(page.matches(&policy).count(), 1, "{policy}");
        for markup in [head, tail] {
            let data = markup.matches("<script type=\"application/json\"").count();
            assert_eq!(markup.matches("<script").count(), data);
        }
    }
}

#[test]
fn a_bad_engine_for_the_report_is_refused() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let input = write(folder.path(), "games.pgn", GAMES.as_bytes());
    let engine = write(folder.path(), "engine.wasm", WASM);
    let command = |html: &str, engine: &str| {
        let mut command = program_with_limits(&input);
        command.args(["--html", html, "--page-engine", engine]);
        command
    };
    let missing = at("missing.wasm");
    for (engine, wanted) in [
        (&input, "is not a WebAssembly file"),
        (&missing, "cannot read"),
    ] {
        let refused = command(&at("x.html"), engine).output().unwrap();
        let errors = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{errors}");
        assert!(
            errors.contains(wanted) && errors.lines().count() == 1,
            "{errors}"
        );
    }
    let refused = command(&engine, &engine).output().unwrap();
    assert_eq!(refused.status.code(), Some(2), "an output that is an input");
    assert_eq!(fs::read(&engine).unwrap(), WASM);
}

/// The legend of the report has the figures of the manual's table: how many labels lichess has given as well.
#[test]
fn the_legend_of_the_report_and_the_manual_have_the_same_figures() {
    let manual = include_str!("../../../../docs/analysis.md");
    let row = |begin: &str| -> Vec<u32> {
        let line = manual.lines().find(|line| line.starts_with(begin)).unwrap();
        line.split('|')
            .filter_map(|cell| cell.trim().parse().ok())
            .collect()
    };
    let [sure, unsure] = ["| from 85% on |", "| below 85% |"].map(|begin| {
        let [all, same, other, none] = row(begin)[..] else {
            panic!("{begin}");
        };
        assert_eq!(all, same + other + none);
        (same + other, all, same)
    });
    let legend = format!(
        "{} of {} sure labels were labels on lichess as well ({} the same label), and {} of {} unsure ones ({})",
        sure.0, sure.1, sure.2, unsure.0, unsure.1, unsure.2
    );
    let page = include_str!("../../../report/src/page/page.html");
    assert!(page.contains(&legend), "{legend}");
    let sentence = format!(
        "{} of {} moves with an unsure label and {} of {} with a sure label",
        unsure.0, unsure.1, sure.0, sure.1
    );
    let words: Vec<&str> = manual.split_whitespace().collect();
    assert!(words.join(" ").contains(&sentence), "{sentence}");
}
