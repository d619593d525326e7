//! Engines that attack the match program. They are shell scripts, so on Unix only.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use anyhow::{Result, ensure};
use fastrand::Rng;

use crate::programs::Programs;

/// Answers of such engines to `go`.
const ANSWERS: [&str; 14] = [
    "head -c 300000000 /dev/zero",
    "yes info depth 1 score cp 3",
    "echo bestmove a7a6; yes",
    "exit 3",
    "kill -9 $$",
    "exec >&-; sleep 5",
    "echo bestmove",
    "echo bestmove e9e9",
    "echo bestmove e2e4; echo bestmove e2e4; echo bestmove e7e5",
    "printf 'bestmove \\377\\377\\0\\n'",
    "echo info score cp 99999999999999999999; echo bestmove 0000",
    "echo info depth -5 score mate -2147483648; echo bestmove a2a3q",
    "printf 'bestmove e2'; exit 0",
    "trap '' TERM INT HUP; echo bestmove e7e5x",
];

/// Checks that the match ends and the hostile engine has lost every game.
///
/// # Errors
///
/// If not.
pub fn engine(programs: &Programs, rng: &mut Rng) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("hostile");
    let answer = ANSWERS[rng.usize(..ANSWERS.len())];
    let script = format!(
        "#!/bin/sh\nwhile read -r line; do\ncase \"$line\" in\nuci) echo id name hostile; echo uciok ;;\n\
         isready) echo readyok ;;\ngo*) {answer} ;;\nquit) exit 0 ;;\nesac\ndone\n"
    );
    fs::write(&path, script)?;
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
    let arguments = "match --engine ours,depth=2 --engine ./hostile --tc 1+0.1 --games 2 \
                     --threads 1 --random-plies 0 --out m";
    let ended = programs.run("skewer-selfplay", folder.path(), arguments)?;
    ensure!(ended.status.success(), "{answer}: {}", ended.stderr);
    ensure!(
        ended.stdout.contains("Games: 2, +2 =0 -0"),
        "{answer}: {}",
        ended.stdout
    );
    Ok(())
}
