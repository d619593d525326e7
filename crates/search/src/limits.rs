//! What a search is asked for: how far it may go, and how long it may take.
//!
//! Nothing here decides how time is spent; that is [`crate::time`].

use core::num::NonZeroU32;
use std::time::Duration;

use skewer_movegen::Move;
use skewer_types::Depth;

/// Whether the answer may be given as soon as a limit is met.
///
/// The search itself ends in every mode when a limit is met; under the two waiting modes it is the
/// caller who holds the answer back until it is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// Answer when the search ends.
    #[default]
    Answer,
    /// Search until stopped: the clock is not looked at.
    Infinite,
    /// Search on the opponent's time: the clock is not looked at until
    /// [`SearchControl::ponder_hit`](crate::SearchControl::ponder_hit).
    Ponder,
}

/// A game clock, as the side to move sees its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    /// Time left; zero when the flag has fallen already.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves until the next time control; `None` when the clock is for the rest of the game.
    pub moves_to_go: Option<NonZeroU32>,
}

/// What time is measured by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TimeSource {
    /// The wall clock.
    #[default]
    Wall,
    /// Searched nodes, this many to a millisecond, which makes timed games repeatable.
    Nodes {
        /// Nodes that count as one millisecond.
        per_millisecond: NonZeroU32,
    },
}

/// The limits of one search. They combine freely and the tightest wins; the default has none.
///
/// ```
/// use skewer_search::Limits;
///
/// let limits = Limits::depth(8);
/// assert_eq!(limits.depth, Some(8));
/// let both = Limits { nodes: Some(5_000), ..Limits::depth(8) };
/// assert_eq!(both.nodes, Some(5_000));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// The deepest iteration, in plies. Depth 1 is always searched.
    pub depth: Option<Depth>,
    /// Nodes at which the search stops, in the middle of an iteration if need be.
    pub nodes: Option<u64>,
    /// Nodes after which no further iteration is started.
    pub soft_nodes: Option<u64>,
    /// The game clock.
    pub clock: Option<Clock>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// Time lost on the way between the engine and its user, kept back from every time limit.
    pub move_overhead: Duration,
    /// What time is measured by.
    pub time_source: TimeSource,
    /// Stop when a mate in this many full moves (or fewer) has been found.
    pub mate: Option<u32>,
    /// The only root moves to look at; empty means all of them. Illegal moves are ignored. If no
    /// legal move is named, all moves are searched.
    pub search_moves: Vec<Move>,
    /// How many of the best lines to find, each with its own score; at least 1.
    pub multi_pv: usize,
    /// Whether the answer may be given as soon as a limit is met.
    pub mode: Mode,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            depth: None,
            nodes: None,
            soft_nodes: None,
            clock: None,
            move_time: None,
            move_overhead: Duration::ZERO,
            time_source: TimeSource::Wall,
            mate: None,
            search_moves: Vec::new(),
            multi_pv: 1,
            mode: Mode::Answer,
        }
    }
}

impl Limits {
    /// Limits with nothing but a depth, in plies.
    pub fn depth(depth: Depth) -> Self {
        Self {
            depth: Some(depth),
            ..Self::default()
        }
    }

    /// Limits with nothing but a hard node count.
    pub fn nodes(nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
            ..Self::default()
        }
    }

    /// Limits for judging a position at the cost of about `nodes` nodes: no iteration starts after `nodes`
    /// nodes, and the search is cut off at [`HARD_FACTOR`](Self::HARD_FACTOR) times as many.
    pub fn soft_nodes(nodes: u64) -> Self {
        Self {
            soft_nodes: Some(nodes),
            nodes: Some(nodes.saturating_mul(Self::HARD_FACTOR)),
            ..Self::default()
        }
    }

    /// The hard node limit of [`soft_nodes`](Self::soft_nodes), as a multiple of the soft limit.
    pub const HARD_FACTOR: u64 = 8;

    /// Limits with nothing but a time for the move.
    pub fn move_time(time: Duration) -> Self {
        Self {
            move_time: Some(time),
            ..Self::default()
        }
    }

    /// Limits with nothing but a game clock.
    pub fn clock(clock: Clock) -> Self {
        Self {
            clock: Some(clock),
            ..Self::default()
        }
    }

    /// Limits with nothing but the search for a mate in `moves` full moves.
    pub fn mate(moves: u32) -> Self {
        Self {
            mate: Some(moves),
            ..Self::default()
        }
    }
}
