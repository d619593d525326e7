//! Time controls and the time spent on each move.

use serde::Serialize;
use skewer_movegen::Color;
use skewer_pgn::{PgnGame, annotation};
use strum::IntoStaticStr;

/// The class of a time control, by the expected duration of a game: base time and 40 increments,
/// with the limits that lichess publishes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Speed {
    /// Under 30 seconds.
    UltraBullet,
    /// Under 3 minutes.
    Bullet,
    /// Under 8 minutes.
    Blitz,
    /// Under 25 minutes.
    Rapid,
    /// Longer.
    Classical,
    /// A day or more for each move.
    Correspondence,
}

/// A time control: the first period of the PGN tag `TimeControl`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TimeControl {
    /// Seconds at the start.
    pub base: f64,
    /// Seconds added after each move.
    pub increment: f64,
    /// Moves in the first period; `None` for the whole game.
    pub moves: Option<u32>,
}

impl TimeControl {
    /// Reads the value of the tag: `300+3`, `600`, `40/7200:3600`, `1/86400`. `None` if it is
    /// unknown (`?`), unlimited (`-`), or an hourglass (`*180`).
    pub fn parse(text: &str) -> Option<Self> {
        let first = text.split(':').next()?.trim();
        let (moves, rest) = match first.split_once('/') {
            Some((moves, rest)) => (Some(moves.trim().parse().ok()?), rest),
            None => (None, first),
        };
        let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let seconds = |text: &str| {
            let value: f64 = text.trim().parse().ok()?;
            (value.is_finite() && value >= 0.0).then_some(value)
        };
        Some(Self {
            base: seconds(base)?,
            increment: seconds(increment)?,
            moves,
        })
    }

    /// The class of the time control.
    pub fn speed(self) -> Speed {
        if self.moves == Some(1) && self.base >= 86_400.0 {
            return Speed::Correspondence;
        }
        let duration = self.base + 40.0 * self.increment;
        if duration < 30.0 {
            Speed::UltraBullet
        } else if duration < 180.0 {
            Speed::Bullet
        } else if duration < 480.0 {
            Speed::Blitz
        } else if duration < 1500.0 {
            Speed::Rapid
        } else {
            Speed::Classical
        }
    }
}

/// The clock of one move, in seconds.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct MoveTime {
    /// The player's clock after the move.
    pub clock: Option<f64>,
    /// The player's clock before the move.
    pub left: Option<f64>,
    /// The time spent on the move.
    pub spent: Option<f64>,
}

/// The most that a server adds to a clock for the delay of the network, in seconds.
const MOST_GRANTED: f64 = 2.0;

/// How the clocks of a game are to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClockStyle {
    /// Whether clocks of two parts, such as 1:30, are hours and minutes. If not, they are ambiguous and not read.
    hours_and_minutes: bool,
}

impl ClockStyle {
    /// The style of a game with this time control, from the first clock of each player. Clocks of two parts are hours
    /// and minutes if neither first clock is above the time control as hours and minutes, and both are less than a
    /// tenth of it as minutes and seconds.
    pub fn of<'a>(control: Option<TimeControl>, first: impl Iterator<Item = &'a str>) -> Self {
        let Some(control) = control else {
            return Self::default();
        };
        let most = control.base + control.increment + 60.0;
        let mut clocks = first.filter_map(annotation::short_clock).peekable();
        let hours_and_minutes = clocks.peek().is_some()
            && clocks.all(|[first, second]| {
                let minutes = f64::from(first) * 60.0 + f64::from(second);
                second < 60 && minutes * 60.0 <= most && minutes * 10.0 < control.base
            });
        Self { hours_and_minutes }
    }

    /// The clock of a comment, in seconds.
    pub fn clock(self, comment: &str) -> Option<f64> {
        if let Some(clock) = annotation::clock(comment) {
            return Some(clock.as_secs_f64());
        }
        self.short_clock(annotation::short_clock(comment)?)
    }

    /// The clock with these two parts, in seconds.
    pub fn short_clock(self, [hours, minutes]: [u32; 2]) -> Option<f64> {
        let seconds = f64::from(hours) * 3600.0 + f64::from(minutes) * 60.0;
        self.hours_and_minutes.then_some(seconds)
    }
}

/// Whether this is a game played on lichess, where the clocks start with the second move of each player.
fn is_of_lichess(game: &PgnGame) -> bool {
    let site = game.tags.get("Site").unwrap_or_default();
    let is_relayed = ["/study", "/broadcast"]
        .iter()
        .any(|path| site.contains(path));
    site.contains("lichess.org") && !is_relayed
}

/// The times of the moves of the main line, from `[%clk]` and `[%emt]`. Where a game has no `[%emt]`, the time spent is
/// the difference of the player's clocks and the increment, at least 0. It is unknown where the clock rose by over two
/// seconds more than the increment, as at the end of a period, and 0 for a player's first move on lichess. `colors` has
/// the player of each move.
pub fn move_times(
    game: &PgnGame,
    control: Option<TimeControl>,
    colors: impl IntoIterator<Item = Color>,
) -> Vec<MoveTime> {
    let mut left = [control.map(|control| control.base); 2];
    let increment = control.map_or(0.0, |control| control.increment);
    let comments = |id| game.node(id).comments.iter().map(String::as_str);
    let style = ClockStyle::of(control, game.mainline().take(2).flat_map(comments));
    let is_of_lichess = is_of_lichess(game);
    game.mainline()
        .zip(colors)
        .enumerate()
        .map(|(ply, (id, color))| {
            let clock = comments(id).find_map(|text| style.clock(text));
            let before = left[color.index()];
            let difference = || {
                if ply < 2 && is_of_lichess {
                    return clock.map(|_| 0.0);
                }
                let spent = before? + increment - clock?;
                (spent >= -MOST_GRANTED).then_some(spent.max(0.0))
            };
            let elapsed = comments(id).find_map(annotation::elapsed);
            let spent = elapsed.map(|time| time.as_secs_f64()).or_else(difference);
            left[color.index()] = clock;
            MoveTime {
                clock,
                left: clock.and(before),
                spent,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use skewer_pgn::Games;

    #[test]
    fn time_controls() {
        let speed = |text| TimeControl::parse(text).map(TimeControl::speed);
        assert_eq!(speed("15"), Some(Speed::UltraBullet));
        assert_eq!(speed("60+1"), Some(Speed::Bullet));
        assert_eq!(speed("180"), Some(Speed::Blitz));
        assert_eq!(speed("300+3"), Some(Speed::Blitz));
        assert_eq!(speed("600"), Some(Speed::Rapid));
        assert_eq!(speed("1800+20"), Some(Speed::Classical));
        assert_eq!(speed("40/7200:3600"), Some(Speed::Classical));
        assert_eq!(speed("1/86400"), Some(Speed::Correspondence));
        for unknown in ["?", "-", "", "*180", "5 min", "NaN", "-300"] {
            assert_eq!(speed(unknown), None, "{unknown}");
        }
    }

    fn times_of(text: &str) -> Vec<MoveTime> {
        let game = Games::new(text.as_bytes()).next().unwrap().unwrap();
        let control = game.tags.get("TimeControl").and_then(TimeControl::parse);
        move_times(
            &game,
            control,
            [Color::White, Color::Black].into_iter().cycle(),
        )
    }

    /// Clocks of two parts are hours and minutes if the time control leaves no other reading. Otherwise they are not
    /// read.
    #[test]
    fn clocks_of_two_parts() {
        for (control, first, second, expected) in [
            ("5400+30", "01:30", "01:29", [Some(5400.0), Some(5340.0)]),
            ("40/7200:3600", "2:00", "1:58", [Some(7200.0), Some(7080.0)]),
            ("300+3", "04:58", "05:01", [None, None]),
            ("300", "00:05", "04:58", [None, None]),
            ("5400+30", "89:12", "90:10", [None, None]),
            ("600", "0:09", "0:10", [Some(540.0), Some(600.0)]),
            ("?", "01:30", "01:29", [None, None]),
        ] {
            let times = times_of(&format!(
                "[TimeControl \"{control}\"]\n\n1. e4 {{[%clk {first}]}} e5 {{[%clk {second}]}} *"
            ));
            let clocks: Vec<_> = times.iter().map(|time| time.clock).collect();
            assert_eq!(clocks, expected, "{control} {first}");
        }
    }

    /// On lichess the clocks start with the second move, and no increment is added to the first.
    #[test]
    fn the_first_move_on_lichess_takes_no_time() {
        let spent = |site: &str| {
            let times = times_of(&format!(
                "[Site \"{site}\"]\n[TimeControl \"600+5\"]\n\n1. d4 {{[%clk 0:10:00]}} Nf6 {{[%clk 0:10:00]}} \
                 2. Nf3 {{[%clk 0:10:02]}} *"
            ));
            times.iter().map(|time| time.spent).collect::<Vec<_>>()
        };
        assert_eq!(
            spent("https://lichess.org/abcdefgh"),
            [Some(0.0), Some(0.0), Some(3.0)]
        );
        assert_eq!(spent("Paris"), [Some(5.0), Some(5.0), Some(3.0)]);
    }

    /// A clock below zero is no clock, and the time of the move is unknown.
    #[test]
    fn negative_clocks_are_unknown() {
        let times = times_of("[TimeControl \"180+2\"]\n\n1. e4 {[%clk -0:00:01]} *");
        assert_eq!((times[0].clock, times[0].spent), (None, None));
    }

    #[test]
    fn the_time_spent_on_the_last_move_of_a_period_is_unknown() {
        let text = "1. e4 {[%clk 0:01:00]} e5 {[%clk 1:00:30]} 2. Nf3 {[%clk 1:00:10]} *";
        let game = Games::new(text.as_bytes()).next().unwrap().unwrap();
        let colors = [Color::White, Color::Black].into_iter().cycle();
        let times = move_times(&game, TimeControl::parse("40/7200:3600"), colors);
        assert_eq!(times[2].spent, None);
        assert_eq!(times[2].left, Some(60.0));
    }

    #[test]
    fn time_spent_is_the_difference_of_clocks() {
        let text = "[TimeControl \"60+2\"]\n\n1. e4 {[%clk 0:01:00]} e5 {[%clk 0:00:55]} \
                    2. Nf3 {[%clk 0:00:50]} Nc6 {[%clk 0:00:57] [%emt 0:00:09]} 3. Bb5 *";
        let game = Games::new(text.as_bytes()).next().unwrap().unwrap();
        let colors = [Color::White, Color::Black].into_iter().cycle();
        let times = move_times(&game, TimeControl::parse("60+2"), colors);
        let spent: Vec<_> = times.iter().map(|time| time.spent).collect();
        assert_eq!(spent, [Some(2.0), Some(7.0), Some(12.0), Some(9.0), None]);
        let left: Vec<_> = times.iter().map(|time| time.left).collect();
        assert_eq!(left, [Some(60.0), Some(60.0), Some(60.0), Some(55.0), None]);
    }
}
