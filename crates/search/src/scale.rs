//! The static evaluation, made from the evaluator's result: by the material on the board, the score of the root, the
//! fifty-move clock and the correction.

use skewer_eval::Evaluator;
use skewer_movegen::{Board, Color};
use skewer_types::{FULL_MATERIAL, Score, TechniqueSet, Techniques};

use crate::params;
use crate::search::Search;

/// Scores of the root beyond this, in score units, give no more optimism.
const GREATEST_SCORE: i32 = 1000;

/// What is added to the evaluation of each side, by color: a bonus for the side that is ahead at the root, and as much off
/// for the other side.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Optimism([i32; 2]);

impl Optimism {
    /// The optimism by the score of the earlier iterations, for the side to move at the root; none before the first.
    pub(crate) fn at(turn: Color, average: Option<Score>) -> Self {
        let mut sides = [0; 2];
        if let Some(average) = average {
            let score = average.raw().clamp(-GREATEST_SCORE, GREATEST_SCORE);
            let own = params::optimism_most() * score / (score.abs() + params::optimism_half());
            sides[turn.index()] = own;
            sides[(!turn).index()] = -own;
        }
        Self(sides)
    }
}

impl<E: Evaluator, T: TechniqueSet> Search<'_, E, T> {
    /// The static evaluation of `board`: `raw` from the evaluator, scaled by the material, with the optimism added,
    /// scaled toward zero as the fifty-move rule comes near, and corrected. It is always within the range of evaluations.
    #[inline]
    pub(crate) fn static_score(&self, board: &Board, raw: Score, correction: i32) -> Score {
        let material = board.material().cast_signed();
        let mut value = raw.raw();
        if self.has(Techniques::MATERIAL_SCALE) {
            let share = 10 * params::material_base() + params::material_slope() * material;
            value = value * share / 10_240;
            let added = params::optimism_material();
            let own = self.optimism.0[board.turn().index()];
            value += own * (added + material) / (added + FULL_MATERIAL.cast_signed());
        }
        let full = params::fading();
        let left = full - i32::from(board.halfmove_clock().min(100));
        Score::new(Score::new(value).raw() * left / full + correction)
    }
}
