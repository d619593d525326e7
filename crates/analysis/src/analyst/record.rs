//! The settings of an analysis as journals keep them, and as a line of text for reports.

use std::fmt;

use serde::{Deserialize, Serialize};
use skewer_types::WinModel;

use super::settings::{Confidence, PgnEvals, Settings};
use crate::scale::{Scale, Units};

/// The settings that decide the results, as a journal keeps them. They have no path, because another machine may have
/// the same engine, network or tables elsewhere. [`Display`](fmt::Display) writes them as a line of text for reports.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SettingsRecord {
    /// The version of Skewer.
    version: String,
    /// The use of evaluations in the input.
    pub(crate) pgn_evals: PgnEvals,
    /// How positions are searched; `None` if the evaluations in the input are taken and nothing is searched.
    search: Option<SearchRecord>,
    /// The win model of the scores. Merging journals needs it, but has neither the network nor the engine.
    #[serde(with = "model")]
    model: WinModel,
}

/// How positions are searched.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct SearchRecord {
    searcher: Searcher,
    /// The node limit of the first search of a position; `None` for no limit.
    nodes: Option<u64>,
    /// Depth in plies.
    depth: Option<i32>,
    /// The time limit of a search, in milliseconds; `None` for no limit.
    time: Option<u64>,
    /// The number of lines.
    multi_pv: usize,
    /// The hash table of each worker, in MiB.
    hash: usize,
    /// The most pieces of a position in the endgame tables; `None` without tables.
    tablebase_pieces: Option<usize>,
    /// Positions in a segment; zero for whole games.
    split: usize,
    confidence: Option<Confidence>,
}

/// The engine that searches.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Searcher {
    /// Skewer with the hand-written evaluation.
    HandWritten,
    /// Skewer with a network.
    Network { fingerprint: u64 },
    /// A UCI engine.
    Engine {
        name: String,
        args: Vec<String>,
        options: Vec<(String, String)>,
    },
}

impl SettingsRecord {
    /// What a journal keeps of `settings`.
    pub fn new(settings: &Settings) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            pgn_evals: settings.pgn_evals,
            search: (settings.pgn_evals != PgnEvals::Use).then(|| SearchRecord::new(settings)),
            model: settings.win_model(),
        }
    }

    /// Positions in a segment; zero for whole games.
    pub fn split(&self) -> usize {
        self.search.as_ref().map_or(0, |search| search.split)
    }

    /// How the scores of the searches are read.
    pub fn units(&self) -> Units {
        let is_own = self.search.as_ref().is_some_and(SearchRecord::is_own);
        Units {
            model: self.model,
            scale: if is_own {
                Scale::Skewer
            } else {
                Scale::Lichess
            },
        }
    }
}

impl SearchRecord {
    fn new(settings: &Settings) -> Self {
        let searcher = match (&settings.engine, settings.evaluation.network()) {
            (Some(engine), _) => Searcher::Engine {
                name: engine.name.clone(),
                args: engine.program.args.clone(),
                options: engine.program.options.clone(),
            },
            (None, Some(network)) => Searcher::Network {
                fingerprint: network.fingerprint(),
            },
            (None, None) => Searcher::HandWritten,
        };
        Self {
            searcher,
            nodes: settings.nodes,
            depth: settings.depth,
            time: settings
                .time
                .map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
            multi_pv: settings.multi_pv,
            hash: settings.hash,
            tablebase_pieces: settings
                .tablebases
                .as_ref()
                .map(|tables| tables.max_pieces()),
            split: settings.split,
            confidence: settings.confidence,
        }
    }

    /// Whether Skewer searches, not another engine.
    fn is_own(&self) -> bool {
        !matches!(self.searcher, Searcher::Engine { .. })
    }
}

impl fmt::Display for SettingsRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let model = ModelText(self.model);
        write!(f, "skewer {}", self.version)?;
        let Some(search) = &self.search else {
            return write!(f, " evals=of-the-games model={model}");
        };
        if let Some(nodes) = search.nodes {
            write!(f, " nodes={nodes}")?;
        }
        if let Some(depth) = search.depth {
            write!(f, " depth={depth}")?;
        }
        if let Some(time) = search.time {
            write!(f, " time={time}ms")?;
        }
        write!(f, " multipv={} hash={}", search.multi_pv, search.hash)?;
        match &search.searcher {
            Searcher::HandWritten => write!(f, " eval=hand-written model={model}")?,
            Searcher::Network { fingerprint } => {
                write!(f, " eval=network-{fingerprint:016x} model={model}")?;
            }
            Searcher::Engine {
                name,
                args,
                options,
            } => {
                write!(f, " model={model} engine={}", one_word(name))?;
                for arg in args {
                    write!(f, " arg={}", one_word(arg))?;
                }
                for (name, value) in options {
                    write!(f, " {}", one_word(&format!("{name}={value}")))?;
                }
            }
        }
        if let Some(pieces) = search.tablebase_pieces {
            write!(f, " syzygy={pieces}-pieces")?;
        }
        if search.split > 0 {
            write!(f, " split={}", search.split)?;
        }
        if self.pgn_evals == PgnEvals::Refine {
            f.write_str(" evals=of-the-games-refined")?;
        }
        if let Some(Confidence { chance, mean_nodes }) = search.confidence {
            write!(f, " confidence={chance}")?;
            if let Some(nodes) = mean_nodes {
                write!(f, " mean-nodes={nodes}")?;
            }
        }
        Ok(())
    }
}

/// A text without blanks.
fn one_word(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join("-")
}

/// A win model as text: `even/spread` of the curve for full material, and of the curve for bare material if that
/// differs.
struct ModelText(WinModel);

impl fmt::Display for ModelText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [full, bare] = [self.0.full(), self.0.bare()];
        write!(f, "{}/{}", full.even(), full.spread())?;
        if bare != full {
            write!(f, ",{}/{}", bare.even(), bare.spread())?;
        }
        Ok(())
    }
}

/// A win model in JSON: `[even, spread]` of the curves for full and for bare material.
mod model {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use skewer_types::{WinCurve, WinModel};

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
    pub(super) fn serialize<S: Serializer>(
        model: &WinModel,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        [model.full(), model.bare()]
            .map(|curve| [curve.even(), curve.spread()])
            .serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<WinModel, D::Error> {
        let curve = |[even, spread]: [f64; 2]| {
            WinCurve::new(even, spread).ok_or_else(|| D::Error::custom("no win model"))
        };
        let [full, bare] = <[[f64; 2]; 2]>::deserialize(deserializer)?;
        Ok(WinModel::new(curve(full)?, curve(bare)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyst::UciProgram;
    use skewer_eval::Evaluation;
    use skewer_types::WinCurve;
    use skewer_uci_client::Program;
    use std::time::Duration;

    /// Settings that differ in the searcher, the limits and the use of evaluations.
    fn several() -> Vec<Settings> {
        let mut program = Program::new("x");
        program.args = vec!["a b".to_owned()];
        program.options = vec![("Hash".to_owned(), "1".to_owned())];
        let engine = UciProgram {
            program,
            name: "A model=1/1 b".to_owned(),
        };
        let plain = Settings::default;
        vec![
            plain(),
            plain().until_sure(Some(7)),
            Settings {
                evaluation: Evaluation::hand_written(),
                depth: Some(5),
                time: Some(Duration::from_millis(30)),
                ..plain()
            },
            Settings {
                engine: Some(engine),
                split: 6,
                ..plain()
            },
            Settings {
                pgn_evals: PgnEvals::Use,
                ..plain()
            },
            Settings {
                pgn_evals: PgnEvals::Refine,
                ..plain()
            },
        ]
    }

    #[test]
    fn a_journal_gives_back_all_settings_and_how_scores_are_read() {
        for settings in several() {
            let record = SettingsRecord::new(&settings);
            let json = serde_json::to_string(&record).unwrap();
            let read: SettingsRecord = serde_json::from_str(&json).unwrap();
            assert_eq!(read, record, "{json}");
            assert_eq!(read.units(), settings.units(), "{json}");
            let split = if settings.pgn_evals == PgnEvals::Use {
                0
            } else {
                settings.split
            };
            assert_eq!(read.split(), split);
        }
    }

    #[test]
    fn different_settings_have_different_records_and_texts() {
        let records: Vec<_> = several().iter().map(SettingsRecord::new).collect();
        for (index, record) in records.iter().enumerate() {
            for other in &records[..index] {
                assert_ne!(record, other);
                assert_ne!(record.to_string(), other.to_string());
            }
        }
        let with_args = |args: &[&str]| {
            let mut program = Program::new("x");
            program.args = args.iter().map(ToString::to_string).collect();
            let name = "x".to_owned();
            SettingsRecord::new(&Settings {
                engine: Some(UciProgram { program, name }),
                ..Settings::default()
            })
        };
        for (one, other) in [(&["a", "b"][..], &["a b"][..]), (&["a b"], &["a-b"])] {
            assert_ne!(with_args(one), with_args(other));
        }
    }

    #[test]
    fn a_win_model_out_of_range_is_an_error() {
        let record = SettingsRecord::new(&Settings::default());
        let mut json = serde_json::to_value(&record).unwrap();
        json["model"][1][0] = 0.0.into();
        assert!(serde_json::from_value::<SettingsRecord>(json).is_err());
    }

    #[test]
    fn the_text_has_a_curve_for_bare_material_if_it_differs() {
        let curve = |even, spread| WinCurve::new(even, spread).unwrap();
        let (full, bare) = (curve(80.25, 95.5), curve(318.0, 52.75));
        let text = |model: WinModel| ModelText(model).to_string();
        assert_eq!(text(full.into()), "80.25/95.5");
        assert_eq!(text(WinModel::new(full, bare)), "80.25/95.5,318/52.75");
    }
}
