//! `kill -9` at a random moment or a limit on the size of files, and then the same command again.

use std::fs;
use std::path::Path;
use std::time::Duration;

#[cfg(unix)]
use anyhow::Context as _;
use anyhow::{Result, ensure};
use fastrand::Rng;

#[cfg(unix)]
use crate::process::run;
use crate::process::run_and_kill;
use crate::programs::{ANALYSIS, Fixtures, MATCH, Programs, TRAINING};

fn hidden_files(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') {
            names.push(name);
        }
    }
    Ok(names)
}

/// Runs a command and kills it at a random moment, or lets it fail at a limit on the size of files.
fn interrupt(
    programs: &Programs,
    program: &str,
    folder: &Path,
    arguments: &str,
    rng: &mut Rng,
) -> Result<()> {
    #[cfg(unix)]
    if rng.bool() {
        let blocks = rng.u32(8..64);
        let mut command = programs.limited_command(program, folder, arguments, blocks);
        return run(&mut command)?
            .check()
            .with_context(|| format!("{program} {arguments} with {blocks} blocks"));
    }
    let mut command = programs.command(program, folder, arguments);
    run_and_kill(&mut command, Duration::from_millis(rng.u64(1..400)))
}

/// Interrupts a command three times, then runs it to its end, which must be a success. Returns what it
/// prints.
fn kill_and_finish(
    programs: &Programs,
    program: &str,
    folder: &Path,
    arguments: &str,
    rng: &mut Rng,
) -> Result<String> {
    for _ in 0..3 {
        interrupt(programs, program, folder, arguments, rng)?;
    }
    let ended = programs.run(program, folder, arguments)?;
    ensure!(
        ended.status.success(),
        "{program} {arguments}: did not resume: {}",
        ended.stderr
    );
    Ok(ended.stdout)
}

/// A killed save of the hash table leaves the old file or a complete new one, and the next save
/// removes temporary files.
///
/// # Errors
///
/// If not.
pub fn save(programs: &Programs, rng: &mut Rng) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("table");
    let set = format!("setoption name Hash File value {}", path.display());
    for _ in 0..3 {
        let mut command = programs.command("skewer", folder.path(), "");
        command.args([
            "setoption name Hash value 64",
            &set,
            "setoption name Save Hash",
        ]);
        run_and_kill(&mut command, Duration::from_millis(rng.u64(1..200)))?;
    }
    let mut engine = programs.engine()?;
    engine.send(&set);
    if path.exists() {
        engine.send("setoption name Load Hash");
        engine.wait_for(&["info string a hash table of"])?;
    }
    engine.send("setoption name Save Hash");
    engine.wait_for(&["info string the hash table was saved"])?;
    engine.quit()?;
    let left = hidden_files(folder.path())?;
    ensure!(left.is_empty(), "left behind: {left:?}");
    Ok(())
}

/// A match that is killed again and again ends with the result of one that is not.
///
/// # Errors
///
/// If not.
pub fn match_games(programs: &Programs, fixtures: &Fixtures, rng: &mut Rng) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let result = kill_and_finish(programs, "skewer-selfplay", folder.path(), MATCH, rng)?;
    ensure!(
        result == fixtures.match_result,
        "the result differs from that of an undisturbed match: {result}"
    );
    Ok(())
}

/// Training games go on after a kill, and the file is sound.
///
/// # Errors
///
/// If not.
pub fn training_games(programs: &Programs, rng: &mut Rng) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let arguments = "datagen --out . --name k --seed 1 --nodes 60 --threads 2 --games 40";
    kill_and_finish(programs, "skewer-selfplay", folder.path(), arguments, rng)?;
    let read = programs.run("skewer-train", folder.path(), "stats k-1.vf")?;
    ensure!(read.status.success(), "skewer-train: {}", read.stderr);
    Ok(())
}

/// An analysis that is killed again and again ends with the result of one that is not.
///
/// # Errors
///
/// If not.
pub fn analysis(programs: &Programs, fixtures: &Fixtures, rng: &mut Rng) -> Result<()> {
    let folder = fixtures.copy()?;
    for name in ["a.journal", "a.jsonl"] {
        fs::remove_file(folder.path().join(name))?;
    }
    kill_and_finish(programs, "skewer-analyse", folder.path(), ANALYSIS, rng)?;
    ensure!(
        fs::read(folder.path().join("a.jsonl"))? == fixtures.analysis,
        "the analysis differs from an undisturbed one"
    );
    Ok(())
}

/// A training that is killed again and again ends with the network of one that is not.
///
/// # Errors
///
/// If not.
pub fn training(programs: &Programs, fixtures: &Fixtures, rng: &mut Rng) -> Result<()> {
    let folder = fixtures.copy()?;
    for name in ["n.nnue", "n.nnue.checkpoint", "n.nnue.csv", "n.nnue.svg"] {
        fs::remove_file(folder.path().join(name))?;
    }
    kill_and_finish(programs, "skewer-train", folder.path(), TRAINING, rng)?;
    ensure!(
        fs::read(folder.path().join("n.nnue"))? == fixtures.network,
        "the network differs from that of an undisturbed training"
    );
    Ok(())
}

/// Commands that do not resume: program, arguments, a file that must be the same as without a kill.
const OUTPUTS: [(&str, &str, &str); 5] = [
    (
        "skewer-train",
        "rescore d-1.vf --nodes 50 --threads 1 --output r.vf",
        "r.vf",
    ),
    (
        "skewer-train",
        "shuffle d-1.vf --output s.blocks",
        "s.blocks",
    ),
    ("skewer-train", "dedup d-1.vf --output u.vf", "u.vf"),
    (
        "skewer-analyse",
        "games m.pgn --nodes 100 --threads 2 --quiet --html-folder report",
        "report/data/0.js",
    ),
    (
        "skewer-selfplay",
        "book --count 20 --nodes 60 --out o.epd",
        "o.epd",
    ),
];

/// A killed command leaves no output or a complete one. Run again, it makes the same output as without
/// a kill, and leaves no temporary files.
///
/// # Errors
///
/// If not.
pub fn outputs(programs: &Programs, fixtures: &Fixtures, rng: &mut Rng) -> Result<()> {
    let (program, arguments, output) = OUTPUTS[rng.usize(..OUTPUTS.len())];
    let (undisturbed, folder) = (fixtures.copy()?, fixtures.copy()?);
    let ended = programs.run(program, undisturbed.path(), arguments)?;
    ensure!(ended.status.success(), "refused: {}", ended.stderr);
    let expected = fs::read(undisturbed.path().join(output))?;
    let path = folder.path().join(output);
    for _ in 0..3 {
        // The command ended before the kill. Some commands refuse to replace their output.
        if path.exists() {
            break;
        }
        interrupt(programs, program, folder.path(), arguments, rng)?;
    }
    if !path.exists() {
        let ended = programs.run(program, folder.path(), arguments)?;
        ensure!(ended.status.success(), "{program}: {}", ended.stderr);
        let left = hidden_files(folder.path())?;
        ensure!(left.is_empty(), "{program} left behind: {left:?}");
        ensure!(
            !folder.path().join("s.blocks.parts").exists(),
            "s.blocks.parts was left behind"
        );
    }
    ensure!(
        fs::read(&path)? == expected,
        "{program} {arguments}: the output differs from that without a kill"
    );
    Ok(())
}
