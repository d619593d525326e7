//! Fitting the hand-written evaluation's weights to games: logistic regression by gradient
//! (Österlund's "Texel" tuning, 2014, with a gradient instead of a local search).
//!
//! The evaluation is linear in its weights, apart from the factor for some endings, so a position
//! is stored as its [`Trace`], the coefficients of the weights. A prior pulls each weight towards its
//! untuned value, and dominates for weights that rarely occur.

use rayon::prelude::*;
use skewer_eval::{Tapered, Term, Trace, Weight};
use skewer_gamedata::{Filter, Game};
use skewer_movegen::Color;
use skewer_types::mix;

use crate::optimizer::{AdamW, Schedule};
use crate::order::Order;
use crate::sample::{cross_entropy, sigmoid, stretch_of};
use crate::settings::TuneSettings;

/// The data of a position other than its counts, from White's point of view.
#[derive(Debug, Clone, Copy)]
struct Head {
    /// The end of its counts in [`Examples::counts`].
    end: usize,
    /// The game phase: 1 is the middlegame, 0 the endgame.
    phase: f32,
    /// The factor of the score in some endings, if White is ahead and if Black is.
    scale: [f32; 2],
    /// The search's score, in units of `Score`.
    score: f32,
    /// White's points in the game.
    points: f32,
}

/// Positions to fit to.
#[derive(Debug, Clone, Default)]
pub struct Examples {
    counts: Vec<(u16, i16)>,
    heads: Vec<Head>,
}

impl Examples {
    /// The number of positions.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Adds at most `most` positions of a game that `filter` accepts. They are chosen at random, with
    /// the fingerprint of the game as seed, so that the same game always gives the same positions.
    pub fn add(&mut self, game: &Game, filter: &Filter, most: usize) {
        let usable: Vec<_> = game.positions().filter(|p| filter.accepts(p)).collect();
        let order = Order::new(usable.len().max(1), crate::data::fingerprint(game));
        for index in 0..usable.len().min(most) {
            let record = &usable[order.at(index)];
            let trace = Trace::of(&record.board);
            self.counts.extend_from_slice(&trace.counts);
            self.heads.push(Head {
                end: self.counts.len(),
                phase: trace.phase as f32 / Tapered::FULL_PHASE as f32,
                scale: trace.scale.map(|scale| scale as f32 / 64.0),
                score: f32::from(record.score),
                points: record.result.points_for(Color::White),
            });
        }
    }

    /// Adds the positions of another collection.
    pub fn append(&mut self, other: &Self) {
        let before = self.counts.len();
        self.counts.extend_from_slice(&other.counts);
        let heads = other.heads.iter().map(|head| Head {
            end: before + head.end,
            ..*head
        });
        self.heads.extend(heads);
    }

    fn counts_of(&self, index: usize) -> &[(u16, i16)] {
        let begin = index.checked_sub(1).map_or(0, |at| self.heads[at].end);
        &self.counts[begin..self.heads[index].end]
    }

    /// White's score of a position by these weights, and the endgame factor that it includes.
    fn score(&self, index: usize, weights: &[[f32; 2]]) -> (f32, f32) {
        let head = &self.heads[index];
        let mut sums = [0.0; 2];
        for &(at, count) in self.counts_of(index) {
            let (weight, count) = (&weights[usize::from(at)], f32::from(count));
            sums[0] += weight[0] * count;
            sums[1] += weight[1] * count;
        }
        let score = sums[0] * head.phase + sums[1] * (1.0 - head.phase);
        let scale = head.scale[usize::from(score < 0.0)];
        (score * scale, scale)
    }

    /// The divisor `k` with which `sigmoid(score / k)` predicts results best, for the scores of the
    /// searches. 1000 without positions.
    pub fn stretch_of_searches(&self) -> f32 {
        self.stretch(self.heads.par_iter().map(|head| head.score))
    }

    /// Like [`stretch_of_searches`](Self::stretch_of_searches), but for the scores by these weights.
    pub fn stretch_of(&self, weights: &[Weight]) -> f32 {
        let weights = floats(weights);
        let scores = (0..self.len()).into_par_iter();
        self.stretch(scores.map(|index| self.score(index, &weights).0))
    }

    fn stretch(&self, scores: impl IndexedParallelIterator<Item = f32>) -> f32 {
        let pairs = scores
            .zip(&self.heads)
            .map(|(score, head)| (score, head.points));
        stretch_of(&pairs.collect::<Vec<_>>())
    }

    /// The mean cross-entropy of the results and these weights' predictions, in nats.
    pub fn loss(&self, weights: &[Weight], stretch: f32) -> f64 {
        let weights = floats(weights);
        let sum: f64 = (0..self.len())
            .into_par_iter()
            .map(|index| {
                let points = sigmoid(self.score(index, &weights).0 / stretch);
                cross_entropy(points, self.heads[index].points)
            })
            .sum();
        sum / self.len().max(1) as f64
    }

    /// The mean absolute score by these weights, in units of `Score`.
    pub fn spread(&self, weights: &[Weight]) -> f32 {
        let weights = floats(weights);
        let sum: f32 = (0..self.len())
            .into_par_iter()
            .map(|index| self.score(index, &weights).0.abs())
            .sum();
        sum / self.len().max(1) as f32
    }
}

fn floats(weights: &[Weight]) -> Vec<[f32; 2]> {
    let float = |&(middlegame, endgame): &Weight| [f32::from(middlegame), f32::from(endgame)];
    weights.iter().map(float).collect()
}

/// The divisors that turn scores into expected points. The divisor of the evaluation is fitted before the
/// weights and then fixed, so that tuning keeps the evaluation's scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stretches {
    /// For scores by the weights.
    pub evaluation: f32,
    /// For search scores in the data.
    pub searches: f32,
}

/// Fits the weights, beginning with `start`, with a prior around `plain`. Calls `each` after every
/// epoch with its number and the weights.
pub fn fit(
    examples: &Examples,
    start: &[Weight],
    plain: &[Weight],
    stretches: Stretches,
    settings: &TuneSettings,
    mut each: impl FnMut(u32, &[Weight]),
) -> Vec<Weight> {
    let mut weights = floats(start);
    let plain = floats(plain);
    let len = examples.len();
    let per_epoch = len.div_ceil(settings.batch.max(1)).max(1);
    let schedule = Schedule {
        first: settings.rate,
        last: settings.last_rate,
        warmup: 10,
        steps: per_epoch as u64 * u64::from(settings.epochs),
    };
    // The prior's part of the gradient, for each position.
    let pull = 1.0 / (settings.stray * settings.stray * len.max(1) as f32);
    let values = 2 * weights.len();
    let mut optimizer = AdamW::new(values, Vec::new(), vec![(values, i16::MAX.into())]);
    for epoch in 1..=settings.epochs {
        let order = Order::new(len.max(1), mix(settings.seed) ^ u64::from(epoch));
        for step in 0..per_epoch {
            let range = (len * step / per_epoch)..(len * (step + 1) / per_epoch);
            if range.is_empty() {
                continue;
            }
            let indices: Vec<usize> = range.map(|index| order.at(index)).collect();
            let mut slopes = gradient(examples, &indices, &weights, stretches, settings.wdl);
            for ((slope, weight), plain) in slopes
                .as_flattened_mut()
                .iter_mut()
                .zip(weights.as_flattened())
                .zip(plain.as_flattened())
            {
                *slope += pull * indices.len() as f32 * (weight - plain);
            }
            let rate = schedule.rate(optimizer.steps);
            optimizer.step(
                weights.as_flattened_mut(),
                vec![slopes.as_flattened_mut()],
                indices.len(),
                rate,
            );
        }
        each(epoch, &rounded(&weights));
    }
    rounded(&weights)
}

fn rounded(weights: &[[f32; 2]]) -> Vec<Weight> {
    // The cast saturates, but weights are far from the limits of `i16`.
    let round = |value: f32| value.round() as i16;
    weights
        .iter()
        .map(|&[middlegame, endgame]| (round(middlegame), round(endgame)))
        .collect()
}

/// Positions in a task. Fixed, so that rounding does not depend on the number of threads.
const TASK: usize = 512;

/// The gradient of the cross-entropy, summed over these positions.
fn gradient(
    examples: &Examples,
    indices: &[usize],
    weights: &[[f32; 2]],
    stretches: Stretches,
    wdl: f32,
) -> Vec<[f32; 2]> {
    let parts: Vec<Vec<[f32; 2]>> = indices
        .par_chunks(TASK)
        .map(|indices| {
            let mut slopes = vec![[0.0; 2]; weights.len()];
            for &index in indices {
                let head = &examples.heads[index];
                let (score, scale) = examples.score(index, weights);
                let searched = sigmoid(head.score / stretches.searches);
                let target = wdl * head.points + (1.0 - wdl) * searched;
                let error = sigmoid(score / stretches.evaluation) - target;
                let slope = error * scale / stretches.evaluation;
                let (middlegame, endgame) = (slope * head.phase, slope * (1.0 - head.phase));
                for &(at, count) in examples.counts_of(index) {
                    let sums = &mut slopes[usize::from(at)];
                    sums[0] += middlegame * f32::from(count);
                    sums[1] += endgame * f32::from(count);
                }
            }
            slopes
        })
        .collect();
    let mut total = vec![[0.0; 2]; weights.len()];
    for part in parts {
        for (sum, slope) in total.as_flattened_mut().iter_mut().zip(part.as_flattened()) {
            *sum += slope;
        }
    }
    total
}

/// The weights as the Rust source that `skewer-eval` includes. `provenance` goes into its comment.
///
/// # Panics
///
/// If there are not [`Term::WEIGHTS`] weights.
pub fn source(weights: &[Weight], provenance: &str) -> String {
    use std::fmt::Write as _;

    assert_eq!(weights.len(), Term::WEIGHTS);
    let mut text = String::from(
        "//! The weights that the hand-written evaluation plays with. `skewer-train tune` wrote this\n\
         //! file; the untuned values are in `params`.\n//!\n",
    );
    for line in provenance.lines() {
        _ = writeln!(text, "{}", format!("//! {line}").trim_end());
    }
    text.push_str(
        "\nuse super::params::Weight;\nuse super::terms::Term;\n\n\
         /// A middlegame and an endgame value for every weight, in the order of [`Term`].\n\
         #[rustfmt::skip]\n\
         pub const WEIGHTS: [Weight; Term::WEIGHTS] = [\n",
    );
    let kinds = ["pawn", "knight", "bishop", "rook", "queen", "king"];
    for term in Term::all() {
        let values = &weights[term.offset()..term.offset() + term.len()];
        for (row, values) in values.chunks(8).enumerate() {
            if term == Term::Squares && row % 8 == 0 {
                let kind = kinds[row / 8 % kinds.len()];
                _ = writeln!(text, "    // {}: {kind}, A1 to H8", term.name());
            } else if row == 0 {
                _ = writeln!(text, "    // {}", term.name());
            }
            let values: Vec<String> = values.iter().map(|v| format!("{v:?},")).collect();
            _ = writeln!(text, "    {}", values.join(" "));
        }
    }
    text.push_str("];\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use skewer_eval::PLAIN;
    use skewer_gamedata::ScoredMove;
    use skewer_movegen::{Board, Outcome};

    /// Games in which one side is a knight up and wins, and drawn games with equal material.
    fn examples() -> Examples {
        let mut examples = Examples::default();
        let level = "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 20";
        let ahead = "4k3/pppp4/8/8/8/8/PPPP4/4K1N1 w - - 0 20";
        for (fen, result, score) in [(level, Outcome::Draw, 0), (ahead, Outcome::WhiteWins, 300)] {
            let mut game = Game::new(Board::from_fen(fen).unwrap());
            game.result = result;
            let mut board = game.start;
            for text in ["e1e2", "e8e7", "e2e3", "e7e6", "e3e4", "e6d6"] {
                let mv = board.parse_uci(text).unwrap();
                game.moves.push(ScoredMove { mv, score });
                board = board.play(mv);
            }
            examples.add(&game, &Filter::default(), 4);
        }
        examples
    }

    #[test]
    fn the_gradient_agrees_with_finite_differences() {
        let examples = examples();
        assert_eq!(examples.len(), 8);
        let stretches = Stretches {
            evaluation: 200.0,
            searches: 300.0,
        };
        let indices: Vec<usize> = (0..examples.len()).collect();
        let weights = floats(&PLAIN);
        let wdl = 0.6;
        let slopes = gradient(&examples, &indices, &weights, stretches, wdl);
        let loss = |weights: &[[f32; 2]]| -> f64 {
            indices
                .iter()
                .map(|&index| {
                    let head = &examples.heads[index];
                    let searched = sigmoid(head.score / stretches.searches);
                    let target = wdl * head.points + (1.0 - wdl) * searched;
                    let (score, _) = examples.score(index, weights);
                    cross_entropy(sigmoid(score / stretches.evaluation), target)
                })
                .sum()
        };
        let mut seen = 0;
        for at in 0..weights.len() {
            for half in 0..2 {
                let step = 2.0f32;
                let (mut more, mut less) = (weights.clone(), weights.clone());
                more[at][half] += step;
                less[at][half] -= step;
                let expected = (loss(&more) - loss(&less)) / (2.0 * f64::from(step));
                let found = f64::from(slopes[at][half]);
                assert!(
                    (found - expected).abs() < 1e-4 + 0.01 * expected.abs(),
                    "weight {at}: {found} and not {expected}"
                );
                seen += usize::from(found != 0.0);
            }
        }
        assert!(seen > 4, "only {seen} slopes are not zero");
    }

    #[test]
    fn a_winning_knight_gains_value_and_absent_pieces_keep_theirs() {
        let examples = examples();
        let stretches = Stretches {
            evaluation: 200.0,
            searches: 200.0,
        };
        let settings = TuneSettings {
            epochs: 40,
            wdl: 1.0,
            ..TuneSettings::default()
        };
        let fitted = fit(&examples, &PLAIN, &PLAIN, stretches, &settings, |_, _| {});
        let knight = Term::Material.offset() + 1;
        assert!(fitted[knight].1 > PLAIN[knight].1);
        let queen = Term::Material.offset() + 4;
        assert_eq!(fitted[queen], PLAIN[queen]);
        assert!(examples.loss(&fitted, 200.0) < examples.loss(&PLAIN, 200.0));
    }

    #[test]
    fn the_source_names_every_weight_once() {
        let source = source(&PLAIN, "Of tests.\n\nAnd more.");
        let values = source.matches("),").count();
        assert_eq!(values, Term::WEIGHTS);
        assert!(source.contains("//! Of tests.\n//!\n//! And more.\n"));
        assert!(source.contains("// squares: king, A1 to H8"));
        assert!(source.lines().all(|line| line.len() <= 140));
    }
}
