//! The textbook searcher: alpha-beta with the techniques of the texts that
//! [`claims`](crate::claims) measures. Each technique is a few lines, to be read beside its text,
//! and can be switched by the [`Config`].
//!
//! Like the texts, the search is fail-hard: values are between alpha and beta.

mod pruning;

use fnv::FnvHashMap;
use skewer_movegen::Move;
use skewer_types::Bound;

use super::config::{Config, Ideas, NullMove};
use super::ordering::{Hints, History, Moves};
use super::position::Position;
use super::quiescence::quiescence;
use crate::game::{Value, Window};
use crate::params::chess as params;
use crate::trace::{End, Recording, Step, Visits};

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
    /// All nodes, with those of quiescence.
    pub fn total(&self) -> u64 {
        self.nodes + self.horizons + self.quiescence
    }
}

/// When to stop. Depth 1 is always finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The last iteration.
    pub depth: i32,
    /// Nodes to search, with those of quiescence.
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
/// assert_eq!(thought.best.unwrap().to_string(), "a1a8");
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

    /// Searches one node: counts it, and notifies the observer.
    fn search(
        &mut self,
        position: &Position,
        depth: i32,
        window: Window,
        context: Context,
    ) -> Value {
        self.effort.visits.enter(window);
        if let Some(recording) = &mut self.recording {
            let parent = self.line.last().copied();
            let key = context.last.map_or_else(String::new, |mv| mv.to_string());
            // The parent has announced its moves; what has none is the root or follows a pass.
            let label = || if parent.is_some() { "pass" } else { "root" }.to_owned();
            let place = recording.child(parent, key, label);
            recording.enter(place, window, || Some(position.board().to_string()));
            self.line.push(place);
        }
        let (value, end) = self.node(position, depth, window, context);
        self.effort.visits.leave(end);
        if let Some(recording) = &mut self.recording
            && let Some(node) = self.line.pop()
        {
            recording.step(Step::Leave { node, value, end });
        }
        value
    }

    /// The value of a node and how it ended: table and futility first, then the null move, then its
    /// moves.
    fn node(
        &mut self,
        position: &Position,
        mut depth: i32,
        window: Window,
        mut context: Context,
    ) -> (Value, End) {
        let in_check = position.board().in_check();
        let extended = in_check && self.has(Ideas::CHECK_EXTENSION);
        depth += i32::from(extended);
        if depth <= 0 || context.ply >= MAX_PLY {
            return (self.horizon(position, window, context), End::Leaf);
        }
        self.effort.nodes += 1;
        let draw = 0.clamp(window.alpha, window.beta);
        if self.stop_now() {
            return (draw, End::Stopped);
        }
        if context.ply > 0 && self.drawn(position) {
            return (draw, End::Drawn);
        }
        let known = self.table.get(&position.board().key()).copied();
        if let Some(value) = self.known_value(known, depth, window, context) {
            return (value, End::Known);
        }
        if !extended && self.futile_node(position, depth, window, context) {
            self.effort.futile += 1;
            return (window.beta, End::Futile);
        }

        let mut pending = false;
        if self.null_move_cuts(position, depth, window, context) {
            if context.verify == Verify::Done {
                return (window.beta, End::NullMove);
            }
            // Verify the cutoff by a search one ply less deep (Tabibi and Netanyahu).
            pending = true;
            depth -= 1;
            context.verify = Verify::Done;
        }
        let hash = known.and_then(|entry| entry.best);
        let mut result = self.moves(position, depth, window, context, hash);
        if pending && result.0 < window.beta {
            // Zugzwang: the null move failed high, but no real move does. Search again in full.
            depth += 1;
            context.verify = Verify::Wanted;
            result = self.moves(position, depth, window, context, hash);
        }
        result
    }

    /// Searches the moves of a node.
    fn moves(
        &mut self,
        position: &Position,
        depth: i32,
        window: Window,
        context: Context,
        hash: Option<Move>,
    ) -> (Value, End) {
        let Window { mut alpha, beta } = window;
        let board = position.board();
        let ply = context.ply;
        self.siblings[ply + 1] = None;
        let hints = Hints {
            hash: hash.filter(|&mv| self.has(Ideas::HASH_MOVE) && board.is_legal(mv)),
            killers: self.killers[ply],
            last: context.last,
            sibling: self.siblings[ply],
        };
        self.announce(position);
        let config = self.config;
        let mut list = Moves::new(position, &config, &self.history, hints);
        self.path.push(board.key());
        let mut best = None;
        let (mut count, mut quiets) = (0, 0);
        while let Some(mv) = list.next(&self.history) {
            count += 1;
            let noisy = board.is_capture(mv) || mv.promotion().is_some();
            quiets += usize::from(!noisy);
            if !noisy && self.implausible(position, mv, depth, quiets, context) {
                self.skipped(mv);
                continue;
            }
            let after = position.play(mv);
            let arrival = Context {
                ply: ply + 1,
                last: Some(mv),
                noisy,
                null_moves: 0,
                ..context
            };
            if self.futile_move(position, &after, depth - 1, alpha, arrival, context) {
                self.effort.futile += 1;
                self.skipped(mv);
                continue;
            }
            let window = Window { alpha, beta };
            let value = self.move_value(&after, depth - 1, window, arrival, best.is_some());
            if self.stopped {
                break;
            }
            if value > alpha {
                alpha = value.min(beta);
                best = Some(mv);
                self.siblings[ply] = best;
                if ply == 0 {
                    self.root_best = best;
                }
            }
            if value >= beta {
                break;
            }
        }
        self.path.pop();
        self.effort.generated += list.generated;
        self.effort.check_tests += list.check_tests;
        if count == 0 {
            let mated = ply as Value - params::MATE;
            let value = if board.in_check() { mated } else { 0 };
            return (value.clamp(window.alpha, beta), End::GameOver);
        }
        if self.stopped {
            return (alpha, End::Stopped);
        }
        self.learn(position, depth, window, alpha, best, ply);
        (alpha, End::of(alpha, window))
    }

    /// Adds the moves of the node to the recording.
    fn announce(&mut self, position: &Position) {
        let Some(recording) = &mut self.recording else {
            return;
        };
        let board = position.board();
        for &mv in &board.legal_moves() {
            let label = || board.san(mv).to_string();
            recording.child(self.line.last().copied(), mv.to_string(), label);
        }
    }

    /// Counts and records that a move of the node is not searched.
    fn skipped(&mut self, mv: Move) {
        self.effort.skipped += 1;
        if let Some(recording) = &mut self.recording {
            let node = recording.child(self.line.last().copied(), mv.to_string(), String::new);
            recording.step(Step::Skip { node });
        }
    }

    /// The value of a move. With `NegaScout` (Reinefeld, 1983), searches moves after the first best
    /// one with a null window, and again if they fail high.
    fn move_value(
        &mut self,
        after: &Position,
        depth: i32,
        window: Window,
        context: Context,
        has_best: bool,
    ) -> Value {
        let Window { alpha, beta } = window;
        if has_best && self.has(Ideas::NEGASCOUT) {
            let value = -self.search(after, depth, Window::null(alpha + 1).flip(), context);
            if value <= alpha || value >= beta {
                return value;
            }
            self.effort.researches += 1;
        }
        -self.search(after, depth, window.flip(), context)
    }

    /// The value at the horizon: mate, stalemate or quiescence.
    fn horizon(&mut self, position: &Position, window: Window, context: Context) -> Value {
        self.effort.horizons += 1;
        let board = position.board();
        let value = if board.has_legal_moves() {
            let nodes = &mut self.effort.quiescence;
            quiescence(position, window, self.config.quiescence, 0, nodes)
        } else if board.in_check() {
            context.ply as Value - params::MATE
        } else {
            0
        };
        value.clamp(window.alpha, window.beta)
    }

    /// The table's value for a node, if it was stored at exactly this depth and cuts. Mate values
    /// are not used, because they depend on the distance from the root.
    fn known_value(
        &self,
        known: Option<Entry>,
        depth: i32,
        window: Window,
        context: Context,
    ) -> Option<Value> {
        let entry = known.filter(|entry| {
            self.has(Ideas::HASH_VALUE)
                && context.ply > 0
                && context.verify == Verify::Done
                && entry.depth == depth
                && entry.value.abs() < params::MATE_BOUND
        })?;
        let cuts = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => entry.value >= window.beta,
            Bound::Upper => entry.value <= window.alpha,
        };
        cuts.then(|| entry.value.clamp(window.alpha, window.beta))
    }

    /// Stores the result of a node in the table, and a quiet best move in killers and history.
    fn learn(
        &mut self,
        position: &Position,
        depth: i32,
        window: Window,
        value: Value,
        best: Option<Move>,
        ply: usize,
    ) {
        let board = position.board();
        let old = self.table.get(&board.key());
        let entry = Entry {
            depth,
            value,
            bound: window.bound(value),
            best: best.or_else(|| old.and_then(|entry| entry.best)),
        };
        self.table.insert(board.key(), entry);
        let Some(mv) = best else { return };
        if board.is_capture(mv) || mv.promotion().is_some() {
            return;
        }
        self.history.reward(board.turn(), mv, depth);
        let killers = &mut self.killers[ply];
        if value >= window.beta && killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }

    /// Whether the position is drawn by repetition or by a hundred plies without progress (only with
    /// [`Ideas::PATH_DRAWS`]).
    fn drawn(&self, position: &Position) -> bool {
        if !self.has(Ideas::PATH_DRAWS) {
            return false;
        }
        let board = position.board();
        let clock = usize::from(board.halfmove_clock());
        clock >= 100
            || self
                .path
                .iter()
                .rev()
                .take(clock)
                .any(|&key| key == board.key())
    }

    /// Whether the limit of nodes is met.
    fn stop_now(&mut self) -> bool {
        self.stopped |= self.effort.total() >= self.nodes;
        self.stopped
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::positions;

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
