//! What changes the engine and does not search: options, new games, the hash table's file.

use skewer_smp::{TableSize, Techniques};

use super::{Content, Kept, Session};
use crate::command::{SetOption, quote};
use crate::evaluator::Evaluation;
use crate::options::{Change, change};

impl Session {
    /// `ucinewgame`.
    pub(super) fn new_game(&mut self) {
        if self.is_busy() {
            self.output
                .note("ucinewgame: a search is running; it is done when that has ended");
            self.kept.push(Kept::NewGame);
        } else {
            self.forget_game();
        }
    }

    /// Forgets the last game. A table that has just been loaded has nothing to do with that, and
    /// GUIs send `ucinewgame` right after the options: it stays.
    fn forget_game(&mut self) {
        if self.content == Content::Loaded {
            self.content = Content::Searched;
            self.debug_note("ucinewgame: the hash table that was loaded is kept");
        } else {
            self.engine.clear();
        }
    }

    /// `setoption`.
    pub(super) fn set_option(&mut self, set: SetOption<'_>) {
        match change(set) {
            Err(error) => self.output.note(error),
            Ok(change) if self.is_busy() => {
                self.output
                    .note("setoption: a search is running; it is done when that has ended");
                self.kept.push(Kept::Change(change));
            }
            Ok(change) => self.change(change),
        }
    }

    /// Does what a search kept from being done.
    pub(super) fn do_kept(&mut self) {
        for kept in std::mem::take(&mut self.kept) {
            match kept {
                Kept::Change(change) => self.change(change),
                Kept::NewGame => self.forget_game(),
            }
        }
    }

    fn change(&mut self, change: Change) {
        let result = match change {
            Change::Hash(megabytes) => self.engine.set_hash(TableSize::from_megabytes(megabytes)),
            Change::Threads(threads) => self.engine.set_threads(threads),
            Change::ClearHash => {
                self.content = Content::Searched;
                self.engine.clear();
                Ok(())
            }
            Change::Without(techniques) => {
                self.engine.set_techniques(Techniques::all() - techniques);
                Ok(())
            }
            Change::EvalFile(path) => {
                match self.evaluation.with_file(&path) {
                    Ok(evaluation) => self.evaluate_with(evaluation),
                    Err(error) => self
                        .output
                        .note(format_args!("EvalFile: {error}; nothing changed")),
                }
                Ok(())
            }
            Change::Scoring(scoring) => {
                self.evaluate_with(self.evaluation.with_scoring(scoring));
                Ok(())
            }
            Change::SyzygyPath(path) => {
                let told = self.tables.open(&path, &mut self.engine);
                self.output.note(told);
                Ok(())
            }
            Change::SyzygyProbeDepth(depth) => {
                self.tables.probe_depth = depth;
                self.tables.give_to(&mut self.engine);
                Ok(())
            }
            Change::SyzygyProbeLimit(men) => {
                self.tables.probe_limit = men;
                self.tables.give_to(&mut self.engine);
                Ok(())
            }
            Change::SyzygyFiftyMoveRule(rule) => {
                self.tables.fifty_move_rule = rule;
                self.tables.give_to(&mut self.engine);
                Ok(())
            }
            Change::SaveHash => {
                self.save_hash();
                Ok(())
            }
            Change::LoadHash => {
                self.load_hash();
                Ok(())
            }
            Change::Ponder(_) => Ok(()),
            other => {
                self.settings.change(other);
                Ok(())
            }
        };
        if let Err(error) = result {
            self.output.note(format_args!("{error}; nothing changed"));
        }
    }

    fn evaluate_with(&mut self, evaluation: Evaluation) {
        if evaluation.signature() != self.evaluation.signature() {
            evaluation.give_to(&mut self.engine);
        }
        self.evaluation = evaluation;
    }

    fn save_hash(&mut self) {
        let path = &self.settings.hash_file;
        if path.is_empty() {
            self.output.note("Save Hash: set Hash File first");
            return;
        }
        let signature = &self.evaluation.signature();
        let saved = self
            .engine
            .with_table(|table, _| table.save(path, signature));
        match saved {
            Ok(()) => self
                .output
                .note(format_args!("the hash table was saved to {}", quote(path))),
            Err(error) => self.output.note(format_args!("Save Hash: {error}")),
        }
    }

    fn load_hash(&mut self) {
        let path = &self.settings.hash_file;
        if path.is_empty() {
            self.output.note("Load Hash: set Hash File first");
            return;
        }
        let signature = &self.evaluation.signature();
        let loaded = self
            .engine
            .with_table(|table, _| table.load(path, signature));
        match loaded {
            Ok(info) => {
                self.content = Content::Loaded;
                self.output.note(format_args!(
                    "a hash table of {} was loaded from {}",
                    info.size(),
                    quote(path)
                ));
            }
            Err(error) => self.output.note(format_args!("Load Hash: {error}")),
        }
    }
}
