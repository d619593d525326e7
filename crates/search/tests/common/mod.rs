//! Shared by the integration tests: a search with its own table, and checks of its reports.

#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test file uses a part of it"
)]

use skewer_eval::Evaluation;
use skewer_movegen::{Board, Move};
use skewer_search::{
    Context, Counters, Limits, Position, Report, SearchControl, SearchResult, Worker, WorkerFactory,
};
use skewer_tt::{Table, TableSize};
use skewer_types::{Bound, Techniques};

/// A single-threaded engine without a front-end.
pub struct Engine {
    pub table: Table,
    pub counters: Vec<Counters>,
    pub worker: Worker,
    pub techniques: Techniques,
    pub reports: Vec<Report>,
}

/// The evaluations that a test of the rules runs with: hand-written, and the built-in network.
pub fn evaluations() -> [Evaluation; 2] {
    let network = Evaluation::built_in_network().expect("a build with a network");
    [Evaluation::hand_written(), network]
}

impl Engine {
    /// With the hand-written evaluation.
    pub fn new() -> Self {
        Self::without(Techniques::empty())
    }

    pub fn by(evaluation: &Evaluation) -> Self {
        Self::with(evaluation, Techniques::DEFAULT)
    }

    pub fn without(techniques: Techniques) -> Self {
        Self::with(
            &Evaluation::hand_written(),
            Techniques::DEFAULT - techniques,
        )
    }

    /// Toggles these techniques: off if they are on by default, otherwise on.
    pub fn toggling(techniques: Techniques) -> Self {
        Self::with(
            &Evaluation::hand_written(),
            Techniques::DEFAULT ^ techniques,
        )
    }

    fn with(evaluation: &Evaluation, techniques: Techniques) -> Self {
        Self {
            table: Table::new(TableSize::from_megabytes(4)).expect("four megabytes"),
            counters: vec![Counters::default()],
            worker: WorkerFactory::from(evaluation).worker(0),
            techniques,
            reports: Vec::new(),
        }
    }

    /// Searches, keeps the reports, and checks every one of them.
    pub fn search(&mut self, position: &Position, limits: &Limits) -> SearchResult {
        self.search_under(&SearchControl::new(limits.clone()), position)
    }

    pub fn search_under(&mut self, control: &SearchControl, position: &Position) -> SearchResult {
        let outcome = self.search_unchecked(control, position);
        for report in &self.reports {
            check_report(position, report);
        }
        if let Some(best) = outcome.best {
            assert!(position.board().is_legal(best));
            assert_eq!(outcome.pv.first(), Some(&best));
            let last = self
                .reports
                .iter()
                .rfind(|report| report.multi_pv == 1)
                .expect("a line for the answer");
            assert_eq!(
                last.pv.first(),
                Some(&best),
                "the last line's head is the answer"
            );
        }
        outcome
    }

    /// [`search`](Self::search) without checking the reports, for tables with wrong entries.
    pub fn search_unchecked(
        &mut self,
        control: &SearchControl,
        position: &Position,
    ) -> SearchResult {
        self.table.new_search();
        self.counters[0].reset();
        self.reports.clear();
        let context = Context {
            table: &self.table,
            control,
            counters: &self.counters,
            tablebases: None,
            techniques: self.techniques,
            poll: None,
        };
        let reports = &mut self.reports;
        self.worker.search(position, &context, &mut |report| {
            reports.push(report.clone());
        })
    }

    pub fn search_fen(&mut self, fen: &str, limits: &Limits) -> SearchResult {
        self.search(&position(fen), limits)
    }

    pub fn forget(&mut self) {
        self.worker.clear();
        self.table.clear();
    }
}

pub fn position(fen: &str) -> Position {
    Position::new(board(fen))
}

pub fn board(fen: &str) -> Board {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

pub fn uci(board: &Board, text: &str) -> Move {
    board
        .parse_uci(text)
        .unwrap_or_else(|error| panic!("{text} in {board}: {error}"))
}

/// Panics unless the report's line is legal, mates exactly when its score says so, and does not go
/// on after the end of the game.
pub fn check_report(position: &Position, report: &Report) {
    let mut board = *position.board();
    let mut keys: Vec<u64> = position.earlier_keys().to_vec();
    keys.push(board.key());
    for (index, &mv) in report.pv.iter().enumerate() {
        assert!(
            board.is_legal(mv),
            "{mv:?} in {board}, line {:?}",
            report.pv
        );
        board = board.play(mv);
        keys.push(board.key());
        let last = index + 1 == report.pv.len();
        let times = keys.iter().filter(|&&key| key == board.key()).count();
        let mated = board.in_check() && !board.has_legal_moves();
        assert!(
            last || (times < 3 && board.halfmove_clock() < 100 && board.has_legal_moves()),
            "the line goes on after the end of the game: {:?} of {}",
            report.pv,
            position.board()
        );
        assert!(
            !mated || report.score.is_mate(),
            "a mating line without a mate score"
        );
    }
    if report.bound == Bound::Exact
        && let Some(plies) = report.score.plies_to_mate()
    {
        assert_eq!(
            report.pv.len() as i32,
            plies,
            "{:?} with the line {:?} of {}",
            report.score,
            report.pv,
            position.board()
        );
        assert!(
            board.in_check() && !board.has_legal_moves(),
            "not mate: {board}"
        );
        assert_eq!(
            report.score.is_win(),
            plies % 2 == 1,
            "the wrong side mates"
        );
    }
}
