//! Runs the engine's binary over pipes.

#![allow(dead_code, reason = "each test uses its part of it")]

use std::fmt::Display;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Enough for every answer, even on a busy machine.
pub(crate) const TIMEOUT: Duration = Duration::from_mins(1);

/// Whether a text has the parts of a pattern, which are separated by `*`, in order.
pub(crate) fn fits(text: &str, pattern: &str) -> bool {
    let mut rest = text;
    pattern.split('*').all(|part| match rest.split_once(part) {
        Some((_, after)) => {
            rest = after;
            true
        }
        None => false,
    })
}

/// A running engine.
pub(crate) struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    /// All lines that it has printed.
    pub(crate) output: Vec<String>,
    stderr: Option<JoinHandle<String>>,
}

impl Client {
    /// Starts the engine with these arguments.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_skewer"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect("a pipe");
        let mut stderr = child.stderr.take().expect("a pipe");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).split(b'\n') {
                let Ok(line) = line else { return };
                // Invalid UTF-8 is replaced, so that such a line does not match.
                if sender
                    .send(String::from_utf8_lossy(&line).into_owned())
                    .is_err()
                {
                    return;
                }
            }
        });
        let stderr = std::thread::spawn(move || {
            let mut text = String::new();
            // Invalid UTF-8 is replaced, so that tests of the text fail.
            if stderr.read_to_string(&mut text).is_err() {
                text.push_str("(not text)");
            }
            text
        });
        Self {
            child,
            stdin,
            lines,
            output: Vec::new(),
            stderr: Some(stderr),
        }
    }

    /// Sends bytes. It is not an error if the engine has exited.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        if let Some(stdin) = &mut self.stdin {
            let sent = stdin.write_all(bytes).and_then(|()| stdin.flush());
            if sent.is_err() {
                self.stdin = None;
            }
        }
    }

    /// Sends a line.
    pub(crate) fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sets an option.
    pub(crate) fn set(&mut self, option: &str, value: impl Display) {
        self.send(&format!("setoption name {option} value {value}"));
    }

    /// Waits for a line that starts with `prefix`, and returns it.
    pub(crate) fn wait_for(&mut self, prefix: &str) -> Result<String, String> {
        self.wait_until(prefix, |line| line.starts_with(prefix))
    }

    /// Waits for a line for which `matches` is true, and returns it. `what` names it in the error.
    pub(crate) fn wait_until(
        &mut self,
        what: &str,
        matches: impl Fn(&str) -> bool,
    ) -> Result<String, String> {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let rest = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(rest) {
                Ok(line) => {
                    self.output.push(line.clone());
                    if matches(&line) {
                        return Ok(line);
                    }
                }
                Err(RecvTimeoutError::Timeout) => return Err(format!("no {what:?} came")),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(format!("the output ended before {what:?}"));
                }
            }
        }
    }

    /// Reads lines until `time` has passed.
    pub(crate) fn listen(&mut self, time: Duration) {
        let deadline = Instant::now() + time;
        while let Ok(line) = self
            .lines
            .recv_timeout(deadline.saturating_duration_since(Instant::now()))
        {
            self.output.push(line);
        }
    }

    /// Searches to a depth and returns the nodes that it took.
    pub(crate) fn search(&mut self, depth: u32) -> Result<u64, String> {
        self.send(&format!("go depth {depth}"));
        self.wait_for("bestmove ")?;
        let start = format!("info depth {depth} ");
        let last = self.output.iter().rfind(|line| line.starts_with(&start));
        let mut words = last
            .ok_or("no line of the last depth")?
            .split(' ')
            .skip_while(|word| *word != "nodes");
        let nodes = words.nth(1).ok_or("no nodes")?;
        nodes.parse().map_err(|_| format!("{nodes} nodes"))
    }

    /// Sends `quit` and returns all lines, if the engine exits with success.
    pub(crate) fn leave(mut self) -> Result<Vec<String>, String> {
        self.send("quit");
        let (status, stderr) = self.wait_for_exit()?;
        if status.success() && stderr.is_empty() {
            Ok(std::mem::take(&mut self.output))
        } else {
            Err(format!("left with {status}, stderr {stderr:?}"))
        }
    }

    /// The number of the process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Closes the engine's input.
    pub(crate) fn close_stdin(&mut self) {
        self.stdin = None;
    }

    /// Waits for the engine to exit by itself, and reads the remaining lines.
    pub(crate) fn wait_for_exit(&mut self) -> Result<(ExitStatus, String), String> {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => {
                    self.output.extend(self.lines.iter());
                    let stderr = self.stderr.take().map_or(String::new(), |reader| {
                        reader.join().unwrap_or_else(|_| "(reader failed)".into())
                    });
                    return Ok((status, stderr));
                }
                Ok(None) if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(2));
                }
                Ok(None) => return Err("the engine does not exit".into()),
                Err(error) => return Err(error.to_string()),
            }
        }
    }

    /// How many lines so far start with `prefix`.
    pub(crate) fn count(&self, prefix: &str) -> usize {
        self.output
            .iter()
            .filter(|line| line.starts_with(prefix))
            .count()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // An error means that it has exited.
        _ = self.child.kill();
        _ = self.child.wait();
    }
}
