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
    /// Games to be done, if known.
    total: Option<u64>,
    games: u64,
    /// Games without an analysis.
    skipped: u64,
    nodes: u64,
}

enum How {
    Bar(ProgressBar),
    Lines { last: Instant },
    Quiet,
}

impl Progress {
    /// Starts. `total` is the number of games, if known.
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
            let last = Instant::now();
            How::Lines { last }
        };
        Self {
            how,
            started: Instant::now(),
            total,
            games: 0,
            skipped: 0,
            nodes: 0,
        }
    }

    /// Counts a finished game.
    pub(crate) fn game(&mut self, nodes: u64) {
        self.games += 1;
        self.nodes += nodes;
        self.show();
    }

    /// Counts a game without an analysis.
    pub(crate) fn skip(&mut self) {
        self.skipped += 1;
        self.show();
    }

    /// Games that are done.
    fn done(&self) -> u64 {
        self.games + self.skipped
    }

    fn show(&mut self) {
        let (text, done) = (self.text(), self.done());
        match &mut self.how {
            How::Bar(bar) => {
                bar.set_position(done);
                bar.set_message(text);
            }
            How::Lines { last } => {
                if last.elapsed() >= Duration::from_secs(PROGRESS_SECONDS) {
                    *last = Instant::now();
                    match self.total {
                        Some(total) if total > 0 => {
                            eprintln!("{text}, {}% of the games", done * 100 / total);
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
    pub(crate) fn finish(self) {
        if let How::Bar(bar) = &self.how {
            bar.finish_and_clear();
        }
        if !matches!(self.how, How::Quiet) {
            eprintln!(
                "{}, {:.1} s",
                self.text(),
                self.started.elapsed().as_secs_f64()
            );
        }
    }
}

/// The text with control characters, which a terminal would obey, replaced by `?`.
pub(crate) fn printable(text: &str) -> String {
    let plain = |c: char| if c.is_control() { '?' } else { c };
    text.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_counts_games_that_are_done() {
        let mut progress = Progress::new(Some(20), true);
        progress.game(100);
        progress.skip();
        assert_eq!((progress.done(), progress.total), (2, Some(20)));
        assert!(progress.text().starts_with("1 game, "));
    }
}
