//! The clocks of a game against a person.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use skewer_movegen::Color;

/// The longest time of a clock, in minutes.
const MOST_MINUTES: f64 = 10_000.0;

/// Minutes for the game and seconds added after each move, as `5+3`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TimeControl {
    pub(super) base: Duration,
    pub(super) increment: Duration,
}

/// The error of a text that names no time control.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a clock is minutes, or minutes and seconds a move: 10, 5+3, 0.5+1")]
pub(super) struct TimeControlError;

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        let (minutes, seconds) = text.split_once('+').unwrap_or((text, "0"));
        let number = |text: &str| text.trim().parse::<f64>().map_err(|_| TimeControlError);
        let (minutes, seconds) = (number(minutes)?, number(seconds)?);
        let fits = |value: f64| (0.0..=MOST_MINUTES).contains(&value);
        if !fits(minutes) || !fits(seconds) || minutes + seconds == 0.0 {
            return Err(TimeControlError);
        }
        Ok(Self {
            base: Duration::from_secs_f64(
                minutes * 60.0 + if minutes == 0.0 { seconds } else { 0.0 },
            ),
            increment: Duration::from_secs_f64(seconds),
        })
    }
}

impl fmt::Display for TimeControl {
    /// As the tag `TimeControl` of PGN has it: seconds, `+`, seconds a move.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}+{}",
            self.base.as_secs_f64(),
            self.increment.as_secs_f64()
        )
    }
}

/// The clocks of both players, of which at most one runs.
#[derive(Debug, Clone)]
pub(super) struct Clocks {
    control: TimeControl,
    left: [Duration; 2],
    since: Option<Instant>,
}

impl Clocks {
    pub(super) fn new(control: TimeControl) -> Self {
        Self {
            control,
            left: [control.base; 2],
            since: None,
        }
    }

    pub(super) fn control(&self) -> TimeControl {
        self.control
    }

    /// Starts the clock of the side to move, unless it runs.
    pub(super) fn start(&mut self) {
        self.since.get_or_insert_with(Instant::now);
    }

    /// Stops the clock that runs, which was `mover`'s, and adds the increment.
    pub(super) fn press(&mut self, mover: Color) {
        self.left[mover.index()] = self.left(mover, mover) + self.control.increment;
        self.since = None;
    }

    /// The time that `color` has left while `turn` is to move.
    pub(super) fn left(&self, color: Color, turn: Color) -> Duration {
        let spent = match self.since {
            Some(since) if color == turn => since.elapsed(),
            _ => Duration::ZERO,
        };
        self.left[color.index()].saturating_sub(spent)
    }

    /// The time left of both sides, for [`restore`](Self::restore).
    pub(super) fn snapshot(&self) -> [Duration; 2] {
        self.left
    }

    /// Sets both clocks to the times of a snapshot, and stops them.
    pub(super) fn restore(&mut self, left: [Duration; 2]) {
        *self = Self {
            left,
            since: None,
            ..*self
        };
    }
}

/// Minutes and seconds, below ten seconds with tenths: `4:07`, `0:09.3`.
pub(super) fn shown(time: Duration) -> impl fmt::Display {
    fmt::from_fn(move |f| {
        let (minutes, seconds) = (time.as_secs() / 60, time.as_secs() % 60);
        if time < Duration::from_secs(10) {
            write!(f, "0:{seconds:02}.{}", time.subsec_millis() / 100)
        } else {
            write!(f, "{minutes}:{seconds:02}")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_control_is_minutes_and_seconds_a_move() {
        let control: TimeControl = "5+3".parse().unwrap();
        assert_eq!(control.base, Duration::from_mins(5));
        assert_eq!(control.increment, Duration::from_secs(3));
        assert_eq!(control.to_string(), "300+3");
        assert_eq!(
            "0.5".parse::<TimeControl>().unwrap().base,
            Duration::from_secs(30)
        );
        // Without time at the start nobody could make the first move.
        assert_eq!(
            "0+2".parse::<TimeControl>().unwrap().base,
            Duration::from_secs(2)
        );
        for wrong in [
            "", "x", "5+", "+3", "-1", "0", "0+0", "nan", "inf", "1e9", "5+3+1",
        ] {
            assert_eq!(
                wrong.parse::<TimeControl>(),
                Err(TimeControlError),
                "{wrong}"
            );
        }
    }

    #[test]
    fn only_the_mover_loses_time_and_gains_the_increment() {
        let mut clocks = Clocks::new("1+2".parse().unwrap());
        clocks.start();
        std::thread::sleep(Duration::from_millis(5));
        clocks.press(Color::White);
        assert_eq!(
            clocks.left(Color::Black, Color::Black),
            Duration::from_mins(1)
        );
        let white = clocks.left(Color::White, Color::Black);
        assert!(
            white > Duration::from_mins(1) && white < Duration::from_secs(62),
            "{white:?}"
        );
    }

    #[test]
    fn times_are_shown_as_on_a_clock() {
        let text = |millis| shown(Duration::from_millis(millis)).to_string();
        assert_eq!(text(247_900), "4:07");
        assert_eq!(text(9_349), "0:09.3");
        assert_eq!(text(3_600_000), "60:00");
    }
}
