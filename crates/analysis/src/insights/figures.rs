//! The figures of a group: sums in whole numbers, and means for output.

use std::ops::AddAssign;

use serde::Serialize;
use skewer_movegen::{Color, Outcome};

use crate::formulas::Label;
use crate::json::rounded;
use crate::judged::{JudgedGame, JudgedMove};

/// Sums over games, each seen from the side of one player, and over moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Sums {
    pub(super) games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    /// Finished games in which both players have a rating.
    rated_games: u64,
    /// Half points in the rated games.
    rated_points: u64,
    /// Points in the rated games that the ratings predict, in ten-thousandths.
    expected: u64,
    moves: u64,
    /// Hundredths of a per cent.
    accuracy: u64,
    loss: u64,
    inaccuracies: u64,
    mistakes: u64,
    blunders: u64,
    timed_moves: u64,
    /// Hundredths of a second.
    time: u64,
}

impl Sums {
    /// The result of a game for one player, without its moves.
    pub(super) fn of_game(game: &JudgedGame, color: Color) -> Self {
        let mut sums = Self {
            games: 1,
            ..Self::default()
        };
        let won = color.fold(Outcome::WhiteWins, Outcome::BlackWins);
        match game.game.outcome {
            None => return sums,
            Some(Outcome::Draw) => sums.draws = 1,
            Some(outcome) if outcome == won => sums.wins = 1,
            Some(_) => sums.losses = 1,
        }
        if let (Some(own), Some(other)) = (game.elo(color), game.elo(!color)) {
            sums.rated_games = 1;
            sums.rated_points = sums.half_points();
            sums.expected = expected_score(own, other);
        }
        sums
    }

    fn half_points(self) -> u64 {
        2 * self.wins + self.draws
    }

    fn finished_games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Half points of a single game; `None` if it has no result.
    pub(super) fn points(self) -> Option<u64> {
        (self.finished_games() > 0).then_some(self.half_points())
    }

    /// Adds a move, which is no null move. `label` is its label; `None` if it has none, or the label is not counted.
    pub(super) fn add_move(&mut self, mv: &JudgedMove, label: Option<Label>) {
        self.moves += 1;
        self.accuracy += mv.accuracy.map_or(0, hundredths);
        self.loss += mv.loss.map_or(0, |loss| u64::from(loss.unsigned_abs()));
        match label {
            Some(Label::Inaccuracy) => self.inaccuracies += 1,
            Some(Label::Mistake) => self.mistakes += 1,
            Some(Label::Blunder) => self.blunders += 1,
            None => {}
        }
        if let Some(spent) = mv.time.spent {
            self.timed_moves += 1;
            self.time += hundredths(spent);
        }
    }
}

/// The score that the ratings predict (Elo, 1978), in ten-thousandths of a point.
fn expected_score(own: u16, other: u16) -> u64 {
    let difference = f64::from(other) - f64::from(own);
    (10_000.0 / (1.0 + 10_f64.powf(difference / 400.0))).round() as u64
}

impl AddAssign for Sums {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.rated_games += other.rated_games;
        self.rated_points += other.rated_points;
        self.expected += other.expected;
        self.moves += other.moves;
        self.accuracy += other.accuracy;
        self.loss += other.loss;
        self.inaccuracies += other.inaccuracies;
        self.mistakes += other.mistakes;
        self.blunders += other.blunders;
        self.timed_moves += other.timed_moves;
        self.time += other.time;
    }
}

/// A value that is not negative, in hundredths.
pub(super) fn hundredths(value: f64) -> u64 {
    (value * 100.0).round().max(0.0) as u64
}

/// The figures of a group of moves, and of the games that they belong to.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Figures {
    /// Games with at least one of the moves. Over all players, a game counts once, with White's result, unless the
    /// group is of a player, a colour or a rating difference.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Points in per cent of the finished games.
    pub score_percent: Option<f64>,
    /// Finished games in which both players have a rating.
    pub rated_games: u64,
    /// Points in the rated games, in per cent of these games.
    pub rated_score_percent: Option<f64>,
    /// Points that the ratings predict, in per cent of the rated games.
    pub expected_percent: Option<f64>,
    /// Moves.
    pub moves: u64,
    /// Mean accuracy of the moves.
    pub accuracy: Option<f64>,
    /// Mean centipawn loss of the moves.
    pub average_loss: Option<f64>,
    /// Inaccuracies.
    pub inaccuracies: u64,
    /// Mistakes.
    pub mistakes: u64,
    /// Blunders.
    pub blunders: u64,
    /// Blunders in a hundred moves.
    pub blunder_percent: Option<f64>,
    /// Moves with a known time.
    pub timed_moves: u64,
    /// Mean time of the timed moves, in seconds.
    pub seconds: Option<f64>,
}

impl From<Sums> for Figures {
    fn from(sums: Sums) -> Self {
        Self {
            games: sums.games,
            wins: sums.wins,
            draws: sums.draws,
            losses: sums.losses,
            score_percent: mean(50 * sums.half_points(), sums.finished_games()),
            rated_games: sums.rated_games,
            rated_score_percent: mean(50 * sums.rated_points, sums.rated_games),
            expected_percent: mean(sums.expected, 100 * sums.rated_games),
            moves: sums.moves,
            accuracy: mean(sums.accuracy, 100 * sums.moves),
            average_loss: mean(sums.loss, sums.moves),
            inaccuracies: sums.inaccuracies,
            mistakes: sums.mistakes,
            blunders: sums.blunders,
            blunder_percent: mean(100 * sums.blunders, sums.moves),
            timed_moves: sums.timed_moves,
            seconds: mean(sums.time, 100 * sums.timed_moves),
        }
    }
}

/// A quotient of sums to two decimals; `None` if there is nothing to divide by.
fn mean(sum: u64, count: u64) -> Option<f64> {
    (count > 0).then(|| rounded(sum as f64 / count as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expected_scores() {
        assert_eq!(expected_score(1500, 1500), 5000);
        // 1 / (1 + 10^-0.5) and its complement.
        assert_eq!(expected_score(1700, 1500), 7597);
        assert_eq!(expected_score(1500, 1700), 2403);
    }

    #[test]
    fn means_of_nothing_are_none() {
        let figures = Figures::from(Sums::default());
        assert_eq!(
            (figures.accuracy, figures.score_percent, figures.seconds),
            (None, None, None)
        );
    }
}
