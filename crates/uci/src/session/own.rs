//! The commands beyond the protocol: some show or flip the position, others start a job.

use skewer_movegen::Board;
use skewer_search::Position;
use skewer_smp::Execution;

use super::Session;
use crate::command::Perft;
use crate::job::{Control, Job, LastLine, POLL_INTERVAL};

impl Session {
    /// The current board. Adds a remark if there is none.
    fn board(&mut self) -> Option<Board> {
        let board = self.position.as_ref().map(|position| *position.board());
        if board.is_none() {
            self.remarks
                .add_failure("there is no position; set one first");
        }
        board
    }

    /// Executes `d`.
    pub(super) fn display(&mut self) {
        if self.board().is_some()
            && let Some(position) = &self.position
        {
            crate::show::position(position, self.settings.castling(), &self.output);
        }
    }

    /// Executes `eval`.
    pub(super) fn eval(&mut self) {
        if let Some(board) = self.board() {
            crate::show::evaluation(&board, &self.evaluation, &self.output);
        }
    }

    /// Executes `flip`.
    pub(super) fn flip(&mut self) {
        if let Some(board) = self.board() {
            self.position = Some(Position::new(board.mirrored()));
        }
    }

    /// Whether a background job runs.
    pub(crate) fn has_job(&self) -> bool {
        self.job.as_ref().is_some_and(|job| !job.is_done())
    }

    /// Waits for a background job to end, or for its output to close.
    pub(super) fn finish_job(&mut self) {
        if let Some(job) = self.job.take() {
            while !job.wait_for(POLL_INTERVAL) {
                if self.output.is_closed() {
                    job.cancel();
                }
            }
            job.join();
        }
    }

    /// Executes `perft` and `go perft`.
    pub(super) fn perft(&mut self, perft: Perft<'_>) {
        if !self.is_free_for("perft") {
            return;
        }
        let board = match perft.fen.map(Board::from_fen) {
            Some(Ok(board)) => board,
            Some(Err(error)) => {
                self.remarks.add_failure(format_args!("perft: {error}"));
                return;
            }
            None => match self.board() {
                Some(board) => board,
                None => return,
            },
        };
        let threads = self.engine.threads();
        let castling = self.settings.castling();
        self.begin(move |control| {
            crate::perft::run(&board, perft.depth, threads, castling, control)
        });
    }

    /// Executes `bench`.
    pub(super) fn bench(&mut self, words: &[&str]) {
        if !self.is_free_for("bench") {
            return;
        }
        match crate::bench::Plan::read(words) {
            Ok(plan) => {
                let evaluation = self.evaluation.current();
                let execution = self.execution;
                self.begin(move |control| {
                    crate::bench::run(&plan, execution, &evaluation, control)
                });
            }
            Err(error) => self.remarks.add_failure(format_args!(
                "bench: {error}; write: bench [DEPTH [THREADS [HASH_MB]]] [--without NAME,..]"
            )),
        }
    }

    /// Executes `genfens`.
    pub(super) fn genfens(&mut self, words: &[&str]) {
        if !self.is_free_for("genfens") {
            return;
        }
        match crate::genfens::Request::read(words) {
            Ok(request) => {
                let castling = self.settings.castling();
                self.begin(move |control| crate::genfens::run(&request, castling, control));
            }
            Err(error) => self.remarks.add_failure(format_args!(
                "genfens: {error}; write: genfens N seed S book None|FILE"
            )),
        }
    }

    fn begin(&mut self, work: impl FnOnce(&Control<'_>) -> LastLine + Send + 'static) {
        self.print_remarks();
        let (job, run) = Job::new(self.output.clone(), work);
        if self.execution == Execution::Caller {
            self.job = Some(job);
            self.caller_job = Some(run);
            return;
        }
        match job.start(run) {
            Ok(job) => self.job = Some(job),
            Err(error) => self.remarks.add_failure(format_args!(
                "the system starts no thread for this: {error}"
            )),
        }
    }
}
