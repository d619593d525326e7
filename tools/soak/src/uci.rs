//! An engine process, driven over pipes like a client does.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};

use crate::process::{MEMORY_KB, memory_kb};

/// How long an answer may take.
const TIMEOUT: Duration = Duration::from_mins(1);

/// A running engine. Dropping it kills it.
pub struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    stderr: Option<JoinHandle<String>>,
}

impl Engine {
    /// Starts the program at `path`.
    ///
    /// # Errors
    ///
    /// If it cannot be started.
    pub fn start(path: &Path) -> Result<Self> {
        let mut child = Command::new(path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", path.display()))?;
        let output = child.stdout.take().context("no output")?;
        let mut stderr = child.stderr.take().context("no standard error")?;
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(output).split(b'\n') {
                let Ok(line) = line else { return };
                if sender
                    .send(String::from_utf8_lossy(&line).into_owned())
                    .is_err()
                {
                    return;
                }
            }
        });
        let stderr = thread::spawn(move || {
            let mut bytes = Vec::new();
            // An error ends the text like the end of the pipe does.
            let _ = stderr.read_to_end(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        });
        Ok(Self {
            input: child.stdin.take(),
            child,
            lines,
            stderr: Some(stderr),
        })
    }

    /// Sends bytes. If the engine has exited, the next wait reports it.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        if let Some(input) = &mut self.input
            && input.write_all(bytes).and_then(|()| input.flush()).is_err()
        {
            self.input = None;
        }
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Waits for a line that begins with one of these, and returns it and the number of `bestmove`
    /// lines before it.
    ///
    /// # Errors
    ///
    /// If none comes in time, or the engine ends or uses too much memory.
    pub fn wait_for(&mut self, prefixes: &[&str]) -> Result<(String, usize)> {
        let deadline = Instant::now() + TIMEOUT;
        let mut best_moves = 0;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line = self
                .lines
                .recv_timeout(left)
                .with_context(|| format!("waited for {prefixes:?}"))?;
            if prefixes.iter().any(|prefix| line.starts_with(prefix)) {
                let memory = memory_kb(self.child.id());
                ensure!(memory < MEMORY_KB, "the engine uses {memory} kB");
                return Ok((line, best_moves));
            }
            best_moves += usize::from(line.starts_with("bestmove"));
        }
    }

    /// Sends `quit` and waits for the end, which must be clean.
    ///
    /// # Errors
    ///
    /// If the engine does not end with exit code 0, or writes to standard error.
    pub fn quit(mut self) -> Result<()> {
        self.send("quit");
        self.input = None;
        let deadline = Instant::now() + TIMEOUT;
        let status = loop {
            if let Some(status) = self.child.try_wait()? {
                break status;
            }
            if Instant::now() > deadline {
                bail!("the engine has not ended {TIMEOUT:?} after quit");
            }
            thread::sleep(Duration::from_millis(2));
        };
        let stderr = self.stderr.take().map(JoinHandle::join);
        let stderr = stderr.and_then(Result::ok).unwrap_or_default();
        ensure!(status.success(), "ended with {status}: {stderr}");
        ensure!(stderr.is_empty(), "standard error: {stderr}");
        Ok(())
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // An error means that it has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
