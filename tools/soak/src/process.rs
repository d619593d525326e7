//! Runs a program to its end, within limits.

use std::fs::File;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};

/// The longest that a program may run here.
pub const TIMEOUT: Duration = Duration::from_mins(2);

/// The most memory that a program may use, in kB.
pub const MEMORY_KB: u64 = 2_000_000;

/// How a program ended.
#[derive(Debug)]
pub struct Ended {
    /// Its exit status.
    pub status: ExitStatus,
    /// Its standard output; what is not UTF-8 is replaced.
    pub stdout: String,
    /// Its standard error, likewise.
    pub stderr: String,
}

impl Ended {
    /// Checks that the program ended by itself with exit code 0, 1 or 2, without a panic, and said
    /// why if it failed.
    ///
    /// # Errors
    ///
    /// If it did not.
    pub fn check(&self) -> Result<()> {
        let Self { status, stderr, .. } = self;
        ensure!(
            matches!(status.code(), Some(0..=2)),
            "ended with {status}: {stderr}"
        );
        ensure!(!stderr.contains("panicked"), "panicked: {stderr}");
        ensure!(
            status.success() || !stderr.trim().is_empty(),
            "failed without a message"
        );
        Ok(())
    }
}

/// Runs a command and waits for its end.
///
/// # Errors
///
/// If it cannot be started, runs for more than [`TIMEOUT`], or uses more than [`MEMORY_KB`]. It is
/// then killed.
pub fn run(command: &mut Command) -> Result<Ended> {
    // Files, because a full pipe would stop the program.
    let folder = tempfile::tempdir()?;
    let paths = [folder.path().join("out"), folder.path().join("err")];
    command
        .stdin(Stdio::null())
        .stdout(File::create(&paths[0])?)
        .stderr(File::create(&paths[1])?);
    let mut child = command
        .spawn()
        .with_context(|| format!("cannot start {}", command.get_program().display()))?;
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        let memory = memory_kb(child.id());
        if begun.elapsed() > TIMEOUT || memory > MEMORY_KB {
            child.kill()?;
            child.wait()?;
            bail!(
                "{command:?}: still running after {:?}, with {memory} kB",
                begun.elapsed()
            );
        }
        thread::sleep(Duration::from_millis(5));
    };
    let read = |path| -> Result<String> {
        Ok(String::from_utf8_lossy(&std::fs::read(path)?).into_owned())
    };
    Ok(Ended {
        status,
        stdout: read(&paths[0])?,
        stderr: read(&paths[1])?,
    })
}

/// Runs a command, and kills it after `time` unless it has ended. Its output is discarded.
///
/// # Errors
///
/// If it cannot be started.
pub fn run_and_kill(command: &mut Command, time: Duration) -> Result<()> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let begun = Instant::now();
    while begun.elapsed() < time && child.try_wait()?.is_none() {
        thread::sleep(Duration::from_millis(1));
    }
    // An error here means that it has ended.
    let _ = child.kill();
    child.wait()?;
    Ok(())
}

/// The most memory that a process has used, in kB; 0 where the system does not say.
pub fn memory_kb(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .and_then(|line| line.trim().trim_end_matches(" kB").parse().ok())
        .unwrap_or(0)
}
