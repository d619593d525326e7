//! What the workers of one search share: the hash table, the stop signal, the node counters and
//! the endgame tables. Workers made by [`Worker::sharing`](crate::Worker::sharing) also share their
//! [`Corrections`](crate::Corrections). A search writes to nothing else that another thread can see.

use core::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use skewer_movegen::Move;
use skewer_syzygy::{FiftyMoveRule, MAX_PIECES, Tables};
use skewer_tt::Table;
use skewer_types::{Depth, Techniques};

/// Stop and ponder-hit signals, each naming the search that it is meant for.
///
/// Searches are numbered by [`begin`](Self::begin). A signal for search `n` reaches search `n`
/// whenever it looks, even when the signal came before its workers were running, and never
/// reaches search `n + 1`: a quick `go`, `stop`, `go` cannot lose or misdirect one.
#[derive(Debug, Default)]
pub struct Signals {
    begun: AtomicU64,
    stopped: AtomicU64,
    ponder_hit: AtomicU64,
}

impl Signals {
    /// Signals for no search yet.
    pub const fn new() -> Self {
        Self {
            begun: AtomicU64::new(0),
            stopped: AtomicU64::new(0),
            ponder_hit: AtomicU64::new(0),
        }
    }

    /// Numbers a new search; the number goes into its [`Context`].
    pub fn begin(&self) -> u64 {
        self.begun.fetch_add(1, Ordering::AcqRel) + 1
    }

    /// Stops search `epoch` and any before it.
    pub fn stop(&self, epoch: u64) {
        self.stopped.fetch_max(epoch, Ordering::AcqRel);
    }

    /// Returns whether search `epoch` has been stopped.
    #[inline]
    pub fn is_stopped(&self, epoch: u64) -> bool {
        self.stopped.load(Ordering::Relaxed) >= epoch
    }

    /// Starts the clock of search `epoch`: the move that it ponders has been played.
    pub fn ponder_hit(&self, epoch: u64) {
        self.ponder_hit.fetch_max(epoch, Ordering::AcqRel);
    }

    /// Whether the move that search `epoch` ponders has been played.
    #[inline]
    pub fn is_ponder_hit(&self, epoch: u64) -> bool {
        self.ponder_hit.load(Ordering::Relaxed) >= epoch
    }
}

/// One worker's counters, alone on their cache lines. Only that worker writes, by plain load and
/// store; other threads read.
#[derive(Debug, Default)]
#[repr(align(128))]
pub struct Counters {
    nodes: AtomicU64,
    tb_hits: AtomicU64,
    /// The root move being searched in the low 16 bits, its number above them; 0 for none yet.
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
    /// Nodes that the worker has published in this search. It publishes every few hundred nodes,
    /// and exactly when it ends.
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

    /// Back to zero, before a search.
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
    /// The least remaining depth, in plies, at which the search probes positions with the most
    /// pieces that it probes at all (those of the largest table, or `probe_limit` if less); positions
    /// with fewer pieces are always probed.
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
    /// Everywhere, by the rules of the game.
    fn default() -> Self {
        Self {
            probe_depth: 1,
            probe_limit: Self::MAX_PIECES,
            fifty_move_rule: FiftyMoveRule::InForce,
        }
    }
}

/// What one worker is given for one search.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The hash table. The caller has called its `new_search` already.
    pub table: &'a Table,
    /// The signals.
    pub signals: &'a Signals,
    /// The number of this search, from [`Signals::begin`].
    pub epoch: u64,
    /// The counters of all workers of this search, reset; worker `id` writes to number `id`.
    pub counters: &'a [Counters],
    /// When the search was asked for.
    pub started: Instant,
    /// Endgame tables, if any are loaded.
    pub tablebases: Option<TablebaseUse<'a>>,
    /// The techniques to search with; [`Techniques::DEFAULT`] for play.
    pub techniques: Techniques,
}

impl<'a> Context<'a> {
    /// The context of a search by one worker alone, number 0, that begins now: a new number, its
    /// counters reset, the default techniques, no endgame tables.
    ///
    /// ```
    /// use skewer_eval::HandCrafted;
    /// use skewer_movegen::Board;
    /// use skewer_search::{Context, Counters, Limits, Position, Signals, Worker};
    /// use skewer_tt::{Table, TableSize};
    ///
    /// let table = Table::new(TableSize::from_megabytes(1))?;
    /// let (signals, counters) = (Signals::new(), Counters::default());
    /// let mut worker = Worker::new(0, HandCrafted::default());
    /// let outcome = worker.search(
    ///     &Position::new(Board::STARTPOS),
    ///     &Limits::depth(4),
    ///     &Context::solo(&table, &signals, &counters),
    ///     &mut |_| {},
    /// );
    /// assert_eq!(outcome.nodes, counters.nodes());
    /// # Ok::<(), skewer_tt::TableError>(())
    /// ```
    pub fn solo(table: &'a Table, signals: &'a Signals, counters: &'a Counters) -> Self {
        counters.reset();
        Self {
            table,
            signals,
            epoch: signals.begin(),
            counters: core::slice::from_ref(counters),
            started: Instant::now(),
            tablebases: None,
            techniques: Techniques::DEFAULT,
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
