//! The command line, as a person at a terminal uses it.

use std::collections::HashSet;
use std::fs;

use assert_cmd::Command;

fn lab(arguments: &[&str]) -> (bool, String, String) {
    let output = Command::cargo_bin("skewer-lab")
        .unwrap()
        .args(arguments)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        output.status.success(),
        text(output.stdout),
        text(output.stderr),
    )
}

fn succeeds(arguments: &[&str]) -> String {
    let (success, out, err) = lab(arguments);
    assert!(success, "{arguments:?}: {err}");
    out
}

/// The words on the error stream of a command that must fail.
fn fails(arguments: &[&str]) -> String {
    let (success, out, err) = lab(arguments);
    assert!(!success, "{arguments:?} succeeded: {out}");
    err
}

#[test]
fn help_is_a_page_to_start_from() {
    let help = succeeds(&["--help"]);
    assert!(help.contains("Start here"), "{help}");
    for word in [
        "search --recipe futility",
        "tree",
        "compare",
        "claims",
        "ablate",
        "docs",
        "lesson",
        "Examples:",
    ] {
        assert!(help.contains(word), "{word} is not in:\n{help}");
    }
    // Commands stand one a line, to be copied.
    for line in help.lines().filter(|line| line.contains("  skewer-lab ")) {
        assert_eq!(line.matches("skewer-lab").count(), 1, "{line}");
        assert!(line.starts_with("  skewer-lab "), "{line}");
    }
    assert!(
        help.lines()
            .filter(|line| line.starts_with("  skewer-lab "))
            .count()
            >= 12
    );
}

#[test]
fn an_algorithm_in_a_sum_of_techniques_is_refused_with_what_to_do() {
    for recipe in ["pvs+null-move", "null-move+alpha-beta"] {
        let err = fails(&["search", "--recipe", recipe]);
        assert!(
            err.contains("stands alone") && err.contains("negascout"),
            "{err}"
        );
    }
    succeeds(&["search", "--recipe", "negascout+null-move", "--depth", "2"]);
}

#[test]
fn a_search_of_an_inner_node_says_whether_it_reaches_a_value() {
    let asked = |recipe: &str, depth: &str| {
        let arguments = [
            "--game",
            "horizon",
            "--at-least",
            "100",
            "--depth",
            depth,
            "--recipe",
            recipe,
        ];
        let answer = answer(&arguments);
        answer["value"].as_i64() >= answer["asked"].as_i64()
    };
    // White is mated next move: two plies see it, but not after a null move.
    assert!(asked("plain", "1") && !asked("plain", "2"));
    assert!(asked("null-move", "2") && asked("null-move", "3") && !asked("null-move", "4"));
    let out = succeeds(&[
        "search",
        "--game",
        "zugzwang",
        "--at-least",
        "-300",
        "--recipe",
        "plain",
        "--recipe",
        "null-move",
    ]);
    assert!(out.contains("< -300") && out.contains(">= -300"), "{out}");
    for recipe in ["alpha-beta", "null-move+deepening"] {
        let err = fails(&[
            "search",
            "--game",
            "zugzwang",
            "--at-least",
            "-300",
            "--recipe",
            recipe,
        ]);
        assert!(err.contains("--at-least"), "{err}");
    }
}

#[test]
fn a_lesson_is_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("lesson.html");
    let name = file.to_str().unwrap();
    succeeds(&["lesson", "pvs", "--html", name]);
    let page = fs::read_to_string(&file).unwrap();
    assert!(page.contains("default-src 'none'") && page.contains("The measurement"));
    let err = fails(&["lesson", "chess", "--html", name]);
    assert!(err.contains("possible values"), "{err}");
}

/// The object that `search --json` prints for one recipe.
fn answer(arguments: &[&str]) -> serde_json::Value {
    let out = succeeds(&[&["search", "--json"], arguments].concat());
    let answers: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(answers.as_array().unwrap().len(), 1);
    answers[0].clone()
}

#[test]
fn every_recipe_that_the_help_lists_searches() {
    let help = succeeds(&["search", "--help"]);
    let recipes = help.split("Recipes for every game").nth(1).unwrap();
    let names = |text: &str| -> Vec<String> {
        let lines = text
            .lines()
            .filter(|line| line.starts_with("  ") && !line.ends_with(':'));
        lines
            .flat_map(str::split_whitespace)
            .map(str::to_owned)
            .collect()
    };
    let (algorithms, techniques) = recipes.split_once("Techniques for chess").unwrap();
    let (algorithms, techniques) = (names(algorithms), names(techniques));
    assert!(algorithms.len() == 12 && techniques.len() > 25);
    let tree = ["--tree", "((3 5) (6 9) (1 2))"];
    for name in &algorithms {
        let [on_tree, on_rows] = [&tree[..], &["--game", "rows3", "--depth", "3"]]
            .map(|game| answer(&[&["--recipe", name], game].concat()));
        assert_eq!(
            (&on_tree["value"], &on_tree["best"]),
            (&6.into(), &"2".into()),
            "{name}"
        );
        assert!(on_rows["leaves"].as_u64().unwrap() > 10, "{name}");
    }
    let position = [
        "--fen",
        "8/5pk1/4p1p1/1p1pP2p/1P1P3P/2r3P1/5PK1/R7 w - - 0 40",
        "--depth",
        "2",
    ];
    for name in algorithms.iter().chain(&techniques) {
        let chess = answer(&[&["--recipe", name], &position[..]].concat());
        assert!(
            chess["leaves"].as_u64().unwrap() > 3 && chess["best"].is_string(),
            "{name}"
        );
    }
    assert_ne!(techniques[0], algorithms[0]);
    let err = fails(&[&["search", "--recipe", "futility"], &tree[..]].concat());
    assert!(err.contains("on this game use an algorithm"), "{err}");
}

#[test]
fn a_search_prints_nodes_windows_and_cut_offs() {
    let out = succeeds(&[
        "search",
        "--recipe",
        "null-move+futility+deepening",
        "--recipe",
        "plain",
        "--game",
        "pawns",
    ]);
    for words in [
        "the pawn race, 4 plies",
        "null windows",
        "cut-offs",
        "best move",
        "futility",
    ] {
        assert!(out.contains(words), "{words} is not in:\n{out}");
    }
    let combined = answer(&["--recipe", "null-move+futility+ordered"]);
    let plain = answer(&["--recipe", "plain"]);
    // `ordered` is a whole configuration, so it replaces the techniques before it.
    assert_eq!(combined["visits"]["ends"][4], 0);
    let combined = answer(&["--recipe", "ordered+null-move+futility"]);
    assert!(combined["leaves"].as_u64() < plain["leaves"].as_u64());
    // The words of the last line agree with the counts of the library.
    let ends = combined["visits"]["ends"].as_array().unwrap();
    let entered: u64 = ends.iter().map(|end| end.as_u64().unwrap()).sum();
    let nodes = combined["inner"].as_u64().unwrap() + combined["leaves"].as_u64().unwrap();
    assert_eq!(entered, nodes);
}

#[test]
fn a_page_has_every_search_and_nothing_from_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tree.html");
    let name = file.to_str().unwrap();
    let recipes = ["--recipe", "alpha-beta", "--recipe", "sss"];
    let tree = ["--tree", "((3 5) (6 9) (1 2))", "--html", name];
    let said = succeeds(&[&["tree"], &recipes[..], &tree[..]].concat());
    assert!(said.contains(name), "{said}");
    let page = fs::read_to_string(&file).unwrap();
    assert!(page.contains("default-src 'none'") && !page.contains("<script src"));
    assert!(!page.contains("{data}") && !page.contains("{style}"));
    for recipe in ["alpha-beta", "sss"] {
        assert!(page.contains(&format!("\"recipe\":\"{recipe}\"")));
    }
    // A FEN in the title is text.
    let err = fails(&["tree", "--fen", "<b>", "--html", name]);
    assert!(err.contains("no such position"), "{err}");
    let err = fails(&[
        "tree",
        "--recipe",
        "alpha-beta",
        "--depth",
        "5",
        "--html",
        name,
    ]);
    assert!(err.contains("give a smaller depth"), "{err}");
    assert_eq!(
        fs::read_to_string(&file).unwrap(),
        page,
        "the old page stays"
    );
}

#[test]
fn comparing_prints_every_algorithm_with_the_same_value() {
    let out = succeeds(&["compare", "chess", "--depth", "2", "--json"]);
    let rows: serde_json::Value = serde_json::from_str(&out).unwrap();
    let rows = rows.as_array().unwrap();
    assert_eq!(rows.len(), 12);
    assert!(rows.iter().all(|row| row["value"] == rows[0]["value"]));
    let perfect = succeeds(&["compare", "perfect", "--branching", "10", "--depth", "4"]);
    assert!(
        perfect.contains("199"),
        "10^2 + 10^2 - 1 leaves:\n{perfect}"
    );
}

#[test]
fn claims_are_a_list_of_objects_and_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("claims.svg");
    let plot = picture.to_str().unwrap();
    let out = succeeds(&[
        "claims", "--only", "pvs", "--quick", "--json", "--plot", plot,
    ]);
    let claims: serde_json::Value = serde_json::from_str(&out).unwrap();
    let claims = claims.as_array().unwrap();
    assert!(claims.len() >= 10);
    let mut finite = 0;
    let units: HashSet<_> = claims
        .iter()
        .map(|claim| claim["figure"]["unit"].as_str().expect("a unit"))
        .collect();
    assert!(
        units.contains("times") && units.contains("share"),
        "{units:?}"
    );
    for claim in claims {
        for key in ["claim", "source", "measured"] {
            assert!(!claim[key].as_str().unwrap().is_empty(), "{key} of {claim}");
        }
        let verdict = claim["verdict"].as_str().unwrap();
        assert!(["confirmed", "depends", "refuted", "cannot tell"].contains(&verdict));
        let figure = ["low", "value", "high"].map(|key| claim["figure"][key].as_f64());
        if let [Some(low), Some(value), Some(high)] = figure {
            assert!(low <= value && value <= high, "{claim}");
            finite += 1;
        }
    }
    assert!(finite >= 10, "{finite} finite intervals");
    let svg = fs::read_to_string(picture).unwrap();
    // The page and a bar for each claim.
    assert_eq!(svg.matches("<rect").count(), claims.len() + 1);
}

#[test]
fn ablation_measures_the_full_search_first() {
    let small = ["--depth", "4", "--tactics", "0", "--json"];
    let arguments = [
        &["ablate", "--only", "null-move,late-move-reductions"],
        &small[..],
    ]
    .concat();
    let out = succeeds(&arguments);
    let rows: serde_json::Value = serde_json::from_str(&out).unwrap();
    let names: Vec<_> = rows
        .as_array()
        .unwrap()
        .iter()
        .map(|row| &row["without"])
        .collect();
    assert_eq!(names, ["none", "null-move", "late-move-reductions"]);
    assert_eq!(rows[0]["nodes_ratio"], 1.0);
    assert!(
        rows.as_array()
            .unwrap()
            .iter()
            .all(|row| row["nodes"].as_u64().unwrap() > 0)
    );
}

#[test]
fn tactical_positions_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mates.epd");
    // A mate in one that is found, and a move that no engine plays.
    let lines = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#; id \"one\";\n\
                 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra2; id \"two\";\n";
    fs::write(&file, lines).unwrap();
    let epd = file.to_str().unwrap();
    let out = succeeds(&[
        "ablate",
        "--only",
        "killers",
        "--depth",
        "2",
        "--epd",
        epd,
        "--tactic-nodes",
        "500",
        "--json",
    ]);
    let rows: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (&rows[0]["solved"], &rows[0]["tactics"]),
        (&1.into(), &2.into())
    );
}

#[test]
fn charts_do_not_replace_inputs() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("positions.svg");
    fs::write(&file, "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#;\n").unwrap();
    let name = file.to_str().unwrap();
    let err = fails(&["ablate", "--epd", name, "--plot", name]);
    assert!(err.contains("is both input and --plot output"), "{err}");
    assert!(fs::read_to_string(&file).unwrap().starts_with("6k1/"));
}

/// A chart is written through a link to a file or a device. A full disk and a limit on the size of
/// files are errors, and leave the old chart.
#[cfg(unix)]
#[test]
fn charts_are_written_through_links_and_never_in_part() {
    use std::os::unix::fs::symlink;

    let folder = tempfile::tempdir().unwrap();
    let [link, full, target] = ["link.svg", "full.svg", "target"].map(|n| folder.path().join(n));
    fs::write(&target, "old").unwrap();
    symlink(&target, &link).unwrap();
    symlink("/dev/full", &full).unwrap();
    let compare = ["compare", "tree", "--depth", "2", "--plot"];

    let command = format!(
        "ulimit -f 1; exec {} {} {}",
        env!("CARGO_BIN_EXE_skewer-lab"),
        compare.join(" "),
        link.display()
    );
    let limited = std::process::Command::new("sh")
        .args(["-c", &command])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&limited.stderr).into_owned();
    assert_eq!(limited.status.code(), Some(1), "{said}");
    assert_eq!(said.matches("File too large").count(), 1, "{said}");
    assert_eq!(fs::read_to_string(&target).unwrap(), "old");

    let err = fails(&[&compare[..], &[full.to_str().unwrap()]].concat());
    assert_eq!(err.matches("No space left").count(), 1, "{err}");
    succeeds(&[&compare[..], &[link.to_str().unwrap()]].concat());
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read_to_string(&target).unwrap().starts_with("<svg"));
}

/// Results that cannot be printed are an error, which says where the disk is full.
#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_is_named() {
    let program = env!("CARGO_BIN_EXE_skewer-lab");
    for line in ["search --depth 2", "compare tree --depth 2"] {
        let script = format!("exec {program} {line} >/dev/full");
        let done = std::process::Command::new("sh")
            .args(["-c", &script])
            .output();
        let done = done.unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(1), "{line}: {said}");
        let reason = "skewer-lab: standard output: cannot write: No space left";
        assert!(said.starts_with(reason), "{line}: {said}");
    }
}

#[test]
fn tables_are_made_again_by_their_commands() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("perfect.csv");
    let command = "skewer-lab compare perfect --depth 2 --csv";
    let old = format!("old,made by\n1,{command}; a build; a date\n2,\n");
    fs::write(&file, &old).unwrap();
    let name = folder.path().to_str().unwrap();
    succeeds(&["docs", name, "--only", "nothing of that sort"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), old);
    let made = succeeds(&["docs", name, "--build", "bench 1"]);
    assert_eq!(made, format!("{command}\n"));
    let text = fs::read_to_string(&file).unwrap();
    let lines: Vec<_> = text.lines().collect();
    assert!(lines[0].starts_with("algorithm,value,") && lines[0].ends_with(",made by"));
    let note = format!(",{command}; bench 1; 20");
    assert!(lines[1].starts_with("minimax,") && lines[1].contains(&note));
    assert!(lines.len() == 13 && lines[2..].iter().all(|line| line.ends_with(',')));
    // Made once more it stays the same.
    succeeds(&["docs", name, "--build", "bench 1"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    fs::write(&file, "old\n").unwrap();
    assert!(fails(&["docs", name]).contains("perfect.csv: no command"));
}

#[test]
fn wrong_arguments_are_refused_with_a_reason() {
    for (arguments, words) in [
        (&["claims", "--only", "9"][..], "9"),
        (
            &["ablate", "--only", "magic"],
            "there is no technique `magic`",
        ),
        (
            &["compare", "chess", "--fen", "nonsense"],
            "no such position",
        ),
        (
            &["compare", "tree", "--branching", "60", "--depth", "12"],
            "smaller depth",
        ),
        (&["search", "--tree", "((3 5)"], "a `)` is missing"),
        (
            &["search", "--recipe", "magic"],
            "there is no recipe `magic`",
        ),
        (
            &["search", "--recipe", "minimax", "--depth", "9"],
            "smaller depth",
        ),
        (&["compare", "--plot", "chart.bmp"], "SVG"),
        (
            &["ablate", "--epd", "/no/such/file.epd"],
            "/no/such/file.epd",
        ),
        (&["docs", "/no/such/folder"], "/no/such/folder"),
        (
            &["compare", "chess", "--fen", ""],
            "the word after `--fen` is empty",
        ),
        (&["ablate", "--eval="], "`--eval=` has no value"),
        (&["docs", ""], "the word after `docs` is empty"),
    ] {
        let err = fails(arguments);
        assert!(err.contains(words), "{arguments:?}: {err}");
        assert!(!err.contains("panicked"), "{err}");
    }
}
