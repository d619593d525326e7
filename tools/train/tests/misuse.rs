//! Wrong values, games that are given twice, torn files and too little data: each is refused, or left out and named.

mod common;

use std::fs;
use std::path::Path;

use common::{run, text, write_games};
use skewer_eval::network::Parameters;
use skewer_gamedata::{Game, Provenance, ScoredMove, write_game};
use skewer_movegen::{Board, Outcome};

/// A small training.
const SMALL: &str = "--hidden 32 --buckets 1 --epochs 1 --threads 1";

/// A folder with six games in `c.vf`.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_games(&folder.path().join("c.vf"), &[0, 1, 2, 3, 4, 5], 60);
    folder
}

/// Runs a command, which must succeed; its standard output and standard error.
fn succeed(here: &Path, line: &str) -> (String, String) {
    let done = run(here, &line.split_whitespace().collect::<Vec<_>>());
    assert!(done.status.success(), "{line}: {}", text(&done.stderr));
    (text(&done.stdout), text(&done.stderr))
}

/// Runs a command, which must fail; the last line of its standard error.
fn refuse(here: &Path, line: &str) -> String {
    let done = run(here, &line.split_whitespace().collect::<Vec<_>>());
    assert!(!done.status.success(), "{line}");
    let messages = text(&done.stderr);
    messages.lines().last().unwrap_or_default().to_owned()
}

#[test]
fn the_record_beside_the_games_is_not_overwritten() {
    let folder = folder();
    let here = folder.path();
    Provenance::default().store(here.join("c.vf")).unwrap();
    let record = fs::read(here.join("c.vf.json")).unwrap();
    for line in [
        &format!("net c.vf {SMALL} --output c.vf.json"),
        "tune c.vf --epochs 1 --output c.vf.json",
        "stats c.vf --picture c.vf.json",
        "shuffle c.vf --output c.vf.json",
    ] {
        refuse(here, line);
        assert_eq!(fs::read(here.join("c.vf.json")).unwrap(), record, "{line}");
    }
    // Nor the record of games that were compressed and removed.
    fs::rename(here.join("c.vf.json"), here.join("d.vf.json")).unwrap();
    let error = refuse(here, "dedup c.vf --output d.vf");
    assert!(error.contains("d.vf.json exists"), "{error}");
    assert_eq!(fs::read(here.join("d.vf.json")).unwrap(), record);
}

#[test]
fn a_scale_that_gives_no_expected_points_is_refused() {
    let folder = folder();
    let here = folder.path();
    for value in ["0", "-5", "nan", "inf", "1e-30", "9"] {
        for line in [
            format!("net c.vf {SMALL} --future-stretch={value}"),
            format!("net c.vf {SMALL} --stretch={value}"),
            format!("shuffle c.vf --future-stretch={value}"),
        ] {
            let error = refuse(here, &line);
            assert!(error.contains("from 10 to 10000"), "{line}: {error}");
        }
    }
}

/// Games with many scores and captures, which the side with the better score wins more often.
fn write_varied_games(path: &Path) {
    let mut bytes = Vec::new();
    for number in 0..120 {
        let mut game = Game::new(Board::STARTPOS);
        let mut board = game.start;
        let score = 40 * (number as i16 % 11 - 5);
        for ply in 0..120 {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mut captures = (moves.iter()).filter(|mv| board.piece_at(mv.to()).is_some());
            let mv = match captures.next_back() {
                Some(mv) if ply > 20 => *mv,
                _ => moves[(number + ply) % moves.len()],
            };
            game.moves.push(ScoredMove { mv, score });
            board = board.play(mv);
        }
        game.result = match (number * 37 % 13) as i16 - 6 + score / 60 {
            4.. => Outcome::WhiteWins,
            -3..=3 => Outcome::Draw,
            _ => Outcome::BlackWins,
        };
        write_game(&mut bytes, &game).unwrap();
    }
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_network_is_not_given_a_win_model_of_a_few_games_or_of_games_that_are_alike() {
    let folder = folder();
    let here = folder.path();
    let first_moves: Vec<usize> = (0..20).collect();
    let mut alike = Vec::new();
    for plies in 50..56 {
        write_games(&here.join("part.vf"), &first_moves, plies);
        alike.extend(fs::read(here.join("part.vf")).unwrap());
    }
    fs::write(here.join("alike.vf"), alike).unwrap();
    write_varied_games(&here.join("varied.vf"));
    succeed(here, &format!("net c.vf {SMALL} --output n.nnue"));
    let before = fs::read(here.join("n.nnue")).unwrap();
    for (games, reason) in [
        ("c.vf", "6 games, and it needs 100"),
        ("alike.vf", "do not determine it"),
    ] {
        let error = refuse(here, &format!("scale {games} --network n.nnue"));
        assert!(error.contains(reason), "{error}");
        assert_eq!(fs::read(here.join("n.nnue")).unwrap(), before);
        // The fit is printed all the same.
        succeed(here, &format!("scale {games}"));
    }
    let (fitted, _) = succeed(here, "scale varied.vf --network n.nnue");
    assert!(
        fitted.contains("120 games") && fitted.contains("n.nnue: written"),
        "{fitted}"
    );
    let network = Parameters::load(here.join("n.nnue")).unwrap();
    assert_ne!(network.win_model(), skewer_types::WinModel::default());
    let error = refuse(here, "scale c.vf --network c.vf");
    assert!(
        error.contains("c.vf: this is not a Skewer network"),
        "{error}"
    );
}

/// A copy of a game shows nothing new. In the other half of the games of `scale` it would be compared with itself.
#[test]
fn games_that_are_given_twice_count_once() {
    let folder = folder();
    let here = folder.path();
    let once = fs::read(here.join("c.vf")).unwrap();
    fs::write(here.join("two.vf"), [&once[..], &once[..]].concat()).unwrap();
    let line = |file: &str| format!("net {file} {SMALL} --output {file}.nnue");
    let (_, messages) = succeed(here, &line("two.vf"));
    assert!(
        messages.contains("two.vf: 6 of 12 games repeat earlier games"),
        "{messages}"
    );
    succeed(here, &line("c.vf"));
    let network = |file: &str| fs::read(here.join(format!("{file}.nnue"))).unwrap();
    assert_eq!(network("two.vf"), network("c.vf"));
    let (_, messages) = succeed(here, "tune two.vf --epochs 1");
    assert!(messages.contains("6 of 12 games"), "{messages}");

    write_varied_games(&here.join("v.vf"));
    let (fitted, _) = succeed(here, "scale v.vf");
    let (again, messages) = succeed(here, "scale v.vf v.vf");
    assert_eq!(fitted, again);
    assert!(messages.contains("120 games were left out"), "{messages}");
}

/// With such values the weights have no limit, or the loss is not a number.
#[test]
fn rates_that_no_training_survives_are_refused() {
    let folder = folder();
    let here = folder.path();
    for option in ["rate", "last-rate", "decay", "bucket-decay"] {
        for value in ["1e38", "inf", "nan", "-1"] {
            let error = refuse(here, &format!("net c.vf {SMALL} --{option}={value}"));
            assert!(
                error.contains(&format!("--{option} ")),
                "{option} {value}: {error}"
            );
        }
    }
    assert!(!here.join("net.nnue").exists() && !here.join("net.nnue.checkpoint").exists());
    let error = refuse(here, "tune c.vf --epochs 2 --rate 1e4");
    assert!(error.contains("--rate is 10000"), "{error}");
    assert!(!here.join("weights.rs").exists());
}

#[test]
fn without_games_held_out_there_is_no_loss_of_them() {
    let folder = folder();
    let here = folder.path();
    let (_, messages) = succeed(here, &format!("net c.vf {SMALL} --hold-out 0"));
    assert!(messages.contains("held out -"), "{messages}");
    let table = fs::read_to_string(here.join("net.nnue.csv")).unwrap();
    assert!(table.lines().nth(1).unwrap().ends_with(','), "{table}");
}

#[test]
fn what_is_torn_off_is_named() {
    let folder = folder();
    let here = folder.path();
    let whole = fs::read(here.join("c.vf")).unwrap();
    fs::write(here.join("t.vf"), &whole[..whole.len() - 10]).unwrap();
    fs::write(here.join("x.vf"), "hello\n").unwrap();
    for line in [
        &format!("net {{}} {SMALL} --output n.nnue"),
        "tune {} --epochs 1",
        "stats {}",
        "scale {}",
        "dedup {} --output d.vf",
        "shuffle {}",
    ] {
        // A file without a complete game first, so that no output is there.
        let error = refuse(here, &line.replace("{}", "x.vf --accept-torn"));
        assert!(
            error.contains("x.vf: the file has no complete game"),
            "{line}: {error}"
        );
        let (_, messages) = succeed(here, &line.replace("{}", "t.vf --accept-torn"));
        let named = "t.vf: the file ends in the middle of a game; all after game 5 is left out";
        assert!(messages.contains(named), "{line}: {messages}");
    }
}

#[test]
fn a_training_is_resumed_only_with_its_files_in_their_order() {
    let folder = folder();
    let here = folder.path();
    write_games(&here.join("b.vf"), &[6, 7, 8], 60);
    let line = |files: &str| format!("net {files} {SMALL} --hold-out 0.3 --resume");
    succeed(here, &line("c.vf b.vf"));
    succeed(here, &line("c.vf b.vf"));
    let error = refuse(here, &line("b.vf c.vf"));
    assert!(error.contains("files in another order"), "{error}");
    let error = refuse(
        here,
        &format!("{} --rate 0.002 --seed 7", line("c.vf b.vf")),
    );
    assert!(
        error.ends_with("other settings: --rate 0.001, not 0.002, --seed 1, not 7"),
        "{error}"
    );
    for seed in [1, 2] {
        succeed(
            here,
            &format!("shuffle c.vf b.vf --seed {seed} --output {seed}.blocks"),
        );
    }
    let line = |seed: u32| format!("net {seed}.blocks {SMALL} --resume --output s.nnue");
    succeed(here, &line(1));
    succeed(here, &line(1));
    let error = refuse(here, &line(2));
    assert!(error.contains("files in another order"), "{error}");
}

#[test]
fn the_record_of_compressed_games_is_kept() {
    let folder = folder();
    let here = folder.path();
    let record = r#"{"runs": [{"started": 0, "program": "test", "commit": "unknown", "evaluation": "hand-written",
        "soft_nodes": 1, "hard_nodes": 2, "random_plies": [8, 9], "variant": "standard",
        "seed": 1, "first_game": 0, "games_before": 0}]}"#;
    fs::write(here.join("c.vf.json"), record).unwrap();
    let packed = zstd::encode_all(&fs::read(here.join("c.vf")).unwrap()[..], 3).unwrap();
    fs::write(here.join("c.vf.zst"), packed).unwrap();
    succeed(here, "dedup c.vf.zst --output z.vf");
    let runs = Provenance::load(here.join("z.vf")).unwrap().runs;
    assert_eq!(runs.len(), 1);
    assert_eq!(runs, Provenance::load(here.join("c.vf")).unwrap().runs);
}

/// A game that A lost, with the scores that the lag is measured by.
fn lost_game(number: usize) -> String {
    let opening = ["a3", "b3", "c3", "d3", "h3", "a4", "b4"][number];
    format!(
        "[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n1. f3 {{+0.20/5 1s}} e5 {{+1.60/5 1s}} \
         2. {opening} {{-0.10/5 1s}} d5 {{+2.00/5 1s}} 3. g4 {{-1.20/5 1s}} Qh4# {{+M1/5 1s}} 0-1\n\n"
    )
}

#[test]
fn the_interval_of_the_lag_needs_six_games_that_differ() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let games: String = (0..6).map(lost_game).collect();
    fs::write(here.join("six.pgn"), &games).unwrap();
    fs::write(here.join("one.pgn"), lost_game(0)).unwrap();
    let (six, _) = succeed(here, "lag six.pgn --engine A");
    assert!(
        six.contains("6 lost by A") && six.contains("95% interval 3 to 3"),
        "{six}"
    );
    let (one, _) = succeed(here, "lag one.pgn --engine A");
    assert!(one.contains("too few games for a 95% interval"), "{one}");
    let (again, messages) = succeed(here, "lag six.pgn one.pgn six.pgn --engine A");
    assert_eq!(again, six);
    assert!(
        messages.contains("7 games have the players and moves of another"),
        "{messages}"
    );
}
