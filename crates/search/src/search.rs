//! The state of one running search, and what every part of it needs: making moves, and watching for
//! the end.

use std::sync::Arc;

use skewer_eval::Evaluator;
use skewer_movegen::{Bitboard, Board, Move};
use skewer_ordering::{CONTINUATIONS, ContinuationKey, Histories, MoveContext};
use skewer_types::{Depth, MAX_PLY, Ply, Score, TechniqueSet, Techniques};

use crate::context::{Context, Counters};
use crate::correction::{CorrectionIndex, Corrections};
use crate::diversity::Diversity;
use crate::draws::Keys;
use crate::report::Line;
use crate::root::RootMoves;
use crate::scale::Optimism;
use crate::shared::SharedHistories;
use crate::stack::{Part, Stack};
use crate::table_key::table_key;
use crate::time::Timer;

/// Nodes between two checks of the clock and the stop signal; a power of two.
const POLL: u64 = 512;

/// Nodes between two samples of how full the hash table is. A sample reads a thousand clusters, which is too
/// much for each report of a search of a few hundred nodes.
pub(crate) const HASHFULL_INTERVAL: u64 = 4096;

/// The kind of a node. As a type parameter, it is known when the search is compiled.
pub(crate) trait Kind {
    /// Whether this is the root.
    const ROOT: bool;
    /// Whether this node may be on the principal variation: its window is open.
    const PV: bool;
}

/// The root.
pub(crate) enum Root {}
/// A node with an open window.
pub(crate) enum Pv {}
/// A node with a null window.
pub(crate) enum NonPv {}

impl Kind for Root {
    const ROOT: bool = true;
    const PV: bool = true;
}

impl Kind for Pv {
    const ROOT: bool = false;
    const PV: bool = true;
}

impl Kind for NonPv {
    const ROOT: bool = false;
    const PV: bool = false;
}

/// What is expected of a node with a null window (Marsland and Popowich, 1985).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expect {
    /// Some move will fail high.
    Cut,
    /// Every move will fail low, or the window is open.
    All,
}

impl Expect {
    pub(crate) fn is_cut(self) -> bool {
        self == Self::Cut
    }

    /// The expectation for the children of such a node.
    pub(crate) fn other(self) -> Self {
        match self {
            Self::Cut => Self::All,
            Self::All => Self::Cut,
        }
    }
}

/// What a worker owns apart from its evaluator. Histories and corrections outlive a search; the rest begins anew.
pub(crate) struct Memory {
    pub(crate) histories: Histories,
    pub(crate) corrections: Arc<Corrections>,
    pub(crate) stack: Stack,
    /// The principal variation from each ply of the present line.
    pub(crate) lines: Box<[Line]>,
    pub(crate) keys: Keys,
    pub(crate) root: RootMoves,
}

impl Memory {
    pub(crate) fn new(shared: SharedHistories) -> Self {
        Self {
            histories: Histories::sharing(shared.moves),
            corrections: shared.corrections,
            stack: Stack::new(),
            lines: vec![Line::new(); MAX_PLY + 2].into_boxed_slice(),
            keys: Keys::with_capacity(2 * MAX_PLY + 256),
            root: RootMoves::new(),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.histories.clear();
        match Arc::get_mut(&mut self.corrections) {
            Some(own) => own.reset(),
            None => self.corrections.clear(),
        }
        self.stack.clear();
    }
}

/// One running search of one worker.
pub(crate) struct Search<'a, E, T> {
    pub(crate) set: T,
    pub(crate) evaluator: &'a mut E,
    pub(crate) memory: &'a mut Memory,
    pub(crate) context: &'a Context<'a>,
    pub(crate) timer: Timer,
    pub(crate) id: usize,
    pub(crate) diversity: Diversity,
    /// Nodes of this worker.
    pub(crate) nodes: u64,
    /// The limit on the nodes of all workers; `u64::MAX` except for worker 0.
    pub(crate) node_limit: u64,
    pub(crate) tb_hits: u64,
    pub(crate) seldepth: Ply,
    /// The present iteration.
    pub(crate) root_depth: Depth,
    pub(crate) optimism: Optimism,
    /// The last sample of how full the hash table is, in thousandths.
    pub(crate) hashfull: u32,
    /// The node count from which the next sample is due.
    pub(crate) hashfull_due: u64,
    /// The least ply at which a null move may be tried, while a null-move cut-off is verified; otherwise 0.
    pub(crate) null_from: Ply,
    /// Set when the search must end; its scores are invalid from then on.
    pub(crate) aborted: bool,
}

impl<E: Evaluator, T: TechniqueSet> Search<'_, E, T> {
    #[inline(always)]
    pub(crate) fn has(&self, wanted: Techniques) -> bool {
        self.set.has(wanted)
    }

    /// Whether the root is searched without some of its moves, so that its score says nothing about the position.
    pub(crate) fn leaves_out_root_moves(&self) -> bool {
        self.memory.root.first > 0 || !self.context.control.limits().search_moves.is_empty()
    }

    pub(crate) fn counters(&self) -> Option<&Counters> {
        self.context.counters.get(self.id)
    }

    /// Publishes this worker's counts, and samples the hash table for the reports that follow.
    pub(crate) fn prepare_report(&mut self) {
        self.publish();
        if self.nodes >= self.hashfull_due {
            self.hashfull = self.context.table.hashfull();
            self.hashfull_due = self.nodes + HASHFULL_INTERVAL;
        }
    }

    /// Publishes this worker's counts.
    pub(crate) fn publish(&self) {
        if let Some(counters) = self.counters() {
            counters.publish(self.nodes, self.tb_hits);
        }
    }

    /// Whether the search must end at once.
    #[inline]
    pub(crate) fn must_stop(&mut self) -> bool {
        if self.nodes & (POLL - 1) == 0 || self.nodes >= self.node_limit {
            self.poll();
        }
        self.aborted
    }

    /// Publishes the counts, and aborts the search if it has ended or meets a limit. The first iteration is
    /// never aborted, so that there is always an answer.
    #[cold]
    #[inline(never)]
    fn poll(&mut self) {
        self.publish();
        if let Some(poll) = self.context.poll {
            poll.0();
        }
        let control = self.context.control;
        self.aborted |= self.root_depth > 1 && (control.has_ended() || self.meets_limit());
    }

    /// Whether a limit is met. Worker 0 watches the limits for all workers.
    fn meets_limit(&self) -> bool {
        if self.id != 0 {
            return false;
        }
        let nodes = self.context.nodes();
        nodes >= self.node_limit || self.timer.hard_stop(self.context.control, nodes)
    }

    /// Plays `mv` and updates the evaluator, the keys, the node count and the stack. Returns the board after it.
    #[inline]
    pub(crate) fn play(&mut self, board: &Board, mv: Move, ply: Ply) -> Board {
        let after = board.play(mv);
        self.evaluator.push(board, mv, &after);
        self.memory.keys.push(after.key());
        self.nodes += 1;
        let frame = self.memory.stack.at_mut(ply);
        frame.mv = Some(mv);
        frame.continuation = ContinuationKey::new(board, mv);
        frame.captured = board.captured(mv);
        let keys = frame.keys.after(board, mv);
        let reversible = if after.halfmove_clock() == 0 {
            0
        } else {
            frame.reversible + 1
        };
        let next = self.memory.stack.at_mut(ply + 1);
        next.keys = keys;
        next.reversible = reversible;
        after
    }

    /// Takes back the last [`play`](Self::play).
    #[inline]
    pub(crate) fn undo(&mut self) {
        self.evaluator.pop();
        self.memory.keys.pop();
    }

    /// Makes a null move. Returns the board after it, or `None` in check.
    #[inline]
    pub(crate) fn pass(&mut self, board: &Board, ply: Ply) -> Option<Board> {
        let after = board.play_null()?;
        self.context.table.prefetch(table_key(&after, self.set));
        self.memory.keys.push(after.key());
        self.nodes += 1;
        let frame = self.memory.stack.at_mut(ply);
        frame.mv = None;
        frame.continuation = ContinuationKey::NONE;
        frame.reduction = 0;
        let keys = frame.keys;
        let next = self.memory.stack.at_mut(ply + 1);
        next.keys = keys;
        // Repetitions are not counted across a null move.
        next.reversible = 0;
        Some(after)
    }

    /// Takes back the last [`pass`](Self::pass).
    #[inline]
    pub(crate) fn undo_pass(&mut self) {
        self.memory.keys.pop();
    }

    /// Returns whether a node below the root is a draw: by the fifty-move rule (unless it is mate),
    /// repetition, or insufficient material.
    #[inline]
    pub(crate) fn is_draw(&self, board: &Board, ply: Ply) -> bool {
        let clock = board.halfmove_clock();
        if clock >= 100 && (!board.in_check() || board.has_legal_moves()) {
            return true;
        }
        let reversible = usize::from(self.memory.stack.at(ply).reversible);
        (clock >= 4 && self.memory.keys.is_repetition(reversible))
            || board.is_insufficient_material()
    }

    /// Raises `alpha` to the draw score if the side to move can repeat a position.
    #[inline]
    pub(crate) fn raise_to_draw(&self, board: &Board, ply: Ply, alpha: Score) -> Score {
        if alpha < Score::DRAW && self.has(Techniques::UPCOMING_REPETITION) {
            let reversible = usize::from(self.memory.stack.at(ply).reversible);
            if reversible >= 3 && self.memory.keys.can_repeat(board, reversible) {
                return Score::DRAW;
            }
        }
        alpha
    }

    /// The indices of a node in the correction histories.
    #[inline]
    pub(crate) fn correction_index(&self, board: &Board, ply: Ply) -> CorrectionIndex {
        CorrectionIndex {
            turn: board.turn(),
            keys: self.memory.stack.at(ply).keys,
            moves: [
                self.memory.stack.before(ply, 1).continuation,
                self.memory.stack.before(ply, 2).continuation,
            ],
        }
    }

    /// The correction of the evaluation by the correction histories, in score units.
    #[inline]
    pub(crate) fn correction(&self, board: &Board, ply: Ply) -> i32 {
        if !self.has(Techniques::CORRECTION_HISTORY) {
            return 0;
        }
        self.memory
            .corrections
            .get(&self.correction_index(board, ply))
    }

    /// The indices of a node's moves in the histories.
    #[inline]
    pub(crate) fn move_context(&self, ply: Ply, attacked: Bitboard) -> MoveContext {
        let stack = &self.memory.stack;
        MoveContext {
            attacked,
            continuation: CONTINUATIONS.map(|back| stack.before(ply, back).continuation),
            pawn_key: u64::from(stack.at(ply).keys.key(Part::Pawns)),
            ply,
        }
    }

    /// The line from `ply`: `mv`, and what was found after it.
    #[inline]
    pub(crate) fn update_line(&mut self, ply: Ply, mv: Move) {
        let (here, below) = self.memory.lines.split_at_mut(ply + 1);
        here[ply].clear();
        here[ply].push(mv);
        let rest = &below[0];
        let room = here[ply].remaining_capacity();
        // The line below is shorter than the room left, since the tree ends at MAX_PLY.
        here[ply].extend(rest.iter().copied().take(room));
    }
}
