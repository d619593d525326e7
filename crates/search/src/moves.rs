//! The move loop of a node.

use skewer_eval::Evaluator;
use skewer_movegen::{Board, Move};
use skewer_ordering::{Checks, Guide, MoveContext, MovePicker, Threats, is_tactical};
use skewer_types::{Bound, Depth, Score, TechniqueSet, Techniques};

use crate::extend::Extension;
use crate::search::{Kind, Search};
use crate::state::{Candidate, Found, Node, Tried, own_pieces};

impl<E: Evaluator, T: TechniqueSet> Search<'_, E, T> {
    /// Searches the moves of a node until one fails high.
    pub(crate) fn search_moves<K: Kind>(
        &mut self,
        board: &Board,
        node: &mut Node,
        threats: &Threats,
        context: &MoveContext,
    ) -> Found {
        let ply = node.ply;
        let mut found = Found {
            best: node.least,
            best_move: None,
            bound: Bound::Upper,
            moves: 0,
        };
        let mut tried = Tried::default();
        let alpha = node.alpha;
        let mut picker = self.picker(node, context);
        let checks = Checks::new(board);
        self.memory.stack.at_mut(ply).attacked = threats.all;

        while let Some(mv) = self.next_move(&mut picker, board, threats, context, &checks) {
            let root_index = if K::ROOT {
                self.memory.root.find(mv)
            } else {
                None
            };
            if Some(mv) == node.excluded || (K::ROOT && root_index.is_none()) {
                continue;
            }
            found.moves += 1;
            self.prefetch_after(board, mv);
            if K::ROOT
                && let Some(counters) = self.counters()
            {
                counters.set_current_move(mv, found.moves);
            }
            let candidate = self.candidate(board, node, context, &checks, mv, found.moves);
            if !K::ROOT
                && !found.best.is_loss()
                && own_pieces(board).any()
                && self.skip_move(
                    board,
                    node,
                    threats.all,
                    &candidate,
                    &mut picker,
                    &mut found.best,
                )
            {
                continue;
            }
            let extension = match self.extension::<K>(board, node, &candidate) {
                Extension::Plies(plies) => plies,
                Extension::Cut(score) => {
                    found.best = score;
                    found.bound = Bound::Lower;
                    return found;
                }
            };
            if self.aborted {
                return found;
            }

            let nodes_before = self.nodes;
            let after = self.play(board, mv, ply);
            self.memory.stack.at_mut(ply).number = candidate.number;
            let score = self.search_move::<K>(&after, node, &candidate, extension, found.best);
            self.undo();
            if self.aborted {
                return found;
            }
            if let Some(index) = root_index {
                self.note_root_move(index, node, &candidate, score, nodes_before);
            }

            if score > found.best {
                found.best = score;
                if score > node.alpha {
                    found.best_move = Some(mv);
                    if K::PV {
                        self.update_line(ply, mv);
                    }
                    if score >= node.beta {
                        found.bound = Bound::Lower;
                        self.memory.stack.at_mut(ply).cutoffs += 1;
                        break;
                    }
                    found.bound = Bound::Exact;
                    node.alpha = score;
                }
            }
            if Some(mv) != found.best_move {
                let list = if candidate.tactical {
                    &mut tried.captures
                } else {
                    &mut tried.quiets
                };
                let _ = list.try_push(mv);
            }
        }

        if let Some(best) = found.best_move {
            // The evaluation foresees a cut-off if it is above the alpha that the node began with.
            let surprise = !node.in_check && node.static_eval <= alpha;
            self.learn_moves(board, node, surprise, context, best, &tried);
        } else if found.moves > 0 {
            self.reward_previous_move(node, found.best);
        }
        self.settle(node, found)
    }

    /// The result of the move loop: a fail-high score is averaged with beta, and no score exceeds the upper bound
    /// that the endgame tables give the node.
    #[inline]
    fn settle(&self, node: &Node, mut found: Found) -> Found {
        if found.bound == Bound::Lower {
            found.best = self.blend(found.best, node.beta, node.depth);
        }
        found.best = found.best.min(node.greatest);
        found
    }

    /// Averages a fail-high score with beta, because how far it exceeds beta is unreliable. The deeper the search,
    /// the more the score counts.
    #[inline]
    pub(crate) fn blend(&self, score: Score, beta: Score, depth: Depth) -> Score {
        if !self.has(Techniques::FAIL_HIGH_BLEND) || score.is_decisive() || beta.is_decisive() {
            return score;
        }
        let depth = depth.max(1);
        Score::from_raw((score.raw() * depth + beta.raw()) / (depth + 1))
    }

    #[inline]
    fn picker(&self, node: &Node, context: &MoveContext) -> MovePicker {
        let killers = if self.has(Techniques::KILLERS) {
            self.memory.stack.at(node.ply).killers
        } else {
            [None; 2]
        };
        let counter = self.memory.histories.counter(self.set, context);
        MovePicker::new(node.hash_move, killers, counter)
    }

    #[inline]
    fn next_move(
        &self,
        picker: &mut MovePicker,
        board: &Board,
        threats: &Threats,
        context: &MoveContext,
        checks: &Checks,
    ) -> Option<Move> {
        let guide = Guide {
            histories: &self.memory.histories,
            context,
            threats,
            checks: Some(checks),
        };
        picker.next(self.set, board, guide, |piece, mv| {
            i32::from(self.evaluator.quiet_delta(board, piece, mv))
        })
    }

    /// Collects what reductions and pruning need of a move.
    #[inline]
    pub(crate) fn candidate(
        &self,
        board: &Board,
        node: &Node,
        context: &MoveContext,
        checks: &Checks,
        mv: Move,
        number: u32,
    ) -> Candidate {
        let tactical = is_tactical(board, mv);
        let histories = &self.memory.histories;
        Candidate {
            mv,
            number,
            tactical,
            gives_check: checks.given_by(board, mv),
            refutation: number > 1
                && !tactical
                && (self.has(Techniques::KILLERS)
                    && self.memory.stack.at(node.ply).killers.contains(&Some(mv))
                    || histories.counter(self.set, context) == Some(mv)),
            history: if number == 1 {
                0
            } else if tactical {
                histories.capture(self.set, board, mv, context)
            } else {
                histories.quiet_sum(self.set, board, mv, context)
            },
        }
    }

    /// Records the result of the root move at `index`.
    fn note_root_move(
        &mut self,
        index: usize,
        node: &Node,
        candidate: &Candidate,
        score: Score,
        nodes_before: u64,
    ) {
        let nodes = self.nodes - nodes_before;
        let seldepth = self.seldepth;
        let memory = &mut *self.memory;
        let root = &mut memory.root.moves[index];
        root.nodes += nodes;
        root.was_searched = true;
        if candidate.number == 1 || score > node.alpha {
            root.score = score;
            root.seldepth = seldepth;
            root.pv.clear();
            root.pv.push(candidate.mv);
            root.pv.extend_from_slice(&memory.lines[1]);
        } else {
            // The score is only an upper bound.
            root.score = -Score::INFINITE;
        }
    }
}
