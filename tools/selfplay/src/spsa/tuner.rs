//! Simultaneous perturbation stochastic approximation (Spall, 1992). All parameters are moved at
//! once, each up or down at random; a pair of games is played between this perturbation and its
//! opposite; and every parameter takes a small step toward the winner's side. Over thousands of
//! pairs each parameter's own effect adds up, while the effects of the others average out.

use skewer_search::{Param, Parameters};
use skewer_types::Rng;

/// Spall's exponents, by which perturbations and steps shrink with the pairs played.
const STEP_DECAY: f64 = 0.101;
const RATE_DECAY: f64 = 0.602;
/// Damps the first, largest steps, as a share of all pairs.
const STABILITY: f64 = 0.1;
/// A parameter's range, divided by its last perturbation. With perturbations half as large, the two
/// sides of a pair differ so little in strength that most steps are noise.
const STEP_PARTS: f64 = 10.0;
/// Keeps the random signs independent of the openings, which are drawn from the same seed and pair.
const SIGNS: u64 = 0x7370_7361;

/// A parameter being tuned.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TunedParameter {
    param: &'static Param,
    start: i32,
    value: f64,
}

impl TunedParameter {
    /// The parameter `name`, starting at its value in `parameters`; `None` if no parameter has this
    /// name.
    pub(crate) fn new(name: &str, parameters: &Parameters) -> Option<Self> {
        let start = parameters.get(name)?;
        Some(Self {
            param: Parameters::all().find(|param| param.name == name)?,
            start,
            value: f64::from(start),
        })
    }

    /// The perturbation of the last pair; at least 1.
    fn last_step(&self) -> f64 {
        (f64::from(self.param.max - self.param.min) / STEP_PARTS).max(1.0)
    }

    /// The value plus `by`, rounded and clamped to the range.
    fn at(&self, by: f64) -> i32 {
        ((self.value + by).round() as i32).clamp(self.param.min, self.param.max)
    }

    /// Sets the value, clamped to the range. NaN becomes the minimum.
    fn set_value(&mut self, value: f64) {
        let (min, max) = (f64::from(self.param.min), f64::from(self.param.max));
        self.value = value.max(min).min(max);
    }

    /// Its name.
    pub(crate) fn name(&self) -> &'static str {
        self.param.name
    }

    /// Its value before the run.
    pub(crate) fn start(&self) -> i32 {
        self.start
    }

    /// Its current value.
    pub(crate) fn value(&self) -> f64 {
        self.value
    }

    /// Its current value, rounded to what an engine plays with.
    pub(crate) fn rounded(&self) -> i32 {
        self.at(0.0)
    }

    /// Its change since the start, divided by its perturbation in the last pair.
    pub(crate) fn moved(&self) -> f64 {
        (self.value - f64::from(self.start)) / self.last_step()
    }
}

/// The two sets of parameters that play a pair of games.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Perturbation {
    /// The index of the pair, from 0.
    pub pair: u64,
    /// 1 or -1 for each parameter.
    signs: Vec<f64>,
    /// All parameters moved by their signs, and all moved the opposite way.
    pub sides: [Parameters; 2],
}

/// A tuning run: the current values of the parameters and the sizes of its steps.
#[derive(Debug, Clone)]
pub(crate) struct Tuner {
    /// The values of the parameters that are not tuned.
    base: Parameters,
    tuned: Vec<TunedParameter>,
    /// Pairs of the whole run.
    pairs: u64,
    /// How far a pair won by a point moves a parameter at the end of the run, as a share of the last perturbation.
    rate: f64,
    seed: u64,
}

impl Tuner {
    /// A run of `pairs` pairs from the values in `tuned`. Other parameters keep their values in
    /// `base`. At the end of the run, a pair won by a point moves a parameter by `rate` of its
    /// perturbation.
    pub(crate) fn new(
        base: Parameters,
        tuned: Vec<TunedParameter>,
        pairs: u64,
        rate: f64,
        seed: u64,
    ) -> Self {
        Self {
            base,
            tuned,
            pairs: pairs.max(1),
            rate,
            seed,
        }
    }

    /// The parameters being tuned.
    pub(crate) fn tuned(&self) -> &[TunedParameter] {
        &self.tuned
    }

    /// Pairs of the whole run.
    pub(crate) fn pairs(&self) -> u64 {
        self.pairs
    }

    /// Sets the values of the parameters, in their order, clamped to their ranges.
    pub(crate) fn set_values(&mut self, values: &[f64]) {
        for (parameter, value) in self.tuned.iter_mut().zip(values) {
            parameter.set_value(*value);
        }
    }

    /// The perturbation of pair `pair`, divided by the perturbation of the last pair; the first are larger.
    fn reach(&self, pair: u64) -> f64 {
        (self.pairs as f64 / (pair + 1) as f64)
            .max(1.0)
            .powf(STEP_DECAY)
    }

    /// The step for a point, divided by the perturbation of the last pair and by [`reach`](Self::reach).
    fn gain(&self, pair: u64) -> f64 {
        let held = STABILITY * self.pairs as f64;
        let before_end = (held + self.pairs as f64) / (held + (pair + 1) as f64);
        self.rate * before_end.max(1.0).powf(RATE_DECAY) / self.reach(pair)
    }

    /// The perturbation of pair `pair`. It depends on the seed and on the current values alone.
    pub(crate) fn perturb(&self, pair: u64) -> Perturbation {
        let mut rng = Rng::stream(self.seed ^ SIGNS, pair);
        let signs: Vec<f64> = self
            .tuned
            .iter()
            .map(|_| if rng.below(2) == 0 { 1.0 } else { -1.0 })
            .collect();
        let side = |way: f64| {
            let mut parameters = self.base.clone();
            for (parameter, sign) in self.tuned.iter().zip(&signs) {
                let value = parameter.at(way * sign * parameter.last_step() * self.reach(pair));
                let set = parameters.set(parameter.param.name, value);
                debug_assert_eq!(set, Ok(()), "the value is clamped to the range");
            }
            parameters
        };
        let sides = [side(1.0), side(-1.0)];
        Perturbation { pair, signs, sides }
    }

    /// Takes the step for a pair in which the first side got `half_points` of four.
    pub(crate) fn learn(&mut self, played: &Perturbation, half_points: usize) {
        // Wins less losses of the two games.
        let points = half_points as f64 - 2.0;
        let gain = self.gain(played.pair);
        for (parameter, sign) in self.tuned.iter_mut().zip(&played.signs) {
            parameter.set_value(parameter.value + gain * parameter.last_step() * points * sign);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tuner(names: &[&str], pairs: u64) -> Tuner {
        let base = Parameters::default();
        let tuned = names
            .iter()
            .map(|name| TunedParameter::new(name, &base).unwrap());
        Tuner::new(base.clone(), tuned.collect(), pairs, 0.01, 7)
    }

    /// Half points of four, drawn for a side that is this much better, in points a pair.
    fn drawn(rng: &mut Rng, better: f64) -> usize {
        let game = |rng: &mut Rng| {
            let luck = rng.below(10_000) as f64 / 10_000.0;
            usize::from(luck < 0.3 + better / 4.0) + usize::from(luck < 0.7 + better / 4.0)
        };
        game(rng) + game(rng)
    }

    #[test]
    fn tuning_approaches_the_best_values_despite_noisy_games() {
        let mut tuner = tuner(&["rfp_margin", "lmr_base", "razor_base"], 8000);
        // The best value of each: its distance from the start, divided by the last perturbation.
        let best = [3.0, -2.0, 0.0];
        let goals: Vec<f64> = tuner
            .tuned()
            .iter()
            .zip(best)
            .map(|(parameter, steps)| parameter.value + steps * parameter.last_step())
            .collect();
        let far = |parameters: &Parameters, tuner: &Tuner| -> f64 {
            let goals = tuner.tuned().iter().zip(&goals);
            goals
                .map(|(parameter, goal)| {
                    let value = f64::from(parameters.get(parameter.name()).unwrap());
                    ((value - goal) / parameter.last_step()).powi(2)
                })
                .sum()
        };
        let mut rng = Rng::new(3);
        for pair in 0..8000 {
            let perturbation = tuner.perturb(pair);
            let [first, second] = &perturbation.sides;
            let better = 0.02 * (far(second, &tuner) - far(first, &tuner));
            tuner.learn(&perturbation, drawn(&mut rng, better));
        }
        for (parameter, steps) in tuner.tuned().iter().zip(best) {
            assert!(
                (parameter.moved() - steps).abs() < 0.8,
                "{parameter:?}: {}",
                parameter.moved()
            );
        }
    }

    #[test]
    fn a_perturbation_has_two_sides_within_the_ranges() {
        let names: Vec<_> = Parameters::all().map(|param| param.name).collect();
        let mut tuner = tuner(&names, 100);
        assert_eq!(tuner.perturb(3), tuner.perturb(3));
        assert_ne!(tuner.perturb(3), tuner.perturb(4));
        // Move every parameter to an end of its range, and try to move it beyond.
        for pair in 0..3000 {
            let perturbation = tuner.perturb(0);
            assert_ne!(perturbation.sides[0], perturbation.sides[1]);
            tuner.learn(
                &Perturbation {
                    pair,
                    ..perturbation
                },
                4,
            );
        }
        for parameter in tuner.tuned() {
            let (min, max) = (
                f64::from(parameter.param.min),
                f64::from(parameter.param.max),
            );
            assert!((min..=max).contains(&parameter.value), "{parameter:?}");
        }
    }

    #[test]
    fn a_drawn_pair_changes_nothing_and_a_lost_one_does_the_opposite_of_a_won_one() {
        let start = tuner(&["rfp_margin"], 100);
        let perturbation = start.perturb(50);
        let after = |half_points| {
            let mut tuner = start.clone();
            tuner.learn(&perturbation, half_points);
            tuner.tuned()[0].moved()
        };
        assert!(after(2).abs() < 1e-12);
        assert!(after(4) != 0.0 && (after(4) + after(0)).abs() < 1e-12);
        assert!((after(4) - 2.0 * after(3)).abs() < 1e-12);
    }

    #[test]
    fn values_that_are_set_are_clamped_to_their_ranges() {
        let mut tuner = tuner(&["rfp_margin", "lmr_base"], 100);
        tuner.set_values(&[80.5, f64::NAN]);
        assert!((tuner.tuned()[0].value - 80.5).abs() < 1e-12);
        assert!(!tuner.tuned()[1].value.is_nan());
        tuner.set_values(&[1e9, -1e9]);
        let [high, low] = tuner.tuned() else { panic!() };
        assert_eq!(
            (high.rounded(), low.rounded()),
            (high.param.max, low.param.min)
        );
    }

    #[test]
    fn parameters_that_are_not_tuned_keep_their_values() {
        let mut base = Parameters::default();
        base.set("see_pawn", 90).unwrap();
        base.set("rfp_margin", 100).unwrap();
        let parameter = TunedParameter::new("rfp_margin", &base).unwrap();
        assert_eq!((parameter.start(), parameter.rounded()), (100, 100));
        assert_eq!(TunedParameter::new("magic", &base), None);
        let tuner = Tuner::new(base, vec![parameter], 100, 0.01, 1);
        for side in tuner.perturb(0).sides {
            assert_eq!(side.get("see_pawn"), Some(90));
            assert_ne!(side.get("rfp_margin"), Some(100));
        }
    }
}
