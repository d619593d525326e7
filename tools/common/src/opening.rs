//! Balanced random openings.

use anyhow::Result;
use skewer_eval::Evaluation;
use skewer_openings::{Opening, Recipe, Rng};
use skewer_search::Judge;
use skewer_types::Score;

/// The greatest distance from zero of an opening's score by the judge's search, in units of [`Score`].
pub const MARGIN: u32 = 90;
/// How many random openings are tried for a balanced one.
const TRIES: u32 = 200;
/// Nodes that the judge searches for an opening.
pub const JUDGE_NODES: u64 = 5_000;

/// The opening with this number among those of a recipe and seed, always the same.
///
/// # Errors
///
/// If there is no memory for the judge.
pub fn random(recipe: &Recipe, seed: u64, number: u64) -> Result<Opening> {
    let mut judge = Judge::new(Evaluation::hand_crafted(), JUDGE_NODES)?;
    Ok(Opening::balanced(
        recipe,
        &mut Rng::stream(seed, number),
        MARGIN,
        TRIES,
        |board| judge.score(board).map(Score::raw),
    ))
}
