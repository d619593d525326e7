//! Progress of a run: a bar on a terminal, otherwise a line from time to time.

use std::fmt::Display;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use skewer_types::{printable, printable_lines};

/// How often lines are printed where there is no terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(30);

/// Prints lines on standard error, without characters that a terminal would obey. Unlike `eprintln!`, it does not end
/// the run if standard error is a closed pipe.
pub fn note(lines: impl Display) {
    let lines = lines.to_string();
    drop(writeln!(io::stderr(), "{}", printable_lines(&lines)));
}

/// A run's progress, shown on standard error.
#[derive(Debug)]
pub struct Progress {
    /// Hidden where there is no terminal.
    bar: ProgressBar,
    last_line: Option<Instant>,
}

impl Progress {
    /// Shows the progress of a run of `total` steps; `None` for a run without an end.
    pub fn new(total: Option<u64>) -> Self {
        let bar = total.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
        let template = if total.is_some() {
            "{bar:24} {pos}/{len} [{elapsed_precise} < {eta}] {msg}"
        } else {
            "{spinner} {pos} [{elapsed_precise}] {msg}"
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(250));
        Self {
            bar,
            last_line: None,
        }
    }

    /// Counts a step on the bar.
    pub fn step(&self) {
        self.bar.inc(1);
    }

    /// Shows a message beside the bar.
    pub fn set_message(&self, message: impl Into<String>) {
        self.bar.set_message(printable(&message.into()).to_string());
    }

    /// Shows `done` steps on the bar.
    pub fn set_done(&self, done: u64) {
        self.bar.set_position(done);
    }

    /// Shows `done` steps and a message on the bar or, where there is none, in a line now and then. The
    /// message is only computed if it is shown.
    pub fn update(&mut self, done: u64, message: impl FnOnce() -> String) {
        if !self.bar.is_hidden() {
            self.bar.set_position(done);
            self.set_message(message());
        } else if self
            .last_line
            .is_none_or(|last| last.elapsed() >= BETWEEN_LINES)
        {
            self.last_line = Some(Instant::now());
            let seconds = self.bar.elapsed().as_secs();
            let total = self
                .bar
                .length()
                .map_or(String::new(), |total| format!("/{total}"));
            self.print(&format!("[{seconds} s] {done}{total} {}", message()));
        }
    }

    /// Prints a line that stays, without characters that a terminal would obey.
    pub fn print(&self, line: &str) {
        if self.bar.is_hidden() {
            note(line);
        } else {
            self.bar.println(printable(line).to_string());
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
