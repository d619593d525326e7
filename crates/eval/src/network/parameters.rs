//! A network's weights and biases, quantised, and the proof that no position overflows a sum.

use skewer_types::{WinCurve, WinModel};

use super::QA;
use super::architecture::{Architecture, MAX_BUCKETS};
use super::error::NetworkError;

/// Values in a block; hidden layers are whole blocks.
pub(crate) const BLOCK: usize = 32;

/// A cache line of accumulator or weights: one AVX-512 register, two of AVX2, four of NEON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Block(pub(crate) [i16; BLOCK]);

impl Block {
    pub(crate) const ZERO: Self = Self([0; BLOCK]);

    /// The values of adjacent blocks as one slice. A sum over it stays in vectors until its end; from a loop
    /// over blocks the compiler adds up each block by itself.
    #[inline(always)]
    pub(crate) fn values(blocks: &[Self]) -> &[i16] {
        // SAFETY: a block is an array of `BLOCK` values (`repr(C)`). The array fills its 64 bytes, so the values of
        // the next block follow without a gap.
        unsafe { std::slice::from_raw_parts(blocks.as_ptr().cast(), blocks.len() * BLOCK) }
    }
}

/// As many feature weights as a block has values, to be added to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(32))]
pub(crate) struct Weights(pub(crate) [i8; BLOCK]);

/// A network's weights and biases, quantised, aligned and checked: no position can overflow a sum.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameters {
    pub(super) architecture: Architecture,
    pub(super) win_model: Option<WinModel>,
    pub(crate) feature_weights: Vec<Weights>,
    pub(crate) feature_bias: Vec<Block>,
    pub(crate) output_weights: Vec<Block>,
    pub(crate) output_bias: [i32; MAX_BUCKETS],
}

impl Parameters {
    /// A network from its quantised weights and biases, in the order of the file: `feature_weights` has a row
    /// for each of [`Architecture::inputs`], `output_weights` a row of twice the hidden neurons for each bucket.
    ///
    /// # Errors
    ///
    /// [`NetworkError::Length`] if a slice does not fit the architecture,
    /// [`NetworkError::Overflow`] if some position could overflow an `i16` accumulator or the
    /// `i32` output sum.
    pub fn from_quantised(
        architecture: Architecture,
        feature_weights: &[i8],
        feature_bias: &[i16],
        output_weights: &[i16],
        output_bias: &[i32],
    ) -> Result<Self, NetworkError> {
        let (hidden, buckets) = (architecture.hidden(), architecture.buckets());
        for (found, expected) in [
            (feature_weights.len(), architecture.inputs() * hidden),
            (feature_bias.len(), hidden),
            (output_weights.len(), buckets * 2 * hidden),
            (output_bias.len(), buckets),
        ] {
            if found != expected {
                return Err(NetworkError::Length { expected, found });
            }
        }
        let mut biases = [0; MAX_BUCKETS];
        biases[..buckets].copy_from_slice(output_bias);
        let network = Self {
            architecture,
            win_model: None,
            feature_weights: blocks(feature_weights, Weights),
            feature_bias: blocks(feature_bias, Block),
            output_weights: blocks(output_weights, Block),
            output_bias: biases,
        };
        if network.fits() {
            Ok(network)
        } else {
            Err(NetworkError::Overflow)
        }
    }

    /// The same network with the win model that was fitted to its games, rounded to eighths of a unit, as the file
    /// keeps it.
    #[must_use]
    pub fn with_win_model(self, model: WinModel) -> Self {
        let eighths = |value: f64| (8.0 * value).round() / 8.0;
        let rounded =
            |curve: WinCurve| WinCurve::new(eighths(curve.even()), eighths(curve.spread()));
        let curves = rounded(model.full()).zip(rounded(model.bare()));
        let win_model = curves.map(|(full, bare)| WinModel::new(full, bare));
        Self { win_model, ..self }
    }

    /// The model that converts the network's scores to chances; the default model if the file has
    /// none.
    pub fn win_model(&self) -> WinModel {
        self.win_model.unwrap_or_default()
    }

    /// The shape of the network.
    #[inline]
    pub const fn architecture(&self) -> Architecture {
        self.architecture
    }

    /// The feature weights, in the order of the file.
    pub fn feature_weights(&self) -> impl Iterator<Item = i8> {
        self.feature_weights.iter().flat_map(|weights| weights.0)
    }

    /// Feature biases and output weights, in the order of the file.
    pub fn weights(&self) -> impl Iterator<Item = i16> {
        let parts = [&self.feature_bias, &self.output_weights];
        parts
            .into_iter()
            .flat_map(|blocks| Block::values(blocks).iter().copied())
    }

    /// The bias of each output bucket.
    pub fn output_bias(&self) -> &[i32] {
        &self.output_bias[..self.architecture.buckets()]
    }

    /// Whether no position can overflow a sum. A board has at most 32 pieces, so an accumulator is
    /// a bias and at most 32 weights, or 64 with inputs for pieces that are en prise. The sum of an output is at most `QA * QA` times the sum of its weights of one
    /// sign.
    fn fits(&self) -> bool {
        let largest = |blocks| {
            let sizes = Block::values(blocks).iter().map(|&v| i32::from(v).abs());
            sizes.max().unwrap_or(0)
        };
        let weights = if self.architecture.has_en_prise() {
            64
        } else {
            32
        };
        let accumulator = largest(&self.feature_bias) - weights * i32::from(i8::MIN);
        let product = QA * largest(&self.output_weights);
        let mut rows = Block::values(&self.output_weights).chunks(2 * self.architecture.hidden());
        let sums = rows.all(|row| {
            let side = |sign: i32| -> i64 {
                row.iter()
                    .map(|&w| i64::from((i32::from(w) * sign).max(0)))
                    .sum::<i64>()
                    * i64::from(QA * QA)
            };
            side(1) <= i64::from(i32::MAX) && side(-1) <= i64::from(i32::MAX)
        });
        let biases = self
            .output_bias
            .iter()
            .all(|bias| bias.unsigned_abs() <= 1 << 20);
        accumulator <= i32::from(i16::MAX) && product <= i32::from(i16::MAX) && sums && biases
    }
}

fn blocks<T: Copy, B>(values: &[T], block: impl Fn([T; BLOCK]) -> B) -> Vec<B> {
    let (chunks, _) = values.as_chunks();
    chunks.iter().map(|&chunk| block(chunk)).collect()
}
