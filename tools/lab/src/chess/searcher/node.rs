//! One node of the textbook search: what settles it before its moves, its moves, and what is learnt from it.

use skewer_movegen::Move;
use skewer_types::Bound;

use super::{Context, Entry, MAX_PLY, Searcher, Verify};
use crate::chess::config::Ideas;
use crate::chess::ordering::{Hints, Moves};
use crate::chess::position::Position;
use crate::chess::quiescence::quiescence;
use crate::game::{End, Value, Window};
use crate::params::chess as params;
use crate::trace::Step;

impl Context {
    /// How the search comes to the node after `mv`, which is a capture or promotion if it is `noisy`.
    fn after(self, mv: Move, noisy: bool) -> Self {
        Self {
            ply: self.ply + 1,
            last: Some(mv),
            noisy,
            null_moves: 0,
            verify: self.verify,
            extended: self.extended,
        }
    }
}

impl Searcher {
    /// Searches one node: counts it, and notifies the observer.
    pub(super) fn search(
        &mut self,
        position: &Position,
        depth: i32,
        window: Window,
        context: Context,
    ) -> Value {
        self.effort.visits.enter(window);
        if let Some(recording) = &mut self.recording {
            let parent = self.line.last().copied();
            let key = context
                .last
                .map_or_else(String::new, |mv| format!("{mv:?}"));
            // A parent announces the nodes after its moves. A node that was not announced is the
            // root or follows a pass.
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
        let threatened = self.extends_pattern(position, context);
        context.extended |= threatened;
        let extended = threatened || in_check && self.has(Ideas::CHECK_EXTENSION);
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
        let (mut has_moves, mut quiets) = (false, 0);
        while let Some(mv) = list.next(&self.history) {
            has_moves = true;
            let noisy = board.is_capture(mv) || mv.promotion().is_some();
            quiets += usize::from(!noisy);
            if !noisy && self.implausible(position, mv, depth, quiets, context) {
                self.skipped(mv);
                continue;
            }
            let after = position.play(mv);
            let arrival = context.after(mv, noisy);
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
        self.effort.spared += list.spared();
        self.effort.check_tests += list.check_tests;
        if !has_moves {
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
        for mv in &board.legal_moves() {
            let label = || board.san(mv).to_string();
            recording.child(self.line.last().copied(), format!("{mv:?}"), label);
        }
    }

    /// Counts and records that a move of the node is not searched.
    fn skipped(&mut self, mv: Move) {
        self.effort.skipped += 1;
        if let Some(recording) = &mut self.recording {
            let node = recording.child(self.line.last().copied(), format!("{mv:?}"), String::new);
            recording.step(Step::Skip { node });
        }
    }

    /// The value of a move. With `NegaScout` (Reinefeld, 1983), searches moves after the first best
    /// one with a null window, and again if they fail high.
    pub(super) fn move_value(
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
    pub(super) fn known_value(
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
    pub(super) fn learn(
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
    pub(super) fn drawn(&self, position: &Position) -> bool {
        if !self.has(Ideas::PATH_DRAWS) {
            return false;
        }
        let board = position.board();
        let clock = usize::from(board.halfmove_clock());
        clock >= 100
            || self.path[self.since_null_move..]
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
