//! The shape of a network.

use super::error::NetworkError;
use super::view::KING_BUCKETS;
use crate::Feature;

/// The greatest number of output buckets that a network can have.
pub const MAX_BUCKETS: usize = 8;

/// The shape of a network: 768 mirrored inputs for each king bucket, perhaps 768 more for pieces that are
/// [en prise](super::EnPrise), `hidden` neurons for each of two perspectives, one output for each bucket of pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Architecture {
    hidden: usize,
    buckets: usize,
    king_buckets: usize,
    en_prise: bool,
}

impl Architecture {
    /// The sizes of hidden layer that can be run.
    pub const HIDDEN: [usize; 5] = [32, 64, 128, 256, 512];

    /// The largest network that can be run.
    pub(super) const LARGEST: Self = Self {
        hidden: Self::HIDDEN[Self::HIDDEN.len() - 1],
        buckets: MAX_BUCKETS,
        king_buckets: KING_BUCKETS,
        en_prise: true,
    };

    /// The network with `hidden` neurons a perspective and `buckets` outputs, whose inputs are the same
    /// for all squares of the king in one wing.
    ///
    /// # Errors
    ///
    /// [`NetworkError::Architecture`] unless `hidden` is one of [`Self::HIDDEN`] and `buckets`
    /// is 1 or 8.
    ///
    /// ```
    /// # use skewer_eval::network::Architecture;
    /// assert!(Architecture::new(128, 8).is_ok());
    /// assert!(Architecture::new(100, 8).is_err());
    /// ```
    pub fn new(hidden: usize, buckets: usize) -> Result<Self, NetworkError> {
        if Self::HIDDEN.contains(&hidden) && matches!(buckets, 1 | MAX_BUCKETS) {
            Ok(Self {
                hidden,
                buckets,
                king_buckets: 1,
                en_prise: false,
            })
        } else {
            Err(NetworkError::Architecture { hidden, buckets })
        }
    }

    /// The same shape with inputs of its own for each of `king_buckets` regions of the own king.
    ///
    /// # Errors
    ///
    /// [`NetworkError::KingBuckets`] unless `king_buckets` is 1 or [`KING_BUCKETS`].
    pub fn with_king_buckets(self, king_buckets: usize) -> Result<Self, NetworkError> {
        if matches!(king_buckets, 1 | KING_BUCKETS) {
            Ok(Self {
                king_buckets,
                ..self
            })
        } else {
            Err(NetworkError::KingBuckets(king_buckets))
        }
    }

    /// The same shape with 768 more inputs, which are on for the pieces that are [en prise](super::EnPrise).
    #[must_use]
    pub const fn with_en_prise(self) -> Self {
        Self {
            en_prise: true,
            ..self
        }
    }

    /// Whether pieces that are [en prise](super::EnPrise) have inputs of their own.
    #[inline]
    pub const fn has_en_prise(self) -> bool {
        self.en_prise
    }

    /// Regions of the own king that have inputs of their own: 1 or [`KING_BUCKETS`].
    #[inline]
    pub const fn king_buckets(self) -> usize {
        self.king_buckets
    }

    /// Inputs of one perspective for pieces, a row of feature weights each: the first of all [`inputs`](Self::inputs).
    #[inline]
    pub const fn piece_inputs(self) -> usize {
        Feature::COUNT * self.king_buckets
    }

    /// Inputs of one perspective, a row of feature weights each: for pieces, then for pieces that are en prise.
    #[inline]
    pub const fn inputs(self) -> usize {
        self.piece_inputs() + if self.en_prise { Feature::COUNT } else { 0 }
    }

    /// Hidden neurons of one perspective.
    #[inline]
    pub const fn hidden(self) -> usize {
        self.hidden
    }

    /// The number of output buckets: 1, or 8, each for four successive numbers of pieces.
    #[inline]
    pub const fn buckets(self) -> usize {
        self.buckets
    }

    /// The bucket of a position with this many pieces, kings included.
    #[inline]
    pub const fn bucket(self, pieces: usize) -> usize {
        if self.buckets == 1 {
            0
        } else {
            let bucket = pieces.saturating_sub(2) / 4;
            if bucket < self.buckets {
                bucket
            } else {
                self.buckets - 1
            }
        }
    }
}
