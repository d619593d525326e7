//! Eight directions at once: sets of squares in lanes that the compiler turns into vectors.
//!
//! A lane holds the squares of one direction. The four directions that lead to higher squares
//! are shifted to the left, the four opposite ones to the right by as much, so that each half is
//! one vector of four lanes. Sliders of one direction run all at once by a parallel-prefix fill
//! (Peter Kogge and Harold Stone, 1973; for chess Steffen Jakob and Gerd Isenberg).

use crate::File;

/// One set of squares for each of four directions.
pub(crate) type Half = [u64; 4];

/// Along the file, the rising diagonal, the rank, the falling diagonal.
const SHIFTS: [u32; 4] = [8, 9, 1, 7];

const ALL: u64 = !0;
const NOT_A: u64 = !File::A.bitboard().0;
const NOT_H: u64 = !File::H.bitboard().0;
const NOT_AB: u64 = NOT_A & !File::B.bitboard().0;
const NOT_GH: u64 = NOT_H & !File::G.bitboard().0;

/// Where a step up can end: not on the file that it would wrap round to.
const UP: Half = [ALL, NOT_A, NOT_A, NOT_H];
/// Where a step down can end.
const DOWN: Half = [ALL, NOT_H, NOT_H, NOT_A];

const KNIGHT_SHIFTS: [u32; 4] = [17, 15, 10, 6];
const KNIGHT_UP: Half = [NOT_A, NOT_H, NOT_AB, NOT_GH];
const KNIGHT_DOWN: Half = [NOT_H, NOT_A, NOT_GH, NOT_AB];

/// A set of squares for each of the eight directions.
#[derive(Clone, Copy)]
pub(crate) struct Lanes {
    /// North, north-east, east, north-west.
    pub(crate) up: Half,
    /// South, south-west, west, south-east.
    pub(crate) down: Half,
}

#[inline(always)]
fn zip(a: Half, b: Half, f: impl Fn(u64, u64) -> u64) -> Half {
    [f(a[0], b[0]), f(a[1], b[1]), f(a[2], b[2]), f(a[3], b[3])]
}

#[inline(always)]
fn left(set: Half, by: [u32; 4]) -> Half {
    [
        set[0] << by[0],
        set[1] << by[1],
        set[2] << by[2],
        set[3] << by[3],
    ]
}

#[inline(always)]
fn right(set: Half, by: [u32; 4]) -> Half {
    [
        set[0] >> by[0],
        set[1] >> by[1],
        set[2] >> by[2],
        set[3] >> by[3],
    ]
}

const fn times(by: [u32; 4], n: u32) -> [u32; 4] {
    [by[0] * n, by[1] * n, by[2] * n, by[3] * n]
}

const TWICE: [u32; 4] = times(SHIFTS, 2);
const FOUR: [u32; 4] = times(SHIFTS, 4);

/// The same set in every lane.
#[inline(always)]
pub(crate) fn splat(set: u64) -> Half {
    [set; 4]
}

/// The sliders of each axis: straight on files and ranks, diagonal on the others.
#[inline(always)]
pub(crate) fn sliders(straight: u64, diagonal: u64) -> Half {
    [straight, diagonal, straight, diagonal]
}

/// The squares that sliders in the lanes attack upwards through `empty` squares.
#[inline(always)]
pub(crate) fn fill_up(sliders: Half, empty: u64) -> Half {
    let mut reached = sliders;
    let mut open = zip(UP, splat(empty), |a, b| a & b);
    reached = zip(
        reached,
        zip(open, left(reached, SHIFTS), |a, b| a & b),
        |a, b| a | b,
    );
    open = zip(open, left(open, SHIFTS), |a, b| a & b);
    reached = zip(
        reached,
        zip(open, left(reached, TWICE), |a, b| a & b),
        |a, b| a | b,
    );
    open = zip(open, left(open, TWICE), |a, b| a & b);
    reached = zip(
        reached,
        zip(open, left(reached, FOUR), |a, b| a & b),
        |a, b| a | b,
    );
    zip(left(reached, SHIFTS), UP, |a, b| a & b)
}

/// The squares that sliders in the lanes attack downwards through `empty` squares.
#[inline(always)]
pub(crate) fn fill_down(sliders: Half, empty: u64) -> Half {
    let mut reached = sliders;
    let mut open = zip(DOWN, splat(empty), |a, b| a & b);
    reached = zip(
        reached,
        zip(open, right(reached, SHIFTS), |a, b| a & b),
        |a, b| a | b,
    );
    open = zip(open, right(open, SHIFTS), |a, b| a & b);
    reached = zip(
        reached,
        zip(open, right(reached, TWICE), |a, b| a & b),
        |a, b| a | b,
    );
    open = zip(open, right(open, TWICE), |a, b| a & b);
    reached = zip(
        reached,
        zip(open, right(reached, FOUR), |a, b| a & b),
        |a, b| a | b,
    );
    zip(right(reached, SHIFTS), DOWN, |a, b| a & b)
}

/// The squares that sliders in the lanes attack in all eight directions.
#[inline(always)]
pub(crate) fn fill(sliders: Half, empty: u64) -> Lanes {
    Lanes {
        up: fill_up(sliders, empty),
        down: fill_down(sliders, empty),
    }
}

/// The squares that knights attack, one lane for each of the eight leaps.
#[inline(always)]
pub(crate) fn knights(set: u64) -> Lanes {
    Lanes {
        up: zip(left(splat(set), KNIGHT_SHIFTS), KNIGHT_UP, |a, b| a & b),
        down: zip(right(splat(set), KNIGHT_SHIFTS), KNIGHT_DOWN, |a, b| a & b),
    }
}

/// Everything in any lane.
#[inline(always)]
pub(crate) fn any(half: Half) -> u64 {
    (half[0] | half[1]) | (half[2] | half[3])
}

/// What is in every lane.
#[inline(always)]
pub(crate) fn every(half: Half) -> u64 {
    (half[0] & half[1]) & (half[2] & half[3])
}

/// How many squares the lanes hold together.
#[inline(always)]
pub(crate) fn count(half: Half) -> u32 {
    (half[0].count_ones() + half[1].count_ones()) + (half[2].count_ones() + half[3].count_ones())
}

impl Lanes {
    /// Lane by lane.
    #[inline(always)]
    pub(crate) fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64 + Copy) -> Self {
        Self {
            up: zip(self.up, other.up, f),
            down: zip(self.down, other.down, f),
        }
    }

    /// Each lane on its own.
    #[inline(always)]
    pub(crate) fn map(self, f: impl Fn(u64) -> u64 + Copy) -> Self {
        Self {
            up: zip(self.up, self.up, |a, _| f(a)),
            down: zip(self.down, self.down, |a, _| f(a)),
        }
    }

    /// The lanes of opposite directions change places.
    #[inline(always)]
    pub(crate) fn opposite(self) -> Self {
        Self {
            up: self.down,
            down: self.up,
        }
    }

    /// Everything in any lane.
    #[inline(always)]
    pub(crate) fn any(self) -> u64 {
        any(zip(self.up, self.down, |a, b| a | b))
    }

    /// What is in every lane.
    #[inline(always)]
    pub(crate) fn every(self) -> u64 {
        every(zip(self.up, self.down, |a, b| a & b))
    }

    /// For each axis what is in either of its two directions.
    #[inline(always)]
    pub(crate) fn axes(self) -> Half {
        zip(self.up, self.down, |a, b| a | b)
    }

    /// How many squares the lanes hold together.
    #[inline(always)]
    pub(crate) fn count(self) -> u32 {
        count(self.up) + count(self.down)
    }
}
