//! Whether a search result is an upper bound, a lower bound or exact.

/// How a search result relates to the true value of a node.
///
/// The discriminants are never zero, so that a packed entry can use zero for "no result".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
pub enum Bound {
    /// The true value is at most the score: the node failed low.
    Upper = 1,
    /// The true value is at least the score: the node failed high.
    Lower = 2,
    /// The score is the true value, to the depth of the search.
    Exact = 3,
}

impl Bound {
    /// The bound with this discriminant (1..=3), or `None`.
    ///
    /// ```
    /// # use skewer_types::Bound;
    /// assert_eq!(Bound::from_bits(2), Some(Bound::Lower));
    /// assert_eq!(Bound::from_bits(0), None);
    /// ```
    #[inline]
    pub const fn from_bits(bits: u8) -> Option<Self> {
        match bits {
            1 => Some(Self::Upper),
            2 => Some(Self::Lower),
            3 => Some(Self::Exact),
            _ => None,
        }
    }

    /// Whether the true value can be taken to be at least the score ([`Lower`](Self::Lower) or
    /// [`Exact`](Self::Exact)).
    #[inline]
    pub const fn is_lower(self) -> bool {
        self as u8 & Self::Lower as u8 != 0
    }

    /// Whether the true value can be taken to be at most the score ([`Upper`](Self::Upper) or
    /// [`Exact`](Self::Exact)).
    #[inline]
    pub const fn is_upper(self) -> bool {
        self as u8 & Self::Upper as u8 != 0
    }
}
