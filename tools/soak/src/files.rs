//! Damaged files of every kind.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use fastrand::Rng;
use skewer_movegen::Board;
use skewer_movegen::polyglot::Book;

use crate::damage::damaged;
use crate::programs::{ANALYSIS, Fixtures, MATCH, Programs, TRAINING};

fn damage_file(path: &Path, rng: &mut Rng) -> Result<()> {
    let bytes = fs::read(path).with_context(|| path.display().to_string())?;
    Ok(fs::write(path, damaged(&bytes, rng))?)
}

/// A damaged hash table is refused, and the engine keeps working.
///
/// # Errors
///
/// If not.
pub fn snapshot(programs: &Programs, fixtures: &Fixtures, rng: &mut Rng) -> Result<()> {
    let folder = fixtures.copy()?;
    let path = folder.path().join("table");
    damage_file(&path, rng)?;
    let mut engine = programs.engine()?;
    engine.send(&format!(
        "setoption name Hash File value {}",
        path.display()
    ));
    engine.send("setoption name Load Hash");
    let (said, _) = engine.wait_for(&["info string Load Hash: ", "info string a hash table of"])?;
    ensure!(said.contains("Load Hash"), "a damaged table was loaded");
    engine.send("setoption name Save Hash");
    engine.wait_for(&["info string Save Hash: ", "info string the hash table was"])?;
    engine.send("go depth 3");
    engine.wait_for(&["bestmove"])?;
    engine.quit()
}

/// A damaged network is refused, and the engine keeps the one that it has.
///
/// # Errors
///
/// If not.
pub fn network(programs: &Programs, fixtures: &Fixtures, rng: &mut Rng) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("bad.nnue");
    fs::write(&path, &fixtures.network)?;
    damage_file(&path, rng)?;
    let mut engine = programs.engine()?;
    engine.send("go depth 5");
    let (before, _) = engine.wait_for(&["bestmove"])?;
    engine.send(&format!("setoption name EvalFile value {}", path.display()));
    engine.wait_for(&["info string EvalFile"])?;
    engine.send("ucinewgame");
    engine.send("go depth 5");
    let (after, _) = engine.wait_for(&["bestmove"])?;
    ensure!(before == after, "{before}, then {after}");
    engine.quit()
}

/// A match resumes from a damaged journal with the same result, or refuses it.
///
/// # Errors
///
/// If not.
pub fn journal(programs: &Programs, fixtures: &Fixtures, rng: &mut Rng) -> Result<()> {
    let folder = fixtures.copy()?;
    damage_file(&folder.path().join("m.journal"), rng)?;
    let ended = programs.run("skewer-selfplay", folder.path(), MATCH)?;
    ensure!(
        !ended.status.success() || ended.stdout == fixtures.match_result,
        "another result from a damaged journal: {}",
        ended.stdout
    );
    Ok(())
}

/// An analysis resumes from a damaged journal with the same result, or refuses it.
///
/// # Errors
///
/// If not.
pub fn analysis(programs: &Programs, fixtures: &Fixtures, rng: &mut Rng) -> Result<()> {
    let folder = fixtures.copy()?;
    damage_file(&folder.path().join("a.journal"), rng)?;
    let ended = programs.run("skewer-analyse", folder.path(), ANALYSIS)?;
    ensure!(
        !ended.status.success() || fs::read(folder.path().join("a.jsonl"))? == fixtures.analysis,
        "another analysis from a damaged journal"
    );
    Ok(())
}

/// Positions of three and four pieces, and the table that each is probed in.
const ENDINGS: [(&str, &str); 6] = [
    ("KQvK", "8/8/8/8/8/2k5/8/K6Q w - - 0 1"),
    ("KRRvK", "8/8/8/4k3/8/8/8/RR5K w - - 0 1"),
    ("KPvK", "8/3k4/8/8/8/8/3P4/3K4 w - - 0 1"),
    ("KPvKP", "8/2p5/8/2k5/8/8/5P2/5K2 w - - 0 1"),
    ("KBNvK", "8/8/8/3k4/8/8/1B6/N3K3 w - - 0 1"),
    ("KRvKP", "8/8/4k3/8/8/3p4/8/R3K3 b - - 0 1"),
];

/// A damaged endgame table is refused or gives wrong values, but every search is answered by a
/// legal move.
///
/// # Errors
///
/// If not.
pub fn tables(programs: &Programs, tables: &Path, rng: &mut Rng) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let files = fs::read_dir(tables).with_context(|| tables.display().to_string())?;
    for entry in files {
        let entry = entry?;
        let copy = folder.path().join(entry.file_name());
        fs::copy(entry.path(), copy)?;
    }
    // Damage one file only: the engine refuses a folder in which a header is damaged, so more
    // damaged files would mean fewer probes.
    let (table, _) = ENDINGS[rng.usize(..ENDINGS.len())];
    let distances = folder.path().join(format!("{table}.rtbz"));
    if rng.bool() && distances.exists() {
        damage_file(&distances, rng)?;
    } else {
        damage_file(&distances.with_extension("rtbw"), rng)?;
    }
    let mut engine = programs.engine()?;
    engine.send(&format!(
        "setoption name SyzygyPath value {}",
        folder.path().display()
    ));
    for (_, fen) in ENDINGS {
        let board = Board::from_fen(fen)?;
        engine.send(&format!("position fen {fen}"));
        engine.send("go nodes 3000");
        let (line, _) = engine.wait_for(&["bestmove"])?;
        let answer = line.split_whitespace().nth(1).unwrap_or_default();
        ensure!(board.parse_uci(answer).is_ok(), "{fen}: {line}");
    }
    engine.quit()
}

/// With a damaged opening book the engine still plays legal moves.
///
/// # Errors
///
/// If not.
pub fn book(programs: &Programs, rng: &mut Rng) -> Result<()> {
    let (mut book, mut boards) = (Book::default(), Vec::new());
    for _ in 0..20 {
        let mut board = Board::STARTPOS;
        for _ in 0..8 {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[rng.usize(..moves.len())];
            book.add(&board, mv, rng.u16(1..));
            boards.push(board);
            board = board.play(mv);
        }
    }
    let mut bytes = book.to_bytes();
    // An entry has 16 bytes: position, move (2 bytes from the eighth on), weight, learning.
    for entry in bytes.chunks_mut(16) {
        if rng.bool() {
            entry[8..10].fill_with(|| rng.u8(..));
        }
    }
    if rng.bool() {
        bytes = damaged(&bytes, rng);
    }
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("book.bin");
    fs::write(&path, bytes)?;
    let mut engine = programs.engine()?;
    engine.send("setoption name OwnBook value true");
    engine.send(&format!(
        "setoption name Book File value {}",
        path.display()
    ));
    for _ in 0..40 {
        let board = boards[rng.usize(..boards.len())];
        engine.send(&format!("position fen {}", board.to_fen()));
        engine.send("go nodes 200");
        let (line, _) = engine.wait_for(&["bestmove"])?;
        let answer = line.split_whitespace().nth(1).unwrap_or_default();
        ensure!(board.parse_uci(answer).is_ok(), "{board}: {line}");
    }
    engine.quit()
}

/// Damaged games and positions are read or refused.
///
/// # Errors
///
/// If a program crashes.
pub fn games(programs: &Programs, fixtures: &Fixtures, rng: &mut Rng) -> Result<()> {
    let folder = fixtures.copy()?;
    let here = folder.path();
    for name in ["m.pgn", "b.epd", "d-1.vf"] {
        damage_file(&here.join(name), rng)?;
    }
    if rng.bool() {
        damage_file(&here.join("d-1.vf.json"), rng)?;
    }
    for (program, arguments) in [
        (
            "skewer-analyse",
            "games m.pgn --nodes 100 --quiet --csv g.csv --html g.html",
        ),
        ("skewer-analyse", "suite b.epd --nodes 100"),
        ("skewer-train", "stats d-1.vf"),
        ("skewer-train", "stats d-1.vf --accept-torn"),
        ("skewer-train", "dedup d-1.vf --output o.vf"),
        (
            "skewer-selfplay",
            "datagen --out . --name d --seed 1 --nodes 60 --threads 2 --games 12",
        ),
        (
            "skewer-selfplay",
            "match --engine ours --engine ours --nodes 30 --games 4 --openings m.pgn",
        ),
        (
            "skewer-selfplay",
            "match --engine ours --engine ours --nodes 30 --games 4 --openings b.epd",
        ),
    ] {
        programs.run(program, here, arguments)?;
    }
    Ok(())
}

/// A training goes on from a damaged checkpoint to the same network, or refuses it; damaged networks and
/// shuffled positions are read or refused.
///
/// # Errors
///
/// If not.
pub fn training(programs: &Programs, fixtures: &Fixtures, rng: &mut Rng) -> Result<()> {
    let folder = fixtures.copy()?;
    let here = folder.path();
    programs.run("skewer-train", here, "shuffle d-1.vf --output s.blocks")?;
    for name in ["n.nnue", "n.nnue.checkpoint", "s.blocks"] {
        damage_file(&here.join(name), rng)?;
    }
    let bad = fs::read(here.join("n.nnue"))?;
    let fitted = programs.run("skewer-train", here, "scale d-1.vf --network n.nnue")?;
    ensure!(
        !fitted.status.success() && fs::read(here.join("n.nnue"))? == bad,
        "a damaged network was written to"
    );
    let resumed = programs.run("skewer-train", here, TRAINING)?;
    ensure!(
        !resumed.status.success() || fs::read(here.join("n.nnue"))? == fixtures.network,
        "another network from a damaged checkpoint"
    );
    let streamed = "net s.blocks --hidden 32 --buckets 1 --epochs 1 --output t.nnue";
    programs.run("skewer-train", here, streamed)?;
    Ok(())
}

/// The byte that a decompression bomb repeats, chosen at random.
const FILLINGS: [u8; 6] = [0, b' ', b'(', b'{', b'q', b'\n'];

/// Damaged compressed files, and small ones that unpack to 300 MB, are read or refused in bounded memory.
///
/// # Errors
///
/// If a program crashes.
pub fn compressed(programs: &Programs, fixtures: &Fixtures, rng: &mut Rng) -> Result<()> {
    let folder = fixtures.copy()?;
    let here = folder.path();
    let filling = FILLINGS[rng.usize(..FILLINGS.len())];
    let bomb = zstd::encode_all(std::io::repeat(filling).take(300_000_000), 1)?;
    for name in ["m.pgn", "b.epd", "d-1.vf"] {
        let packed = zstd::encode_all(&fs::read(here.join(name))?[..], 3)?;
        let bytes = if rng.bool() {
            damaged(&packed, rng)
        } else {
            // Readers continue with the second frame, so they meet the bomb after valid data.
            [&packed[..], &bomb].concat()
        };
        fs::write(here.join(format!("{name}.zst")), bytes)?;
    }
    for (program, arguments) in [
        (
            "skewer-analyse",
            "games m.pgn.zst --nodes 100 --quiet --csv g.csv",
        ),
        ("skewer-analyse", "suite b.epd.zst --nodes 100"),
        ("skewer-train", "stats d-1.vf.zst --accept-torn"),
    ] {
        programs.run(program, here, arguments)?;
    }
    Ok(())
}
