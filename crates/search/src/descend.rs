//! The windows and depths that a move is searched with, after it has been played.

use skewer_eval::Evaluator;
use skewer_movegen::{Bitboard, Board};
use skewer_types::{Depth, Score, TechniqueSet, Techniques};

use crate::learn::{bonus, malus};
use crate::params;
use crate::reduce::ReducedDepths;
use crate::search::{Expect, Kind, NonPv, Pv, Search};
use crate::state::{Candidate, Node};

impl<E: Evaluator, T: TechniqueSet> Search<'_, E, T> {
    /// Returns the score of a move that has been played. The first move is searched with the open window, all
    /// others with a null window, at a reduced depth if they come late. A move whose score lies in the open
    /// window is searched again with it (principal variation search, Marsland and Campbell, 1982; Reinefeld,
    /// 1983).
    #[inline]
    pub(crate) fn search_move<K: Kind>(
        &mut self,
        after: &Board,
        node: &Node,
        candidate: &Candidate,
        extension: Depth,
        best: Score,
    ) -> Score {
        let ply = node.ply;
        let (alpha, beta) = (node.alpha, node.beta);
        let full = node.depth - 1 + extension;
        let first = candidate.number == 1;
        self.memory.stack.at_mut(ply).reduction = 0;
        let null_window = self.has(Techniques::PRINCIPAL_VARIATION_SEARCH);
        let mut score = alpha;

        if self.is_late::<K>(node, candidate) {
            let depths = self.reduced_depths::<K>(node, candidate, full);
            score = self.search_late(after, node, candidate, depths, best);
        } else if !first || !K::PV {
            if K::PV && !null_window {
                self.memory.lines[ply + 1].clear();
                return -self.node::<Pv>(after, ply + 1, -beta, -alpha, full, Expect::All);
            }
            let expect = if K::PV {
                Expect::Cut
            } else {
                node.expect.other()
            };
            score = -self.node::<NonPv>(after, ply + 1, -alpha - 1, -alpha, full, expect);
        }
        if K::PV && !self.aborted && (first || score > alpha) {
            self.memory.lines[ply + 1].clear();
            score = -self.node::<Pv>(after, ply + 1, -beta, -alpha, full, Expect::All);
        }
        score
    }

    /// Searches a late move less deeply, and again if it does better than expected.
    #[inline]
    fn search_late(
        &mut self,
        after: &Board,
        node: &Node,
        candidate: &Candidate,
        depths: ReducedDepths,
        best: Score,
    ) -> Score {
        let ply = node.ply;
        let alpha = node.alpha;
        let mut full = depths.full;
        self.memory.stack.at_mut(ply).reduction = full - depths.reduced;
        let mut score = -self.node::<NonPv>(
            after,
            ply + 1,
            -alpha - 1,
            -alpha,
            depths.reduced,
            Expect::Cut,
        );
        self.memory.stack.at_mut(ply).reduction = 0;
        if self.aborted || score <= alpha || depths.reduced >= full {
            return score;
        }
        if self.has(Techniques::RESEARCH_DEPTH) {
            let deeper = score > best + params::deeper_margin() + params::deeper_slope() * full;
            let shallower = score < best + params::shallower_margin();
            full += i32::from(deeper) - i32::from(shallower);
        }
        if depths.reduced < full {
            score = -self.node::<NonPv>(
                after,
                ply + 1,
                -alpha - 1,
                -alpha,
                full,
                node.expect.other(),
            );
        }
        if !candidate.tactical && !self.aborted {
            // The re-search shows whether the move is good after the moves that led here.
            let amount = if score > alpha {
                bonus(full)
            } else {
                -malus(full)
            };
            let now = self.memory.stack.at(ply).continuation;
            let context = self.move_context(ply, Bitboard::EMPTY);
            self.memory
                .histories
                .update_continuation(now, &context, amount);
        }
        score
    }
}
