//! The settings that decide the results, apart from the games.

use std::sync::Arc;
use std::time::Duration;

use skewer_eval::Evaluation;
use skewer_search::Limits;
use skewer_syzygy::Tables;
use skewer_types::{WinCurve, WinModel};
use skewer_uci_client::{Bounds, EngineError, Program, UciEngine, Variant};

use crate::params::{
    DEFAULT_CONFIDENCE, DEFAULT_HASH_MB, DEFAULT_NODES, FIRST_NODES, MOST_PER_CENT,
};
use crate::scale::{Scale, Units, given_curve};

/// The word of [`Settings::text`] for [`PgnEvals::Use`].
const OF_THE_GAMES: &str = "evals=of-the-games";

/// The word of [`Settings::text`] for [`PgnEvals::Refine`].
pub(crate) const REFINED: &str = "evals=of-the-games-refined";

/// What is done with the evaluations that a PGN file has in its comments.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PgnEvals {
    /// They are ignored: every position is searched.
    #[default]
    Ignore,
    /// They are taken, and nothing is searched.
    Use,
    /// They are taken, but positions on which a label depends are searched.
    Refine,
}

/// How sure a label must be, and how many nodes that may take.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Confidence {
    /// The chance, from 0 to 1, that the label would stay the same in a much longer search.
    pub chance: f64,
    /// The most nodes for each position that is searched, in the mean over a game; `None` for no limit. A game may
    /// exceed it by what its searches exceed their own limits.
    pub mean_nodes: Option<u64>,
}

/// A UCI engine that analyses, with the name that it gave.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UciProgram {
    /// How it is started.
    pub program: Program,
    /// Its name.
    pub name: String,
}

impl UciProgram {
    /// Starts an engine once, for its name and to find out whether it has its options.
    ///
    /// # Errors
    ///
    /// When it cannot be started, lacks an option, or does not get ready.
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
    /// Nodes a position.
    pub nodes: Option<u64>,
    /// Depth in plies.
    pub depth: Option<i32>,
    /// Time a position.
    pub time: Option<Duration>,
    /// The number of lines.
    pub multi_pv: usize,
    /// The table of each worker, in MiB.
    pub hash: usize,
    /// Positions in a segment; zero for whole games.
    pub split: usize,
    /// The evaluation.
    pub evaluation: Evaluation,
    /// Endgame tables.
    pub tablebases: Option<Arc<Tables>>,
    /// The engine that searches in place of this program's own search.
    pub engine: Option<UciProgram>,
    /// What is done with evaluations that are already there.
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
    /// The usual settings of an analysis of games, where these settings search every position once: labels in doubt are
    /// searched again. `first` are the nodes of the first search of a position, if they are asked for.
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

    /// The settings as a line of text, for journals and reports.
    pub fn text(&self) -> String {
        let mut words = vec![format!("skewer {}", env!("CARGO_PKG_VERSION"))];
        if self.pgn_evals == PgnEvals::Use {
            words.push(OF_THE_GAMES.to_owned());
            words.push(model_text(self.win_model()));
            return words.join(" ");
        }
        words.extend(self.nodes.map(|nodes| format!("nodes={nodes}")));
        words.extend(self.depth.map(|depth| format!("depth={depth}")));
        words.extend(self.time.map(|time| format!("time={}ms", time.as_millis())));
        words.push(format!("multipv={} hash={}", self.multi_pv, self.hash));
        // For `merge`, which converts scores without the network.
        let model = model_text(self.win_model());
        match (&self.engine, self.evaluation.network()) {
            (Some(UciProgram { program, name }), _) => {
                // Before the name, which may be anything.
                words.push(model);
                words.push(format!("engine={}", one_word(name)));
                let args = program.args.iter();
                words.extend(args.map(|arg| one_word(&format!("arg={arg}"))));
                let options = program.options.iter();
                words.extend(options.map(|(name, value)| one_word(&format!("{name}={value}"))));
            }
            // By fingerprint, because another machine may have the same network at another path.
            (None, Some(network)) => {
                let fingerprint = network.fingerprint();
                words.push(format!("eval=network-{fingerprint:016x} {model}"));
            }
            (None, None) => words.push(format!("eval=hand-written {model}")),
        }
        let pieces = self.tablebases.as_ref().map(|tables| tables.max_pieces());
        words.extend(pieces.map(|pieces| format!("syzygy={pieces}-pieces")));
        words.extend((self.split > 0).then(|| format!("split={}", self.split)));
        if self.pgn_evals == PgnEvals::Refine {
            words.push(REFINED.to_owned());
        }
        if let Some(Confidence { chance, mean_nodes }) = self.confidence {
            words.push(format!("confidence={chance}"));
            words.extend(mean_nodes.map(|nodes| format!("mean-nodes={nodes}")));
        }
        words.join(" ")
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
        let is_own = self.engine.is_none() && self.pgn_evals != PgnEvals::Use;
        Units {
            model: self.win_model(),
            scale: if is_own {
                Scale::Skewer
            } else {
                Scale::Lichess
            },
        }
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

/// A text without blanks.
fn one_word(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join("-")
}

/// The word of [`Settings::text`] for a win model.
fn model_text(model: WinModel) -> String {
    let curves = [model.full(), model.bare()];
    let [full, bare] = curves.map(|curve| format!("{}/{}", curve.even(), curve.spread()));
    if full == bare {
        format!("model={full}")
    } else {
        format!("model={full},{bare}")
    }
}

/// How the scores of a run with this [`Settings::text`] are read; `None` if it does not say so.
pub fn units_of_text(settings: &str) -> Option<Units> {
    let mut words = settings.split(' ');
    let text = words.find_map(|word| word.strip_prefix("model="))?;
    let curve = |text: &str| {
        let (even, spread) = text.split_once('/')?;
        WinCurve::new(even.parse().ok()?, spread.parse().ok()?)
    };
    let (full, bare) = text.split_once(',').unwrap_or((text, text));
    let model = WinModel::new(curve(full)?, curve(bare)?);
    // The name of an engine may be anything, but stands behind the first of these words.
    let is_own = settings
        .split(' ')
        .find_map(|word| {
            let is_other = word.starts_with("engine=") || word == OF_THE_GAMES;
            (is_other || word.starts_with("eval=")).then_some(!is_other)
        })
        .unwrap_or(false);
    let scale = if is_own {
        Scale::Skewer
    } else {
        Scale::Lichess
    };
    Some(Units { model, scale })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn model_and_scale_are_read_back_from_the_settings() {
        let engine = UciProgram {
            program: Program::new("x"),
            name: "A model=1/1 b".to_owned(),
        };
        let plain = [None, Some(engine)].map(|engine| Settings {
            engine,
            ..Settings::default()
        });
        let of_games = [PgnEvals::Use, PgnEvals::Refine].map(|pgn_evals| Settings {
            pgn_evals,
            ..Settings::default()
        });
        for settings in plain.into_iter().chain(of_games) {
            assert_eq!(units_of_text(&settings.text()), Some(settings.units()));
        }
        for text in ["", "nodes=5", "model=144", "model=x/1", "model=0/84"] {
            assert_eq!(units_of_text(text), None, "{text}");
        }
    }

    #[test]
    fn a_model_with_two_curves_is_read_back() {
        let curve = |even, spread| WinCurve::new(even, spread).unwrap();
        let model = WinModel::new(curve(80.25, 95.5), curve(318.0, 52.75));
        let text = format!("nodes=5 eval=network-1 {}", model_text(model));
        let scale = Scale::Skewer;
        assert_eq!(units_of_text(&text), Some(Units { model, scale }));
        let incomplete = "eval=network-1 model=80.25/95.5,318";
        assert_eq!(units_of_text(incomplete), None);
    }

    #[test]
    fn an_engine_with_other_arguments_has_other_settings() {
        let text = |arguments: &[&str]| {
            let mut program = Program::new("x");
            program.args = arguments.iter().map(ToString::to_string).collect();
            let name = "x".to_owned();
            let engine = Some(UciProgram { program, name });
            Settings {
                engine,
                ..Settings::default()
            }
            .text()
        };
        assert_ne!(text(&["--weak"]), text(&[]));
        assert_ne!(text(&["a", "b"]), text(&["a b"]));
    }
}
