//! Prints the events of a search, on the thread that reports them.

use skewer_movegen::{Board, Move};
use skewer_search::{Position, Report, SearchResult};
use skewer_smp::Event;

use crate::output::{self, Output, Style};
use crate::strength::{Choice, Level};

/// Prints what one search reports.
pub(crate) struct Printer {
    output: Output,
    board: Board,
    style: Style,
    /// The most lines to print.
    lines: usize,
    /// The last line received.
    latest: Option<Report>,
    /// The lines that a level below full strength chooses from.
    choice: Option<Choice>,
}

impl Printer {
    pub(crate) fn new(output: Output, board: Board, style: Style, lines: usize) -> Self {
        Self {
            output,
            board,
            style,
            lines,
            latest: None,
            choice: None,
        }
    }

    /// Chooses the move of this position at this level.
    pub(crate) fn at_level(self, level: Level, position: Position) -> Self {
        Self {
            choice: Some(Choice::new(level, position)),
            ..self
        }
    }

    pub(crate) fn print(&mut self, event: &Event<'_>) {
        match *event {
            Event::Line(report) => self.line(report),
            Event::CurrentMove(current) => {
                self.output
                    .line(output::current_move(current, &self.board, self.style));
            }
            Event::Note(sentence) => self.output.note(sentence),
            Event::Done(outcome) => self.done(outcome),
            _ => {}
        }
    }

    fn line(&mut self, report: &Report) {
        if let Some(choice) = &mut self.choice {
            choice.add(report);
        }
        if report.multi_pv <= self.lines {
            self.show(report);
        }
        self.latest = Some(report.clone());
    }

    fn show(&self, report: &Report) {
        self.output
            .line(output::analysis(report, &self.board, self.style));
    }

    fn done(&mut self, outcome: &SearchResult) {
        if let Some(choice) = &mut self.choice
            && let Some(line) = choice.line()
            && line.pv.first() != outcome.best.as_ref()
        {
            let line = line.clone();
            // The counters of later lines were printed already and must not decrease.
            let latest = self.latest.clone().unwrap_or_else(|| line.clone());
            let report = Report {
                depth: line.depth,
                seldepth: line.seldepth,
                multi_pv: 1,
                lines: 1,
                score: line.score,
                bound: line.bound,
                pv: line.pv,
                ..latest
            };
            self.show(&report);
            self.answer(report.pv.first().copied(), report.pv.get(1).copied());
        } else {
            self.answer(outcome.best, outcome.ponder);
        }
    }

    fn answer(&self, best: Option<Move>, ponder: Option<Move>) {
        self.output
            .line(output::best_move(best, ponder, &self.board, self.style));
    }
}
