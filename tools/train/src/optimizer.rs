//! The step: Adam with decoupled weight decay (Loshchilov and Hutter, 2019), and the schedule of
//! its size.

use std::ops::Range;

use rayon::prelude::*;

/// Decay of the mean of gradients, of the mean of their squares, and the smallest divisor.
const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// The state of Adam: two running means for each parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct AdamW {
    /// Running mean of the gradient.
    pub mean: Vec<f32>,
    /// Running mean of the squared gradient.
    pub square: Vec<f32>,
    /// Steps taken.
    pub steps: u64,
    /// For each `(count, decay)`, a step reduces the first `count` weights by the share `decay * rate`.
    pub decays: Vec<(usize, f32)>,
    /// The weights that move by the whole step; the others move by the share `kept` of it.
    pub new: Range<usize>,
    /// See [`new`](Self::new).
    pub kept: f32,
    /// Each `(count, limit)` keeps the first `count` weights within plus and minus `limit`.
    pub limits: Vec<(usize, f32)>,
}

impl AdamW {
    /// The initial state for `len` parameters.
    pub fn new(len: usize, decays: Vec<(usize, f32)>, limits: Vec<(usize, f32)>) -> Self {
        Self {
            mean: vec![0.0; len],
            square: vec![0.0; len],
            steps: 0,
            decays,
            new: 0..len,
            kept: 1.0,
            limits,
        }
    }

    /// Moves `values` against the sum of `gradients` over `batch` positions, by `rate`, and
    /// clears the gradients.
    ///
    /// # Panics
    ///
    /// If the lengths differ.
    pub fn step(
        &mut self,
        values: &mut [f32],
        gradients: Vec<&mut [f32]>,
        batch: usize,
        rate: f32,
    ) {
        assert_eq!(
            values.len(),
            self.mean.len(),
            "one running mean a parameter"
        );
        self.steps += 1;
        let correct1 = 1.0 - BETA1.powi(self.steps.min(100_000) as i32);
        let correct2 = 1.0 - BETA2.powi(self.steps.min(100_000) as i32);
        let mut gradients = gradients.into_iter();
        let Some(total) = gradients.next() else {
            return;
        };
        for other in gradients {
            total
                .par_chunks_mut(CHUNK)
                .zip(other.par_chunks_mut(CHUNK))
                .for_each(|(to, from)| {
                    for (to, from) in to.iter_mut().zip(from) {
                        *to += *from;
                        *from = 0.0;
                    }
                });
        }
        let scale = 1.0 / batch as f32;
        let (decays, limits) = (&self.decays, &self.limits);
        let (new, kept) = (self.new.clone(), self.kept);
        let (step, root) = (rate / correct1, 1.0 / correct2.sqrt());
        values
            .par_chunks_mut(CHUNK)
            .zip(total.par_chunks_mut(CHUNK))
            .zip(self.mean.par_chunks_mut(CHUNK))
            .zip(self.square.par_chunks_mut(CHUNK))
            .enumerate()
            .for_each(|(chunk, (((values, gradients), means), squares))| {
                let len = values.len();
                let within = |count: usize| count.saturating_sub(chunk * CHUNK).min(len);
                let new = within(new.start)..within(new.end);
                let share = |at: usize| if new.contains(&at) { 1.0 } else { kept };
                for &(count, decay) in decays {
                    for (at, value) in values[..within(count)].iter_mut().enumerate() {
                        *value *= 1.0 - rate * decay * share(at);
                    }
                }
                for (at, (((value, gradient), mean), square)) in values
                    .iter_mut()
                    .zip(gradients)
                    .zip(means)
                    .zip(squares)
                    .enumerate()
                {
                    let slope = *gradient * scale;
                    *gradient = 0.0;
                    *mean = BETA1 * *mean + (1.0 - BETA1) * slope;
                    *square = BETA2 * *square + (1.0 - BETA2) * slope * slope;
                    *value -= share(at) * step * *mean / (square.sqrt() * root + EPSILON);
                }
                for &(count, limit) in limits {
                    for value in &mut values[..within(count)] {
                        *value = value.clamp(-limit, limit);
                    }
                }
            });
    }
}

/// The number of parameters that one task of a parallel step handles.
const CHUNK: usize = 16 * 1024;

/// The size of the step over a whole training: a short rise, then half a cosine down.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Schedule {
    /// The largest rate.
    pub first: f32,
    /// The rate at the end.
    pub last: f32,
    /// Steps of the rise at the beginning.
    pub warmup: u64,
    /// All steps of the training.
    pub steps: u64,
}

impl Schedule {
    /// The rate of step number `step`, from 0.
    ///
    /// ```
    /// # use skewer_train::optimizer::Schedule;
    /// let schedule = Schedule { first: 1e-3, last: 3e-5, warmup: 10, steps: 1000 };
    /// assert!(schedule.rate(0) < schedule.rate(9));
    /// assert!((schedule.rate(10) - 1e-3).abs() < 1e-6);
    /// assert!((schedule.rate(1000) - 3e-5).abs() < 1e-6);
    /// ```
    pub fn rate(&self, step: u64) -> f32 {
        if step < self.warmup {
            return self.first * (step + 1) as f32 / self.warmup as f32;
        }
        let span = self.steps.saturating_sub(self.warmup).max(1);
        let done = ((step - self.warmup) as f32 / span as f32).min(1.0);
        self.last + 0.5 * (self.first - self.last) * (1.0 + (std::f32::consts::PI * done).cos())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decay_takes_its_share_of_the_first_weights_alone() {
        let (mut values, mut gradients) = ([1.0, -1.0, 1.0], [0.0; 3]);
        let decays = vec![(3, 0.1), (2, 1.0)];
        AdamW::new(3, decays, Vec::new()).step(&mut values, vec![&mut gradients], 1, 0.5);
        for (value, expected) in values.into_iter().zip([0.475, -0.475, 0.95]) {
            assert!((value - expected).abs() < 1e-6, "{value}, not {expected}");
        }
    }
}
