//! What is not a search for a move and takes long: perft, bench and genfens begin here.

use std::sync::atomic::AtomicBool;

use skewer_movegen::Board;

use super::Session;
use crate::chores::{Chore, LastLine};
use crate::command::Perft;
use crate::output::Output;

impl Session {
    /// `perft`, and `go perft`.
    pub(super) fn perft(&mut self, perft: Perft<'_>) {
        if !self.is_free_for("perft") {
            return;
        }
        let board = match perft.fen.map(Board::from_fen) {
            Some(Ok(board)) => board,
            Some(Err(error)) => {
                self.remarks.add_failure(error);
                return;
            }
            None => match self.board() {
                Some(board) => board,
                None => return,
            },
        };
        let threads = self.engine.threads();
        let castling = self.settings.castling();
        self.begin(move |output, cancelled| {
            crate::perft::run(&board, perft.depth, threads, castling, output, cancelled)
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
                self.begin(move |output, cancelled| {
                    crate::bench::run(&plan, &evaluation, output, cancelled)
                });
            }
            Err(error) => self.remarks.add_failure(error),
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
                self.begin(move |output, cancelled| {
                    crate::genfens::run(&request, castling, output, cancelled)
                });
            }
            Err(error) => self.remarks.add_failure(error),
        }
    }

    fn begin(&mut self, work: impl FnOnce(&Output, &AtomicBool) -> LastLine + Send + 'static) {
        self.tell_remarks();
        match Chore::start(self.output.clone(), work) {
            Ok(chore) => self.chore = Some(chore),
            Err(error) => self.remarks.add_failure(error),
        }
    }
}
