//! Four lanes as an array, for machines without AVX2. The compiler makes of it what it can.

use core::ops::{BitAnd, BitOr};

/// Four sets of squares.
#[derive(Clone, Copy)]
pub(crate) struct Quad([u64; 4]);

impl Quad {
    #[inline(always)]
    pub(crate) const fn new(lanes: [u64; 4]) -> Self {
        Self(lanes)
    }

    /// The same set in every lane.
    #[inline(always)]
    pub(crate) const fn splat(set: u64) -> Self {
        Self([set; 4])
    }

    #[inline(always)]
    fn zip(self, other: [u64; 4], f: impl Fn(u64, u64) -> u64) -> Self {
        let (a, b) = (self.0, other);
        Self([f(a[0], b[0]), f(a[1], b[1]), f(a[2], b[2]), f(a[3], b[3])])
    }

    /// Each lane by itself. (`array::map` stays a call in builds without link-time optimisation.)
    #[inline(always)]
    fn each(self, f: impl Fn(u64) -> u64) -> Self {
        let [a, b, c, d] = self.0;
        Self([f(a), f(b), f(c), f(d)])
    }

    /// Each lane shifted to the left by as much as `by` says.
    #[inline(always)]
    pub(crate) fn shl(self, by: [u64; 4]) -> Self {
        self.zip(by, |set, by| set << by)
    }

    /// Each lane shifted to the right.
    #[inline(always)]
    pub(crate) fn shr(self, by: [u64; 4]) -> Self {
        self.zip(by, |set, by| set >> by)
    }

    /// In each lane all squares up to and including the lowest of the set; all if it is empty.
    #[inline(always)]
    pub(crate) fn to_lowest(self) -> Self {
        self.each(|set| set ^ set.wrapping_sub(1))
    }

    /// In each lane all squares down to and including the highest of the set; all if it is empty.
    #[inline(always)]
    pub(crate) fn to_highest(self) -> Self {
        self.each(|set| !0 << 63_u32.saturating_sub(set.leading_zeros()))
    }

    /// Everything in any lane.
    #[inline(always)]
    pub(crate) fn any(self) -> u64 {
        let [a, b, c, d] = self.0;
        (a | b) | (c | d)
    }

    /// All squares in each lane that is empty, nothing in the others.
    #[inline(always)]
    pub(crate) fn is_empty(self) -> Self {
        self.each(|set| if set == 0 { !0 } else { 0 })
    }

    /// What is in every lane.
    #[inline(always)]
    pub(crate) fn every(self) -> u64 {
        let [a, b, c, d] = self.0;
        (a & b) & (c & d)
    }

    /// How many squares the lanes of both hold together.
    #[inline(always)]
    pub(crate) fn count(a: Self, b: Self) -> u32 {
        a.size() + b.size()
    }

    #[inline(always)]
    fn size(self) -> u32 {
        let [a, b, c, d] = self.0;
        (a.count_ones() + b.count_ones()) + (c.count_ones() + d.count_ones())
    }

    /// The four sets.
    #[inline(always)]
    pub(crate) const fn lanes(self) -> [u64; 4] {
        self.0
    }
}

impl BitAnd for Quad {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        self.zip(other.0, |a, b| a & b)
    }
}

impl BitOr for Quad {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        self.zip(other.0, |a, b| a | b)
    }
}
