//! Time controls and the time spent on each move.

use serde::Serialize;
use skewer_movegen::Color;
use skewer_pgn::{PgnGame, annotation};
use strum::IntoStaticStr;

/// The class of a time control, by the expected duration of a game: base time and 40 increments, with the limits that
/// lichess publishes. A period of fewer than 40 moves counts as often as 40 moves need it.
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

/// A day in seconds.
const DAY: f64 = 86_400.0;

/// The moves of a game for which its duration is estimated.
const GAME_MOVES: f64 = 40.0;

/// The least seconds of a second or later period. `1:30:00` has less: it is a duration and not a list of periods.
const SHORTEST_LATER_PERIOD: f64 = 60.0;

/// The greatest base time that a tag may give in minutes: six hours. A greater number, such as 600, is in seconds.
const MOST_MINUTES: f64 = 360.0;

/// After the first moves, one clock or both show at least this share of the base time. A player who arrives late, or who
/// takes half of the time for more points, has less than all of it.
const LEFT_AFTER_FIRST: f64 = 0.25;

impl TimeControl {
    /// Reads the value of the tag by the PGN standard, in seconds: `300+3`, `600`, `40/7200:3600`, `1/86400`. `None` if
    /// it is unknown (`?`), unlimited (`-`), an hourglass (`*180`), gives no time (`0`), or is a duration (`1:30:00`).
    pub fn parse(text: &str) -> Option<Self> {
        let mut periods = text.split(':').map(Self::period);
        let first = periods.next()??;
        let is_period = |period: Option<Self>| {
            period.is_some_and(|period| period.base >= SHORTEST_LATER_PERIOD)
        };
        periods.all(is_period).then_some(first)
    }

    /// Reads one period of the tag.
    fn period(text: &str) -> Option<Self> {
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => (Some(moves.trim().parse().ok()?), rest),
            None => (None, text),
        };
        let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let seconds = |text: &str| {
            let value: f64 = text.trim().parse().ok()?;
            (value.is_finite() && value >= 0.0).then_some(value)
        };
        let period = Self {
            base: seconds(base)?,
            increment: seconds(increment)?,
            moves,
        };
        let has_time = period.base + period.increment > 0.0 && moves != Some(0);
        has_time.then_some(period)
    }

    /// The time control of a game: the tag `TimeControl`, read [`with_clocks`](Self::with_clocks).
    pub fn of(game: &PgnGame) -> Option<Self> {
        let first = (0..2).filter_map(|player| FirstClock::of(game, player));
        Self::with_clocks(game.tags.get("TimeControl")?, first)
    }

    /// Reads the value of the tag in the unit with which the first clock of each player agrees. The unit is seconds
    /// unless the clocks contradict that; some programs write the base time in minutes, as in `5+3`. `None` if the tag
    /// cannot be read, or the clocks agree with neither unit.
    ///
    /// ```
    /// use skewer_analysis::clocks::{FirstClock, TimeControl};
    ///
    /// let first = FirstClock::read(1, "[%clk 0:04:58]").unwrap();
    /// assert_eq!(TimeControl::with_clocks("5+3", [first]).unwrap().base, 300.0);
    /// assert_eq!(TimeControl::with_clocks("300+3", [first]).unwrap().base, 300.0);
    /// assert_eq!(TimeControl::with_clocks("60+1", [first]), None);
    /// ```
    pub fn with_clocks(tag: &str, first: impl IntoIterator<Item = FirstClock>) -> Option<Self> {
        let control = Self::parse(tag)?;
        let clocks: Vec<FirstClock> = (first.into_iter())
            // After the last move of a period the time of the next one is on the clock.
            .filter(|clock| control.moves.is_none_or(|moves| clock.number < moves))
            .collect();
        // A clock that begins later in the game may have any time left.
        let begin_late = clocks.iter().all(|clock| clock.number > 1);
        if control.allows(&clocks) && (begin_late || control.begins_with(&clocks)) {
            return Some(control);
        }
        control
            .in_minutes()
            .filter(|control| control.allows(&clocks) && control.begins_with(&clocks))
    }

    /// The same tag with its base time in minutes; `None` if that would be too long.
    fn in_minutes(self) -> Option<Self> {
        (self.base <= MOST_MINUTES).then_some(Self {
            base: 60.0 * self.base,
            ..self
        })
    }

    /// The classes of this value of the tag in seconds and in minutes. The clocks of a game decide between them.
    pub fn possible_speeds(tag: &str) -> impl Iterator<Item = Speed> {
        let control = Self::parse(tag);
        let in_minutes = control.and_then(Self::in_minutes);
        control.into_iter().chain(in_minutes).map(Self::speed)
    }

    /// Whether no clock shows more than the time control gives. A clock of two parts counts by its shorter reading. A
    /// tolerance covers time that an arbiter, a server or the opponent has added.
    fn allows(self, clocks: &[FirstClock]) -> bool {
        let granted = self.base.clamp(10.0, 60.0);
        clocks.iter().all(|clock| {
            let increments = f64::from(clock.number) * self.increment;
            clock.shorter <= self.base + increments + granted
        })
    }

    /// Whether a clock shows as much as at the beginning of a game, by its longer reading.
    fn begins_with(self, clocks: &[FirstClock]) -> bool {
        let least = LEFT_AFTER_FIRST * self.base;
        clocks.iter().any(|clock| clock.longer >= least)
    }

    /// The class of the time control.
    pub fn speed(self) -> Speed {
        let moves = self.moves.map(f64::from);
        if moves.is_some_and(|moves| self.base >= DAY * moves) {
            return Speed::Correspondence;
        }
        // After a period of fewer moves the next one is taken to be the same.
        let periods = moves.map_or(1.0, |moves| (GAME_MOVES / moves).max(1.0));
        let duration = periods * self.base + GAME_MOVES * self.increment;
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

/// The first clock of a player in a game, in seconds. A clock of two parts, such as 1:30, has two readings: minutes and
/// seconds, and hours and minutes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FirstClock {
    /// The move of the player after which it stands, from 1.
    number: u32,
    shorter: f64,
    longer: f64,
}

impl FirstClock {
    /// The first clock of a player: 0 for the player who moves first, 1 for the other one.
    fn of(game: &PgnGame, player: usize) -> Option<Self> {
        let own = game.mainline().skip(player).step_by(2);
        (1..).zip(own).find_map(|(number, id)| {
            let mut comments = game.node(id).comments.iter();
            comments.find_map(|text| Self::read(number, text))
        })
    }

    /// Reads the clock in the comment after move `number` of a player, from 1. `None` if the comment has no clock.
    pub fn read(number: u32, comment: &str) -> Option<Self> {
        let [shorter, longer] = readings(comment)?;
        Some(Self {
            number,
            shorter,
            longer,
        })
    }
}

/// The seconds of the clock of a comment, by the shorter and by the longer of its readings, which may be the same.
fn readings(comment: &str) -> Option<[f64; 2]> {
    if let Some(clock) = annotation::clock(comment) {
        return Some([clock.as_secs_f64(); 2]);
    }
    let [first, second] = annotation::short_clock(comment)?;
    let shorter = f64::from(first) * 60.0 + f64::from(second);
    Some([shorter, 60.0 * shorter])
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
        assert_eq!(speed("5400+30:1800+30"), Some(Speed::Classical));
        // Thirty seconds for each move, and ten moves in thirty days.
        assert_eq!(speed("1/30"), Some(Speed::Rapid));
        assert_eq!(speed("10/2592000"), Some(Speed::Correspondence));
        let words = "? - *180 NaN inf -300 0 0+0 0/300 1/0 300+ +3 5:00 1:30:00+30 40/7200:?";
        for unknown in words.split(' ').chain(["", "5 min"]) {
            assert_eq!(speed(unknown), None, "{unknown}");
        }
    }

    /// A game of a time control with one clock after each move.
    fn game_of(control: &str, clocks: &[&str]) -> PgnGame {
        let moves = ["e4", "e5", "Nf3", "Nc6"].iter().zip(clocks);
        let moves: Vec<String> = moves
            .map(|(mv, clock)| format!("{mv} {{[%clk {clock}]}}"))
            .collect();
        let text = format!("[TimeControl \"{control}\"]\n\n1. {} *", moves.join(" "));
        Games::new(text.as_bytes()).next().unwrap().unwrap()
    }

    /// The tag is in seconds, as the standard says, unless the clocks contradict that. It is in minutes if the clocks
    /// agree with minutes, and else it is not known.
    #[test]
    fn the_unit_of_the_time_control_is_that_of_the_clocks() {
        use Speed::{Blitz, Bullet, Classical, Correspondence, Rapid, UltraBullet};
        for (control, first, second, expected) in [
            // In seconds.
            ("15", "0:00:15", "0:00:14", Some((UltraBullet, 15.0))),
            ("0+1", "0:00:03", "0:00:03", Some((Bullet, 0.0))),
            ("60+1", "0:01:00", "0:01:01", Some((Bullet, 60.0))),
            ("300+3", "0:05:03", "0:05:01", Some((Blitz, 300.0))),
            ("300+3", "04:58", "05:01", Some((Blitz, 300.0))),
            ("5400+30", "01:30", "01:29", Some((Classical, 5400.0))),
            ("300", "0:02:30", "0:02:30", Some((Blitz, 300.0))),
            // In minutes.
            ("1+0", "0:01:00", "0:00:59", Some((Bullet, 60.0))),
            ("5+3", "0:05:02", "0:05:01", Some((Blitz, 300.0))),
            ("15", "0:14:58", "0:15:00", Some((Rapid, 900.0))),
            ("15", "14:58", "14:50", Some((Rapid, 900.0))),
            ("90+30", "1:30:25", "1:30:12", Some((Classical, 5400.0))),
            ("40/120:60", "1:59:00", "1:58:30", Some((Classical, 7200.0))),
            // In neither.
            ("300", "0:10:00", "0:09:58", None),
            ("600", "0:00:58", "0:00:59", None),
            // A clock of correspondence chess begins again with every move.
            (
                "1/86400",
                "3:50:00",
                "0:50:00",
                Some((Correspondence, 86_400.0)),
            ),
        ] {
            let found = TimeControl::of(&game_of(control, &[first, second]));
            let found = found.map(|control| (control.speed(), control.base));
            assert_eq!(found, expected, "{control} {first} {second}");
        }
    }

    /// The increment stays in seconds when the base time is in minutes, and the time of the first moves follows from
    /// both.
    #[test]
    fn times_follow_from_a_time_control_in_minutes() {
        let times = times_of(&game_of("5+3", &["0:05:02", "0:04:50"]));
        let times = times.iter().map(|time| (time.left, time.spent));
        let expected = [(Some(300.0), Some(1.0)), (Some(300.0), Some(13.0))];
        assert_eq!(times.collect::<Vec<_>>(), expected);
    }

    /// A clock that begins in the middle of a game contradicts no time control of which less may be left.
    #[test]
    fn clocks_that_begin_late_may_show_any_time() {
        let late = |control: &str| {
            let text = format!(
                "[TimeControl \"{control}\"]\n\n1. e4 e5 2. Nf3 {{[%clk 0:02:10]}} Nc6 {{[%clk 0:01:50]}} *"
            );
            let game = Games::new(text.as_bytes()).next().unwrap().unwrap();
            TimeControl::of(&game).map(|control| control.base)
        };
        assert_eq!(late("5400+30"), Some(5400.0));
        assert_eq!(late("3"), Some(180.0));
        assert_eq!(late("15"), None);
    }

    fn times_of(game: &PgnGame) -> Vec<MoveTime> {
        let colors = [Color::White, Color::Black].into_iter().cycle();
        move_times(game, TimeControl::of(game), colors)
    }

    /// The times of the moves of a game as text.
    fn times_in(text: &str) -> Vec<MoveTime> {
        times_of(&Games::new(text.as_bytes()).next().unwrap().unwrap())
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
            let times = times_in(&format!(
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
            let times = times_in(&format!(
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
        let times = times_in("[TimeControl \"180+2\"]\n\n1. e4 {[%clk -0:00:01]} *");
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
