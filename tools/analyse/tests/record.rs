//! Records of single games are the lines that the program writes.

use std::fs;
use std::process::Command;

use skewer_analysis::analyst::{Analyst, Settings};
use skewer_analysis::record::record;
use skewer_analysis::report::Origin;
use skewer_pgn::Games;

const GAMES: &str = "[White \"A\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n\
    [White \"B\"]\n\n1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 *\n";

#[test]
fn records_are_the_lines_of_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (
        folder.path().join("in.pgn"),
        folder.path().join("out.jsonl"),
    );
    fs::write(&input, GAMES).unwrap();
    let status = Command::new(env!("CARGO_BIN_EXE_skewer-analyse"))
        .args(["games", "--nodes", "800", "--hash", "1", "--quiet"])
        .arg(&input)
        .arg("--jsonl")
        .arg(&output)
        .status()
        .unwrap();
    assert!(status.success());
    let written = fs::read_to_string(&output).unwrap();

    let settings = Settings {
        nodes: Some(800),
        hash: 1,
        ..Settings::default()
    };
    let mut analyst = Analyst::new(&settings).unwrap();
    let mut games = Games::new(GAMES.as_bytes());
    let mut lines = Vec::new();
    while let Some(placed) = games.next_placed().unwrap() {
        let origin = Origin {
            number: placed.number,
            file: input.to_str().unwrap().to_owned(),
            line: placed.line,
        };
        lines.push(record(&mut analyst, origin, placed.game).unwrap());
    }
    let expected: Vec<&str> = written
        .lines()
        .filter(|line| line.contains("\"kind\":\"game\""))
        .collect();
    assert_eq!(expected.len(), 2);
    assert_eq!(lines, expected);
}
