//! The engine of one worker: searches with private hash tables, and their findings.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use skewer_eval::Evaluation;
use skewer_movegen::{Board, Move};
use skewer_search::{Limits, Position, Report, Solo, TablebaseRules};
use skewer_syzygy::Tables;
use skewer_tt::TableSize;
use skewer_types::{Bound, Score, WinModel};

use crate::error::AnalysisError;
use crate::params::{DEFAULT_HASH_MB, DEFAULT_NODES, LINE_PLIES, NODES_PER_MB, SMALL_TABLES};

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
        }
    }
}

impl Settings {
    /// The settings as a line of text, for journals and reports.
    pub fn text(&self) -> String {
        let mut words = vec![format!("skewer {}", env!("CARGO_PKG_VERSION"))];
        words.extend(self.nodes.map(|nodes| format!("nodes={nodes}")));
        words.extend(self.depth.map(|depth| format!("depth={depth}")));
        words.extend(self.time.map(|time| format!("time={}ms", time.as_millis())));
        words.push(format!("multipv={} hash={}", self.multi_pv, self.hash));
        words.push(match self.evaluation.network() {
            // By fingerprint, because another machine may have the same network at another path.
            Some(network) => format!("eval=network-{:016x}", network.fingerprint()),
            None => "eval=hand-written".to_owned(),
        });
        // For `merge`, which converts scores without the network.
        words.push(model_text(self.evaluation.win_model()));
        let pieces = self.tablebases.as_ref().map(|tables| tables.max_pieces());
        words.extend(pieces.map(|pieces| format!("syzygy={pieces}-pieces")));
        words.extend((self.split > 0).then(|| format!("split={}", self.split)));
        words.join(" ")
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

/// The word of [`Settings::text`] for a win model.
fn model_text(model: WinModel) -> String {
    format!("model={}/{}", model.even(), model.spread())
}

/// The win model in a [`Settings::text`]; `None` if it has none.
pub fn model_of_text(settings: &str) -> Option<WinModel> {
    let mut words = settings.split(' ');
    let (even, spread) = words
        .find_map(|word| word.strip_prefix("model="))?
        .split_once('/')?;
    WinModel::new(even.parse().ok()?, spread.parse().ok()?)
}

/// A line that a search has found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FoundLine {
    /// The score for the side to move, as [`Score::raw`] gives it.
    pub score: i32,
    /// The first moves of the line, as [`Move::bits`] gives them.
    pub moves: Vec<u16>,
}

impl FoundLine {
    fn new(score: Score, pv: &[Move]) -> Self {
        let moves = pv.iter().take(LINE_PLIES).map(|mv| mv.bits()).collect();
        Self {
            score: score.raw(),
            moves,
        }
    }

    /// The moves of the line, as far as they are legal from `board`.
    pub fn moves_from(&self, board: &Board) -> Vec<Move> {
        let mut board = *board;
        let mut moves = Vec::with_capacity(self.moves.len());
        for mv in self.moves.iter().map_while(|&bits| Move::from_bits(bits)) {
            let Ok(next) = board.try_play(mv) else { break };
            board = next;
            moves.push(mv);
        }
        moves
    }
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// The best lines, best first; none when there is no legal move.
    pub lines: Vec<FoundLine>,
    /// The depth of the last whole iteration, in plies.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
}

/// A searcher with hash tables of several sizes and the limits of its searches.
pub struct Analyst {
    /// Searchers by the size of their hash table, in MiB and increasing. The last has the size given
    /// in the settings.
    solos: Vec<(usize, Solo)>,
    /// The index of the searcher in use.
    current: usize,
    limits: Limits,
    win_model: WinModel,
}

impl Analyst {
    /// An analyst with hash tables of its own.
    ///
    /// # Errors
    ///
    /// When there is not enough memory for the tables.
    pub fn new(settings: &Settings) -> Result<Self, AnalysisError> {
        let sizes = SMALL_TABLES
            .into_iter()
            .filter(|&size| size < settings.hash);
        let solos = sizes
            .chain([settings.hash])
            .map(|megabytes| {
                let size = TableSize::from_megabytes(megabytes);
                let solo = Solo::new(&settings.evaluation, size)?;
                let solo = match &settings.tablebases {
                    Some(tables) => {
                        solo.with_tablebases(Arc::clone(tables), TablebaseRules::default())
                    }
                    None => solo,
                };
                Ok((megabytes, solo))
            })
            .collect::<Result<Vec<_>, AnalysisError>>()?;
        Ok(Self {
            current: solos.len() - 1,
            solos,
            limits: settings.limits(),
            win_model: settings.evaluation.win_model(),
        })
    }

    /// The model of the evaluation, which converts scores to centipawns and chances.
    pub fn win_model(&self) -> WinModel {
        self.win_model
    }

    /// Clears the hash table, so that the next `positions` searches do not depend on earlier ones.
    ///
    /// Clearing a large table takes longer than a short search. If the searches cannot fill it within
    /// the node limit, a smaller table is used.
    pub fn forget(&mut self, positions: usize) {
        let nodes = self.limits.nodes;
        let stored = nodes.and_then(|nodes| nodes.checked_mul(positions as u64));
        let fits = |size: usize| stored.is_some_and(|stored| stored <= size as u64 * NODES_PER_MB);
        let small = self.solos.iter().position(|(size, _)| fits(*size));
        self.current = small.unwrap_or(self.solos.len() - 1);
        self.solos[self.current].1.clear();
    }

    /// Searches a position, no deeper than `depth` plies if it is given. Calls `on_line` with every
    /// line.
    pub fn search(
        &mut self,
        position: &Position,
        depth: Option<i32>,
        on_line: &mut dyn FnMut(&Report),
    ) -> Finding {
        let moves = position.board().count_legal_moves();
        if moves == 0 {
            return Finding {
                lines: Vec::new(),
                depth: 0,
                nodes: 0,
            };
        }
        let mut limits = self.limits.clone();
        if let Some(depth) = depth {
            limits.depth = Some(limits.depth.map_or(depth as _, |own| own.min(depth as _)));
        }
        let wanted = limits.multi_pv.min(moves);
        // Keep the lines of the last finished iteration. Scores of different depths are not
        // comparable.
        let mut iteration = Vec::new();
        let mut whole = Vec::new();
        let mut report = |line: &Report| {
            if line.bound == Bound::Exact && wanted > 1 {
                if line.multi_pv == 1 {
                    iteration.clear();
                }
                iteration.push(FoundLine::new(line.score, &line.pv));
                if line.multi_pv == wanted && iteration.len() == wanted {
                    whole.clone_from(&iteration);
                }
            }
            on_line(line);
        };
        let outcome = self.solos[self.current]
            .1
            .search_with_report(position, &limits, &mut report);
        if whole.is_empty() {
            whole.push(FoundLine::new(outcome.score, &outcome.pv));
        }
        Finding {
            lines: whole,
            depth: outcome.depth.max(0) as u32,
            nodes: outcome.nodes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_win_model_is_read_back_from_the_settings() {
        let settings = Settings::default();
        let model = settings.evaluation.win_model();
        assert_eq!(model_of_text(&settings.text()), Some(model));
        for text in ["", "nodes=5", "model=144", "model=x/1", "model=0/84"] {
            assert_eq!(model_of_text(text), None, "{text}");
        }
    }
}
