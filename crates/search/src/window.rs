//! Aspiration windows.

use skewer_types::Score;

use crate::diversity::Diversity;
use crate::params;

/// A window, and how far it may grow next.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    pub(crate) alpha: Score,
    pub(crate) beta: Score,
    width: i32,
}

impl Window {
    pub(crate) const OPEN: Self = Self {
        alpha: Score::from_raw(-Score::INFINITE.raw()),
        beta: Score::INFINITE,
        width: 0,
    };

    pub(crate) fn around(average: Score, diversity: &Diversity) -> Self {
        let width = params::aspiration_width() + diversity.width;
        // Scores far from level swing more.
        let width = width + average.raw().abs() / params::aspiration_swing();
        Self {
            alpha: (average - width).max(-Score::INFINITE),
            beta: (average + width).min(Score::INFINITE),
            width,
        }
    }

    /// After a fail low: the lower bound goes down, the upper one comes near.
    pub(crate) fn lower(&mut self, score: Score) {
        self.beta = Score::from_raw(i32::midpoint(self.alpha.raw(), self.beta.raw()));
        self.alpha = self.opened(score, -1);
    }

    /// After a fail high: the upper bound goes up.
    pub(crate) fn raise(&mut self, score: Score) {
        self.beta = self.opened(score, 1);
    }

    fn opened(&mut self, score: Score, sign: i32) -> Score {
        let bound = if score.is_decisive() || self.width > params::aspiration_open() {
            Score::from_raw(sign * Score::INFINITE.raw())
        } else {
            Score::from_raw(score.raw() + sign * self.width)
        };
        self.width += self.width * params::aspiration_growth() / 100;
        bound
    }
}
