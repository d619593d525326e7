//! Commands about the options, and commands that change the engine: new games, the hash table's file.

use std::fmt::Display;

use skewer_search::{FiftyMoveRule, TablebaseRules};
use skewer_tt::{HugePages, TableSize};
use skewer_types::Techniques;

use super::{Content, Session};
use crate::command::{SetOption, quote};
use crate::evaluation::ChosenEvaluation;
use crate::options::{self, OPTIONS, techniques_without};
use crate::remarks::Remarks;

impl Session {
    /// Executes `uci`.
    pub(super) fn introduce(&self) {
        self.output
            .line(concat!("id name Skewer ", env!("SKEWER_VERSION")));
        self.output.line("id author the Skewer authors");
        for option in OPTIONS {
            self.output.line(option);
        }
        self.output.line("uciok");
    }

    /// Executes `help`.
    pub(super) fn help(&self, topic: Option<&str>) {
        crate::help::print(topic, &self.output);
    }

    /// Executes `ucinewgame`.
    pub(super) fn new_game(&mut self) {
        self.let_end();
        if self.is_busy() {
            self.remarks
                .add("ucinewgame: the engine is busy; the game is cleared when it is done");
            self.deferred.push(Box::new(Self::clear_game));
        } else {
            self.run_deferred();
            self.clear_game();
        }
    }

    /// Forgets the last game. A hash table that was loaded and not yet searched with is kept, because GUIs
    /// send `ucinewgame` right after the options.
    fn clear_game(&mut self) {
        if self.content == Content::Loaded {
            self.engine.clear_workers();
            self.debug_note("ucinewgame: the hash table that was loaded is kept");
        } else {
            self.engine.clear();
        }
    }

    /// Executes `setoption`.
    pub(super) fn set_option(&mut self, set: SetOption<'_>) {
        self.let_end();
        match options::change(set) {
            Err(error) => self.remarks.add_failure(error),
            Ok(change) if self.is_busy() => {
                self.remarks
                    .add("setoption: the engine is busy; the option is set when it is done");
                self.deferred.push(change);
            }
            Ok(change) => {
                self.run_deferred();
                change(self);
            }
        }
    }

    /// Sets every option to its default, in a new session.
    pub(super) fn set_defaults(&mut self) {
        for option in OPTIONS {
            option.reset(self);
        }
        self.remarks = Remarks::default();
    }

    /// Executes the deferred commands in their order. Call it before any other change of the engine, which
    /// an older command would otherwise undo.
    pub(super) fn run_deferred(&mut self) {
        let about_this_line = std::mem::take(&mut self.remarks);
        for change in std::mem::take(&mut self.deferred) {
            change(self);
            self.print_remarks();
        }
        self.remarks = about_this_line;
    }

    /// Adds a remark if a change failed.
    fn note_failure(&mut self, result: Result<(), impl Display>) {
        if let Err(error) = result {
            self.remarks
                .add_failure(format_args!("{error}; nothing changed"));
        }
    }

    /// Opens endgame tables.
    pub(crate) fn open_tables(&mut self, path: &str) {
        let opened = self.tables.open(path, &mut self.engine);
        self.remarks.add_result(opened);
    }

    /// Opens an opening book.
    pub(crate) fn open_book(&mut self, path: &str) {
        let opened = self.book.open(path);
        self.remarks.add_result(opened);
    }

    /// Changes how endgame tables are used.
    pub(crate) fn use_tables(&mut self, change: impl FnOnce(&mut TablebaseRules)) {
        change(&mut self.tables.rules);
        self.tables.give_to(&mut self.engine);
    }

    pub(crate) fn set_fifty_move_rule(&mut self, in_force: bool) {
        self.use_tables(|rules| {
            rules.fifty_move_rule = if in_force {
                FiftyMoveRule::InForce
            } else {
                FiftyMoveRule::Ignored
            }
        });
    }

    pub(crate) fn set_threads(&mut self, threads: i64) {
        match self.engine.set_threads(threads as usize) {
            Ok(()) if self.engine.is_crowded() => self.remarks.add(format_args!(
                "Threads: {threads} are more than four for each processor core; they take turns and \
                 visit no more nodes than one for each core"
            )),
            done => self.note_failure(done),
        }
    }

    pub(crate) fn set_hash(&mut self, megabytes: i64) {
        let size = TableSize::from_megabytes(megabytes as usize);
        if size == self.engine.hash() {
            return;
        }
        if let Err(error) = self.engine.set_hash(size) {
            return self.note_failure(Err(error));
        }
        self.content = Content::Searched;
        let pages = self.engine.with_table(|table| table.huge_pages());
        match pages {
            // The user can change these settings of the system and gain speed.
            HugePages::SwitchedOff | HugePages::Refused { .. } => {
                self.remarks.add(format_args!("Hash: {pages}"));
            }
            _ => self.debug_note(format_args!("Hash: {pages}")),
        }
    }

    pub(crate) fn clear_hash(&mut self) {
        self.content = Content::Searched;
        self.engine.clear();
    }

    pub(crate) fn set_without(&mut self, list: &str) {
        match techniques_without(list) {
            Ok(without) => self.engine.set_techniques(Techniques::DEFAULT - without),
            Err(error) => self.note_failure(Err(format!("Without: {error}"))),
        }
    }

    pub(crate) fn set_eval_file(&mut self, path: &str) {
        match self.evaluation.with_file(path) {
            Ok(evaluation) => self.evaluate_with(evaluation),
            Err(error) => self.note_failure(Err(format!("EvalFile: {error}"))),
        }
    }

    pub(crate) fn evaluate_with(&mut self, evaluation: ChosenEvaluation) {
        if evaluation.current() != self.evaluation.current() {
            // This empties the table.
            self.engine.set_evaluation(evaluation.current());
            self.content = Content::Searched;
        }
        self.evaluation = evaluation;
    }

    pub(crate) fn save_hash(&mut self) {
        let path = &self.settings.hash_file;
        if path.is_empty() {
            self.remarks.add_failure("Save Hash: set Hash File first");
            return;
        }
        let signature = &self.evaluation.signature();
        let saved = self.engine.with_table(|table| table.save(path, signature));
        self.remarks.add_result(
            saved
                .map(|()| format!("the hash table was saved to {}", quote(path)))
                .map_err(|error| format!("Save Hash: {error}")),
        );
    }

    pub(crate) fn load_hash(&mut self) {
        let path = &self.settings.hash_file;
        if path.is_empty() {
            self.remarks.add_failure("Load Hash: set Hash File first");
            return;
        }
        let signature = &self.evaluation.signature();
        let loaded = self.engine.with_table(|table| table.load(path, signature));
        match loaded {
            Ok(info) => {
                self.content = Content::Loaded;
                self.remarks.add(format_args!(
                    "a hash table of {} was loaded from {}",
                    info.size(),
                    quote(path)
                ));
            }
            Err(error) => self.remarks.add_failure(format_args!("Load Hash: {error}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Output;

    #[test]
    fn a_change_comes_after_the_changes_deferred_before_it() {
        let mut session = Session::new(Output::new(std::io::sink())).unwrap();
        // As if a search had ended just before the command.
        let hash = |value| SetOption {
            name: "Hash",
            value: Some(value),
        };
        let older = options::change(hash("3")).unwrap();
        session.deferred.push(older);
        session.set_option(hash("2"));
        session.line("isready");
        assert_eq!(session.engine.hash(), TableSize::from_megabytes(2));
    }
}
