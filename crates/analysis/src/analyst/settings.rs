//! The settings that decide the results, apart from the games.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use skewer_eval::Evaluation;
use skewer_search::Limits;
use skewer_syzygy::Tables;
use skewer_types::WinModel;
use skewer_uci_client::{Bounds, EngineError, Program, UciEngine, Variant};

use super::SettingsRecord;
use crate::params::{
    DEFAULT_CONFIDENCE, DEFAULT_HASH_MB, DEFAULT_NODES, FIRST_NODES, MOST_PER_CENT,
};
use crate::scale::{Units, given_curve};

/// The use of evaluations that a PGN file has in its comments (`[%eval]`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PgnEvals {
    /// Ignore them: search every position.
    #[default]
    Ignore,
    /// Take them, and search nothing.
    Use,
    /// Take them, but search the positions on which a label depends.
    Refine,
}

/// How sure a label must be, and how many nodes that may take.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Confidence {
    /// The chance, from 0 to 1, that the label would stay the same in a much longer search.
    pub chance: f64,
    /// The most nodes for each searched position, as the mean over a game; `None` for no limit. A game exceeds this
    /// limit if single searches exceed their node limits.
    pub mean_nodes: Option<u64>,
}

/// A UCI engine for the analysis, with the name that the engine reports.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UciProgram {
    /// How it is started.
    pub program: Program,
    /// Its name.
    pub name: String,
}

impl UciProgram {
    /// Starts an engine once, to ask for its name and to check that it has the options of `program`.
    ///
    /// # Errors
    ///
    /// When the engine cannot be started, lacks an option, or does not get ready.
    pub fn ask(program: Program) -> Result<Self, EngineError> {
        let engine = UciEngine::start(&program, Variant::Standard, Bounds::default(), &|| false)?;
        let name = match engine.name() {
            "" => program.command.clone(),
            name => name.to_owned(),
        };
        Ok(Self { program, name })
    }
}

/// The settings that decide the results, apart from the games. Two runs with equal settings and no
/// time limit give equal results.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The node limit of the first search of a position; `None` for no limit.
    pub nodes: Option<u64>,
    /// Depth in plies.
    pub depth: Option<i32>,
    /// The time limit of a search; `None` for no limit.
    pub time: Option<Duration>,
    /// The number of lines.
    pub multi_pv: usize,
    /// The hash table of each worker, in MiB.
    pub hash: usize,
    /// Positions in a segment; zero for whole games.
    pub split: usize,
    /// The evaluation.
    pub evaluation: Evaluation,
    /// Endgame tables.
    pub tablebases: Option<Arc<Tables>>,
    /// The engine that searches in place of this program's own search.
    pub engine: Option<UciProgram>,
    /// The use of evaluations in the input.
    pub pgn_evals: PgnEvals,
    /// Whether doubtful labels are searched again with more nodes, and how sure they must be.
    pub confidence: Option<Confidence>,
}

impl Default for Settings {
    /// Searches of [`DEFAULT_NODES`] nodes, for one line, with the default evaluation.
    fn default() -> Self {
        Self {
            nodes: Some(DEFAULT_NODES),
            depth: None,
            time: None,
            multi_pv: 1,
            hash: DEFAULT_HASH_MB,
            split: 0,
            evaluation: Evaluation::default(),
            tablebases: None,
            engine: None,
            pgn_evals: PgnEvals::Ignore,
            confidence: None,
        }
    }
}

impl Settings {
    /// Turns settings that search every position once into the default settings for games. With those, a position on
    /// which a doubtful label depends is searched again. `first` is the node limit of the first search of each
    /// position; `None` for [`FIRST_NODES`].
    pub fn until_sure(self, first: Option<u64>) -> Self {
        let most = |nodes: u64| nodes.saturating_mul(MOST_PER_CENT) / 100;
        let mean_nodes = self.nodes.map(most);
        Self {
            confidence: Some(Confidence {
                chance: DEFAULT_CONFIDENCE,
                mean_nodes,
            }),
            nodes: Some(first.unwrap_or(FIRST_NODES)),
            ..self
        }
    }

    /// The settings as a line of text, for reports.
    pub fn text(&self) -> String {
        SettingsRecord::new(self).to_string()
    }

    /// The model that converts scores to centipawns and chances.
    pub fn win_model(&self) -> WinModel {
        if self.engine.is_none() && self.pgn_evals != PgnEvals::Use {
            return self.evaluation.win_model();
        }
        given_curve().into()
    }

    /// How the scores of the searches are read.
    pub fn units(&self) -> Units {
        SettingsRecord::new(self).units()
    }

    /// The search limits.
    pub fn limits(&self) -> Limits {
        Limits {
            nodes: self.nodes,
            depth: self.depth.map(|depth| depth as _),
            move_time: self.time,
            multi_pv: self.multi_pv,
            ..Limits::default()
        }
    }
}
