//! A progress bar for long runs, on a terminal only.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar of the completed steps. It is drawn on standard error, and only if that is a terminal.
#[derive(Debug, Clone)]
pub struct Progress(ProgressBar);

impl Progress {
    /// A bar of `steps` steps.
    pub fn new(steps: usize) -> Self {
        let bar = ProgressBar::new(steps as u64);
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed} {msg}");
        Self(match style {
            Ok(style) => bar.with_style(style),
            Err(_) => bar,
        })
    }

    /// Shows what is being done.
    pub fn set_message(&self, what: &str) {
        self.0.set_message(what.to_owned());
        self.0.tick();
    }

    /// Counts a step.
    pub fn step(&self) {
        self.0.inc(1);
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}
