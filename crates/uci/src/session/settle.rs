//! What changes the engine and does not search: options, new games, the hash table's file.

use std::fmt::Display;

use skewer_smp::{EngineError, HugePages, TableSize, TablebaseRules, Techniques};

use super::{Content, Kept, Session};
use crate::command::{SetOption, quote};
use crate::evaluation::ChosenEvaluation;
use crate::options::{Change, change};

impl Session {
    /// `ucinewgame`.
    pub(super) fn new_game(&mut self) {
        self.let_end();
        if self.is_busy() {
            self.remarks
                .add("ucinewgame: a search is running; it is done when that has ended");
            self.kept.push(Kept::NewGame);
        } else {
            self.do_kept();
            self.forget_game();
        }
    }

    /// Forgets the last game. A table that was loaded and not yet searched with has nothing to do
    /// with that, and GUIs send `ucinewgame` right after the options: it stays.
    fn forget_game(&mut self) {
        if self.content == Content::Loaded {
            self.engine.clear_workers();
            self.debug_note("ucinewgame: the hash table that was loaded is kept");
        } else {
            self.engine.clear();
        }
    }

    /// `setoption`.
    pub(super) fn set_option(&mut self, set: SetOption<'_>) {
        self.let_end();
        match change(set) {
            Err(error) => self.remarks.add_failure(error),
            Ok(change) if self.is_busy() => {
                self.remarks
                    .add("setoption: a search is running; it is done when that has ended");
                self.kept.push(Kept::Change(change));
            }
            Ok(change) => {
                self.do_kept();
                self.change(change);
            }
        }
    }

    /// Does what a search kept from being done, in the order in which it was asked for. Nothing
    /// may be changed before: an older change would undo it.
    pub(super) fn do_kept(&mut self) {
        let about_this_line = std::mem::take(&mut self.remarks);
        for kept in std::mem::take(&mut self.kept) {
            match kept {
                Kept::Change(change) => self.change(change),
                Kept::NewGame => self.forget_game(),
            }
            self.tell_remarks();
        }
        self.remarks = about_this_line;
    }

    fn change(&mut self, change: Change) {
        match change {
            Change::Setting(setting) => self.settings.change(setting),
            Change::Hash(megabytes) => {
                let done = self.set_hash(TableSize::from_megabytes(megabytes));
                self.unless_done(done);
            }
            Change::Threads(threads) => {
                let done = self.engine.set_threads(threads);
                self.unless_done(done);
            }
            Change::ClearHash => {
                self.content = Content::Searched;
                self.engine.clear();
            }
            Change::SaveHash => self.save_hash(),
            Change::LoadHash => self.load_hash(),
            Change::Without(techniques) => {
                self.engine.set_techniques(Techniques::DEFAULT - techniques);
            }
            Change::EvalFile(path) => match self.evaluation.with_file(&path) {
                Ok(evaluation) => self.evaluate_with(evaluation),
                Err(error) => self.unless_done(Err(format!("EvalFile: {error}"))),
            },
            Change::Scoring(scoring) => self.evaluate_with(self.evaluation.with_scoring(scoring)),
            Change::SyzygyPath(path) => match self.tables.open(&path, &mut self.engine) {
                Ok(told) => self.remarks.add(told),
                Err(error) => self.remarks.add_failure(error),
            },
            Change::SyzygyProbeDepth(depth) => self.use_tables(|rules| rules.probe_depth = depth),
            Change::SyzygyProbeLimit(men) => self.use_tables(|rules| rules.probe_limit = men),
            Change::SyzygyFiftyMoveRule(rule) => {
                self.use_tables(|rules| rules.fifty_move_rule = rule);
            }
        }
    }

    /// Says why a change was not made, if it was not.
    fn unless_done(&mut self, done: Result<(), impl Display>) {
        if let Err(error) = done {
            self.remarks
                .add_failure(format_args!("{error}; nothing changed"));
        }
    }

    /// Changes how endgame tables are used.
    fn use_tables(&mut self, change: impl FnOnce(&mut TablebaseRules)) {
        change(&mut self.tables.rules);
        self.tables.give_to(&mut self.engine);
    }

    fn set_hash(&mut self, size: TableSize) -> Result<(), EngineError> {
        if size != self.engine.hash() {
            self.engine.set_hash(size)?;
            self.content = Content::Searched;
            let pages = self.engine.with_table(|table, _| table.huge_pages());
            match pages {
                // What the user can change, at a gain in speed.
                HugePages::SwitchedOff | HugePages::Refused { .. } => {
                    self.remarks.add(format_args!("Hash: {pages}"));
                }
                _ => self.debug_note(format_args!("Hash: {pages}")),
            }
        }
        Ok(())
    }

    fn evaluate_with(&mut self, evaluation: ChosenEvaluation) {
        if evaluation.signature() != self.evaluation.signature() {
            // This empties the table.
            evaluation.give_to(&mut self.engine);
            self.content = Content::Searched;
        }
        self.evaluation = evaluation;
    }

    fn save_hash(&mut self) {
        let path = &self.settings.hash_file;
        if path.is_empty() {
            self.remarks.add_failure("Save Hash: set Hash File first");
            return;
        }
        let signature = &self.evaluation.signature();
        let saved = self
            .engine
            .with_table(|table, _| table.save(path, signature));
        match saved {
            Ok(()) => self
                .remarks
                .add(format_args!("the hash table was saved to {}", quote(path))),
            Err(error) => self.remarks.add_failure(format_args!("Save Hash: {error}")),
        }
    }

    fn load_hash(&mut self) {
        let path = &self.settings.hash_file;
        if path.is_empty() {
            self.remarks.add_failure("Load Hash: set Hash File first");
            return;
        }
        let signature = &self.evaluation.signature();
        let loaded = self
            .engine
            .with_table(|table, _| table.load(path, signature));
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
    fn a_change_comes_after_those_that_were_put_off_before_it() {
        let mut session = Session::new(Output::new(std::io::sink())).unwrap();
        // As if a search had ended between the look at it and the change.
        session.kept.push(Kept::Change(Change::Hash(3)));
        session.set_option(SetOption {
            name: "Hash",
            value: Some("2"),
        });
        session.line("isready");
        assert_eq!(session.engine.hash(), TableSize::from_megabytes(2));
    }
}
