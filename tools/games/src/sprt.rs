//! The sequential test that decides when a match ends.

use serde::Serialize;

use crate::stats::{NORMALISED_ELO, Pairs, SHARES, moments};

/// Replaces a count of zero, because a result that no pair had is still possible.
const UNSEEN: f64 = 1e-3;

/// A sequential probability ratio test (Wald, 1945) between two hypotheses about the difference
/// in normalised Elo, over pairs of games (Van den Bergh, 2019).
///
/// ```
/// use skewer_games::sprt::{Decision, Sprt};
/// use skewer_games::stats::Pairs;
///
/// let test = Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 };
/// let pairs = Pairs::from([40, 240, 600, 360, 90]);
/// assert_eq!(test.decide(&pairs), Decision::Accept);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Sprt {
    /// The difference under the null hypothesis.
    pub elo0: f64,
    /// The difference under the alternative hypothesis.
    pub elo1: f64,
    /// The rate of acceptance if `elo0` is true.
    pub alpha: f64,
    /// The rate of rejection if `elo1` is true.
    pub beta: f64,
}

/// The decision of a sequential test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// More games are needed.
    Continue,
    /// Accepted: the games are evidence for a difference of `elo1` against one of `elo0`.
    Accept,
    /// Rejected: the games are evidence for a difference of `elo0` against one of `elo1`.
    Reject,
}

impl Sprt {
    /// The log-likelihood ratios at which the test ends: rejected at or below the first, accepted
    /// at or above the second.
    pub fn bounds(&self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }

    /// The log-likelihood ratio of the two hypotheses; 0 without information.
    pub fn log_likelihood_ratio(&self, pairs: &Pairs) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let seen = pairs.frequencies(UNSEEN);
        // Mean over deviation, of pairs rather than games.
        let effect = |elo: f64| elo / NORMALISED_ELO * std::f64::consts::SQRT_2;
        let (null, gain) = (
            most_likely(&seen, effect(self.elo0)),
            most_likely(&seen, effect(self.elo1)),
        );
        let per_pair: f64 = seen
            .iter()
            .zip(null.iter().zip(&gain))
            .map(|(share, (null, gain))| share * (gain / null).ln())
            .sum();
        pairs.pairs() as f64 * per_pair
    }

    /// The decision after these pairs.
    pub fn decide(&self, pairs: &Pairs) -> Decision {
        let (reject, accept) = self.bounds();
        let ratio = self.log_likelihood_ratio(pairs);
        if ratio >= accept {
            Decision::Accept
        } else if ratio <= reject {
            Decision::Reject
        } else {
            Decision::Continue
        }
    }
}

/// The maximum-likelihood distribution over the five results, among those whose mean is `effect` standard
/// deviations above ½.
///
/// The condition is `sum p (share - 1/2 - effect * deviation) = 0`, where the deviation depends on
/// `p`. Linearised around a guess, it is `sum p g = 0`, under which the most likely distribution is
/// `seen / (1 + x g)` with one unknown `x`. So iterate: linearise and solve.
fn most_likely(seen: &[f64; 5], effect: f64) -> [f64; 5] {
    let mut guess = [0.2; 5];
    for _ in 0..200 {
        let (mean, variance) = moments(&guess);
        let deviation = variance.sqrt();
        // The derivatives of the condition by the probabilities, on which the deviation depends too.
        let slopes = SHARES.map(|share| {
            let apart = (share - mean) / deviation;
            share - 0.5 - effect * deviation * f64::midpoint(1.0, apart * apart)
        });
        let x = balance(seen, &slopes);
        let mut next = [0.0; 5];
        for (next, (share, slope)) in next.iter_mut().zip(seen.iter().zip(&slopes)) {
            *next = share / (1.0 + x * slope);
        }
        let moved = next
            .iter()
            .zip(&guess)
            .map(|(a, b)| (a - b).abs())
            .fold(0.0, f64::max);
        guess = next;
        if moved < 1e-12 {
            break;
        }
    }
    guess
}

/// Solves `sum seen g / (1 + x g) = 0` for `x` by bisection, because the sum decreases between the poles.
fn balance(seen: &[f64; 5], slopes: &[f64; 5]) -> f64 {
    let least = slopes.iter().copied().fold(f64::INFINITY, f64::min);
    let most = slopes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // All slopes have one sign: no distribution meets the linearised condition. Effects of up to 100
    // normalised Elo, the most that `--sprt` takes, do not get here.
    if least >= 0.0 || most <= 0.0 {
        return 0.0;
    }
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        let sum: f64 = seen
            .iter()
            .zip(slopes)
            .map(|(share, slope)| share * slope / (1.0 + middle * slope))
            .sum();
        if sum > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64, within: f64) {
        assert!((a - b).abs() <= within, "{a} is not {b} (within {within})");
    }

    #[test]
    fn the_constrained_distribution_meets_its_condition_and_is_the_most_likely() {
        let seen = Pairs::from([7, 30, 50, 44, 9]).frequencies(UNSEEN);
        for effect in [-0.2, -0.02, 0.0, 0.01, 0.1, 0.3] {
            let found = most_likely(&seen, effect);
            near(found.iter().sum(), 1.0, 1e-9);
            let (mean, variance) = moments(&found);
            near((mean - 0.5) / variance.sqrt(), effect, 1e-9);
            // Other distributions that meet the condition make the match less likely: try the
            // solutions of slightly different matches.
            let likelihood =
                |p: &[f64; 5]| -> f64 { seen.iter().zip(p).map(|(s, p)| s * p.ln()).sum() };
            for other in [[8, 30, 50, 44, 9], [7, 33, 50, 44, 9], [7, 30, 50, 44, 13]] {
                let other = most_likely(&Pairs::from(other).frequencies(UNSEEN), effect);
                assert!(likelihood(&other) < likelihood(&found));
            }
        }
    }

    #[test]
    fn the_ratio_is_near_its_second_order_formula_when_differences_are_small() {
        // For small differences the ratio is N (t1 - t0) (2 t - t0 - t1) / 2, with t the mean over
        // the deviation of a pair.
        let pairs = Pairs::from([400, 2400, 6000, 2560, 440]);
        let test = Sprt {
            elo0: 0.0,
            elo1: 5.0,
            alpha: 0.05,
            beta: 0.05,
        };
        let (mean, variance) = pairs.moments();
        let t = (mean - 0.5) / variance.sqrt();
        let t1 = 5.0 * 10.0_f64.ln() / 800.0 * 2.0_f64.sqrt();
        let formula = pairs.pairs() as f64 * t1 * (2.0 * t - t1) / 2.0;
        let ratio = test.log_likelihood_ratio(&pairs);
        near(ratio, formula, 0.02 * formula.abs());
        // Exchanging the engines changes the sign of the ratio.
        let mut mirrored = pairs.counts();
        mirrored.reverse();
        let turned = Sprt {
            elo0: -5.0,
            elo1: 0.0,
            ..test
        };
        near(
            turned.log_likelihood_ratio(&Pairs::from(mirrored)),
            -ratio,
            1e-6,
        );
    }

    #[test]
    fn bounds_and_decisions() {
        let test = Sprt {
            elo0: 0.0,
            elo1: 10.0,
            alpha: 0.05,
            beta: 0.05,
        };
        let (reject, accept) = test.bounds();
        near(accept, 19.0_f64.ln(), 1e-12);
        near(reject, -(19.0_f64.ln()), 1e-12);
        assert_eq!(test.decide(&Pairs::default()), Decision::Continue);
        assert_eq!(
            test.decide(&Pairs::from([0, 0, 5, 0, 0])),
            Decision::Continue
        );
        // Equal pairs are evidence too, though little, so that the test ends.
        assert_eq!(
            test.decide(&Pairs::from([0, 0, 10_000, 0, 0])),
            Decision::Reject
        );
        assert_eq!(
            test.decide(&Pairs::from([0, 0, 0, 0, 200])),
            Decision::Accept
        );
        assert_eq!(
            test.decide(&Pairs::from([200, 0, 0, 0, 0])),
            Decision::Reject
        );
        assert_eq!(
            test.decide(&Pairs::from([1, 5, 10, 5, 2])),
            Decision::Continue
        );
        assert_eq!(
            test.decide(&Pairs::from([20, 300, 700, 520, 60])),
            Decision::Accept
        );
        assert_eq!(
            test.decide(&Pairs::from([60, 520, 700, 300, 20])),
            Decision::Reject
        );
    }

    #[test]
    fn the_condition_is_met_when_all_pairs_have_one_result() {
        for alike in 0..5 {
            for many in [1, 30, 3000] {
                let mut counts = [0; 5];
                counts[alike] = many;
                let seen = Pairs::from(counts).frequencies(UNSEEN);
                for effect in [0.0, 0.04, 0.2] {
                    let found = most_likely(&seen, effect);
                    near(found.iter().sum(), 1.0, 1e-6);
                    let (mean, variance) = moments(&found);
                    near((mean - 0.5) / variance.sqrt(), effect, 1e-6);
                }
            }
        }
    }

    /// The number of 200 simulated matches that a test accepts, with results in proportion to `weights`.
    fn accepted(test: &Sprt, weights: [u64; 5], seed: u64) -> u32 {
        let mut rng = skewer_types::Rng::new(seed);
        let total: u64 = weights.iter().sum();
        let mut accepted = 0;
        for _ in 0..200 {
            let mut pairs = Pairs::default();
            let decision = loop {
                let mut drawn = rng.below(total as usize) as u64;
                let mut result = 0;
                while drawn >= weights[result] {
                    drawn -= weights[result];
                    result += 1;
                }
                pairs.add(result);
                match test.decide(&pairs) {
                    Decision::Continue => {}
                    decided => break decided,
                }
            };
            accepted += u32::from(decision == Decision::Accept);
        }
        accepted
    }

    #[test]
    fn error_rates_of_the_test_are_as_specified() {
        let test = Sprt {
            elo0: 0.0,
            elo1: 30.0,
            alpha: 0.05,
            beta: 0.05,
        };
        // Under either hypothesis, about one match in twenty has the wrong decision.
        let null = [100, 400, 800, 400, 100];
        near(elo_of(null), test.elo0, 0.01);
        let wrong = accepted(&test, null, 2024);
        assert!((2..=18).contains(&wrong), "{wrong} of 200 accepted");
        let gain = [100, 297, 800, 503, 100];
        near(elo_of(gain), test.elo1, 0.5);
        let wrong = 200 - accepted(&test, gain, 2025);
        assert!((2..=18).contains(&wrong), "{wrong} of 200 rejected");
    }

    /// The normalised Elo of pairs with results in proportion to `weights`.
    fn elo_of(weights: [u64; 5]) -> f64 {
        Pairs::from(weights).normalised_elo().unwrap().value
    }
}
