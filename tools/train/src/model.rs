//! The network in floating point: its parameters as one list, their random initialisation, and the
//! quantisation to the integers that the engine uses.

use rayon::prelude::*;
use skewer_eval::Feature;
use skewer_eval::network::{
    Architecture, FEATURE_LIMIT, NetworkError, Parameters, QA, QB, WEIGHT_LIMIT,
};
use skewer_types::mix;

/// The network's parameters as one list of `f32`: feature weights (768 rows for each king bucket),
/// hidden biases, output weights (a row of twice the hidden neurons for each bucket, own half
/// first), output biases. The network file has the same order.
///
/// With several king buckets, 768 more rows follow the feature weights, common to all buckets. A
/// feature's weight is the sum of its bucket's row and the common row, so that rare king buckets
/// learn from all positions (a factoriser: Nasu, 2018). The rows of pieces that are en prise stand between the rows of
/// the king buckets and the common rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    architecture: Architecture,
    values: Vec<f32>,
}

/// The values of a [`Model`], in the same order, as [`Model::effective`] makes them.
#[derive(Debug, Clone, Copy)]
pub struct Effective<'v>(&'v [f32]);

impl<'v> Effective<'v> {
    /// The values.
    pub fn values(self) -> &'v [f32] {
        self.0
    }
}

/// Where each part of the list begins.
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    /// The row of feature weights at which the weights common to all king buckets begin; `None` with one bucket,
    /// which has no common weights.
    pub common: Option<usize>,
    /// The row of feature weights at which the weights of pieces that are en prise begin, if the network has them;
    /// otherwise the end of the rows for pieces.
    pub en_prise: usize,
    /// Hidden biases begin here, after the feature weights.
    pub feature_bias: usize,
    /// Output weights begin here.
    pub output_weights: usize,
    /// Output biases begin here.
    pub output_bias: usize,
    /// The length of the list.
    pub len: usize,
}

impl Layout {
    /// The layout of a network of this shape.
    pub const fn of(architecture: Architecture) -> Self {
        let (hidden, buckets) = (architecture.hidden(), architecture.buckets());
        let (common, rows) = if architecture.king_buckets() == 1 {
            (None, architecture.inputs())
        } else {
            let common = architecture.inputs();
            (Some(common), common + Feature::COUNT)
        };
        let feature_bias = rows * hidden;
        let output_weights = feature_bias + hidden;
        let output_bias = output_weights + buckets * 2 * hidden;
        Self {
            common,
            en_prise: architecture.piece_inputs(),
            feature_bias,
            output_weights,
            output_bias,
            len: output_bias + buckets,
        }
    }

    /// The values of the rows of feature weights that a network of shape `from` lacks, in a model of this layout and
    /// shape.
    pub fn lacking(self, architecture: Architecture, from: Architecture) -> std::ops::Range<usize> {
        let hidden = architecture.hidden();
        let begin = if from.king_buckets() < architecture.king_buckets() {
            0
        } else {
            self.en_prise
        };
        let end = if architecture.has_en_prise() && !from.has_en_prise() {
            self.en_prise + Feature::COUNT
        } else {
            self.en_prise
        };
        begin * hidden..end * hidden
    }

    /// The rows of feature weights that every position learns: the common rows, or the rows of the only king bucket.
    fn rows_of_pieces(self) -> std::ops::Range<usize> {
        let begin = self.common.unwrap_or(0);
        begin..begin + Feature::COUNT
    }
}

impl Model {
    /// A new network with small random weights; the same seed gives the same network.
    pub fn random(architecture: Architecture, seed: u64) -> Self {
        let layout = Layout::of(architecture);
        let mut state = seed;
        let mut uniform = |limit: f32| {
            state = mix(state);
            ((state >> 40) as f32 / (1u64 << 23) as f32 - 1.0) * limit
        };
        let mut values = vec![0.0; layout.len];
        // About thirty inputs are active in a position, so the first sums are within the range of the
        // activation. The rows of king buckets and of pieces that are en prise begin at zero.
        let rows = layout.rows_of_pieces();
        let hidden = architecture.hidden();
        for part in [
            rows.start * hidden..rows.end * hidden,
            layout.feature_bias..layout.output_weights,
        ] {
            for value in &mut values[part] {
                *value = uniform(0.1);
            }
        }
        let fan_in = (2 * architecture.hidden()) as f32;
        for value in &mut values[layout.output_weights..layout.output_bias] {
            *value = uniform((1.0 / fan_in).sqrt());
        }
        Self {
            architecture,
            values,
        }
    }

    /// A model from a list in the order of [`Model`]; `None` if its length does not fit.
    pub fn from_values(architecture: Architecture, values: Vec<f32>) -> Option<Self> {
        (values.len() == Layout::of(architecture).len).then_some(Self {
            architecture,
            values,
        })
    }

    /// A model with the weights of a network file. The network has this shape, or a single king bucket; the feature
    /// weights of a single bucket become the common weights. With several king buckets, the mean over the buckets
    /// becomes the common weights. The weights of pieces that are en prise begin at zero if the network has none.
    /// `None` if the shapes do not fit.
    pub fn from_network(architecture: Architecture, network: &Parameters) -> Option<Self> {
        let layout = Layout::of(architecture);
        let from = network.architecture();
        if from.hidden() != architecture.hidden() || from.buckets() != architecture.buckets() {
            return None;
        }
        if from.has_en_prise() && !architecture.has_en_prise() {
            return None;
        }
        let rows = match layout.common {
            _ if from.king_buckets() == architecture.king_buckets() => 0,
            Some(common) if from.king_buckets() == 1 => common,
            _ => return None,
        };
        let scaled = |weight: i16, unit: i32| f32::from(weight) / unit as f32;
        let mut feature_weights = network.feature_weights();
        let mut weights = network.weights();
        let mut values = vec![0.0; layout.len];
        let begin = rows * architecture.hidden();
        let features = from.piece_inputs() * from.hidden();
        for value in &mut values[begin..begin + features] {
            *value = scaled(feature_weights.next()?.into(), QA);
        }
        let en_prise = layout.en_prise * architecture.hidden();
        for (value, weight) in values[en_prise..].iter_mut().zip(feature_weights) {
            *value = scaled(weight.into(), QA);
        }
        for value in &mut values[layout.feature_bias..layout.output_weights] {
            *value = scaled(weights.next()?, QA);
        }
        for value in &mut values[layout.output_weights..layout.output_bias] {
            *value = scaled(weights.next()?, QB);
        }
        let biases = network.output_bias().iter();
        for (value, &bias) in values[layout.output_bias..].iter_mut().zip(biases) {
            *value = bias as f32 / (QA * QB) as f32;
        }
        if from.king_buckets() > 1 {
            let common = layout.common? * from.hidden();
            let (own, rest) = values.split_at_mut(common);
            let own = &mut own[..features];
            let each = Feature::COUNT * from.hidden();
            for (at, mean) in rest[..each].iter_mut().enumerate() {
                let sum: f32 = own.iter().skip(at).step_by(each).sum();
                *mean = sum / from.king_buckets() as f32;
                for value in own.iter_mut().skip(at).step_by(each) {
                    *value -= *mean;
                }
            }
        }
        Some(Self {
            architecture,
            values,
        })
    }

    /// The shape of the network.
    pub fn architecture(&self) -> Architecture {
        self.architecture
    }

    /// The parameters.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The parameters, to be changed.
    pub fn values_mut(&mut self) -> &mut [f32] {
        &mut self.values
    }

    /// Where the parts of [`values`](Self::values) lie.
    pub fn layout(&self) -> Layout {
        Layout::of(self.architecture)
    }

    /// The parameters as the engine has them: the common rows added to the rows of each king bucket, and the sums
    /// kept within the limit of the file.
    /// `buffer` holds them if there are common rows, and is left alone if not.
    pub fn effective<'v>(&'v self, buffer: &'v mut Vec<f32>) -> Effective<'v> {
        let (layout, hidden) = (self.layout(), self.architecture.hidden());
        let Some(common) = layout.common else {
            return Effective(&self.values);
        };
        let (own, rest) = self.values.split_at(common * hidden);
        let common = &rest[..Feature::COUNT * hidden];
        buffer.resize(self.values.len(), 0.0);
        let (sums, kept) = buffer.split_at_mut(own.len());
        kept.copy_from_slice(rest);
        let (own, en_prise) = own.split_at(layout.en_prise * hidden);
        let (sums, kept) = sums.split_at_mut(own.len());
        kept.copy_from_slice(en_prise);
        // Rows are shared out between the threads of the caller's pool.
        sums.par_chunks_mut(hidden)
            .zip(own.par_chunks(hidden))
            .enumerate()
            .for_each(|(row, (sums, own))| {
                let common = &common[row % Feature::COUNT * hidden..][..hidden];
                for ((sum, own), common) in sums.iter_mut().zip(own).zip(common) {
                    *sum = (own + common).clamp(-FEATURE_LIMIT, FEATURE_LIMIT);
                }
            });
        Effective(buffer)
    }

    /// The quantised parameters, which the engine uses.
    ///
    /// # Errors
    ///
    /// [`NetworkError::Overflow`] if the weights are larger than the engine's sums can hold.
    pub fn quantised(&self) -> Result<Parameters, NetworkError> {
        let layout = self.layout();
        let mut buffer = Vec::new();
        let effective = self.effective(&mut buffer);
        let short = |values: &[f32], unit: i32| -> Vec<i16> {
            values
                .iter()
                .map(|v| (v.clamp(-WEIGHT_LIMIT, WEIGHT_LIMIT) * unit as f32).round() as i16)
                .collect()
        };
        let features: Vec<i8> = effective.0
            [..self.architecture.inputs() * self.architecture.hidden()]
            .iter()
            .map(|v| (v.clamp(-FEATURE_LIMIT, FEATURE_LIMIT) * QA as f32).round() as i8)
            .collect();
        let biases: Vec<i32> = self.values[layout.output_bias..]
            .iter()
            .map(|v| (v * (QA * QB) as f32).round() as i32)
            .collect();
        Parameters::from_quantised(
            self.architecture,
            &features,
            &short(&self.values[layout.feature_bias..layout.output_weights], QA),
            &short(&self.values[layout.output_weights..layout.output_bias], QB),
            &biases,
        )
    }
}
