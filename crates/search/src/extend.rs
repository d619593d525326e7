//! Extensions: how much deeper, or less deep, than the others a move is searched.

use skewer_eval::Evaluator;
use skewer_movegen::Board;
use skewer_ordering::see;
use skewer_types::{Bound, Depth, Score, TechniqueSet, Techniques};

use crate::params;
use crate::search::{Kind, NonPv, Search};
use crate::state::{Candidate, Node};

/// What is decided about a move before it is searched.
pub(crate) enum Extension {
    /// The move is searched this much deeper (or less deep).
    Plies(Depth),
    /// The node is settled: other moves beat beta too.
    Cut(Score),
}

impl<E: Evaluator, T: TechniqueSet> Search<'_, E, T> {
    /// How much deeper (or less deep) than the others a move is searched.
    ///
    /// The hash move is singular (Anantharaman, Campbell and Hsu, 1988) when a search of half the depth
    /// without the hash move stays well below the hash score.
    #[inline]
    pub(crate) fn extension<K: Kind>(
        &mut self,
        board: &Board,
        node: &Node,
        candidate: &Candidate,
    ) -> Extension {
        let ply = node.ply;
        if K::ROOT
            || ply as i32
                >= params::extension_limit() * self.root_depth.max(params::extension_floor())
        {
            return Extension::Plies(0);
        }
        if Some(candidate.mv) == node.hash_move
            && node.excluded.is_none()
            && self.has(Techniques::SINGULAR_EXTENSIONS)
            && node.depth >= params::singular_depth() + i32::from(self.on_pv(ply))
            && let Some(entry) = node.entry
            && entry.bound.is_some_and(Bound::is_lower)
            && entry.depth >= node.depth - params::singular_tt_depth()
            && !entry.score.is_decisive()
        {
            return self.singular::<K>(board, node, candidate, entry.score);
        }
        let checks = candidate.gives_check
            && self.has(Techniques::CHECK_EXTENSION)
            && node.depth <= params::check_depth()
            && candidate.number as i32 <= params::check_moves()
            && see::at_least_given(board, candidate.mv, 0, self.memory.stack.at(ply).attacked);
        Extension::Plies(i32::from(checks))
    }

    #[inline]
    fn on_pv(&self, ply: usize) -> bool {
        self.memory.stack.at(ply).on_pv
    }

    fn singular<K: Kind>(
        &mut self,
        board: &Board,
        node: &Node,
        candidate: &Candidate,
        hash_score: Score,
    ) -> Extension {
        let ply = node.ply;
        let bar = hash_score - node.depth * params::singular_margin() / 16;
        let depth = (node.depth - 1) / params::singular_divisor();
        self.memory.stack.at_mut(ply).excluded = Some(candidate.mv);
        let score = self.node::<NonPv>(board, ply, bar - 1, bar, depth, node.expect);
        self.memory.stack.at_mut(ply).excluded = None;
        if self.aborted {
            return Extension::Plies(0);
        }
        if score < bar {
            let surplus =
                params::singular_double() + i32::from(K::PV) * params::singular_double_pv();
            let double =
                i32::from(self.has(Techniques::DOUBLE_EXTENSIONS) && score < bar - surplus);
            let triple = i32::from(
                double == 1
                    && self.has(Techniques::TRIPLE_EXTENSIONS)
                    && !candidate.tactical
                    && score < bar - params::singular_triple(),
            );
            return Extension::Plies(1 + double + triple);
        }
        if self.has(Techniques::MULTI_CUT) && !K::PV && score >= node.beta && !score.is_decisive() {
            // Another move than the hash move beats beta too.
            return Extension::Cut(score);
        }
        if !self.has(Techniques::NEGATIVE_EXTENSIONS) {
            return Extension::Plies(0);
        }
        if hash_score >= node.beta {
            Extension::Plies(-params::negative_extension() - i32::from(!K::PV))
        } else if node.expect.is_cut() {
            Extension::Plies(-params::negative_extension())
        } else {
            Extension::Plies(0)
        }
    }
}
