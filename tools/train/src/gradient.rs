//! Forward and backward: the loss of a batch and its gradient.
//!
//! Positions are taken a few at a time, so that weights, gradients and activations stay in the
//! second-level cache. The first layer sees about thirty of its 768 inputs: forward sums those
//! rows; backward groups the positions by input first, so that each row of the gradient is
//! touched once a group and not once a piece. Rows common to all king buckets cost nothing here: they
//! are [added](crate::model::Model::effective) to the rows of each bucket before a step, and receive the sum of
//! the buckets' gradients after it.

use skewer_eval::Feature;
use skewer_eval::network::{Architecture, FEATURE_LIMIT};

use crate::model::{Effective, Layout, Model};
use crate::rows::Adder;
use crate::sample::{Goal, MAX_PIECES, Sample};

/// Positions taken at a time.
pub const GROUP: usize = 128;

/// The most inputs that are on for one side: each piece may be en prise, too.
const MAX_INPUTS: usize = 2 * MAX_PIECES;

/// One thread's share of the work: its gradient and its scratch space.
#[derive(Debug)]
pub struct Worker<const H: usize> {
    architecture: Architecture,
    layout: Layout,
    gradient: Vec<f32>,
    /// Hidden sums, then their gradients: two rows a position, ours first.
    rows: Vec<[f32; H]>,
    /// Inputs that are on, row by row; `starts` says where each row begins.
    inputs: Vec<u16>,
    starts: Vec<u32>,
    /// Rows grouped by input.
    grouped: Vec<u16>,
    /// Where the group of each input ends, and where its next row goes.
    ends: Vec<u32>,
    at: Vec<u32>,
    squared_error: f64,
    adder: Adder,
}

impl<const H: usize> Worker<H> {
    /// A worker for networks of this shape, whose hidden layer must be `H` wide.
    ///
    /// # Panics
    ///
    /// If the hidden layer has another width.
    pub fn new(architecture: Architecture) -> Self {
        assert_eq!(architecture.hidden(), H, "a worker is made for one width");
        let layout = Layout::of(architecture);
        Self {
            architecture,
            layout,
            gradient: vec![0.0; layout.len],
            rows: vec![[0.0; H]; 2 * GROUP],
            inputs: Vec::with_capacity(2 * GROUP * MAX_INPUTS),
            starts: Vec::with_capacity(2 * GROUP + 1),
            grouped: vec![0; 2 * GROUP * MAX_INPUTS],
            ends: Vec::with_capacity(architecture.inputs() + 1),
            at: Vec::with_capacity(architecture.inputs() + 1),
            squared_error: 0.0,
            adder: Adder::best(),
        }
    }

    /// The gradient of the losses added so far, in the order of the model's values, to be read and
    /// cleared by the step. Complete after [`finish`](Self::finish).
    pub fn gradient_mut(&mut self) -> &mut [f32] {
        &mut self.gradient
    }

    /// Completes the gradient after the last position of a step: a common row is part of the row of every king
    /// bucket, so its gradient is the sum of the gradients of these rows.
    pub fn finish(&mut self) {
        let Some(common) = self.layout.common else {
            return;
        };
        let (own, rest) = self.gradient.split_at_mut(common * H);
        let own = &own[..self.layout.en_prise * H];
        let common = &mut rest[..Feature::COUNT * H];
        for (bucket, rows) in own.chunks(common.len()).enumerate() {
            for (sum, value) in common.iter_mut().zip(rows) {
                *sum = if bucket == 0 { *value } else { *sum + value };
            }
        }
    }

    /// The sum of squared errors since it was last taken.
    pub fn take_error(&mut self) -> f64 {
        std::mem::take(&mut self.squared_error)
    }

    /// Adds the squared errors of `samples` and the gradient of their loss: the errors to the power
    /// of the goal.
    pub fn learn(&mut self, values: Effective<'_>, goal: Goal, samples: &[Sample]) {
        self.run::<true>(values, goal, samples);
    }

    /// Adds the squared errors of `samples` alone.
    pub fn measure(&mut self, values: Effective<'_>, goal: Goal, samples: &[Sample]) {
        self.run::<false>(values, goal, samples);
    }

    fn run<const LEARN: bool>(&mut self, values: Effective<'_>, goal: Goal, samples: &[Sample]) {
        let values = values.values();
        for samples in samples.chunks(GROUP) {
            self.inputs.clear();
            self.starts.clear();
            self.starts.push(0);
            for sample in samples {
                self.take(sample);
            }
            self.forward_hidden(values);
            for (position, sample) in samples.iter().enumerate() {
                let target = goal.target(sample);
                let bucket = self.architecture.bucket(sample.pieces());
                let points = goal.points(self.output_of(values, position, bucket));
                let error = points - target;
                self.squared_error += f64::from(error * error);
                if LEARN {
                    let slope = goal.slope(error) * points * (1.0 - points) * goal.gain();
                    self.backward_output(values, position, bucket, slope);
                }
            }
            if LEARN {
                self.backward_hidden();
            }
        }
    }

    /// Lists the inputs of one more position.
    #[inline]
    fn take(&mut self, sample: &Sample) {
        let mut theirs = [0u16; MAX_INPUTS];
        let mut count = 0;
        let mut list = |input: u16| {
            theirs[count & (MAX_INPUTS - 1)] = input;
            count += 1;
        };
        let (our_bucket, their_bucket) = match self.layout.common {
            Some(_) => sample.king_buckets(),
            None => (0, 0),
        };
        let first = |bucket: usize| (bucket * Feature::COUNT) as u16;
        let (our_first, their_first) = (first(our_bucket), first(their_bucket));
        let en_prise = if self.architecture.has_en_prise() {
            sample.en_prise().0
        } else {
            0
        };
        let first_en_prise = self.layout.en_prise as u16;
        sample.inputs(|square, ours, theirs| {
            self.inputs.push(our_first + ours);
            list(their_first + theirs);
            if en_prise >> square & 1 != 0 {
                self.inputs.push(first_en_prise + ours);
                list(first_en_prise + theirs);
            }
        });
        self.starts.push(self.inputs.len() as u32);
        self.inputs
            .extend_from_slice(&theirs[..count.min(MAX_INPUTS)]);
        self.starts.push(self.inputs.len() as u32);
    }

    /// Sums the weights of each row's inputs.
    fn forward_hidden(&mut self, values: &[f32]) {
        let (weights, _) = values[..self.layout.feature_bias].as_chunks::<H>();
        let (bias, _) =
            values[self.layout.feature_bias..self.layout.output_weights].as_chunks::<H>();
        let bias = &bias[0];
        for (row, ends) in self.rows.iter_mut().zip(self.starts.windows(2)) {
            *row = *bias;
            let inputs = &self.inputs[ends[0] as usize..ends[1] as usize];
            self.adder.add(row, weights, inputs);
        }
    }

    #[inline]
    fn output_row<'v>(&self, values: &'v [f32], bucket: usize) -> (&'v [f32; H], &'v [f32; H]) {
        let (rows, _) = values[self.layout.output_weights..self.layout.output_bias].as_chunks();
        (&rows[2 * bucket], &rows[2 * bucket + 1])
    }

    #[inline]
    fn output_of(&self, values: &[f32], position: usize, bucket: usize) -> f32 {
        let (ours, theirs) = self.output_row(values, bucket);
        activate(&self.rows[2 * position], ours)
            + activate(&self.rows[2 * position + 1], theirs)
            + values[self.layout.output_bias + bucket]
    }

    /// Adds the gradient of the output layer and turns the position's rows into gradients.
    #[inline]
    fn backward_output(&mut self, values: &[f32], position: usize, bucket: usize, slope: f32) {
        let (ours, theirs) = self.output_row(values, bucket);
        let at = self.layout.output_weights + bucket * 2 * H;
        let (grad_ours, grad_theirs) = self.gradient[at..at + 2 * H].split_at_mut(H);
        backward_row(&mut self.rows[2 * position], ours, grad_ours, slope);
        backward_row(&mut self.rows[2 * position + 1], theirs, grad_theirs, slope);
        self.gradient[self.layout.output_bias + bucket] += slope;
    }

    /// Adds the rows' gradients to the weights of their inputs, grouped by input.
    fn backward_hidden(&mut self) {
        // A counting sort: how many rows have each input, where each input's rows begin.
        let rows = self.architecture.inputs();
        let ends = &mut self.ends;
        ends.clear();
        ends.resize(rows + 1, 0);
        for &input in &self.inputs {
            ends[usize::from(input) + 1] += 1;
        }
        for input in 0..rows {
            ends[input + 1] += ends[input];
        }
        self.at.clone_from(ends);
        for (row, bounds) in self.starts.windows(2).enumerate() {
            for &input in &self.inputs[bounds[0] as usize..bounds[1] as usize] {
                let place = &mut self.at[usize::from(input)];
                self.grouped[*place as usize] = row as u16;
                *place += 1;
            }
        }
        let (weights, rest) = self.gradient.split_at_mut(self.layout.feature_bias);
        let (gradients, _) = weights.as_chunks_mut::<H>();
        for (gradient, bounds) in gradients.iter_mut().zip(self.ends.windows(2)) {
            let group = &self.grouped[bounds[0] as usize..bounds[1] as usize];
            if !group.is_empty() {
                self.adder.add(gradient, &self.rows, group);
            }
        }
        let bias = &mut rest[..H];
        for row in &self.rows[..self.starts.len() - 1] {
            for (sum, value) in bias.iter_mut().zip(row) {
                *sum += value;
            }
        }
    }
}

/// The output of the network for one position, in units of one `SCALE` ([`Goal::points`] makes
/// expected points of it), computed plainly from the definition.
pub fn output(model: &Model, sample: &Sample) -> f32 {
    let (architecture, layout, values) = (model.architecture(), model.layout(), model.values());
    let hidden = architecture.hidden();
    let bias = &values[layout.feature_bias..layout.output_weights];
    let mut sums = [bias.to_vec(), bias.to_vec()];
    let row = |row: usize| &values[row * hidden..][..hidden];
    let (ours, theirs) = sample.king_buckets();
    let en_prise = sample.en_prise();
    sample.inputs(|square, our_input, their_input| {
        for (side, bucket, input) in [(0, ours, our_input), (1, theirs, their_input)] {
            let input = usize::from(input);
            let own = row(layout
                .common
                .map_or(input, |_| bucket * Feature::COUNT + input));
            let common = layout.common.map(|common| row(common + input));
            for (at, sum) in sums[side].iter_mut().enumerate() {
                let weight = own[at] + common.map_or(0.0, |common| common[at]);
                *sum += weight.clamp(-FEATURE_LIMIT, FEATURE_LIMIT);
            }
            if architecture.has_en_prise() && en_prise.0 >> square & 1 != 0 {
                for (sum, weight) in sums[side].iter_mut().zip(row(layout.en_prise + input)) {
                    *sum += weight;
                }
            }
        }
    });
    let bucket = architecture.bucket(sample.pieces());
    let weights = &values[layout.output_weights + bucket * 2 * hidden..];
    let activated = sums.iter().flatten().zip(weights).map(|(sum, weight)| {
        let clipped = sum.clamp(0.0, 1.0);
        clipped * clipped * weight
    });
    activated.sum::<f32>() + values[layout.output_bias + bucket]
}

/// The sum of squared clipped activations times weights. Sixteen partial sums, so that the
/// compiler may add them side by side.
#[inline]
fn activate<const H: usize>(row: &[f32; H], weights: &[f32; H]) -> f32 {
    let mut partial = [0.0f32; 16];
    let (rows, _) = row.as_chunks::<16>();
    let (weights, _) = weights.as_chunks::<16>();
    for (row, weights) in rows.iter().zip(weights) {
        for i in 0..16 {
            let clipped = row[i].clamp(0.0, 1.0);
            partial[i] += clipped * clipped * weights[i];
        }
    }
    partial.iter().sum()
}

/// Adds the gradient of one row's output weights, and replaces the row's sums by their gradients.
#[inline]
fn backward_row<const H: usize>(
    row: &mut [f32; H],
    weights: &[f32; H],
    gradient: &mut [f32],
    slope: f32,
) {
    for ((value, weight), gradient) in row.iter_mut().zip(weights).zip(gradient) {
        let clipped = value.clamp(0.0, 1.0);
        *gradient += slope * clipped * clipped;
        // The activation is flat outside the range.
        let inside = if (0.0..=1.0).contains(value) {
            2.0 * clipped
        } else {
            0.0
        };
        *value = slope * weight * inside;
    }
}
