//! Labels from the rest of the game: for each position, a score from the later scores and the result.
//!
//! A search of a few hundred nodes does not see an attack that needs twenty plies, but the scores of the following
//! positions do. The value of a position is the λ-return of temporal difference learning (Sutton, 1988; for chess
//! Baxter, Tridgell and Weaver, 1998): the mean of the scores of all later positions, each with `decay` times the
//! weight of the score before, with the result of the game in place of the scores that come after its end.

use skewer_gamedata::Game;
use skewer_movegen::Color;

use crate::sample::sigmoid;

/// How the later scores of a game are averaged.
#[derive(Debug, Clone, Copy, PartialEq, clap::Args)]
pub struct LambdaReturn {
    /// The weight of each later score of a game, as a part of the weight before it: from 0 (only the
    /// next score counts) to 1 (only the result counts).
    #[arg(id = "future-decay", long = "future-decay", default_value_t = Self::default().decay, value_name = "PART")]
    pub decay: f32,
    /// The scale N of the expected points that are averaged, sigmoid(score / N). Give the --stretch of the training,
    /// which converts the averaged score back to expected points.
    #[arg(id = "future-stretch", long = "future-stretch", default_value_t = Self::default().stretch, value_name = "N")]
    pub stretch: f32,
}

impl Default for LambdaReturn {
    /// A decay of 0.9: half of the weight lies on the next seven plies. The stretch is the stretch of the networks
    /// that ship.
    fn default() -> Self {
        Self {
            decay: 0.9,
            stretch: 254.0,
        }
    }
}

/// The greatest distance from zero of the resulting scores.
const LIMIT: f32 = 4000.0;

impl LambdaReturn {
    /// For each position of the game, the score of the rest of the game for White, in units of
    /// [`Score`](skewer_types::Score).
    ///
    /// Scores are averaged as expected points, `sigmoid(score / stretch)`, so that one mate score
    /// does not outweigh all others.
    ///
    /// ```
    /// use skewer_gamedata::{Game, ScoredMove};
    /// use skewer_movegen::{Board, Outcome};
    /// use skewer_train::labels::LambdaReturn;
    ///
    /// let mut game = Game::new(Board::STARTPOS);
    /// game.result = Outcome::Draw;
    /// let mv = game.start.parse_uci("e2e4").unwrap();
    /// game.moves.push(ScoredMove { mv, score: 30 });
    /// let mv = game.start.play(mv).parse_uci("e7e5").unwrap();
    /// game.moves.push(ScoredMove { mv, score: 100 });
    ///
    /// // The first position is followed by a score of 100, the second by a draw alone.
    /// let labels = |decay| LambdaReturn { decay, stretch: 400.0 }.of(&game);
    /// assert_eq!(labels(0.0), [100, 0]);
    /// assert_eq!(labels(0.5), [50, 0]);
    /// ```
    pub fn of(self, game: &Game) -> Vec<i16> {
        let mut value = game.result.points_for(Color::White);
        let mut values: Vec<i16> = game
            .moves
            .iter()
            .rev()
            .map(|scored| {
                let later = self.score_of(value);
                let points = sigmoid(f32::from(scored.score) / self.stretch);
                value = (1.0 - self.decay) * points + self.decay * value;
                later
            })
            .collect();
        values.reverse();
        values
    }

    /// The score with these expected points.
    fn score_of(self, points: f32) -> i16 {
        let score = self.stretch * (points / (1.0 - points)).ln();
        score.clamp(-LIMIT, LIMIT).round() as i16
    }
}

#[cfg(test)]
mod tests {
    use skewer_gamedata::ScoredMove;
    use skewer_movegen::{Board, Outcome};

    use super::*;

    /// A game of knight moves with these scores.
    fn game(scores: &[i16], result: Outcome) -> Game {
        let mut game = Game::new(Board::STARTPOS);
        let mut board = game.start;
        for (ply, &score) in scores.iter().enumerate() {
            let mv = ["g1f3", "g8f6", "f3g1", "f6g8"][ply % 4];
            let mv = board.parse_uci(mv).unwrap();
            game.moves.push(ScoredMove { mv, score });
            board = board.play(mv);
        }
        game.result = result;
        game
    }

    #[test]
    fn later_losses_lower_earlier_scores_by_their_distance() {
        let quiet = [0i16; 8];
        let early = game(&[&quiet[..], &[-300; 20]].concat(), Outcome::BlackWins);
        let values = LambdaReturn::default().of(&early);
        assert!(values[0] < -80 && values[0] > values[4] && values[4] > values[7]);
        // The score of the last position depends only on the result.
        assert_eq!(values.last(), Some(&-4000));
    }

    #[test]
    fn a_level_game_stays_level_and_a_mate_score_does_not_decide_it() {
        let level = game(&[0; 30], Outcome::Draw);
        assert_eq!(LambdaReturn::default().of(&level), [0; 30]);
        let mut scores = [0; 30];
        scores[10] = ScoredMove::SCORE_LIMIT;
        let value = LambdaReturn::default().of(&game(&scores, Outcome::Draw))[9];
        assert!((40..70).contains(&value), "{value}");
    }

    #[test]
    fn a_decay_of_one_is_the_result() {
        let won = game(&[-200; 6], Outcome::WhiteWins);
        let labels = LambdaReturn {
            decay: 1.0,
            ..LambdaReturn::default()
        };
        assert_eq!(labels.of(&won), [4000; 6]);
    }

    /// The mean is taken of the expected points that the training reads from the label, not of points on another scale.
    #[test]
    fn scores_are_averaged_by_the_stretch_of_the_training() {
        let labels = LambdaReturn {
            decay: 0.5,
            stretch: 100.0,
        };
        let points = |score: f32| sigmoid(score / labels.stretch);
        let value = f32::from(labels.of(&game(&[0, 300, 0], Outcome::Draw))[0]);
        // The next score has half of the weight; a level score and a draw have the rest.
        let expected = 0.5 * points(300.0) + 0.5 * 0.5;
        assert!((points(value) - expected).abs() < 0.002, "{value}");
    }
}
