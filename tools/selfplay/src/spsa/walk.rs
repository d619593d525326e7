//! Simultaneous perturbation stochastic approximation (Spall, 1992): all numbers are moved at once, each
//! up or down by the throw of a coin; a pair of games between the two sides of the throw says which was
//! better, and every number goes a little that way. What a number gains adds up over thousands of pairs,
//! and what the others did to it averages out.

use skewer_openings::Rng;
use skewer_search::{Numbers, Param};

/// How steps shrink with the pairs played, and moves with them: Spall's exponents.
const STEP_DECAY: f64 = 0.101;
const RATE_DECAY: f64 = 0.602;
/// The share of all pairs over which the first, largest moves are held back.
const STABILITY: f64 = 0.1;
/// Parts of a number's range that the last step goes to either side.
const STEP_PARTS: f64 = 20.0;
/// Keeps the throws apart from the openings, which are drawn from the same seed and number: a number's
/// sign must not hang on the first moves of its game.
const THROWS: u64 = 0x7370_7361;

/// A number that is looked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Knob {
    param: &'static Param,
    start: i32,
    value: f64,
}

impl Knob {
    /// The number `name`, where `numbers` has it; `None` if there is none of that name.
    pub fn new(name: &str, numbers: &Numbers) -> Option<Self> {
        let start = numbers.get(name)?;
        Some(Self {
            param: Numbers::all().find(|param| param.name == name)?,
            start,
            value: f64::from(start),
        })
    }

    /// How far the last pair goes to either side; at least one.
    fn last_step(&self) -> f64 {
        (f64::from(self.param.max - self.param.min) / STEP_PARTS).max(1.0)
    }

    /// The whole number `by` away from where it stands, within its range.
    fn at(&self, by: f64) -> i32 {
        ((self.value + by).round() as i32).clamp(self.param.min, self.param.max)
    }

    /// Puts it at a value, or at the end of its range that is nearest; what is no number is the least.
    fn stand_at(&mut self, value: f64) {
        let (min, max) = (f64::from(self.param.min), f64::from(self.param.max));
        self.value = value.max(min).min(max);
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.param.name
    }

    /// Where it began.
    pub fn start(&self) -> i32 {
        self.start
    }

    /// Where it stands.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// Where it stands, as the whole number that an engine plays with.
    pub fn rounded(&self) -> i32 {
        self.at(0.0)
    }

    /// How far it has gone, in last steps.
    pub fn moved(&self) -> f64 {
        (self.value - f64::from(self.start)) / self.last_step()
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
    /// What the numbers that are not looked for are.
    base: Numbers,
    knobs: Vec<Knob>,
    /// Pairs that the whole walk is to have.
    pairs: u64,
    /// The part of a step that a point moves by, at the end.
    rate: f64,
    seed: u64,
}

impl Walk {
    /// A walk of so many pairs from where the knobs stand; numbers that are none of them stay as `base` has
    /// them. At the end of it a pair won by a point moves a number by `rate` of its step.
    pub fn new(base: Numbers, knobs: Vec<Knob>, pairs: u64, rate: f64, seed: u64) -> Self {
        Self {
            base,
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

    /// Pairs that the whole walk is to have.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// Puts the knobs, in their order, at these values; one that is not a number or is out
    /// of range is brought into it.
    pub fn stand_at(&mut self, values: &[f64]) {
        for (knob, value) in self.knobs.iter_mut().zip(values) {
            knob.stand_at(*value);
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
    pub fn throw(&self, pair: u64) -> Throw {
        let mut rng = Rng::stream(self.seed ^ THROWS, pair);
        let signs: Vec<f64> = self
            .knobs
            .iter()
            .map(|_| if rng.below(2) == 0 { 1.0 } else { -1.0 })
            .collect();
        let side = |way: f64| {
            let mut numbers = self.base.clone();
            for (knob, sign) in self.knobs.iter().zip(&signs) {
                let value = knob.at(way * sign * knob.last_step() * self.reach(pair));
                let set = numbers.set(knob.param.name, value);
                debug_assert_eq!(set, Ok(()), "a knob keeps to the range of its number");
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
            knob.stand_at(knob.value + gain * knob.last_step() * points * sign);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(names: &[&str], pairs: u64) -> Walk {
        let base = Numbers::default();
        let knobs = names.iter().map(|name| Knob::new(name, &base).unwrap());
        Walk::new(base.clone(), knobs.collect(), pairs, 0.01, 7)
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
        let mut walk = walk(&["rfp_margin", "lmr_base", "razor_base"], 8000);
        // Where each is best, in last steps from where it begins.
        let best = [3.0, -2.0, 0.0];
        let goals: Vec<f64> = walk
            .knobs()
            .iter()
            .zip(best)
            .map(|(knob, steps)| knob.value + steps * knob.last_step())
            .collect();
        let far = |numbers: &Numbers, walk: &Walk| -> f64 {
            let goals = walk.knobs().iter().zip(&goals);
            goals
                .map(|(knob, goal)| {
                    let value = f64::from(numbers.get(knob.name()).unwrap());
                    ((value - goal) / knob.last_step()).powi(2)
                })
                .sum()
        };
        let mut rng = Rng::new(3);
        for pair in 0..8000 {
            let throw = walk.throw(pair);
            let [first, second] = &throw.sides;
            let better = 0.02 * (far(second, &walk) - far(first, &walk));
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
        let names: Vec<_> = Numbers::all().map(|param| param.name).collect();
        let mut walk = walk(&names, 100);
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
        let start = walk(&["rfp_margin"], 100);
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
    fn numbers_that_are_put_somewhere_keep_to_their_ranges() {
        let mut walk = walk(&["rfp_margin", "lmr_base"], 100);
        walk.stand_at(&[80.5, f64::NAN]);
        assert!((walk.knobs()[0].value - 80.5).abs() < 1e-12);
        assert!(!walk.knobs()[1].value.is_nan());
        walk.stand_at(&[1e9, -1e9]);
        let [high, low] = walk.knobs() else { panic!() };
        assert_eq!(
            (high.rounded(), low.rounded()),
            (high.param.max, low.param.min)
        );
    }

    #[test]
    fn what_is_not_looked_for_stays_as_it_was_given() {
        let mut base = Numbers::default();
        base.set("see_pawn", 90).unwrap();
        base.set("rfp_margin", 100).unwrap();
        let knob = Knob::new("rfp_margin", &base).unwrap();
        assert_eq!((knob.start(), knob.rounded()), (100, 100));
        assert_eq!(Knob::new("magic", &base), None);
        let walk = Walk::new(base, vec![knob], 100, 0.01, 1);
        for side in walk.throw(0).sides {
            assert_eq!(side.get("see_pawn"), Some(90));
            assert_ne!(side.get("rfp_margin"), Some(100));
        }
    }
}
