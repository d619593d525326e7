//! Starting perft, bench and genfens.

use skewer_movegen::Board;

use super::Session;
use crate::command::Perft;
use crate::job::{Control, Job, LastLine};

impl Session {
    /// `perft`, and `go perft`.
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

    /// `bench`.
    pub(super) fn bench(&mut self, words: &[&str]) {
        if !self.is_free_for("bench") {
            return;
        }
        match crate::bench::Plan::read(words) {
            Ok(plan) => {
                let evaluation = self.evaluation.current();
                self.begin(move |control| crate::bench::run(&plan, &evaluation, control));
            }
            Err(error) => self.remarks.add_failure(format_args!(
                "bench: {error}; write: bench [DEPTH [THREADS [HASH_MB]]] [--without NAME,..]"
            )),
        }
    }

    /// `genfens`.
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

    fn begin(&mut self, work: impl FnOnce(&Control) -> LastLine + Send + 'static) {
        self.print_remarks();
        match Job::start(self.output.clone(), work) {
            Ok(job) => self.job = Some(job),
            Err(error) => self.remarks.add_failure(format_args!(
                "the system starts no thread for this: {error}"
            )),
        }
    }
}
