//! Scores: evaluations, endgame-table results and mates on one scale.
//!
//! From the bottom up the scale is: mated, lost by the tables, evaluations, won by the tables,
//! mates. Every score fits an `i16`, which is what the hash table stores.

use core::fmt;
use core::ops::{Add, Neg, Sub};

use crate::{MAX_PLY, Ply};

/// The value of a position for the side to move.
///
/// Evaluations are in internal units of the evaluation, within [`Score::MAX_EVAL`] of zero. They are not centipawns:
/// a [`WinCurve`](crate::WinCurve) converts them. The curve depends on the evaluation and on the material (the engine's
/// method `win_curve` returns the curve). The results of endgame tables lie beyond evaluations, and mates lie beyond
/// the results of endgame tables. Each ply to a mate or a table result brings its score nearer to zero by one.
///
/// `Display` writes a mate as `mate 3`, and any other score with its unit, as `81 units`.
///
/// ```
/// use skewer_types::Score;
///
/// let mate = Score::mate_in(5);
/// assert!(mate > Score::new(900));
/// assert_eq!(mate.mate_distance(), Some(3)); // in full moves
/// assert_eq!((-mate).mate_distance(), Some(-2));
/// assert_eq!((-mate).to_string(), "mate -2");
/// assert_eq!(Score::new(81).to_string(), "81 units");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Score(i32);

impl Score {
    /// A level position.
    pub const ZERO: Self = Self(0);
    /// A drawn game.
    pub const DRAW: Self = Self(0);
    /// Above every score that can occur: the widest window is from `-INFINITE` to `INFINITE`.
    pub const INFINITE: Self = Self(32_001);
    /// Mate on the board, for the side that gives it.
    pub const MATE: Self = Self(32_000);
    /// The longest mate that a search can find.
    pub const MATE_BOUND: Self = Self(Self::MATE.0 - MAX_PLY as i32);
    /// An endgame table's win, at the node that found it.
    pub const TB_WIN: Self = Self(31_000);
    /// The most distant endgame table win.
    pub const TB_BOUND: Self = Self(Self::TB_WIN.0 - MAX_PLY as i32);
    /// The largest evaluation.
    pub const MAX_EVAL: Self = Self(Self::TB_BOUND.0 - 1);

    /// An evaluation of `units`, clamped to the range of evaluations.
    #[inline]
    pub const fn new(units: i32) -> Self {
        let max = Self::MAX_EVAL.0;
        if units > max {
            Self(max)
        } else if units < -max {
            Self(-max)
        } else {
            Self(units)
        }
    }

    /// The score of giving mate `ply` plies from the root.
    #[inline]
    pub const fn mate_in(ply: Ply) -> Self {
        Self(Self::MATE.0 - ply as i32)
    }

    /// The score of being mated `ply` plies from the root.
    #[inline]
    pub const fn mated_in(ply: Ply) -> Self {
        Self(ply as i32 - Self::MATE.0)
    }

    /// The score of an endgame table's win that is reached `ply` plies from the root.
    #[inline]
    pub const fn tb_win_in(ply: Ply) -> Self {
        Self(Self::TB_WIN.0 - ply as i32)
    }

    /// The score of an endgame table's loss that is reached `ply` plies from the root.
    #[inline]
    pub const fn tb_loss_in(ply: Ply) -> Self {
        Self(ply as i32 - Self::TB_WIN.0)
    }

    /// The number, for formulas. Evaluations are in internal units.
    #[inline]
    pub const fn raw(self) -> i32 {
        self.0
    }

    /// The score of a number, clamped to `-INFINITE..=INFINITE`. The inverse of [`raw`](Self::raw).
    /// For evaluations, use [`new`](Self::new).
    #[inline]
    pub const fn from_raw(raw: i32) -> Self {
        let max = Self::INFINITE.0;
        if raw > max {
            Self(max)
        } else if raw < -max {
            Self(-max)
        } else {
            Self(raw)
        }
    }

    /// Whether this is a mate for either side.
    #[inline]
    pub const fn is_mate(self) -> bool {
        self.0 >= Self::MATE_BOUND.0 || self.0 <= -Self::MATE_BOUND.0
    }

    /// Whether the game is decided: a mate or an endgame table's win or loss.
    #[inline]
    pub const fn is_decisive(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// Whether this is a proven win: a mate given or an endgame table's win.
    #[inline]
    pub const fn is_win(self) -> bool {
        self.0 >= Self::TB_BOUND.0
    }

    /// Whether this is a proven loss: a mate suffered or an endgame table's loss.
    #[inline]
    pub const fn is_loss(self) -> bool {
        self.0 <= -Self::TB_BOUND.0
    }

    /// Plies to mate, whichever side gives it; `None` when this is no mate.
    #[inline]
    pub const fn plies_to_mate(self) -> Option<i32> {
        if self.is_mate() {
            Some(Self::MATE.0 - self.0.abs())
        } else {
            None
        }
    }

    /// Full moves to mate as the UCI protocol counts them: positive when giving mate, negative
    /// (or zero, when mated already) when suffering it; `None` when this is no mate.
    #[inline]
    pub const fn mate_distance(self) -> Option<i32> {
        if self.0 >= Self::MATE_BOUND.0 {
            Some((Self::MATE.0 - self.0 + 1) / 2)
        } else if self.0 <= -Self::MATE_BOUND.0 {
            let plies = Self::MATE.0 + self.0;
            Some(-(plies / 2))
        } else {
            None
        }
    }

    /// The score as the hash table stores it: the plies to a mate are counted from the node at `ply`
    /// and no longer from the root.
    #[inline]
    pub const fn relative_to_node(self, ply: Ply) -> Self {
        if self.is_win() {
            Self::from_raw(self.0 + ply as i32)
        } else if self.is_loss() {
            Self::from_raw(self.0 - ply as i32)
        } else {
            self
        }
    }

    /// The inverse of [`relative_to_node`](Self::relative_to_node).
    #[inline]
    pub const fn relative_to_root(self, ply: Ply) -> Self {
        if self.is_win() {
            Self(self.0 - ply as i32)
        } else if self.is_loss() {
            Self(self.0 + ply as i32)
        } else {
            self
        }
    }
}

impl Neg for Score {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Self;

    /// Shifts a window or a margin; the result is not clamped to any range.
    #[inline]
    fn add(self, units: i32) -> Self {
        Self(self.0 + units)
    }
}

impl Sub<i32> for Score {
    type Output = Self;

    #[inline]
    fn sub(self, units: i32) -> Self {
        Self(self.0 - units)
    }
}

impl Sub for Score {
    type Output = i32;

    /// The distance between two scores, in internal units.
    #[inline]
    fn sub(self, other: Self) -> i32 {
        self.0 - other.0
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_distance() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "{} units", self.0),
        }
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_distance() {
            Some(moves) => write!(f, "Score(mate {moves})"),
            None => write!(f, "Score({})", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_do_not_overlap_and_fit_sixteen_bits() {
        assert!(Score::MAX_EVAL < Score::TB_BOUND);
        assert!(Score::TB_WIN < Score::MATE_BOUND);
        assert!(Score::MATE < Score::INFINITE);
        assert!(Score::INFINITE.raw() <= i32::from(i16::MAX));
        assert!(!Score::MAX_EVAL.is_decisive());
        assert!(Score::TB_BOUND.is_decisive() && !Score::TB_WIN.is_mate());
    }

    #[test]
    fn mates_are_counted_in_full_moves() {
        assert_eq!(Score::mate_in(1).mate_distance(), Some(1));
        assert_eq!(Score::mate_in(3).mate_distance(), Some(2));
        assert_eq!(Score::mated_in(2).mate_distance(), Some(-1));
        assert_eq!(Score::mated_in(0).mate_distance(), Some(0));
        assert_eq!(Score::new(100).mate_distance(), None);
        let plies = [Score::mate_in(3), Score::mated_in(2), Score::new(100)];
        assert_eq!(
            plies.map(Score::plies_to_mate),
            [Some(3), Some(2), None],
            "plies"
        );
    }

    #[test]
    fn node_relative_scores_round_trip() {
        for ply in [0, 1, 7, 200] {
            for score in [
                Score::mate_in(ply + 3),
                Score::mated_in(ply + 2),
                Score::new(37),
            ] {
                assert_eq!(score.relative_to_node(ply).relative_to_root(ply), score);
            }
        }
        assert_eq!(Score::mate_in(9).relative_to_node(4), Score::mate_in(5));
    }

    #[test]
    fn evaluations_are_clamped() {
        assert_eq!(Score::new(1_000_000), Score::MAX_EVAL);
        assert_eq!(Score::new(-1_000_000), -Score::MAX_EVAL);
    }
}
