//! The control of one running search: its limits, and whether it still runs.
//!
//! Whether a search was stopped or has ended is stored here and nowhere else. Workers, the coordinator and the
//! user read and change the control without a lock.

use core::sync::atomic::{AtomicU8, Ordering};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::limits::{Limits, Mode, TimeSource};

/// The time after the hard time limit at which a search is overdue, in case no worker has noticed the limit.
const GRACE: Duration = Duration::from_millis(8);

/// The state of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchState {
    /// The search runs, and so does its clock.
    Running,
    /// The search runs on the opponent's time: its clock stands still, and its answer waits for the ponder hit.
    Pondering,
    /// The search was stopped, and answers within milliseconds.
    Stopped,
    /// The answer has been given, or is being given.
    Done,
}

/// Set until the ponder hit.
const PONDERING: u8 = 1;
/// Set when a limit is met or the answer is chosen: the workers end.
const ENDED: u8 = 1 << 1;
/// Set when the answer was asked for.
const STOPPED: u8 = 1 << 2;
/// Set when the answer is given.
const DONE: u8 = 1 << 3;

/// The limits and the state of one search, shared by all who take part in it.
///
/// Each search has a control of its own, so that a late stop cannot reach the next search, and a stop that
/// comes before the workers run is not lost.
///
/// ```
/// use skewer_search::{Limits, Mode, SearchControl, SearchState};
///
/// let control = SearchControl::new(Limits { mode: Mode::Ponder, ..Limits::depth(9) });
/// assert_eq!(control.state(), SearchState::Pondering);
/// control.ponder_hit();
/// assert_eq!(control.state(), SearchState::Running);
/// control.stop();
/// assert!(control.has_ended());
/// ```
#[derive(Debug)]
pub struct SearchControl {
    limits: Limits,
    started: Instant,
    flags: AtomicU8,
    /// When the search is overdue; unset without a time limit and before the ponder hit.
    deadline: OnceLock<Instant>,
    /// The time, by the time source of the limits, at which the ponder hit was noticed.
    hit: OnceLock<Duration>,
}

impl SearchControl {
    /// The control of a search that begins now.
    pub fn new(limits: Limits) -> Self {
        let pondering = limits.mode == Mode::Ponder;
        let control = Self {
            limits,
            started: Instant::now(),
            flags: AtomicU8::new(if pondering { PONDERING } else { 0 }),
            deadline: OnceLock::new(),
            hit: OnceLock::new(),
        };
        if !pondering {
            control.start_clock(control.started);
        }
        control
    }

    /// Sets the deadline of a search whose clock starts at `now`.
    fn start_clock(&self, now: Instant) {
        let is_timed =
            self.limits.mode != Mode::Infinite && self.limits.time_source == TimeSource::Wall;
        let time = self.limits.hard_time().filter(|_| is_timed);
        let deadline = time.and_then(|time| now.checked_add(time.checked_add(GRACE)?));
        if let Some(deadline) = deadline {
            self.deadline.get_or_init(|| deadline);
        }
    }

    /// The limits of the search.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// When the search was asked for.
    pub fn started(&self) -> Instant {
        self.started
    }

    /// How long the search has run, by the time source of its limits, if its workers have visited `nodes` so far.
    pub fn elapsed(&self, nodes: u64) -> Duration {
        match self.limits.time_source {
            TimeSource::Wall => self.started.elapsed(),
            TimeSource::Nodes { per_millisecond } => {
                Duration::from_millis(nodes / u64::from(per_millisecond.get()))
            }
        }
    }

    /// The present state.
    pub fn state(&self) -> SearchState {
        match self.flags.load(Ordering::Acquire) {
            flags if flags & DONE != 0 => SearchState::Done,
            flags if flags & STOPPED != 0 => SearchState::Stopped,
            flags if flags & PONDERING != 0 => SearchState::Pondering,
            _ => SearchState::Running,
        }
    }

    /// Asks for the answer now.
    pub fn stop(&self) {
        self.flags.fetch_or(ENDED | STOPPED, Ordering::AcqRel);
    }

    /// Ends the workers, because a limit is met or the answer is chosen. An answer that is
    /// [held back](Self::holds_answer) stays so.
    pub fn end_workers(&self) {
        self.flags.fetch_or(ENDED, Ordering::AcqRel);
    }

    /// Starts the clock, because the move pondered on was played. Only the first call in
    /// [`Mode::Ponder`] has an effect.
    pub fn ponder_hit(&self) {
        if self.flags.fetch_and(!PONDERING, Ordering::AcqRel) & PONDERING != 0 {
            self.start_clock(Instant::now());
        }
    }

    /// Marks the search as done, because its answer is about to be given.
    pub fn finish(&self) {
        self.flags.fetch_or(DONE, Ordering::AcqRel);
    }

    /// Whether the workers have to end.
    #[inline]
    pub fn has_ended(&self) -> bool {
        self.flags.load(Ordering::Relaxed) & ENDED != 0
    }

    /// Whether an answer that is known must not be given yet. An infinite search holds its answer
    /// until it is stopped, a pondering search until the ponder hit or a stop.
    pub fn holds_answer(&self) -> bool {
        match self.state() {
            SearchState::Pondering => true,
            SearchState::Running => self.limits.mode == Mode::Infinite,
            SearchState::Stopped | SearchState::Done => false,
        }
    }

    /// When the search is overdue; `None` if it has no time limit, if its clock stands, or if it was
    /// stopped.
    pub fn deadline(&self) -> Option<Instant> {
        let runs = self.state() == SearchState::Running;
        self.deadline.get().copied().filter(|_| runs)
    }

    /// When the clock started: zero, or the time of the ponder hit, which is the `now` of the first call after the hit.
    /// `None` while the clock stands.
    pub(crate) fn clock_start(&self, now: Duration) -> Option<Duration> {
        match self.limits.mode {
            Mode::Answer => Some(Duration::ZERO),
            Mode::Infinite => None,
            Mode::Ponder if self.flags.load(Ordering::Relaxed) & PONDERING != 0 => None,
            Mode::Ponder => Some(*self.hit.get_or_init(|| now)),
        }
    }
}
