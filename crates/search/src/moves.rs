//! The move loop of a node: which moves are looked at, how deep, and what is remembered of them.

use arrayvec::ArrayVec;
use skewer_eval::Evaluator;
use skewer_movegen::{Board, Move};
use skewer_ordering::{Guide, MoveContext, MovePicker, Threats, see};
use skewer_types::{Bound, Depth, Score, TechniqueSet, Techniques};

use crate::node::{Found, Node, bonus, malus};
use crate::params;
use crate::reduce::{Late, reduction};
use crate::search::{Expect, Kind, NonPv, Pv, Search};

/// Most moves of either sort that are remembered in order to be blamed.
const TRIED: usize = 32;

/// A move about to be searched.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) mv: Move,
    /// Its place in the order, from 1.
    pub(crate) number: u32,
    /// A capture or a promotion.
    pub(crate) tactical: bool,
    pub(crate) gives_check: bool,
    /// A killer or the counter-move.
    pub(crate) refutation: bool,
    /// What the histories think of it.
    pub(crate) history: i32,
}

/// What a look at the hash move alone has shown.
enum Singular {
    /// The move is searched this much deeper (or less deep).
    Extend(Depth),
    /// The node is settled: other moves beat beta too.
    Cut(Score),
}

/// The moves of a node that were searched and did not fail high.
#[derive(Default)]
struct Tried {
    quiets: ArrayVec<Move, TRIED>,
    captures: ArrayVec<Move, TRIED>,
}

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
            best: -Score::INFINITE,
            best_move: None,
            bound: Bound::Upper,
            moves: 0,
        };
        let mut tried = Tried::default();
        let mut picker = self.picker(node, context);

        while let Some(mv) = self.next_move(&mut picker, board, threats, context) {
            if Some(mv) == node.excluded || (K::ROOT && self.memory.root.find(mv).is_none()) {
                continue;
            }
            found.moves += 1;
            if K::ROOT
                && let Some(counters) = self.counters()
            {
                counters.set_current_move(mv, found.moves);
            }
            let candidate = self.candidate(board, node, context, mv, found.moves);
            if !K::ROOT
                && !found.best.is_loss()
                && Self::has_pieces(board)
                && self.skip_move(board, node, &candidate, &mut picker, &mut found.best)
            {
                continue;
            }
            let extension = match self.extension::<K>(board, node, &candidate) {
                Singular::Extend(plies) => plies,
                Singular::Cut(score) => {
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
            let score = self.search_move::<K>(&after, node, &candidate, extension, found.best);
            self.undo();
            if self.aborted {
                return found;
            }
            if K::ROOT {
                self.note_root_move(node, &candidate, score, nodes_before);
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
            self.learn_moves(board, node, context, best, &tried);
        } else if found.moves > 0 {
            self.reward_refused(node);
        }
        // A cut-off is as good as beta at least; how much better is a guess not to be relied on.
        if found.bound == Bound::Lower && !found.best.is_decisive() && !node.beta.is_decisive() {
            let depth = node.depth.max(1);
            found.best =
                Score::from_raw((found.best.raw() * depth + node.beta.raw()) / (depth + 1));
        }
        found
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
    ) -> Option<Move> {
        let guide = Guide {
            histories: &self.memory.histories,
            context,
            threats,
        };
        picker.next(self.set, board, guide, |mv| {
            i32::from(self.evaluator.quiet_delta(board, mv))
        })
    }

    /// What reductions and pruning want to know of a move.
    #[inline]
    fn candidate(
        &self,
        board: &Board,
        node: &Node,
        context: &MoveContext,
        mv: Move,
        number: u32,
    ) -> Candidate {
        let tactical = board.is_capture(mv) || mv.is_promotion();
        let histories = &self.memory.histories;
        Candidate {
            mv,
            number,
            tactical,
            gives_check: board.gives_check(mv),
            refutation: !tactical
                && (self.memory.stack.at(node.ply).killers.contains(&Some(mv))
                    || histories.counter(self.set, context) == Some(mv)),
            history: if tactical {
                histories.capture(self.set, board, mv, context)
            } else {
                histories.quiet_sum(self.set, board, mv, context)
            },
        }
    }

    /// Whether a move is not worth a search: too late in the order, too far below alpha, with too
    /// bad a history, or losing too much material.
    #[inline]
    fn skip_move(
        &self,
        board: &Board,
        node: &Node,
        candidate: &Candidate,
        picker: &mut MovePicker,
        best: &mut Score,
    ) -> bool {
        let depth = node.depth;
        let mv = candidate.mv;
        if self.has(Techniques::LATE_MOVE_PRUNING)
            && depth <= params::lmp_depth()
            && candidate.number as i32
                >= (params::lmp_base() + depth * depth) / (2 - i32::from(node.improving))
        {
            picker.skip_quiets();
        }
        let reduced = (depth - reduction(node.depth, candidate) / 1024).max(0);

        if candidate.tactical || candidate.gives_check {
            let allowed =
                params::see_capture_slope() * depth + candidate.history / params::see_history();
            return self.has(Techniques::SEE_PRUNING)
                && depth <= params::see_depth()
                && !see::at_least(board, mv, -allowed.max(0));
        }
        if self.has(Techniques::HISTORY_PRUNING)
            && reduced <= params::history_depth()
            && candidate.history < -params::history_slope() * depth
        {
            return true;
        }
        let reduced = (reduced + candidate.history / (1024 * params::lmr_history())).max(0);
        // Parent futility (Heinz, 1998; seed 000): a quiet move cannot make up the distance.
        let hope = node.static_eval
            + params::futility_base()
            + params::futility_slope() * reduced
            + candidate.history / params::futility_history();
        if self.has(Techniques::PARENT_FUTILITY)
            && !node.in_check
            && reduced <= params::futility_depth()
            && !node.alpha.is_decisive()
            && hope <= node.alpha
        {
            if *best <= hope && !best.is_decisive() {
                *best = hope;
            }
            picker.skip_quiets();
            return true;
        }
        self.has(Techniques::SEE_PRUNING)
            && reduced <= params::see_depth()
            && !see::at_least(board, mv, -params::see_quiet_slope() * reduced * reduced)
    }

    /// How much deeper (or less deep) than the others a move is searched.
    ///
    /// The hash move is singular (Anantharaman, Campbell and Hsu, 1988) when a search of half the
    /// depth without it stays well below its score.
    #[inline]
    fn extension<K: Kind>(
        &mut self,
        board: &Board,
        node: &Node,
        candidate: &Candidate,
    ) -> Singular {
        let ply = node.ply;
        if K::ROOT || ply as i32 >= params::extension_limit() * self.root_depth.max(4) {
            return Singular::Extend(0);
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
            && see::at_least(board, candidate.mv, 0);
        Singular::Extend(i32::from(checks))
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
    ) -> Singular {
        let ply = node.ply;
        let bar = hash_score - node.depth * params::singular_margin() / 16;
        let depth = (node.depth - 1) / 2;
        self.memory.stack.at_mut(ply).excluded = Some(candidate.mv);
        let score = self.node::<NonPv>(board, ply, bar - 1, bar, depth, node.expect);
        self.memory.stack.at_mut(ply).excluded = None;
        if self.aborted {
            return Singular::Extend(0);
        }
        if score < bar {
            let double = i32::from(
                !K::PV
                    && self.has(Techniques::DOUBLE_EXTENSIONS)
                    && score < bar - params::singular_double(),
            );
            let triple = i32::from(
                double == 1 && !candidate.tactical && score < bar - params::singular_triple(),
            );
            return Singular::Extend(1 + double + triple);
        }
        if self.has(Techniques::MULTI_CUT) && !K::PV && score >= node.beta && !score.is_decisive() {
            // Even without the hash move something beats beta.
            return Singular::Cut(score);
        }
        if !self.has(Techniques::NEGATIVE_EXTENSIONS) {
            return Singular::Extend(0);
        }
        if hash_score >= node.beta {
            Singular::Extend(-2 - i32::from(!K::PV))
        } else if node.expect.is_cut() {
            Singular::Extend(-2)
        } else {
            Singular::Extend(0)
        }
    }

    /// The score of a move that has been played: a null window for all but the first, reduced for
    /// late ones, and the open window for what comes into it (principal variation search,
    /// Marsland and Campbell, 1982; Reinefeld, 1983; seed 004).
    #[inline]
    fn search_move<K: Kind>(
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
            let late = self.late::<K>(node, candidate, full);
            score = self.search_late(after, node, candidate, late, best);
        } else if !first || !K::PV {
            if K::PV && !null_window {
                self.memory.lines[ply + 1].clear();
                return -self.node::<Pv>(after, ply + 1, -beta, -alpha, full, Expect::All);
            }
            let expect = if first {
                node.expect.other()
            } else if K::PV {
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
        late: Late,
        best: Score,
    ) -> Score {
        let ply = node.ply;
        let alpha = node.alpha;
        let mut full = late.full;
        self.memory.stack.at_mut(ply).reduction = full - late.reduced;
        let mut score = -self.node::<NonPv>(
            after,
            ply + 1,
            -alpha - 1,
            -alpha,
            late.reduced,
            Expect::Cut,
        );
        self.memory.stack.at_mut(ply).reduction = 0;
        if self.aborted || score <= alpha || late.reduced >= full {
            return score;
        }
        if self.has(Techniques::RESEARCH_DEPTH) {
            let deeper = score > best + params::deeper_margin() + params::deeper_slope() * full;
            let shallower = score < best + params::shallower_margin();
            full += i32::from(deeper) - i32::from(shallower);
        }
        if late.reduced < full {
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
            // The move just proved itself, or did not, after the moves before it.
            let amount = if score > alpha {
                bonus(full)
            } else {
                -malus(full)
            };
            let now = self.memory.stack.at(ply).continuation;
            let context = self.move_context(ply, skewer_movegen::Bitboard::EMPTY);
            self.memory
                .histories
                .update_continuation_of(now, &context, amount);
        }
        score
    }

    /// Teaches the histories which move was best, and which were tried in vain before it.
    #[inline]
    fn learn_moves(
        &mut self,
        board: &Board,
        node: &Node,
        context: &MoveContext,
        best: Move,
        tried: &Tried,
    ) {
        let (bonus, malus) = (bonus(node.depth), -malus(node.depth));
        let histories = &mut self.memory.histories;
        if board.is_capture(best) || best.is_promotion() {
            histories.update_capture(board, best, context, bonus);
        } else {
            // One quiet move at low depth needs no more than the hash table to be remembered.
            histories.update_quiet(self.set, board, best, context, bonus);
            for &mv in &tried.quiets {
                histories.update_quiet(self.set, board, mv, context, malus);
            }
            histories.set_counter(context, best);
            let killers = &mut self.memory.stack.at_mut(node.ply).killers;
            if killers[0] != Some(best) {
                *killers = [Some(best), killers[0]];
            }
        }
        let histories = &mut self.memory.histories;
        for &mv in &tried.captures {
            histories.update_capture(board, mv, context, malus);
        }
    }

    /// Nothing here was good enough: the move before this node was a good one.
    #[inline]
    fn reward_refused(&mut self, node: &Node) {
        if node.ply == 0 || node.excluded.is_some() {
            return;
        }
        let parent = node.ply - 1;
        let before = *self.memory.stack.at(parent);
        if before.mv.is_none() {
            return;
        }
        let context = self.move_context(parent, skewer_movegen::Bitboard::EMPTY);
        self.memory.histories.update_continuation_of(
            before.continuation,
            &context,
            bonus(node.depth) / 2,
        );
    }

    /// Keeps what was found about a root move.
    fn note_root_move(
        &mut self,
        node: &Node,
        candidate: &Candidate,
        score: Score,
        nodes_before: u64,
    ) {
        let nodes = self.nodes - nodes_before;
        let seldepth = self.seldepth;
        let memory = &mut *self.memory;
        let Some(index) = memory.root.find(candidate.mv) else {
            return;
        };
        let root = &mut memory.root.moves[index];
        root.nodes += nodes;
        if candidate.number == 1 || score > node.alpha {
            root.score = score;
            root.seldepth = seldepth;
            root.pv.clear();
            root.pv.push(candidate.mv);
            let room = root.pv.remaining_capacity();
            root.pv.extend(memory.lines[1].iter().copied().take(room));
        } else {
            // All that is known is that it is no better.
            root.score = -Score::INFINITE;
        }
    }
}
