//! Which evaluation the engine uses: the one that is built in, a network from a file, or the
//! hand-written one.

use skewer_smp::{Board, Engine};
use skewer_types::WinModel;

use crate::options::Scoring;

/// An evaluation, cheap to clone.
#[derive(Debug, Clone, Default)]
pub(crate) struct ChosenEvaluation {
    /// By the file that was asked for, or what is built in.
    chosen: skewer_smp::Evaluation,
    /// Whether it is used.
    scoring: Scoring,
}

impl ChosenEvaluation {
    /// The same with the network of an `EvalFile`; what is built in if the path is empty.
    pub(crate) fn with_file(&self, path: &str) -> Result<Self, String> {
        let chosen = if path.is_empty() {
            skewer_smp::Evaluation::default()
        } else {
            skewer_smp::Evaluation::from_file(path).map_err(|error| error.to_string())?
        };
        Ok(Self {
            chosen,
            scoring: self.scoring,
        })
    }

    /// The same, scored otherwise.
    pub(crate) fn with_scoring(&self, scoring: Scoring) -> Self {
        Self {
            scoring,
            ..self.clone()
        }
    }

    /// The evaluation in use.
    fn current(&self) -> skewer_smp::Evaluation {
        match self.scoring {
            Scoring::Network => self.chosen.clone(),
            Scoring::HandWritten => skewer_smp::Evaluation::hand_crafted(),
        }
    }

    /// Lets an engine evaluate with this.
    pub(crate) fn give_to(&self, engine: &mut Engine) {
        engine.set_evaluation(self.current());
    }

    /// How its scores mean chances and centipawns.
    pub(crate) fn win_model(&self) -> WinModel {
        self.current().win_model()
    }

    /// What scores in a saved hash table come from.
    pub(crate) fn signature(&self) -> String {
        let program = concat!("Skewer ", env!("CARGO_PKG_VERSION"));
        match self.current().network() {
            Some(network) => format!("{program} network {:016x}", network.fingerprint()),
            None => format!("{program} hand-written"),
        }
    }

    /// What the network in use thinks of a position, in a line; `None` without one.
    pub(crate) fn told(&self, board: &Board) -> Option<String> {
        let current = self.current();
        current.network()?;
        let mut evaluator = current.evaluator();
        evaluator.reset(board);
        let ours = evaluator.evaluate(board).raw();
        let white = board.turn().fold(ours, -ours);
        Some(format!("network {}, for White: {white:+}", current.name()))
    }
}
