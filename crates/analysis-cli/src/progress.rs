//! Shows how many games or positions are done: as a bar on a terminal, as a line from time to time elsewhere, or not at
//! all.

use std::time::Instant;

use skewer_console::progress;

use skewer_types::printable;

/// Shows progress on the standard error output.
pub(crate) struct Progress {
    /// `None` if nothing is to be shown.
    shown: Option<progress::Progress>,
    started: Instant,
    /// What is counted: `games` or `positions`.
    unit: &'static str,
    analysed: u64,
    /// Games or positions without an analysis.
    skipped: u64,
    nodes: u64,
}

impl Progress {
    /// Starts the clock. `total` is the number of games or positions, if that is known.
    pub(crate) fn new(unit: &'static str, total: Option<u64>, quiet: bool) -> Self {
        Self {
            shown: (!quiet).then(|| progress::Progress::new(total)),
            started: Instant::now(),
            unit,
            analysed: 0,
            skipped: 0,
            nodes: 0,
        }
    }

    /// Counts a game or position that is done.
    pub(crate) fn done(&mut self, nodes: u64) {
        self.analysed += 1;
        self.nodes += nodes;
        self.show();
    }

    /// Counts a game or position without an analysis.
    pub(crate) fn skip(&mut self) {
        self.skipped += 1;
        self.show();
    }

    fn show(&mut self) {
        let text = self.text();
        if let Some(shown) = &mut self.shown {
            shown.update(self.analysed + self.skipped, || text);
        }
    }

    fn text(&self) -> String {
        let seconds = self.started.elapsed().as_secs_f64().max(1e-6);
        let unit = match self.analysed {
            1 => self.unit.trim_end_matches('s'),
            _ => self.unit,
        };
        format!(
            "{} {unit}, {:.2} {}/s, {:.0} nodes/s",
            self.analysed,
            self.analysed as f64 / seconds,
            self.unit,
            self.nodes as f64 / seconds
        )
    }

    /// Prints a warning without disturbing the bar, even when quiet.
    pub(crate) fn warn(&self, text: &str) {
        match &self.shown {
            Some(shown) => shown.print(text),
            None => progress::note(printable(text)),
        }
    }

    /// Removes the bar and prints the totals.
    pub(crate) fn finish(self) {
        if let Some(shown) = &self.shown {
            shown.finish();
            let seconds = self.started.elapsed().as_secs_f64();
            progress::note(format_args!("{}, {seconds:.1} s", self.text()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_counts_games_that_are_done() {
        let mut progress = Progress::new("games", Some(20), true);
        progress.done(100);
        progress.skip();
        assert_eq!((progress.analysed, progress.skipped), (1, 1));
        assert!(progress.text().starts_with("1 game, "));
    }
}
