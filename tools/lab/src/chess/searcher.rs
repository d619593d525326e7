//! The textbook searcher: alpha-beta with the techniques of the texts that
//! [`claims`](crate::claims) measures. Each technique is a few lines, to be read beside its text,
//! and can be switched by the [`Config`].
//!
//! Like the texts, the search is fail-hard: values are between alpha and beta.

mod node;
mod pruning;
#[cfg(test)]
mod rules;

use fnv::FnvHashMap;
use skewer_movegen::Move;
use skewer_types::Bound;

use super::config::{Config, Ideas, NullMove};
use super::ordering::History;
use super::position::Position;
use crate::game::{Value, Visits, Window};
use crate::trace::{Recording, Step};

/// The longest line that is searched.
const MAX_PLY: usize = 128;

/// What a search cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effort {
    /// Nodes above the horizon.
    pub nodes: u64,
    /// Quiescence searches begun.
    pub horizons: u64,
    /// Nodes of quiescence searches, their roots not counted.
    pub quiescence: u64,
    /// Moves generated above the horizon.
    pub generated: u64,
    /// Quiet moves that were never generated, although the generation of quiet moves had begun, because an earlier one
    /// failed high (with `QuietOrder::BestAtOnce`).
    pub spared: u64,
    /// Quiet moves that move ordering tested for giving check.
    pub check_tests: u64,
    /// Nodes and moves that futility pruning skipped.
    pub futile: u64,
    /// Moves that futility or forward pruning skipped.
    pub skipped: u64,
    /// Moves searched again with a wider window.
    pub researches: u64,
    /// Windows, and how nodes ended.
    pub visits: Visits,
}

impl Effort {
    /// All nodes, with the nodes of quiescence.
    pub fn total(&self) -> u64 {
        self.nodes + self.horizons + self.quiescence
    }
}

/// When to stop. Depth 1 is always finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The last iteration.
    pub depth: i32,
    /// Nodes to search, with the nodes of quiescence.
    pub nodes: u64,
}

impl Limits {
    /// A fixed depth.
    pub const fn depth(depth: i32) -> Self {
        Self {
            depth,
            nodes: u64::MAX,
        }
    }

    /// A fixed number of nodes.
    pub const fn nodes(nodes: u64) -> Self {
        Self {
            depth: MAX_PLY as i32 / 2,
            nodes,
        }
    }
}

/// The result of a search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Thought {
    /// The best move; `None` if the game is over.
    pub best: Option<Move>,
    /// Its value for the side to move.
    pub value: Value,
    /// The last iteration that was finished.
    pub depth: i32,
}

/// Whether a null-move cutoff must be verified on this line (Tabibi and Netanyahu).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verify {
    Wanted,
    Done,
}

/// How the search came to a node.
#[derive(Debug, Clone, Copy)]
struct Context {
    ply: usize,
    /// The move that led here; `None` at the root and after a null move.
    last: Option<Move>,
    /// Whether that move was a capture or promotion.
    noisy: bool,
    /// Null moves since the last real move.
    null_moves: u32,
    verify: Verify,
    /// Whether a queen and a pawn have extended this line, which they do once.
    extended: bool,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    depth: i32,
    value: Value,
    bound: Bound,
    best: Option<Move>,
}

/// A searcher with its table, killers and history, for searches of one position.
///
/// ```
/// use skewer_lab::chess::position::Position;
/// use skewer_lab::chess::config::Config;
/// use skewer_lab::chess::searcher::{Limits, Searcher};
/// use skewer_movegen::Board;
///
/// let board = Board::from_fen("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1").unwrap();
/// let mut searcher = Searcher::new(Config::ORDERED);
/// let thought = searcher.think(&Position::new(board), Limits::depth(3));
/// assert_eq!(format!("{:?}", thought.best.unwrap()), "a1a8");
/// ```
#[derive(Debug)]
pub struct Searcher {
    config: Config,
    /// The cost of its searches so far.
    pub effort: Effort,
    history: History,
    killers: Vec<[Option<Move>; 2]>,
    siblings: Vec<Option<Move>>,
    table: FnvHashMap<u64, Entry>,
    /// Keys of the positions of the game and of the line being searched.
    path: Vec<u64>,
    /// The place in `path` of the first position that can be repeated: positions before a null move cannot.
    since_null_move: usize,
    root_best: Option<Move>,
    nodes: u64,
    stopped: bool,
    recording: Option<Recording>,
    /// The recorded places of the line being searched.
    line: Vec<usize>,
}

impl Searcher {
    /// A searcher that follows `config`.
    pub fn new(config: Config) -> Self {
        Self {
            config,
            effort: Effort::default(),
            history: History::new(),
            killers: vec![[None; 2]; MAX_PLY + 2],
            siblings: vec![None; MAX_PLY + 2],
            table: FnvHashMap::default(),
            path: Vec::new(),
            since_null_move: 0,
            root_best: None,
            nodes: u64::MAX,
            stopped: false,
            recording: None,
            line: Vec::new(),
        }
    }

    /// Records all steps from here on.
    pub fn record(&mut self) {
        self.recording = Some(Recording::default());
    }

    /// The number of entries in its table.
    pub fn stored(&self) -> u64 {
        self.table.len() as u64
    }

    /// What was recorded; `None` without [`record`](Self::record).
    pub fn recording(self) -> Option<Recording> {
        self.recording
    }

    /// Sets the keys of the game's earlier positions, for draws by repetition
    /// ([`Ideas::PATH_DRAWS`]).
    pub fn remember_game(&mut self, keys: &[u64]) {
        self.path = keys.to_vec();
    }

    /// Searches by iterative deepening (Bratko) until a limit is met. Returns the result of the last
    /// finished iteration.
    pub fn think(&mut self, position: &Position, limits: Limits) -> Thought {
        let mut thought = Thought::default();
        for depth in 1..=limits.depth {
            // The first iteration has no limit, so that there always is a move.
            if depth > 1 {
                self.nodes = limits.nodes;
            }
            let next = self.search_to_depth(position, depth);
            if self.stopped {
                break;
            }
            thought = next;
            if thought.best.is_none() {
                break;
            }
        }
        self.nodes = u64::MAX;
        self.stopped = false;
        thought
    }

    /// Searches to `depth` plies, without iterative deepening.
    pub fn search_to_depth(&mut self, position: &Position, depth: i32) -> Thought {
        self.root_best = None;
        if let Some(recording) = &mut self.recording {
            recording.step(Step::Pass(Window::FULL));
        }
        let value = self.search(position, depth, Window::FULL, self.context(0));
        Thought {
            best: self.root_best,
            value,
            depth,
        }
    }

    /// The value of `position` searched as an inner node, where null move and futility pruning are
    /// allowed.
    pub fn probe(&mut self, position: &Position, depth: i32, window: Window) -> Value {
        if let Some(recording) = &mut self.recording {
            recording.step(Step::Pass(window));
        }
        self.search(position, depth, window, self.context(1))
    }

    /// Whether a null move alone would cut `position` as an inner node.
    pub fn null_move_holds(&mut self, position: &Position, depth: i32, window: Window) -> bool {
        self.null_move_cuts(position, depth, window, self.context(1))
    }

    fn context(&self, ply: usize) -> Context {
        Context {
            ply,
            last: None,
            noisy: false,
            null_moves: 0,
            extended: false,
            verify: if self.config.null_move == NullMove::Verified {
                Verify::Wanted
            } else {
                Verify::Done
            },
        }
    }

    fn has(&self, idea: Ideas) -> bool {
        self.config.ideas.contains(idea)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::positions;
    use crate::params::chess as params;

    #[test]
    fn ordering_does_not_change_the_value() {
        let exact = [
            Config::PLAIN,
            Config::PLAIN.with(Ideas::NEGASCOUT),
            Config::PLAIN.with(Ideas::EARLY_CANDIDATES),
            Config::ORDERED,
            Config::ORDERED.with(Ideas::EARLY_CANDIDATES),
        ];
        for position in positions::varied() {
            let values =
                exact.map(|config| Searcher::new(config).search_to_depth(&position, 3).value);
            assert!(values.iter().all(|&value| value == values[0]), "{values:?}");
            let thought = Searcher::new(Config::ORDERED).think(&position, Limits::depth(3));
            assert_eq!(thought.value, values[0]);
        }
    }

    #[test]
    fn limits_are_kept() {
        let position = positions::varied()[0];
        let mut searcher = Searcher::new(Config::FULL);
        let thought = searcher.think(&position, Limits::nodes(5000));
        assert!(thought.best.is_some() && thought.depth > 1);
        assert!(searcher.effort.total() < 20_000);
        let thought = Searcher::new(Config::FULL).think(&position, Limits::nodes(0));
        assert!(thought.best.is_some(), "depth 1 is always finished");
    }

    #[test]
    fn mates_are_found_at_their_depth() {
        let board = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1".parse().unwrap();
        let thought = Searcher::new(Config::FULL).search_to_depth(&Position::new(board), 2);
        assert_eq!(thought.value, params::MATE - 1);
    }
}
