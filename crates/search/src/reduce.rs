//! Late-move reductions: how much less deep a move is searched, by its place in the order and by
//! the state of the node and the move.

use skewer_eval::Evaluator;
use skewer_types::{Depth, TechniqueSet, Techniques};

use crate::params;
use crate::search::{Kind, Search};
use crate::state::{Candidate, Node};

/// The depths of a late move's searches.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReducedDepths {
    /// The depth without reduction.
    pub(crate) full: Depth,
    /// The depth with reduction; at least 1 and at most `full`.
    pub(crate) reduced: Depth,
}

/// The reduction by depth and place alone, in 1024ths of a ply. It grows with the logarithms
/// of both, as the chance that a late move is best falls.
#[inline]
pub(crate) fn reduction(depth: Depth, candidate: &Candidate) -> i32 {
    let product = params::ln(depth) * params::ln(candidate.number as i32) / 1024;
    let (base, divisor) = if candidate.tactical {
        (params::lmr_capture_base(), params::lmr_capture_divisor())
    } else {
        (params::lmr_base(), params::lmr_divisor())
    };
    base + product * 100 / divisor
}

impl<E: Evaluator, T: TechniqueSet> Search<'_, E, T> {
    /// Returns whether a move is reduced.
    #[inline]
    pub(crate) fn is_late<K: Kind>(&self, node: &Node, candidate: &Candidate) -> bool {
        self.has(Techniques::LATE_MOVE_REDUCTIONS)
            && node.depth >= params::lmr_depth()
            && candidate.number > 1 + u32::from(K::PV) + u32::from(K::ROOT)
            && (!candidate.tactical || self.has(Techniques::CAPTURE_REDUCTIONS))
    }

    /// The depths of a late move's searches, with all adjustments.
    #[inline]
    pub(crate) fn reduced_depths<K: Kind>(
        &self,
        node: &Node,
        candidate: &Candidate,
        full: Depth,
    ) -> ReducedDepths {
        let mut r = reduction(node.depth, candidate);
        if self.has(Techniques::REDUCTION_ADJUSTERS) {
            r += self.adjustment::<K>(node, candidate);
        }
        let reduced = (full - r / 1024).clamp(1.min(full), full.max(1));
        ReducedDepths { full, reduced }
    }

    /// The adjustment of the reduction by node and move, in 1024ths of a ply.
    #[inline]
    fn adjustment<K: Kind>(&self, node: &Node, candidate: &Candidate) -> i32 {
        let stack = &self.memory.stack;
        let mut r = 0;
        if K::PV {
            r -= params::lmr_pv();
        }
        if stack.at(node.ply).on_pv {
            r -= params::lmr_tt_pv();
        }
        if node.expect.is_cut() {
            r += params::lmr_cut();
        }
        if !node.improving {
            r += params::lmr_not_improving();
        }
        if candidate.gives_check {
            r -= params::lmr_check();
        }
        if candidate.refutation {
            r -= params::lmr_refutation();
        }
        if node.hash_move_is_tactical && !candidate.tactical {
            r += params::lmr_tt_capture();
        }
        if i32::from(stack.at(node.ply + 1).cutoffs) > params::cutoffs_many() {
            r += params::lmr_cutoffs();
        }
        if node
            .entry
            .is_some_and(|entry| entry.bound.is_some() && entry.score > node.alpha)
        {
            r -= params::lmr_tt_above();
        }
        r -= node.correction_size * params::lmr_complexity();
        let per_unit = if candidate.tactical {
            params::lmr_capture_history()
        } else {
            params::lmr_history()
        };
        r - candidate.history / per_unit
    }
}
