//! Time management: soft and hard limits made from a clock, adjusted during the search.
//!
//! All arithmetic saturates, because clocks may show zero, a millisecond or years.

use std::cell::Cell;
use std::time::Duration;

use skewer_types::{Score, TechniqueSet, Techniques};

use crate::control::SearchControl;
use crate::limits::{Clock, Limits};
use crate::params;

/// The least limit.
pub(crate) const LEAST_TIME: Duration = Duration::from_millis(1);

/// A soft limit, after which no iteration is started, and a hard limit, which interrupts an
/// iteration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Budget {
    pub(crate) soft: Duration,
    pub(crate) hard: Duration,
}

fn hundredths(time: Duration, hundredths: i32) -> Duration {
    time.saturating_mul(hundredths.max(0) as u32) / 100
}

impl Budget {
    /// The time for one move with a game clock, at this full move of the game: the share of the clock grows as
    /// the game goes on, because fewer moves are left.
    ///
    /// Without `movestogo` a reserve is kept out of the calculation. A clock near the reserve spends less of
    /// the increment than usual, so that it recovers; otherwise the first stall of the machine would lose the
    /// game on time.
    pub(crate) fn of_clock(clock: &Clock, overhead: Duration, fullmove: u32) -> Self {
        let left = clock.remaining.saturating_sub(overhead);
        let played = i32::try_from(fullmove).unwrap_or(i32::MAX);
        let fewer = params::time_moves_fall().saturating_mul(played) / 100;
        let moves = (params::time_moves() - fewer).max(params::time_moves_least()) as u32;
        let moves = clock.moves_to_go.map_or(moves, |n| n.get().min(moves));
        let reserve = match clock.moves_to_go {
            None => overhead.saturating_mul(params::time_reserve().max(0) as u32),
            Some(_) => Duration::ZERO,
        };
        let planned = left.saturating_sub(reserve.min(left / 3));
        // How much of the usual part of the increment is spent, in hundredths: all of it if twice the
        // reserve is left.
        let share = (left.as_millis() * 100)
            .checked_div(2 * reserve.as_millis())
            .map_or(100, |share| share.min(100) as i32);
        let increment = hundredths(clock.increment, params::time_increment() * share / 100);
        let cap = hundredths(planned, params::time_cap()).max(LEAST_TIME);
        let soft = (planned / moves)
            .saturating_add(increment)
            .clamp(LEAST_TIME, cap);
        let hard = hundredths(soft, params::time_hard()).clamp(LEAST_TIME, cap);
        Self { soft, hard }
    }
}

impl Limits {
    /// The time at which the search is interrupted, measured from the start of its clock: the time for the move, or the
    /// greatest hard limit that the clock allows at any move of the game, whichever is less. `None` without either.
    pub(crate) fn hard_time(&self) -> Option<Duration> {
        let clock = self
            .clock
            .as_ref()
            .map(|clock| Budget::of_clock(clock, self.move_overhead, u32::MAX).hard);
        clock.into_iter().chain(self.own_time()).min()
    }

    /// The fixed time for this move that is left to the search, if there is one.
    fn own_time(&self) -> Option<Duration> {
        self.move_time
            .map(|time| time.saturating_sub(self.move_overhead).max(LEAST_TIME))
    }
}

/// The results of the last iteration that time management uses.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Progress {
    /// Iterations in a row with the same best move.
    pub(crate) stable: u32,
    /// Hundredths of all nodes that went to the best move.
    pub(crate) best_share: i32,
    /// The score of this iteration, and the average score of the iterations before.
    pub(crate) score: Score,
    pub(crate) average: Score,
}

/// The time limits of one search.
#[derive(Debug)]
pub(crate) struct Timer {
    budget: Option<Budget>,
    /// The soft limit, adjusted by the last iteration.
    soft: Cell<Duration>,
    /// A fixed time for this move, which is not adjusted.
    move_time: Option<Duration>,
}

impl Timer {
    /// The time limits of a search with `limits` at this full move of the game. With a single legal move little
    /// time is used.
    pub(crate) fn new(limits: &Limits, fullmove: u32, only_one_move: bool) -> Self {
        let mut budget = limits
            .clock
            .as_ref()
            .map(|clock| Budget::of_clock(clock, limits.move_overhead, fullmove));
        if only_one_move && let Some(budget) = &mut budget {
            budget.soft = (budget.soft / params::time_forced() as u32).max(LEAST_TIME);
        }
        Self {
            budget,
            soft: Cell::new(budget.map_or(Duration::MAX, |budget| budget.soft)),
            move_time: limits.own_time(),
        }
    }

    /// Whether there is a time limit.
    pub(crate) fn is_timed(&self) -> bool {
        self.budget.is_some() || self.move_time.is_some()
    }

    /// Whether the search must be interrupted now.
    pub(crate) fn hard_stop(&self, control: &SearchControl, nodes: u64) -> bool {
        if !self.is_timed() {
            return false;
        }
        let elapsed = control.elapsed(nodes);
        let Some(start) = control.clock_start(elapsed) else {
            return false;
        };
        let own = elapsed.saturating_sub(start);
        // A search that has pondered longer than its time for the move answers at once.
        self.budget
            .is_some_and(|budget| start >= self.soft.get() || own >= budget.hard)
            || self.move_time.is_some_and(|limit| own >= limit)
    }

    /// Whether no further iteration should start. The time of pondering counts.
    pub(crate) fn soft_stop(
        &self,
        set: impl TechniqueSet,
        control: &SearchControl,
        nodes: u64,
        progress: &Progress,
    ) -> bool {
        let Some(budget) = self.budget else {
            return false;
        };
        let mut soft = budget.soft;
        if set.has(Techniques::TIME_BY_NODES) {
            let factor = params::time_nodes_base()
                - params::time_nodes_slope() * progress.best_share.clamp(0, 100) / 100;
            soft = hundredths(soft, factor);
        }
        if set.has(Techniques::TIME_BY_STABILITY) {
            let stable = progress.stable.min(8) as i32;
            soft = hundredths(
                soft,
                params::time_unstable() - params::time_stable() * stable,
            );
        }
        if set.has(Techniques::TIME_BY_SCORE) {
            let fall = (progress.average - progress.score).clamp(-50, 100);
            soft = hundredths(soft, 100 + params::time_fall() * fall / 100);
        }
        let soft = soft.min(budget.hard);
        self.soft.set(soft);
        let elapsed = control.elapsed(nodes);
        control.clock_start(elapsed).is_some() && elapsed >= soft
    }
}

#[cfg(test)]
mod tests {
    use core::num::NonZeroU32;

    use super::*;
    use crate::limits::TimeSource;

    fn clock(remaining: u64, increment: u64, moves: u32) -> Clock {
        Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
            moves_to_go: NonZeroU32::new(moves),
        }
    }

    #[test]
    fn no_clock_is_overdrawn() {
        let overhead = Duration::from_millis(10);
        for remaining in [0, 1, 9, 11, 50, 1_000, 60_000, u64::MAX / 4] {
            for increment in [0, 1, 100, 10_000, u64::MAX / 4] {
                for moves in [0, 1, 2, 40, u32::MAX] {
                    let clock = clock(remaining, increment, moves);
                    for fullmove in [1, 40, u32::MAX] {
                        let budget = Budget::of_clock(&clock, overhead, fullmove);
                        assert!(budget.soft <= budget.hard, "{budget:?}");
                        assert!(budget.soft >= LEAST_TIME);
                        let left = Duration::from_millis(remaining).saturating_sub(overhead);
                        assert!(
                            budget.hard <= (left * 3 / 4).max(LEAST_TIME),
                            "{remaining} {increment} {moves} {fullmove}: {budget:?}"
                        );
                    }
                }
            }
        }
    }

    /// The soft and the hard limit in microseconds.
    fn limits(clock: &Clock, overhead: u64, fullmove: u32) -> (u128, u128) {
        let budget = Budget::of_clock(clock, Duration::from_millis(overhead), fullmove);
        (budget.soft.as_micros(), budget.hard.as_micros())
    }

    #[test]
    fn a_move_gets_a_share_of_the_clock_and_at_most_four_and_a_half_times_as_much() {
        // A thirty-sixth of a minute; a nineteenth late in the game; half with two moves to the control.
        assert_eq!(limits(&clock(60_000, 0, 0), 0, 1), (1_666_666, 7_499_999));
        assert_eq!(limits(&clock(60_000, 0, 0), 0, 20), (2_142_857, 9_642_857));
        assert_eq!(
            limits(&clock(60_000, 0, 0), 0, 200),
            (3_157_894, 14_210_526)
        );
        assert_eq!(limits(&clock(60_000, 0, 40), 0, 1), (1_666_666, 7_499_999));
        assert_eq!(limits(&clock(60_000, 0, 10), 0, 1), (6_000_000, 27_000_000));
        // Seven tenths of the clock at most.
        assert_eq!(limits(&clock(60_000, 0, 2), 0, 1), (30_000_000, 42_000_000));
        assert_eq!(limits(&clock(60_000, 0, 1), 0, 1), (42_000_000, 42_000_000));
        // Three quarters of the increment are added.
        assert_eq!(
            limits(&clock(60_000, 1000, 0), 0, 1),
            (2_416_666, 10_874_999)
        );
    }

    #[test]
    fn a_reserve_of_five_overheads_is_kept_and_near_it_less_of_the_increment_is_spent() {
        // 36 seconds less an overhead of 100 ms, and less five overheads unless a control is near.
        assert_eq!(limits(&clock(36_100, 0, 0), 100, 1).0, 986_111);
        assert_eq!(limits(&clock(36_100, 0, 36), 100, 1).0, 1_000_000);
        // 750 ms left: three quarters of twice the reserve. The reserve is a third of the clock at most.
        assert_eq!(limits(&clock(850, 100, 0), 100, 1).0, 13_888 + 56_000);
        assert_eq!(limits(&clock(1100, 100, 0), 100, 1).0, 18_518 + 75_000);
    }

    #[test]
    fn a_search_is_interrupted_at_its_hard_limit_and_not_before() {
        let stops = |limits: Limits, nodes| {
            let limits = Limits {
                time_source: TimeSource::Nodes {
                    per_millisecond: NonZeroU32::MIN,
                },
                move_overhead: Duration::from_millis(20),
                ..limits
            };
            let control = SearchControl::new(limits);
            Timer::new(control.limits(), 1, false).hard_stop(&control, nodes)
        };
        let timed = || Limits::clock(clock(36_020, 0, 36));
        assert!(!stops(timed(), 4_499) && stops(timed(), 4_500));
        let fixed = || Limits {
            move_time: Some(Duration::from_millis(520)),
            ..Limits::default()
        };
        assert!(!stops(fixed(), 499) && stops(fixed(), 500));
        assert!(!stops(Limits::default(), u64::MAX), "without a limit");
    }

    #[test]
    fn the_time_of_a_move_is_the_less_of_the_clock_and_the_fixed_time() {
        let milliseconds = Duration::from_millis;
        let hard = |clock, fixed: Option<u64>| {
            let limits = Limits {
                clock,
                move_time: fixed.map(milliseconds),
                move_overhead: milliseconds(20),
                ..Limits::default()
            };
            limits.hard_time()
        };
        let minute = clock(60_020, 0, 0);
        // What the clock allows late in a game.
        let late = Budget::of_clock(&minute, milliseconds(20), u32::MAX).hard;
        assert!(late > milliseconds(10_000) && late < milliseconds(20_000));
        let minute = || Some(minute);
        assert_eq!(hard(minute(), None), Some(late));
        assert_eq!(hard(minute(), Some(520)), Some(milliseconds(500)));
        assert_eq!(hard(minute(), Some(50_000)), Some(late));
        assert_eq!(hard(None, Some(520)), Some(milliseconds(500)));
        assert_eq!(hard(None, Some(5)), Some(LEAST_TIME), "less than is lost");
        assert_eq!(hard(None, None), None);
        // A forced move on a nearly empty clock.
        let limits = Limits::clock(clock(21, 0, 0));
        let forced = Timer::new(&limits, 1, true);
        assert_eq!(forced.soft.get(), LEAST_TIME);
        assert!(forced.is_timed() && !Timer::new(&Limits::default(), 1, true).is_timed());
    }

    #[test]
    fn the_time_of_pondering_is_used_up_before_the_hit_and_not_taken_off_the_hard_limit() {
        let pondering = |limits: Limits| {
            SearchControl::new(Limits {
                mode: crate::limits::Mode::Ponder,
                time_source: TimeSource::Nodes {
                    per_millisecond: NonZeroU32::MIN,
                },
                move_overhead: Duration::ZERO,
                ..limits
            })
        };
        // The soft limit is a second, the hard one four and a half.
        let timed = |hit: u64, nodes: u64| {
            let control = pondering(Limits::clock(clock(36_000, 0, 36)));
            let timer = Timer::new(control.limits(), 1, false);
            assert!(!timer.hard_stop(&control, 100_000), "while it ponders");
            control.ponder_hit();
            timer.hard_stop(&control, hit) || timer.hard_stop(&control, nodes)
        };
        assert!(!timed(900, 900 + 4_499) && timed(900, 900 + 4_500));
        assert!(timed(1_000, 1_000) && !timed(999, 999));
        // A fixed time runs from the hit too.
        let fixed = |nodes: u64| {
            let control = pondering(Limits {
                move_time: Some(Duration::from_millis(500)),
                ..Limits::default()
            });
            let timer = Timer::new(control.limits(), 1, false);
            control.ponder_hit();
            timer.hard_stop(&control, 2_000) || timer.hard_stop(&control, nodes)
        };
        assert!(!fixed(2_499) && fixed(2_500));
    }

    #[test]
    fn no_iteration_ends_a_search_that_ponders_and_no_soft_limit_exceeds_the_hard_one() {
        let control = |mode| {
            SearchControl::new(Limits {
                mode,
                time_source: TimeSource::Nodes {
                    per_millisecond: NonZeroU32::MIN,
                },
                move_overhead: Duration::ZERO,
                ..Limits::clock(clock(60_000, 0, 1))
            })
        };
        let unclear = Progress {
            stable: 0,
            best_share: 0,
            score: Score::new(-100),
            average: Score::ZERO,
        };
        for (mode, stops) in [
            (crate::limits::Mode::Ponder, false),
            (crate::limits::Mode::Infinite, false),
            (crate::limits::Mode::Answer, true),
        ] {
            let control = control(mode);
            let timer = Timer::new(control.limits(), 1, false);
            let stop = |nodes| timer.soft_stop(Techniques::DEFAULT, &control, nodes, &unclear);
            // Both limits are seven tenths of the clock.
            assert_eq!((stop(42_000), stop(41_999)), (stops, false));
        }
    }

    #[test]
    fn the_soft_limit_follows_from_the_last_iteration() {
        let soft = |set, progress| soft_limit(set, &progress);
        // Without any of the techniques: a thirty-sixth of a minute and three quarters of the increment.
        assert_eq!(soft(Techniques::empty(), EVEN), 2117);
        let by_nodes =
            |best_share| soft(Techniques::TIME_BY_NODES, Progress { best_share, ..EVEN });
        // Hundredths: 215 less 160 times the share of the best move.
        assert_eq!([0, 50, 100].map(by_nodes), [4551, 2858, 1165]);
        let by_stability =
            |stable| soft(Techniques::TIME_BY_STABILITY, Progress { stable, ..EVEN });
        // 125 less 7 for each iteration, of which eight count.
        assert_eq!([0, 4, 8, 20].map(by_stability), [2646, 2054, 1461, 1461]);
        let by_score = |score: i32| {
            let progress = Progress {
                score: Score::new(score),
                ..EVEN
            };
            soft(Techniques::TIME_BY_SCORE, progress)
        };
        // 60 hundredths more for a pawn less, up to a pawn; less for a rise, up to half a pawn.
        assert_eq!(
            [-300, -100, 0, 50, 300].map(by_score),
            [3387, 3387, 2117, 1482, 1482]
        );
    }

    #[test]
    fn a_forced_move_gets_a_sixteenth_of_the_soft_limit() {
        let soft = |forced| {
            let limits = Limits::clock(clock(36_000, 0, 36));
            Timer::new(&limits, 1, forced).soft.get()
        };
        let whole = soft(false);
        assert!(whole > Duration::from_millis(900));
        assert_eq!(soft(true), whole / 16);
    }

    #[test]
    fn a_long_game_leaves_enough_for_a_stall() {
        let overhead = Duration::from_millis(20);
        for (base, increment) in [(500, 5), (1_000, 10), (10_000, 100)] {
            let mut left = Duration::from_millis(base);
            for fullmove in 1..300 {
                // The last iteration exceeds the soft limit; assume by half of it.
                let soft = Budget::of_clock(
                    &clock(left.as_millis() as u64, increment, 0),
                    overhead,
                    fullmove,
                )
                .soft;
                left = left.saturating_sub(soft * 3 / 2) + Duration::from_millis(increment);
                assert!(
                    left > Duration::from_millis(80),
                    "{base}+{increment}: {left:?}"
                );
            }
        }
    }

    #[test]
    fn more_time_is_used_when_there_is_more() {
        let short = Budget::of_clock(&clock(1_000, 10, 0), Duration::ZERO, 1);
        let long = Budget::of_clock(&clock(10_000, 10, 0), Duration::ZERO, 1);
        let increment = Budget::of_clock(&clock(10_000, 500, 0), Duration::ZERO, 1);
        let late = Budget::of_clock(&clock(10_000, 500, 0), Duration::ZERO, 40);
        assert!(short.soft < long.soft && long.soft < increment.soft && increment.soft < late.soft);
    }

    /// The soft limit in milliseconds with these techniques and this progress.
    fn soft_limit(set: Techniques, progress: &Progress) -> u64 {
        let limits = Limits {
            time_source: TimeSource::Nodes {
                per_millisecond: NonZeroU32::MIN,
            },
            ..Limits::clock(clock(60_000, 600, 0))
        };
        let control = SearchControl::new(limits);
        let timer = Timer::new(control.limits(), 1, false);
        (1..60_000)
            .find(|&nodes| timer.soft_stop(set, &control, nodes, progress))
            .expect("a soft limit within the clock")
    }

    /// The soft limit with `technique` alone for each of two searches.
    fn soft_limits(technique: Techniques, searches: [Progress; 2]) -> [u64; 2] {
        let plain = searches.map(|progress| soft_limit(Techniques::empty(), &progress));
        assert_eq!(plain[0], plain[1], "nothing else depends on the progress");
        searches.map(|progress| soft_limit(technique, &progress))
    }

    const EVEN: Progress = Progress {
        stable: 4,
        best_share: 50,
        score: Score::ZERO,
        average: Score::ZERO,
    };

    #[test]
    fn less_time_when_nearly_all_nodes_went_to_the_best_move() {
        let clear = Progress {
            best_share: 95,
            ..EVEN
        };
        let [clear, even] = soft_limits(Techniques::TIME_BY_NODES, [clear, EVEN]);
        assert!(clear * 3 < even * 2, "{clear} and {even} ms");
    }

    #[test]
    fn less_time_the_longer_the_best_move_has_been_the_same() {
        let [old, new] = [8, 0].map(|stable| Progress { stable, ..EVEN });
        let [old, new] = soft_limits(Techniques::TIME_BY_STABILITY, [old, new]);
        assert!(old * 4 < new * 3, "{old} and {new} ms");
    }

    #[test]
    fn more_time_when_the_score_falls() {
        let falling = Progress {
            score: Score::new(-80),
            ..EVEN
        };
        let [falling, level] = soft_limits(Techniques::TIME_BY_SCORE, [falling, EVEN]);
        assert!(falling * 5 > level * 6, "{falling} and {level} ms");
    }

    #[test]
    fn a_ponder_hit_ends_a_search_only_after_its_adjusted_limit() {
        let limits = Limits {
            mode: crate::limits::Mode::Ponder,
            time_source: TimeSource::Nodes {
                per_millisecond: NonZeroU32::MIN,
            },
            ..Limits::clock(clock(60_000, 600, 0))
        };
        let control = SearchControl::new(limits);
        let timer = Timer::new(control.limits(), 1, false);
        let falling = Progress {
            stable: 0,
            score: Score::new(-80),
            ..EVEN
        };
        let base = timer.budget.unwrap().soft.as_millis() as u64;
        assert!(!timer.soft_stop(Techniques::DEFAULT, &control, base, &falling));
        control.ponder_hit();
        assert!(!timer.hard_stop(&control, base + 1));
        let adjusted = timer.soft.get().as_millis() as u64;
        assert!(adjusted > base);
    }
}
