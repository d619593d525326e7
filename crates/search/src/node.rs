//! A node of the principal variation search, in steps: set-up, cut-offs without a move loop, the
//! move loop, and the updates after it.

use skewer_eval::Evaluator;
use skewer_movegen::Board;
use skewer_ordering::{MoveContext, Threats, attacked_by, is_tactical};
use skewer_tt::Entry;
use skewer_types::{Bound, Depth, MAX_PLY, Ply, Score, TechniqueSet, Techniques};

use crate::learn::bonus;
use crate::params;
use crate::search::{Expect, Kind, Search};
use crate::state::{Found, Node};
use crate::table_key::table_key;

impl<E: Evaluator, T: TechniqueSet> Search<'_, E, T> {
    /// The value of `board`, `ply` plies from the root, searched `depth` plies deep.
    pub(crate) fn node<K: Kind>(
        &mut self,
        board: &Board,
        ply: Ply,
        mut alpha: Score,
        mut beta: Score,
        depth: Depth,
        expect: Expect,
    ) -> Score {
        // 1. The horizon.
        if depth <= 0 {
            return self.horizon::<K>(board, ply, alpha, beta);
        }
        // 2. The end of the game or of the search, or a window that mate distances or a possible repetition leave
        // empty.
        if let Some(score) = self.enter::<K>(board, ply, &mut alpha, &mut beta) {
            return score;
        }
        // 3. What the hash table and the endgame tables know.
        let mut node = self.look_up::<K>(board, ply, alpha, beta, depth, expect);
        if let Some(score) = self.hash_cutoff::<K>(board, &node) {
            return score;
        }
        if let Some(score) = self.tablebase_cutoff::<K>(board, &mut node) {
            return score;
        }
        // 4. The static evaluation, and how deep this node deserves to be searched.
        self.evaluate_node(board, &mut node);
        self.adjust_depth::<K>(&mut node);
        // 5. What settles the node without a look at its moves.
        if let Some(score) = self.prune_node::<K>(board, &node) {
            return score;
        }
        if self.aborted {
            return Score::ZERO;
        }
        // 6. The moves.
        let (threats, context) = self.threats_and_context(board, ply);
        let found = self.search_moves::<K>(board, &mut node, &threats, &context);
        if self.aborted {
            return Score::ZERO;
        }
        // 7. What is learnt.
        self.conclude(board, &node, found)
    }

    /// The score at the horizon: quiescence, or the evaluation if quiescence is switched off.
    #[inline]
    fn horizon<K: Kind>(&mut self, board: &Board, ply: Ply, alpha: Score, beta: Score) -> Score {
        if self.has(Techniques::QUIESCENCE) {
            return self.quiesce::<K>(board, ply, alpha, beta);
        }
        if self.must_stop() || self.is_draw(board, ply) {
            return Score::DRAW;
        }
        if board.in_check() && !board.has_legal_moves() {
            return Score::mated_in(ply);
        }
        self.evaluator.evaluate(board)
    }

    /// The score of a node where the search or the game ends or the window is empty; `None`
    /// elsewhere.
    #[inline]
    fn enter<K: Kind>(
        &mut self,
        board: &Board,
        ply: Ply,
        alpha: &mut Score,
        beta: &mut Score,
    ) -> Option<Score> {
        if self.must_stop() {
            return Some(Score::ZERO);
        }
        self.seldepth = self.seldepth.max(ply);
        if K::ROOT {
            return None;
        }
        if self.is_draw(board, ply) {
            return Some(Score::DRAW);
        }
        if ply >= MAX_PLY {
            return Some(self.leaf(board));
        }
        *alpha = self.raise_to_draw(board, ply, *alpha);
        if self.has(Techniques::MATE_DISTANCE_PRUNING) {
            *alpha = (*alpha).max(Score::mated_in(ply));
            *beta = (*beta).min(Score::mate_in(ply + 1));
        }
        (*alpha >= *beta).then_some(*alpha)
    }

    /// The evaluation of a node that cannot be searched any further; a draw in check.
    #[inline]
    pub(crate) fn leaf(&mut self, board: &Board) -> Score {
        if board.in_check() {
            Score::DRAW
        } else {
            self.evaluator.evaluate(board)
        }
    }

    /// Begins a node: probes the hash table, and prepares the frames of the node, its child and its
    /// grandchild.
    #[inline]
    fn look_up<K: Kind>(
        &mut self,
        board: &Board,
        ply: Ply,
        alpha: Score,
        beta: Score,
        depth: Depth,
        expect: Expect,
    ) -> Node {
        let key = table_key(board, self.set);
        let entry = self.probe(board, key, ply);
        let hash_move = if K::ROOT {
            self.memory.root.head()
        } else {
            entry.and_then(|entry| entry.mv)
        };
        let in_check = board.in_check();
        let frame = self.memory.stack.at_mut(ply);
        if frame.excluded.is_none() {
            frame.on_pv = K::PV || entry.is_some_and(|entry| entry.was_pv);
        }
        frame.in_check = in_check;
        let excluded = frame.excluded;
        // Each node's grandchildren begin with no killers and no fail-highs counted.
        let grandchild = self.memory.stack.at_mut(ply + 2);
        grandchild.cutoffs = 0;
        grandchild.killers = [None; 2];
        self.memory.stack.at_mut(ply + 1).excluded = None;
        Node {
            ply,
            depth,
            alpha,
            beta,
            expect,
            in_check,
            excluded,
            least: -Score::INFINITE,
            greatest: Score::INFINITE,
            key,
            entry,
            hash_move,
            raw_eval: None,
            static_eval: Score::ZERO,
            eval: Score::ZERO,
            correction_size: 0,
            improving: false,
            hash_move_is_tactical: hash_move.is_some_and(|mv| is_tactical(board, mv)),
        }
    }

    /// Returns the hash score if it is deep enough, its bound decides and the window is a null
    /// window.
    #[inline]
    fn hash_cutoff<K: Kind>(&mut self, board: &Board, node: &Node) -> Option<Score> {
        let entry = node.entry?;
        if K::PV
            || node.excluded.is_some()
            || entry.depth < node.depth
            || !self.settles(board, &entry, node.beta)
        {
            return None;
        }
        // A fail-high of the table rewards a quiet hash move and punishes the previous move, as in
        // a search.
        if entry.score >= node.beta {
            if let Some(mv) = node.hash_move
                && !node.hash_move_is_tactical
            {
                let (_, context) = self.threats_and_context(board, node.ply);
                let bonus = bonus(node.depth);
                self.memory
                    .histories
                    .update_quiet(self.set, board, mv, &context, bonus);
            }
            self.punish_previous_move(node);
        }
        Some(entry.score)
    }

    /// Returns the score of the endgame tables if it decides the node.
    #[inline]
    fn tablebase_cutoff<K: Kind>(&mut self, board: &Board, node: &mut Node) -> Option<Score> {
        if K::ROOT || node.excluded.is_some() {
            return None;
        }
        let (score, bound) = self.probe_tablebases(board, node.ply, node.depth)?;
        self.take_outcome::<K>(node, score, bound)
    }

    /// Returns the score of the endgame tables if it settles the node, and else, with an open window, bounds the
    /// node by it.
    #[inline]
    pub(crate) fn take_outcome<K: Kind>(
        &mut self,
        node: &mut Node,
        score: Score,
        bound: Bound,
    ) -> Option<Score> {
        let settles = match bound {
            Bound::Exact => true,
            Bound::Lower => score >= node.beta,
            Bound::Upper => score <= node.alpha,
        };
        if settles {
            self.store(
                node.key,
                node.ply,
                None,
                score,
                None,
                node.depth + params::tb_depth_bonus(),
                Some(bound),
            );
            return Some(score);
        }
        if K::PV && bound == Bound::Lower {
            node.least = score;
            node.alpha = node.alpha.max(score);
        } else if K::PV {
            node.greatest = score;
        }
        None
    }

    /// Sets the static evaluation of the node, and `eval`, which is the evaluation tightened by the hash score.
    #[inline]
    pub(crate) fn evaluate_node(&mut self, board: &Board, node: &mut Node) {
        let ply = node.ply;
        if node.in_check {
            // In check, keep the evaluation of two plies before for later comparisons. Near the root, where there
            // is none, evaluate this position.
            let carried = if ply >= 2 {
                self.memory.stack.before(ply, 2).static_eval
            } else {
                self.evaluator.evaluate(board)
            };
            self.memory.stack.at_mut(ply).static_eval = carried;
            node.static_eval = carried;
            node.eval = carried;
            return;
        }
        let raw = match node.entry.and_then(|entry| entry.eval) {
            Some(eval) => eval,
            None => self.evaluator.evaluate(board),
        };
        let correction = self.correction(board, ply);
        node.raw_eval = Some(raw);
        node.correction_size = correction.abs();
        node.static_eval = self.static_score(board, raw, correction);
        node.eval = node.static_eval;
        if node.excluded.is_none() {
            self.memory.stack.at_mut(ply).static_eval = node.static_eval;
            if node.entry.is_none() {
                // Keep the evaluation in the table even if the node is cut off.
                self.store(node.key, ply, None, Score::ZERO, Some(raw), 0, None);
            }
            node.eval = self.better_eval(node.entry.as_ref(), node.static_eval);
        }
        self.credit_evaluation_change(node);
        node.improving = self.has(Techniques::IMPROVING)
            && ply >= 2
            && node.static_eval > self.memory.stack.before(ply, 2).static_eval;
    }

    /// Returns the hash score if its bound tightens the static evaluation, else the static
    /// evaluation.
    #[inline]
    pub(crate) fn better_eval(&self, entry: Option<&Entry>, eval: Score) -> Score {
        if let Some(entry) = entry
            && self.has(Techniques::HASH_EVAL)
            && !entry.score.is_decisive()
            && entry.bound.is_some_and(|bound| {
                if entry.score > eval {
                    bound.is_lower()
                } else {
                    bound.is_upper()
                }
            })
        {
            return entry.score;
        }
        eval
    }

    /// Adjusts the depth by the parent's reduction and for a missing hash move.
    #[inline]
    pub(crate) fn adjust_depth<K: Kind>(&mut self, node: &mut Node) {
        if K::ROOT || node.excluded.is_some() {
            return;
        }
        let ply = node.ply;
        // Not in the upper plies of a search that verifies a null move. Its root has been adjusted
        // already.
        let is_verified = self.null_from > ply;
        if self.has(Techniques::HINDSIGHT) && !node.in_check && !is_verified {
            let parent = self.memory.stack.before(ply, 1);
            if !parent.in_check {
                let sum = node.static_eval.raw() + parent.static_eval.raw();
                if parent.reduction >= params::hindsight_reduction() && sum < 0 {
                    // The reduced move turned out well for its side: search it deeper.
                    node.depth += 1;
                } else if parent.reduction >= 1
                    && node.depth >= 2
                    && sum > params::hindsight_margin()
                {
                    node.depth -= 1;
                }
            }
        }
        if self.has(Techniques::INTERNAL_REDUCTION)
            && node.depth >= params::iir_depth()
            && (K::PV || node.expect.is_cut())
            && node.hash_move.is_none()
        {
            node.depth -= 1;
        }
    }

    /// Stores the result of the move loop, updates the corrections, and returns the node's score.
    #[inline]
    pub(crate) fn conclude(&mut self, board: &Board, node: &Node, found: Found) -> Score {
        if found.moves == 0 {
            // No legal move: in a singular search the excluded move is the only one, otherwise the game is over.
            return match node.excluded {
                Some(_) => node.alpha,
                None if node.in_check => Score::mated_in(node.ply),
                None => Score::DRAW,
            };
        }
        let best = found.best;
        let ply = node.ply;
        if node.excluded.is_some() || ply == 0 && self.leaves_out_root_moves() {
            return best;
        }
        if found.bound == Bound::Upper {
            // A node that is deep enough and failed low also counts as on the principal variation if its parent does.
            let parent_on_pv = ply > 0 && self.memory.stack.before(ply, 1).on_pv;
            let frame = self.memory.stack.at_mut(ply);
            frame.on_pv |= parent_on_pv && node.depth >= params::stay_on_pv_depth();
        }
        self.store(
            node.key,
            ply,
            found.best_move,
            best,
            node.raw_eval,
            node.depth,
            Some(found.bound),
        );
        // A multi-cut has no best move, and its score comes from a shallower search.
        if found.best_move.is_some() || found.bound != Bound::Lower {
            self.learn_correction(board, node, &found);
        }
        best
    }

    /// The threats against the side to move and the indices of its moves in the histories.
    #[inline]
    pub(crate) fn threats_and_context(&self, board: &Board, ply: Ply) -> (Threats, MoveContext) {
        let threats = attacked_by(board, !board.turn());
        (threats, self.move_context(ply, threats.all))
    }
}
