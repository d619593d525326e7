//! Progress: a bar on a terminal, a line every few seconds elsewhere, or nothing.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Seconds between two lines of progress where there is no terminal.
const PROGRESS_SECONDS: u64 = 10;

/// Shows progress on the standard error output.
pub(crate) struct Progress {
    how: How,
    started: Instant,
    games: u64,
    nodes: u64,
}

enum How {
    Bar(ProgressBar),
    Lines { last: Instant, total: Option<u64> },
    Quiet,
}

impl Progress {
    /// Starts. `total` is the size of the input in bytes, if known.
    pub(crate) fn new(total: Option<u64>, quiet: bool) -> Self {
        let how = if quiet {
            How::Quiet
        } else if stderr().is_terminal() {
            let bar = ProgressBar::new(total.unwrap_or(0));
            let shape = if total.is_some() {
                "{wide_bar} {percent}% {msg} {eta} left"
            } else {
                "{spinner} {msg} {elapsed}"
            };
            if let Ok(style) = ProgressStyle::with_template(shape) {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(250));
            How::Bar(bar)
        } else {
            How::Lines {
                last: Instant::now(),
                total,
            }
        };
        Self {
            how,
            started: Instant::now(),
            games: 0,
            nodes: 0,
        }
    }

    /// Counts a finished game; `bytes` of the input have been read.
    pub(crate) fn game(&mut self, nodes: u64, bytes: u64) {
        self.games += 1;
        self.nodes += nodes;
        let text = self.text();
        match &mut self.how {
            How::Bar(bar) => {
                bar.set_position(bytes);
                bar.set_message(text);
            }
            How::Lines { last, total } => {
                if last.elapsed() >= Duration::from_secs(PROGRESS_SECONDS) {
                    *last = Instant::now();
                    match total {
                        Some(total) if *total > 0 => {
                            eprintln!("{text}, {}% of the input", bytes * 100 / *total);
                        }
                        _ => eprintln!("{text}"),
                    }
                }
            }
            How::Quiet => {}
        }
    }

    fn text(&self) -> String {
        let seconds = self.started.elapsed().as_secs_f64().max(1e-6);
        format!(
            "{} {}, {:.2} games/s, {:.0} nodes/s",
            self.games,
            if self.games == 1 { "game" } else { "games" },
            self.games as f64 / seconds,
            self.nodes as f64 / seconds
        )
    }

    /// Prints a warning without disturbing the bar, even when quiet.
    pub(crate) fn warn(&self, text: &str) {
        let text = printable(text);
        match &self.how {
            How::Bar(bar) => bar.suspend(|| eprintln!("{text}")),
            How::Lines { .. } | How::Quiet => eprintln!("{text}"),
        }
    }

    /// Removes the bar and prints the totals.
    pub(crate) fn finish(self, bad: u64) {
        let text = self.text();
        let bad = match bad {
            0 => String::new(),
            bad => format!(", {bad} more could not be read"),
        };
        let seconds = self.started.elapsed().as_secs_f64();
        match self.how {
            How::Bar(bar) => {
                bar.finish_and_clear();
                eprintln!("{text}, {seconds:.1} s{bad}");
            }
            How::Lines { .. } => eprintln!("{text}, {seconds:.1} s{bad}"),
            How::Quiet => {}
        }
    }
}

/// The text with control characters, which a terminal would obey, replaced by `?`.
pub(crate) fn printable(text: &str) -> String {
    let plain = |c: char| if c.is_control() { '?' } else { c };
    text.chars().map(plain).collect()
}
