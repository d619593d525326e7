//! Progress of a run: a bar on a terminal, otherwise a line from time to time.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// How often lines are printed where there is no terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(30);

/// A run's progress, shown on standard error.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    started: Instant,
    last_line: Option<Instant>,
    total: Option<u64>,
}

impl Progress {
    /// Shows the progress of a run of `total` steps; `None` for a run without an end.
    pub(crate) fn new(total: Option<u64>) -> Self {
        let bar = io::stderr().is_terminal().then(|| {
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
            bar
        });
        Self {
            bar,
            started: Instant::now(),
            last_line: None,
            total,
        }
    }

    /// Shows `done` steps and a message, which is only computed if it is shown.
    pub(crate) fn update(&mut self, done: u64, words: impl FnOnce() -> String) {
        if let Some(bar) = &self.bar {
            bar.set_position(done);
            bar.set_message(words());
        } else if self
            .last_line
            .is_none_or(|last| last.elapsed() >= BETWEEN_LINES)
        {
            self.last_line = Some(Instant::now());
            let seconds = self.started.elapsed().as_secs();
            let total = self
                .total
                .map_or(String::new(), |total| format!("/{total}"));
            self.print(&format!("[{seconds} s] {done}{total} {}", words()));
        }
    }

    /// Prints a line that stays.
    pub(crate) fn print(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.println(line),
            // A closed stderr does not end the run.
            None => drop(writeln!(io::stderr(), "{line}")),
        }
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
