//! The groups that a game and its moves belong to.

use std::borrow::Cow;
use std::cmp::Reverse;

use skewer_movegen::{Color, Piece};

use crate::judged::{JudgedGame, JudgedMove};
use crate::motifs::name_of_piece;

/// A property by which games or moves are grouped, in the order of the results.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub(super) enum Dimension {
    Player,
    Opponent,
    Color,
    Opening,
    Eco,
    RatingDifference,
    TimeControl,
    Month,
    Phase,
    Piece,
    Position,
    TimeLeft,
    TimeSpent,
}

impl Dimension {
    /// Whether the groups with most games come first.
    fn by_games(self) -> bool {
        use Dimension::{Eco, Opening, Opponent, Player};
        matches!(self, Player | Opponent | Opening | Eco)
    }
}

/// A group of a dimension. `rank` is the place of a group in a dimension with an order of its own, such as from less
/// to more time.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Key {
    pub(super) dimension: Dimension,
    rank: u8,
    pub(super) name: Cow<'static, str>,
}

impl Key {
    fn new(dimension: Dimension, rank: u8, name: impl Into<Cow<'static, str>>) -> Self {
        let name = name.into();
        Self {
            dimension,
            rank,
            name,
        }
    }

    /// Whether the group counts a game once for each player.
    pub(super) fn is_of_player(&self) -> bool {
        use Dimension::{Color, Opponent, Player, RatingDifference};
        matches!(self.dimension, Player | Opponent | Color | RatingDifference)
    }

    /// The place of the group in the results. `games` is the number of games in the group.
    pub(super) fn order(&self, games: u64) -> impl Ord + '_ {
        let most_games = Reverse(if self.dimension.by_games() { games } else { 0 });
        (self.dimension, most_games, self.rank, &self.name)
    }
}

/// The name by which a player's games are grouped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GroupBy {
    /// The player's own.
    Player,
    /// The opponent's.
    Opponent,
}

/// The groups to which all moves of a player in a game belong.
pub(super) fn of_game(game: &JudgedGame, color: Color, by: GroupBy) -> Vec<Key> {
    let name = |color| match game.player(color).trim() {
        "" => "?".to_owned(),
        name => name.to_owned(),
    };
    let mut keys = vec![
        match by {
            GroupBy::Player => Key::new(Dimension::Player, 0, name(color)),
            GroupBy::Opponent => Key::new(Dimension::Opponent, 0, name(!color)),
        },
        color.fold(
            Key::new(Dimension::Color, 0, "white"),
            Key::new(Dimension::Color, 1, "black"),
        ),
    ];
    if let Some(opening) = game.opening {
        let family = opening.name.split(':').next().unwrap_or(opening.name);
        keys.push(Key::new(Dimension::Opening, 0, family.to_owned()));
        keys.push(Key::new(Dimension::Eco, 0, opening.eco));
    }
    if let (Some(own), Some(other)) = (game.elo(color), game.elo(!color)) {
        let difference = i32::from(own) - i32::from(other);
        let (rank, name) = bucket(f64::from(difference), &RATING_DIFFERENCES);
        keys.push(Key::new(Dimension::RatingDifference, rank, name));
    }
    if let Some(speed) = game.speed() {
        keys.push(Key::new(
            Dimension::TimeControl,
            speed as u8,
            <&str>::from(speed),
        ));
    }
    if let Some(date) = game.date()
        && date.len() >= 7
    {
        keys.push(Key::new(Dimension::Month, 0, date[..7].to_owned()));
    }
    keys
}

/// The groups to which a single move belongs.
pub(super) fn of_move(mv: &JudgedMove) -> impl Iterator<Item = Key> {
    let piece =
        |piece: Piece| Key::new(Dimension::Piece, piece.index() as u8, name_of_piece(piece));
    let time = |dimension, seconds: Option<f64>, buckets| {
        let (rank, name) = bucket(seconds?, buckets);
        Some(Key::new(dimension, rank, name))
    };
    [
        Some(Key::new(
            Dimension::Phase,
            mv.phase as u8,
            <&str>::from(mv.phase),
        )),
        Some(Key::new(
            Dimension::Position,
            mv.standing as u8,
            <&str>::from(mv.standing),
        )),
        mv.piece.map(piece),
        time(Dimension::TimeLeft, mv.time.left, &TIMES_LEFT),
        time(Dimension::TimeSpent, mv.time.spent, &TIMES_SPENT),
    ]
    .into_iter()
    .flatten()
}

/// Adjacent intervals, by their upper limits (exclusive), with their names.
type Buckets = [(f64, &'static str)];

/// Own rating less the opponent's.
const RATING_DIFFERENCES: [(f64, &str); 5] = [
    (-199.0, "-200 and less"),
    (-49.0, "-199 to -50"),
    (50.0, "-49 to +49"),
    (200.0, "+50 to +199"),
    (f64::INFINITY, "+200 and more"),
];

/// Seconds on the clock before the move.
const TIMES_LEFT: [(f64, &str); 6] = [
    (10.0, "under 10 s"),
    (30.0, "10 to 30 s"),
    (60.0, "30 to 60 s"),
    (180.0, "1 to 3 min"),
    (600.0, "3 to 10 min"),
    (f64::INFINITY, "10 min and more"),
];

/// Seconds spent on the move.
const TIMES_SPENT: [(f64, &str); 6] = [
    (1.0, "under 1 s"),
    (3.0, "1 to 3 s"),
    (10.0, "3 to 10 s"),
    (30.0, "10 to 30 s"),
    (120.0, "30 s to 2 min"),
    (f64::INFINITY, "2 min and more"),
];

fn bucket(value: f64, buckets: &Buckets) -> (u8, &'static str) {
    let index = buckets.iter().position(|(limit, _)| value < *limit);
    let index = index.unwrap_or(buckets.len() - 1);
    (index as u8, buckets[index].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_do_not_overlap() {
        let rating = |difference: i32| bucket(f64::from(difference), &RATING_DIFFERENCES).1;
        assert_eq!(rating(-200), "-200 and less");
        assert_eq!(rating(-199), "-199 to -50");
        assert_eq!(rating(-50), "-199 to -50");
        assert_eq!(rating(-49), "-49 to +49");
        assert_eq!(rating(49), "-49 to +49");
        assert_eq!(rating(50), "+50 to +199");
        assert_eq!(rating(200), "+200 and more");
        assert_eq!(bucket(9.99, &TIMES_LEFT).1, "under 10 s");
        assert_eq!(bucket(1e9, &TIMES_LEFT).1, "10 min and more");
    }
}
