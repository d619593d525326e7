//! What the workers of one search share: the hash table, the control of the search, the node counters and
//! the endgame tables. Workers made by [`Worker::sharing`](crate::Worker::sharing) also share their
//! [`SharedHistories`](crate::SharedHistories). A search writes to nothing else that another thread can see.

use core::fmt;
use core::sync::atomic::{AtomicU64, Ordering};

use skewer_movegen::Move;
use skewer_syzygy::{FiftyMoveRule, MAX_PIECES, Tables};
use skewer_tt::Table;
use skewer_types::{Depth, Techniques};

use crate::control::SearchControl;

/// One worker's counters, alone on their cache lines. Only that worker writes, by plain load and
/// store; other threads read.
#[derive(Debug, Default)]
#[repr(align(128))]
pub struct Counters {
    nodes: AtomicU64,
    tb_hits: AtomicU64,
    /// The root move being searched, in the low 16 bits, and its number in the bits above them; 0 before the
    /// first root move.
    current: AtomicU64,
}

/// The root move that a worker is looking at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CurrentMove {
    /// The move.
    pub mv: Move,
    /// Its place in the order of this iteration, from 1.
    pub number: u32,
}

impl Counters {
    /// Nodes that the worker has published in this search. The worker publishes every few hundred
    /// nodes, and exactly when it ends.
    #[inline]
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Endgame-table hits that the worker has published in this search.
    #[inline]
    pub fn tb_hits(&self) -> u64 {
        self.tb_hits.load(Ordering::Relaxed)
    }

    /// The root move that the worker is looking at, once there is one.
    pub fn current_move(&self) -> Option<CurrentMove> {
        let bits = self.current.load(Ordering::Relaxed);
        Move::from_bits(bits as u16).map(|mv| CurrentMove {
            mv,
            number: (bits >> 16) as u32,
        })
    }

    /// Sets the counters to zero, before a search.
    pub fn reset(&self) {
        self.publish(0, 0);
        self.current.store(0, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn set_current_move(&self, mv: Move, number: u32) {
        let bits = u64::from(mv.bits()) | u64::from(number) << 16;
        self.current.store(bits, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn publish(&self, nodes: u64, tb_hits: u64) {
        self.nodes.store(nodes, Ordering::Relaxed);
        self.tb_hits.store(tb_hits, Ordering::Relaxed);
    }
}

/// How a search uses endgame tables.
#[derive(Debug, Clone, Copy)]
pub struct TablebaseUse<'a> {
    /// The tables.
    pub tables: &'a Tables,
    /// When to probe, and whether the fifty-move rule counts.
    pub rules: TablebaseRules,
}

/// When a search probes endgame tables, and whether the fifty-move rule counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TablebaseRules {
    /// The least remaining depth, in plies, at which the search probes positions with the greatest number
    /// of pieces: `probe_limit`, or the number of pieces in the largest table if that is less. Positions
    /// with fewer pieces are probed at every depth.
    pub probe_depth: Depth,
    /// The most pieces on the board with which to probe.
    pub probe_limit: u32,
    /// Whether cursed wins and blessed losses count as draws.
    pub fifty_move_rule: FiftyMoveRule,
}

impl TablebaseRules {
    /// The most pieces for which tables exist.
    pub const MAX_PIECES: u32 = MAX_PIECES as u32;
}

impl Default for TablebaseRules {
    /// Probes at every depth and with all tables, and counts the fifty-move rule.
    fn default() -> Self {
        Self {
            probe_depth: 1,
            probe_limit: Self::MAX_PIECES,
            fifty_move_rule: FiftyMoveRule::InForce,
        }
    }
}

/// Called every few hundred nodes on the worker's thread, for programs that have no other thread on which to
/// look for a stop.
#[derive(Clone, Copy)]
pub struct Poll<'a>(pub &'a dyn Fn());

impl fmt::Debug for Poll<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Poll").finish_non_exhaustive()
    }
}

/// What one worker is given for one search.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The hash table. The caller has called its `new_search` already.
    pub table: &'a Table,
    /// The limits and the state of this search.
    pub control: &'a SearchControl,
    /// The counters of all workers of this search, reset; worker `id` writes to number `id`.
    pub counters: &'a [Counters],
    /// Endgame tables, if any are loaded.
    pub tablebases: Option<TablebaseUse<'a>>,
    /// The techniques to search with; [`Techniques::DEFAULT`] for play.
    pub techniques: Techniques,
    /// Called every few hundred nodes.
    pub poll: Option<Poll<'a>>,
}

impl<'a> Context<'a> {
    /// The context of a search by one worker alone, number 0: its counters reset, the default
    /// techniques, no endgame tables.
    ///
    /// ```
    /// use skewer_eval::HandWritten;
    /// use skewer_movegen::Board;
    /// use skewer_search::{Context, Counters, Limits, Position, SearchControl, Worker};
    /// use skewer_tt::{Table, TableSize};
    ///
    /// let table = Table::new(TableSize::from_megabytes(1))?;
    /// let control = SearchControl::new(Limits::depth(4));
    /// let counters = Counters::default();
    /// let mut worker = Worker::new(0, HandWritten::default());
    /// let outcome = worker.search(
    ///     &Position::new(Board::STARTPOS),
    ///     &Context::solo(&table, &control, &counters),
    ///     &mut |_| {},
    /// );
    /// assert_eq!(outcome.nodes, counters.nodes());
    /// # Ok::<(), skewer_tt::TableError>(())
    /// ```
    pub fn solo(table: &'a Table, control: &'a SearchControl, counters: &'a Counters) -> Self {
        counters.reset();
        Self {
            table,
            control,
            counters: core::slice::from_ref(counters),
            tablebases: None,
            techniques: Techniques::DEFAULT,
            poll: None,
        }
    }

    /// Nodes of all workers so far.
    pub fn nodes(&self) -> u64 {
        self.counters.iter().map(Counters::nodes).sum()
    }

    /// Endgame-table hits of all workers so far.
    pub fn tb_hits(&self) -> u64 {
        self.counters.iter().map(Counters::tb_hits).sum()
    }
}
