//! The programs that are attacked, and good files to begin with.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use crate::process::{Ended, run};
use crate::uci::Engine;

/// The folder with the programs.
#[derive(Debug, Clone)]
pub struct Programs {
    folder: PathBuf,
}

impl Programs {
    /// The programs in `folder`: `skewer`, `skewer-selfplay`, `skewer-train`, `skewer-analyse`.
    ///
    /// # Errors
    ///
    /// If one is missing.
    pub fn new(folder: &Path) -> Result<Self> {
        let folder = folder
            .canonicalize()
            .with_context(|| format!("no programs in {} (see --help)", folder.display()))?;
        let programs = Self { folder };
        for name in [
            "skewer",
            "skewer-selfplay",
            "skewer-train",
            "skewer-analyse",
        ] {
            let path = programs.path(name);
            ensure!(
                path.is_file(),
                "{} is missing; build the programs first (see --help)",
                path.display()
            );
        }
        Ok(programs)
    }

    /// The path of a program.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder
            .join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }

    /// Starts the engine.
    ///
    /// # Errors
    ///
    /// If it cannot be started.
    pub fn engine(&self) -> Result<Engine> {
        Engine::start(&self.path("skewer"))
    }

    /// A command that runs a program in `folder`, with arguments separated by spaces.
    pub fn command(&self, name: &str, folder: &Path, arguments: &str) -> Command {
        let mut command = Command::new(self.path(name));
        command
            .current_dir(folder)
            .args(arguments.split_whitespace());
        command
    }

    /// As [`command`](Self::command), but the program may write no more than so many blocks of 512 or
    /// 1,024 bytes to each file.
    #[cfg(unix)]
    pub fn limited_command(
        &self,
        name: &str,
        folder: &Path,
        arguments: &str,
        blocks: u32,
    ) -> Command {
        let mut command = Command::new("sh");
        let script = format!("ulimit -f {blocks}; exec \"$0\" \"$@\"");
        command
            .current_dir(folder)
            .args(["-c", &script])
            .arg(self.path(name))
            .args(arguments.split_whitespace());
        command
    }

    /// Runs a program in `folder`, and checks how it ends.
    ///
    /// # Errors
    ///
    /// If it cannot be started or does not end as it should; see [`Ended::check`].
    pub fn run(&self, name: &str, folder: &Path, arguments: &str) -> Result<Ended> {
        let ended = run(&mut self.command(name, folder, arguments))?;
        ended
            .check()
            .with_context(|| format!("{name} {arguments}"))?;
        Ok(ended)
    }
}

/// A match that always has the same games.
pub const MATCH: &str = "match --engine ours --engine ours,without=killers --nodes 60 --games 8 \
                         --threads 2 --out m";

/// An analysis that always has the same result.
pub const ANALYSIS: &str = "games m.pgn --nodes 300 --threads 2 --quiet --journal a.journal \
                            --jsonl a.jsonl";

/// A training that always makes the same network.
pub const TRAINING: &str = "net d-1.vf --hidden 32 --buckets 1 --epochs 8 --batch 64 --threads 1 \
                            --resume --output n.nnue";

/// Good files, and what was printed when they were made.
pub struct Fixtures {
    folder: tempfile::TempDir,
    /// What the match prints.
    pub match_result: String,
    /// What the analysis writes.
    pub analysis: Vec<u8>,
    /// The network that the training makes.
    pub network: Vec<u8>,
}

impl Fixtures {
    /// Plays a match and training games, analyses, trains a network, and saves a hash table.
    ///
    /// # Errors
    ///
    /// If a program fails.
    pub fn make(programs: &Programs) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let here = folder.path();
        let must = |name: &str, arguments: &str| -> Result<Ended> {
            let ended = programs.run(name, here, arguments)?;
            ensure!(
                ended.status.success(),
                "{name} {arguments}: {}",
                ended.stderr
            );
            Ok(ended)
        };
        let match_result = must("skewer-selfplay", MATCH)?.stdout;
        must(
            "skewer-selfplay",
            "datagen --out . --name d --seed 1 --nodes 60 --threads 2 --games 12",
        )?;
        must("skewer-selfplay", "book --count 20 --nodes 60 --out b.epd")?;
        must("skewer-analyse", ANALYSIS)?;
        must("skewer-train", TRAINING)?;
        let analysis = fs::read(here.join("a.jsonl"))?;
        let network = fs::read(here.join("n.nnue"))?;
        let mut engine = programs.engine()?;
        engine.send("setoption name Hash value 1");
        engine.send(&format!(
            "setoption name Hash File value {}",
            here.join("table").display()
        ));
        engine.send("go nodes 20000");
        engine.wait_for(&["bestmove"])?;
        engine.send("setoption name Save Hash");
        engine.wait_for(&["info string the hash table was saved"])?;
        engine.quit()?;
        Ok(Self {
            folder,
            match_result,
            analysis,
            network,
        })
    }

    /// A folder with copies of all the files.
    ///
    /// # Errors
    ///
    /// If a file cannot be copied.
    pub fn copy(&self) -> Result<tempfile::TempDir> {
        let copy = tempfile::tempdir()?;
        for entry in fs::read_dir(self.folder.path())? {
            let entry = entry?;
            fs::copy(entry.path(), copy.path().join(entry.file_name()))?;
        }
        Ok(copy)
    }
}
