//! Simultaneous perturbation stochastic approximation (Spall, 1992): all numbers are moved at once, each
//! up or down by the throw of a coin; a pair of games between the two sides of the throw says which was
//! better, and every number goes a little that way. What a number gains is summed over thousands of
//! pairs, and what the others did to it averages out.

use skewer_openings::Rng;
use skewer_search::{Numbers, Param};

/// How steps shrink with the pairs played, and moves with them: Spall's exponents.
const STEP_DECAY: f64 = 0.101;
const RATE_DECAY: f64 = 0.602;
/// The share of all pairs over which the first, largest moves are held back.
const STABILITY: f64 = 0.1;
/// Parts of a number's range that the last step goes to either side.
const STEP_PARTS: f64 = 20.0;

/// A number that is looked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Knob {
    /// Which it is.
    pub param: &'static Param,
    /// Where it stands.
    pub value: f64,
}

impl Knob {
    /// A number at the value that the engine plays with.
    pub fn new(param: &'static Param) -> Self {
        Self {
            param,
            value: f64::from(param.default),
        }
    }

    /// How far the last pair goes to either side; at least one.
    fn last_step(&self) -> f64 {
        (f64::from(self.param.max - self.param.min) / STEP_PARTS).max(1.0)
    }

    /// The whole number `by` away from where it stands, within its range.
    fn at(&self, by: f64) -> i32 {
        ((self.value + by).round() as i32).clamp(self.param.min, self.param.max)
    }

    /// Where it stands, as the whole number that an engine plays with.
    pub fn rounded(&self) -> i32 {
        self.at(0.0)
    }

    /// How far it has gone, in last steps.
    pub fn moved(&self) -> f64 {
        (self.value - f64::from(self.param.default)) / self.last_step()
    }
}

/// A throw: the two sets of numbers that play a pair of games.
#[derive(Debug, Clone, PartialEq)]
pub struct Throw {
    /// The pair that it is for, from 0.
    pub pair: u64,
    /// 1 or -1 for each knob.
    signs: Vec<f64>,
    /// Every knob moved by its sign, and every knob moved against it.
    pub sides: [Numbers; 2],
}

/// The walk of the numbers towards better ones.
#[derive(Debug, Clone)]
pub struct Walk {
    knobs: Vec<Knob>,
    /// Pairs that the whole walk is to have.
    pairs: u64,
    /// The part of a step that a won pair moves by, at the end.
    rate: f64,
    seed: u64,
}

impl Walk {
    /// A walk of so many pairs from where the knobs stand. At the end of it a pair won by a point moves a
    /// number by `rate` of its step.
    pub fn new(knobs: Vec<Knob>, pairs: u64, rate: f64, seed: u64) -> Self {
        Self {
            knobs,
            pairs: pairs.max(1),
            rate,
            seed,
        }
    }

    /// Where the numbers stand.
    pub fn knobs(&self) -> &[Knob] {
        &self.knobs
    }

    /// Puts the knobs, in their order, where an earlier run left them; one that is not a number or is out
    /// of range is brought into it.
    pub fn resume(&mut self, values: &[f64]) {
        for (knob, value) in self.knobs.iter_mut().zip(values) {
            let (min, max) = (f64::from(knob.param.min), f64::from(knob.param.max));
            knob.value = value.max(min).min(max);
        }
    }

    /// How far pair `pair` goes to either side, in last steps: more at first.
    fn reach(&self, pair: u64) -> f64 {
        (self.pairs as f64 / (pair + 1) as f64)
            .max(1.0)
            .powf(STEP_DECAY)
    }

    /// What of its last step a number moves by for a point, divided by [`reach`](Self::reach).
    fn gain(&self, pair: u64) -> f64 {
        let held = STABILITY * self.pairs as f64;
        let before_end = (held + self.pairs as f64) / (held + (pair + 1) as f64);
        self.rate * before_end.max(1.0).powf(RATE_DECAY) / self.reach(pair)
    }

    /// The throw for pair `pair`, which hangs on the seed and on where the numbers stand.
    ///
    /// # Panics
    ///
    /// Never: a knob is made of one of the numbers, and keeps to its range.
    pub fn throw(&self, pair: u64) -> Throw {
        let mut rng = Rng::stream(self.seed, pair);
        let signs: Vec<f64> = self
            .knobs
            .iter()
            .map(|_| if rng.below(2) == 0 { 1.0 } else { -1.0 })
            .collect();
        let side = |way: f64| {
            let mut numbers = Numbers::default();
            for (knob, sign) in self.knobs.iter().zip(&signs) {
                let value = knob.at(way * sign * knob.last_step() * self.reach(pair));
                numbers
                    .set(knob.param.name, value)
                    .expect("a knob is one of the numbers and keeps to its range");
            }
            numbers
        };
        let sides = [side(1.0), side(-1.0)];
        Throw { pair, signs, sides }
    }

    /// Learns from a pair: `half_points` of the four are those of the throw's first side.
    pub fn learn(&mut self, throw: &Throw, half_points: usize) {
        // Wins less losses of the two games.
        let points = half_points as f64 - 2.0;
        let gain = self.gain(throw.pair);
        for (knob, sign) in self.knobs.iter_mut().zip(&throw.signs) {
            let (min, max) = (f64::from(knob.param.min), f64::from(knob.param.max));
            knob.value = (knob.value + gain * knob.last_step() * points * sign).clamp(min, max);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn knobs(names: &[&str]) -> Vec<Knob> {
        Numbers::all()
            .filter(|param| names.contains(&param.name))
            .map(Knob::new)
            .collect()
    }

    /// Half points of four, drawn for a side that is this much better, in points a pair.
    fn drawn(rng: &mut Rng, better: f64) -> usize {
        let game = |rng: &mut Rng| {
            let luck = f64::from(rng.below(10_000)) / 10_000.0;
            usize::from(luck < 0.3 + better / 4.0) + usize::from(luck < 0.7 + better / 4.0)
        };
        game(rng) + game(rng)
    }

    #[test]
    fn a_walk_finds_the_best_through_the_noise_of_games() {
        let mut walk = Walk::new(
            knobs(&["rfp_margin", "lmr_base", "razor_base"]),
            8000,
            0.01,
            7,
        );
        // Where each is best, in last steps from where it begins.
        let best = [3.0, -2.0, 0.0];
        let goals: Vec<f64> = walk
            .knobs()
            .iter()
            .zip(best)
            .map(|(knob, steps)| knob.value + steps * knob.last_step())
            .collect();
        let far = |numbers: &[f64], walk: &Walk| -> f64 {
            let steps = walk.knobs().iter().zip(numbers).zip(&goals);
            steps
                .map(|((knob, at), goal)| ((at - goal) / knob.last_step()).powi(2))
                .sum()
        };
        let mut rng = Rng::new(3);
        for pair in 0..8000 {
            let throw = walk.throw(pair);
            let value = |way: f64| -> Vec<f64> {
                let knobs = walk.knobs().iter().zip(&throw.signs);
                knobs
                    .map(|(knob, sign)| f64::from(knob.at(way * sign * knob.last_step())))
                    .collect()
            };
            let better = 0.02 * (far(&value(-1.0), &walk) - far(&value(1.0), &walk));
            walk.learn(&throw, drawn(&mut rng, better));
        }
        for (knob, steps) in walk.knobs().iter().zip(best) {
            assert!(
                (knob.moved() - steps).abs() < 0.8,
                "{knob:?}: {}",
                knob.moved()
            );
        }
    }

    #[test]
    fn a_throw_goes_both_ways_and_keeps_to_the_ranges() {
        let mut walk = Walk::new(Numbers::all().map(Knob::new).collect(), 100, 0.01, 1);
        assert_eq!(walk.throw(3), walk.throw(3));
        assert_ne!(walk.throw(3), walk.throw(4));
        // Straight to an end of every range, and beyond if it could.
        for pair in 0..3000 {
            let throw = walk.throw(0);
            assert_ne!(throw.sides[0], throw.sides[1]);
            walk.learn(&Throw { pair, ..throw }, 4);
        }
        for knob in walk.knobs() {
            let (min, max) = (f64::from(knob.param.min), f64::from(knob.param.max));
            assert!((min..=max).contains(&knob.value), "{knob:?}");
        }
    }

    #[test]
    fn a_drawn_pair_teaches_nothing_and_a_lost_one_the_opposite_of_a_won_one() {
        let start = Walk::new(knobs(&["rfp_margin"]), 100, 0.01, 1);
        let throw = start.throw(50);
        let after = |half_points| {
            let mut walk = start.clone();
            walk.learn(&throw, half_points);
            walk.knobs()[0].moved()
        };
        assert!(after(2).abs() < 1e-12);
        assert!(after(4) != 0.0 && (after(4) + after(0)).abs() < 1e-12);
        assert!((after(4) - 2.0 * after(3)).abs() < 1e-12);
    }

    #[test]
    fn a_walk_that_goes_on_keeps_to_the_ranges() {
        let mut walk = Walk::new(knobs(&["rfp_margin", "lmr_base"]), 100, 0.01, 1);
        walk.resume(&[80.5, f64::NAN]);
        assert!((walk.knobs()[0].value - 80.5).abs() < 1e-12);
        assert!(!walk.knobs()[1].value.is_nan());
        walk.resume(&[1e9, -1e9]);
        let [high, low] = walk.knobs() else { panic!() };
        assert_eq!(
            (high.rounded(), low.rounded()),
            (high.param.max, low.param.min)
        );
    }
}
