//! Adjudication of games by their scores.

use skewer_movegen::Outcome;

/// A rule of adjudication. Scores here are White's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoreRule {
    /// How far from zero the scores must be at least (to win), or at most (to draw).
    pub score: i32,
    /// For how many consecutive plies the scores must stay within this limit.
    pub plies: u32,
    /// The first ply of the game that counts.
    pub from: u32,
}

/// Adjudicates a game by its scores.
#[derive(Debug, Clone)]
pub struct Adjudicator {
    win: Option<ScoreRule>,
    draw: Option<ScoreRule>,
    /// For how many plies each of three conditions has held: White winning, Black winning, drawn.
    held: [u32; 3],
}

impl Adjudicator {
    /// An adjudicator with these rules.
    pub fn new(win: Option<ScoreRule>, draw: Option<ScoreRule>) -> Self {
        Self {
            win,
            draw,
            held: [0; 3],
        }
    }

    /// Adds White's score of the position at `ply`. Returns the result if that ends the game. A move without
    /// a score ends every series.
    pub fn note(&mut self, ply: u32, score: Option<i32>) -> Option<Outcome> {
        let held = |rule: Option<ScoreRule>, test: &dyn Fn(i32, i32) -> bool| {
            rule.zip(score)
                .is_some_and(|(rule, score)| ply >= rule.from && test(score, rule.score))
        };
        let now = [
            held(self.win, &|score, limit| score >= limit),
            held(self.win, &|score, limit| score <= -limit),
            held(self.draw, &|score, limit| score.abs() <= limit),
        ];
        for (count, now) in self.held.iter_mut().zip(now) {
            *count = if now { *count + 1 } else { 0 };
        }
        let enough = |index: usize, rule: Option<ScoreRule>| {
            rule.is_some_and(|rule| self.held[index] >= rule.plies.max(1))
        };
        if enough(0, self.win) {
            Some(Outcome::WhiteWins)
        } else if enough(1, self.win) {
            Some(Outcome::BlackWins)
        } else if enough(2, self.draw) {
            Some(Outcome::Draw)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_must_last_without_a_break() {
        let win = ScoreRule {
            score: 500,
            plies: 3,
            from: 0,
        };
        let draw = ScoreRule {
            score: 5,
            plies: 2,
            from: 10,
        };
        let mut adjudicator = Adjudicator::new(Some(win), Some(draw));
        for (ply, score) in [(0, 600), (1, 600), (2, 100), (3, -900), (4, -900)] {
            assert_eq!(adjudicator.note(ply, Some(score)), None);
        }
        assert_eq!(adjudicator.note(5, Some(-500)), Some(Outcome::BlackWins));
        let mut adjudicator = Adjudicator::new(Some(win), Some(draw));
        for ply in 0..11 {
            assert_eq!(adjudicator.note(ply, Some(0)), None);
        }
        assert_eq!(adjudicator.note(11, Some(5)), Some(Outcome::Draw));
        let mut adjudicator = Adjudicator::new(Some(win), None);
        for score in [Some(600), Some(700), None, Some(600), Some(600)] {
            assert_eq!(adjudicator.note(40, score), None);
        }
        assert_eq!(adjudicator.note(40, Some(600)), Some(Outcome::WhiteWins));
    }
}
