//! Damaged files: the engine refuses each of them or plays on with legal moves.

use std::path::{Path, PathBuf};

use fastrand::Rng;
use skewer_movegen::Board;
use skewer_movegen::polyglot::Book;

use crate::damage::damaged;
use crate::harness::Client;
use crate::script::check_answer;

/// A folder with the file `bytes`.
fn file(bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    std::fs::write(&path, bytes).unwrap();
    (folder, path)
}

/// Searches a position, and checks that the answer is legal in it.
fn search(engine: &mut Client, board: &Board, nodes: u64) -> Result<(), String> {
    engine.send(&format!("position fen {}", board.to_fen()));
    engine.send(&format!("go nodes {nodes}"));
    let line = engine.wait_for("bestmove")?;
    check_answer(&line, Some(board))
}

#[test]
fn a_damaged_hash_table_is_refused() -> Result<(), String> {
    let (_folder, path) = file(b"");
    let mut engine = Client::start(&[]);
    engine.set("Hash", 1);
    engine.set("Hash File", path.display());
    search(&mut engine, &Board::STARTPOS, 20_000)?;
    engine.send("setoption name Save Hash");
    engine.wait_for("info string the hash table was saved")?;
    let good = std::fs::read(&path).unwrap();
    for seed in 0..10 {
        let bad = damaged(&good, &mut Rng::with_seed(seed));
        std::fs::write(&path, bad).unwrap();
        engine.send("setoption name Load Hash");
        let said = engine.wait_until("an answer", |line| {
            line.starts_with("info string Load Hash: ") || line.contains("a hash table of")
        })?;
        assert!(said.contains("Load Hash"), "seed {seed}: loaded");
        search(&mut engine, &Board::STARTPOS, 500)?;
    }
    engine.leave().map(drop)
}

#[test]
fn a_damaged_network_is_refused() -> Result<(), String> {
    let nets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../eval/nets");
    let name = std::fs::read_to_string(nets.join("default")).unwrap();
    let good = std::fs::read(nets.join(name.trim())).unwrap();
    let mut engine = Client::start(&[]);
    engine.send("go depth 5");
    let before = engine.wait_for("bestmove")?;
    for seed in 0..10 {
        let (_folder, path) = file(&damaged(&good, &mut Rng::with_seed(seed)));
        engine.set("EvalFile", path.display());
        engine.wait_for("info string EvalFile")?;
        engine.send("ucinewgame");
        engine.send("go depth 5");
        assert_eq!(engine.wait_for("bestmove")?, before, "seed {seed}");
    }
    engine.leave().map(drop)
}

/// Endgame tables of three and four pieces, and a position of each.
const ENDINGS: [(&str, &str); 6] = [
    ("KQvK", "8/8/8/8/8/2k5/8/K6Q w - - 0 1"),
    ("KRRvK", "8/8/8/4k3/8/8/8/RR5K w - - 0 1"),
    ("KPvK", "8/3k4/8/8/8/8/3P4/3K4 w - - 0 1"),
    ("KPvKP", "8/2p5/8/2k5/8/8/5P2/5K2 w - - 0 1"),
    ("KBNvK", "8/8/8/3k4/8/8/1B6/N3K3 w - - 0 1"),
    ("KRvKP", "8/8/4k3/8/8/3p4/8/R3K3 b - - 0 1"),
];

/// One file is damaged at a time: the engine refuses a folder in which a header is damaged, so that more
/// damaged files would mean fewer probes.
#[test]
fn with_a_damaged_endgame_table_moves_are_legal() -> Result<(), String> {
    let tables = Path::new(env!("CARGO_MANIFEST_DIR")).join("../syzygy/tests/data");
    let folder = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(&tables).unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), folder.path().join(entry.file_name())).unwrap();
    }
    let mut rng = Rng::with_seed(1);
    for (table, _) in ENDINGS {
        for extension in ["rtbw", "rtbz"] {
            let path = folder.path().join(table).with_extension(extension);
            let Ok(good) = std::fs::read(&path) else {
                continue;
            };
            std::fs::write(&path, damaged(&good, &mut rng)).unwrap();
            let mut engine = Client::start(&[]);
            engine.set("SyzygyPath", folder.path().display());
            for (_, fen) in ENDINGS {
                search(&mut engine, &fen.parse().unwrap(), 3000)?;
            }
            engine.leave()?;
            std::fs::write(&path, good).unwrap();
        }
    }
    Ok(())
}

#[test]
fn with_a_damaged_opening_book_moves_are_legal() -> Result<(), String> {
    for seed in 0..5 {
        let mut rng = Rng::with_seed(seed);
        let (mut book, mut boards) = (Book::default(), Vec::new());
        for _ in 0..20 {
            let mut board = Board::STARTPOS;
            for _ in 0..8 {
                let moves = board.legal_moves();
                let Some(&mv) = rng.choice(&moves[..]) else {
                    break;
                };
                book.add(&board, mv, rng.u16(1..));
                boards.push(board);
                board = board.play(mv);
            }
        }
        let mut bytes = book.to_bytes();
        // An entry has 16 bytes: 8 for the position, 2 for the move, 2 for the weight, 4 for learning.
        for entry in bytes.chunks_mut(16) {
            if rng.bool() {
                entry[8..10].fill_with(|| rng.u8(..));
            }
        }
        if rng.bool() {
            bytes = damaged(&bytes, &mut rng);
        }
        let (_folder, path) = file(&bytes);
        let mut engine = Client::start(&[]);
        engine.set("OwnBook", true);
        engine.set("Book File", path.display());
        for _ in 0..40 {
            let board = boards[rng.usize(..boards.len())];
            search(&mut engine, &board, 200)?;
        }
        engine.leave()?;
    }
    Ok(())
}
