//! The evaluation that `EvalFile` and `Use Network` select.

use skewer_eval::{Evaluation, EvaluationError};
use skewer_movegen::Board;
use skewer_types::WinModel;

/// The values of the two options.
#[derive(Debug, Clone)]
pub(crate) struct ChosenEvaluation {
    /// The network of `EvalFile`, or the built-in evaluation.
    file: Evaluation,
    use_network: bool,
}

impl Default for ChosenEvaluation {
    fn default() -> Self {
        Self {
            file: Evaluation::default(),
            use_network: true,
        }
    }
}

impl ChosenEvaluation {
    /// Returns a copy with another `EvalFile`; an empty path selects the built-in evaluation.
    pub(crate) fn with_file(&self, path: &str) -> Result<Self, EvaluationError> {
        let file = if path.is_empty() {
            Evaluation::default()
        } else {
            Evaluation::from_file(path)?
        };
        Ok(Self {
            file,
            use_network: self.use_network,
        })
    }

    /// Returns a copy with another value of `Use Network`.
    pub(crate) fn with_network(&self, use_network: bool) -> Self {
        Self {
            use_network,
            ..self.clone()
        }
    }

    /// The evaluation to search with.
    pub(crate) fn current(&self) -> Evaluation {
        if self.use_network {
            self.file.clone()
        } else {
            Evaluation::hand_written()
        }
    }

    /// The model that converts the scores of the evaluation to win probabilities and centipawns.
    pub(crate) fn win_model(&self) -> WinModel {
        self.current().win_model()
    }

    /// Identifies the evaluation in a saved hash table.
    pub(crate) fn signature(&self) -> String {
        let program = concat!("Skewer ", env!("SKEWER_VERSION"));
        match self.current().network() {
            Some(network) => format!("{program} network {:016x}", network.fingerprint()),
            None => format!("{program} hand-written"),
        }
    }

    /// The network's score of a position, as a line for `eval`; `None` without a network.
    pub(crate) fn explain(&self, board: &Board) -> Option<String> {
        let current = self.current();
        current.network()?;
        let mut evaluator = current.evaluator();
        evaluator.reset(board);
        let ours = evaluator.evaluate(board).raw();
        let white = board.turn().fold(ours, -ours);
        Some(format!("network {}, for White: {white:+}", current.name()))
    }
}
