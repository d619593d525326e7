//! The engine of one worker: a search with a private table, and its findings.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use skewer_eval::Evaluation;
use skewer_movegen::{Board, Move};
use skewer_search::{Limits, Position, Report, Solo, TablebaseRules};
use skewer_smp::Engine;
use skewer_smp::syzygy::Tables;
use skewer_tt::TableSize;
use skewer_types::{Bound, Score};

use crate::params::{LINE_PLIES, NODES_PER_MB, SMALL_TABLES};

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
    /// How many lines.
    pub multi_pv: usize,
    /// The table of each worker, in MiB.
    pub hash: usize,
    /// Positions in a piece; zero for whole games.
    pub split: usize,
    /// What evaluates.
    pub evaluation: Evaluation,
    /// Endgame tables.
    pub tablebases: Option<Arc<Tables>>,
}

impl Settings {
    /// The settings in a line, as they stand in journals and reports.
    pub fn text(&self) -> String {
        let mut words = vec![format!("skewer {}", env!("CARGO_PKG_VERSION"))];
        words.extend(self.nodes.map(|nodes| format!("nodes={nodes}")));
        words.extend(self.depth.map(|depth| format!("depth={depth}")));
        words.extend(self.time.map(|time| format!("time={}ms", time.as_millis())));
        words.push(format!("multipv={} hash={}", self.multi_pv, self.hash));
        words.push(match self.evaluation.network() {
            // By its number: the same network may lie elsewhere on another machine.
            Some(network) => format!("eval=network-{:016x}", network.fingerprint()),
            None => "eval=hand-written".to_owned(),
        });
        let men = self.tablebases.as_ref().map(|tables| tables.max_pieces());
        words.extend(men.map(|men| format!("syzygy={men}-men")));
        words.extend((self.split > 0).then(|| format!("split={}", self.split)));
        words.join(" ")
    }

    /// Lets an engine evaluate and use tables as these settings say.
    pub fn give_to(&self, engine: &mut Engine) {
        engine.set_evaluation(&self.evaluation);
        engine.set_tablebases(self.tablebases.clone(), TablebaseRules::default());
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

/// A search with its tables and limits.
pub struct Analyst {
    /// With tables of increasing size; the last has the size given in the settings.
    solos: Vec<(usize, Solo)>,
    /// The one in use.
    current: usize,
    limits: Limits,
}

impl Analyst {
    /// An analyst with a table of its own.
    ///
    /// # Errors
    ///
    /// When there is not enough memory for the table.
    pub fn new(settings: &Settings) -> Result<Self> {
        let sizes = SMALL_TABLES
            .into_iter()
            .filter(|&size| size < settings.hash);
        let solos = sizes
            .chain([settings.hash])
            .map(|megabytes| {
                let size = TableSize::from_megabytes(megabytes);
                let solo = Solo::new(&settings.evaluation, size)
                    .context("not enough memory for the hash table")?;
                let solo = match &settings.tablebases {
                    Some(tables) => {
                        solo.with_tablebases(Arc::clone(tables), TablebaseRules::default())
                    }
                    None => solo,
                };
                Ok((megabytes, solo))
            })
            .collect::<Result<Vec<_>>>()?;
        Ok(Self {
            current: solos.len() - 1,
            solos,
            limits: settings.limits(),
        })
    }

    /// Forgets everything, so that the next `positions` searches do not depend on earlier ones.
    ///
    /// Clearing a large table takes longer than a short search. Where the node limit says that the
    /// searches cannot fill it, a smaller one is used.
    pub fn forget(&mut self, positions: usize) {
        let nodes = self.limits.nodes;
        let stored = nodes.and_then(|nodes| nodes.checked_mul(positions as u64));
        let fits = |size: usize| stored.is_some_and(|stored| stored <= size as u64 * NODES_PER_MB);
        let small = self.solos.iter().position(|(size, _)| fits(*size));
        self.current = small.unwrap_or(self.solos.len() - 1);
        self.solos[self.current].1.clear();
    }

    /// Searches a position. Calls `hear` with every finished line.
    pub fn look(&mut self, position: &Position, hear: &mut dyn FnMut(&Report)) -> Finding {
        self.look_within(position, None, hear)
    }

    /// Searches a position, no deeper than `depth` if it is given.
    pub fn look_within(
        &mut self,
        position: &Position,
        depth: Option<i32>,
        hear: &mut dyn FnMut(&Report),
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
        // Lines of an iteration that is not finished are not comparable with each other.
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
            hear(line);
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
