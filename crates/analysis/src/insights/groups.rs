//! The groups that a game and its moves belong to.

use std::cmp::Ordering;

use skewer_movegen::{Color, Piece};

use crate::motifs::name_of_piece;
use crate::report::{JudgedGame, JudgedMove};

/// A property by which games or moves are grouped.
#[derive(Debug)]
pub struct Dimension {
    /// The name in the results.
    pub name: &'static str,
    /// How the groups are ordered.
    order: Order,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    /// By their rank, such as from less to more time.
    Rank,
    /// Those with most games first.
    Games,
    /// By name, which is a date.
    Name,
}

const fn dimension(name: &'static str, order: Order) -> Dimension {
    Dimension { name, order }
}

/// All dimensions.
pub const DIMENSIONS: [Dimension; 13] = [
    dimension("player", Order::Games),
    dimension("opponent", Order::Games),
    dimension("color", Order::Rank),
    dimension("opening", Order::Games),
    dimension("eco", Order::Games),
    dimension("rating_difference", Order::Rank),
    dimension("time_control", Order::Rank),
    dimension("month", Order::Name),
    dimension("phase", Order::Rank),
    dimension("piece", Order::Rank),
    dimension("position", Order::Rank),
    dimension("time_left", Order::Rank),
    dimension("time_spent", Order::Rank),
];

const PLAYER: u8 = 0;
const OPPONENT: u8 = 1;
const COLOR: u8 = 2;
const OPENING: u8 = 3;
const ECO: u8 = 4;
const RATING: u8 = 5;
const CONTROL: u8 = 6;
const MONTH: u8 = 7;
const PHASE: u8 = 8;
const PIECE: u8 = 9;
const POSITION: u8 = 10;
const TIME_LEFT: u8 = 11;
const TIME_SPENT: u8 = 12;

/// A group of a dimension.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Key {
    dimension: u8,
    rank: u8,
    name: Name,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Name {
    Fixed(&'static str),
    Free(String),
}

impl Name {
    fn text(&self) -> &str {
        match self {
            Self::Fixed(name) => name,
            Self::Free(name) => name,
        }
    }
}

impl Key {
    fn fixed(dimension: u8, rank: u8, name: &'static str) -> Self {
        let name = Name::Fixed(name);
        Self {
            dimension,
            rank,
            name,
        }
    }

    fn free(dimension: u8, name: String) -> Self {
        let name = Name::Free(name);
        Self {
            dimension,
            rank: 0,
            name,
        }
    }

    /// The name of the dimension.
    pub fn dimension(&self) -> &'static str {
        DIMENSIONS[usize::from(self.dimension)].name
    }

    /// The name of the group.
    pub fn name(&self) -> String {
        self.name.text().to_owned()
    }

    /// Compares two groups by their place in the results. `games` and `other_games` are the numbers of
    /// games in each.
    pub fn order(&self, other: &Self, games: u64, other_games: u64) -> Ordering {
        let by_games = match DIMENSIONS[usize::from(self.dimension)].order {
            Order::Games => other_games.cmp(&games),
            Order::Rank | Order::Name => Ordering::Equal,
        };
        self.dimension
            .cmp(&other.dimension)
            .then(by_games)
            .then(self.rank.cmp(&other.rank))
            .then_with(|| self.name.text().cmp(other.name.text()))
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
            GroupBy::Player => Key::free(PLAYER, name(color)),
            GroupBy::Opponent => Key::free(OPPONENT, name(!color)),
        },
        color.fold(Key::fixed(COLOR, 0, "white"), Key::fixed(COLOR, 1, "black")),
    ];
    if let Some(opening) = game.opening {
        let family = opening.name.split(':').next().unwrap_or(opening.name);
        keys.push(Key::free(OPENING, family.to_owned()));
        keys.push(Key::fixed(ECO, 0, opening.eco));
    }
    if let (Some(own), Some(other)) = (game.elo(color), game.elo(!color)) {
        let difference = i32::from(own) - i32::from(other);
        let (rank, name) = bucket(f64::from(difference), &RATING_DIFFERENCES);
        keys.push(Key::fixed(RATING, rank, name));
    }
    if let Some(speed) = game.speed() {
        keys.push(Key::fixed(CONTROL, speed as u8, speed.name()));
    }
    if let Some(date) = game.date()
        && date.len() >= 7
    {
        keys.push(Key::free(MONTH, date[..7].to_owned()));
    }
    keys
}

/// The groups to which a single move belongs.
pub(super) fn of_move(mv: &JudgedMove) -> impl Iterator<Item = Key> {
    let piece = |piece: Piece| Key::fixed(PIECE, piece.index() as u8, name_of_piece(piece));
    let time = |dimension, seconds: Option<f64>, buckets| {
        let (rank, name) = bucket(seconds?, buckets);
        Some(Key::fixed(dimension, rank, name))
    };
    [
        Some(Key::fixed(PHASE, mv.phase as u8, mv.phase.name())),
        Some(Key::fixed(POSITION, mv.standing as u8, mv.standing.name())),
        mv.piece.map(piece),
        time(TIME_LEFT, mv.time.left, &TIMES_LEFT),
        time(TIME_SPENT, mv.time.spent, &TIMES_SPENT),
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

    #[test]
    fn constants_are_indices_of_dimensions() {
        for (place, name) in [
            (PLAYER, "player"),
            (COLOR, "color"),
            (TIME_SPENT, "time_spent"),
        ] {
            assert_eq!(DIMENSIONS[usize::from(place)].name, name);
        }
    }
}
