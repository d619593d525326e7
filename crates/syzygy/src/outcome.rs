//! What a probe returns: [`Wdl`], [`Dtz`], [`RankedMove`].

use std::fmt;
use std::ops::Neg;

use skewer_movegen::Move;

/// The fifty-move rule allows this many plies without a capture or pawn move.
const FIFTY_MOVES: u32 = 100;

/// The outcome of a position with best play, for the side to move.
///
/// Ordered from the worst to the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Wdl {
    /// The side to move loses.
    Loss,
    /// The side to move would lose, but the fifty-move rule makes it a draw.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// The side to move would win, but the fifty-move rule makes it a draw.
    CursedWin,
    /// The side to move wins.
    Win,
}

impl Wdl {
    /// The outcome without the fifty-move rule, which turns cursed wins into wins and blessed
    /// losses into losses.
    #[inline]
    pub const fn without_fifty_moves(self) -> Self {
        match self {
            Self::BlessedLoss => Self::Loss,
            Self::CursedWin => Self::Win,
            same => same,
        }
    }

    /// Whether the side to move wins, even if only without the fifty-move rule.
    #[inline]
    pub const fn is_win(self) -> bool {
        matches!(self, Self::Win | Self::CursedWin)
    }

    /// Whether the side to move loses, even if only without the fifty-move rule.
    #[inline]
    pub const fn is_loss(self) -> bool {
        matches!(self, Self::Loss | Self::BlessedLoss)
    }
}

impl Neg for Wdl {
    type Output = Self;

    /// The same outcome for the other side.
    #[inline]
    fn neg(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::BlessedLoss => Self::CursedWin,
            Self::Draw => Self::Draw,
            Self::CursedWin => Self::BlessedLoss,
            Self::Win => Self::Loss,
        }
    }
}

/// The distance to zeroing: plies to the next capture or pawn move (or to mate) with best play.
///
/// Positive if the side to move wins, negative if it loses, zero if the position is drawn. The
/// winner hurries and the loser delays. A magnitude above 100 is a cursed win or a blessed loss:
/// the fifty-move rule makes it a draw. A position whose best move is itself a capture or a pawn
/// move has distance 1 (or 101); being mated is −1.
///
/// Some tables count in moves instead of plies, so the magnitude can be one ply too small.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dtz(i32);

impl Dtz {
    /// A drawn position.
    pub const DRAW: Self = Self(0);

    /// A distance with its sign.
    #[inline]
    pub(crate) const fn new(signed: i32) -> Self {
        Self(signed)
    }

    /// The distance of a position of this outcome if the best move is a capture or pawn move.
    #[inline]
    pub(crate) const fn before_zeroing(wdl: Wdl) -> Self {
        Self(match wdl {
            Wdl::Loss => -1,
            Wdl::BlessedLoss => -101,
            Wdl::Draw => 0,
            Wdl::CursedWin => 101,
            Wdl::Win => 1,
        })
    }

    /// One ply further away, with the same sign. A draw stays a draw.
    #[inline]
    pub(crate) const fn one_ply_more(self) -> Self {
        Self(self.0 + self.0.signum())
    }

    /// The distance in plies, without the sign.
    #[inline]
    pub const fn plies(self) -> u32 {
        self.0.unsigned_abs()
    }

    /// The distance with its sign, as other probing libraries return it.
    #[inline]
    pub const fn signed(self) -> i32 {
        self.0
    }

    /// The outcome if this many plies have been played since the last capture or pawn move.
    ///
    /// ```
    /// use skewer_syzygy::{Dtz, Wdl};
    ///
    /// assert_eq!(Dtz::DRAW.outcome_at(0), Wdl::Draw);
    /// ```
    #[inline]
    pub const fn outcome_at(self, halfmove_clock: u8) -> Wdl {
        let in_time = self.plies() + halfmove_clock as u32 <= FIFTY_MOVES;
        match (self.0, in_time) {
            (1.., true) => Wdl::Win,
            (1.., false) => Wdl::CursedWin,
            (0, _) => Wdl::Draw,
            (_, false) => Wdl::BlessedLoss,
            (_, true) => Wdl::Loss,
        }
    }
}

impl Neg for Dtz {
    type Output = Self;

    /// The same distance for the other side.
    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl fmt::Display for Dtz {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// Whether cursed wins and blessed losses count as draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum FiftyMoveRule {
    /// Cursed wins and blessed losses are draws.
    #[default]
    InForce,
    /// Cursed wins are wins, blessed losses are losses.
    Ignored,
}

/// A legal move of a root position with what the tables know of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RankedMove {
    /// The move.
    pub mv: Move,
    /// The outcome after the move for the side that plays it. If distances are known, the root's
    /// halfmove clock is taken into account; otherwise it is taken as zero.
    pub wdl: Wdl,
    /// The distance to zeroing with the move itself counted, for the side that plays it. `None` if
    /// a DTZ table is missing.
    pub dtz: Option<Dtz>,
}

impl RankedMove {
    /// The key by which moves are compared: first the outcome under `rule`; then winning moves by
    /// the shortest distance, losing moves by the longest.
    pub(crate) fn rank(&self, rule: FiftyMoveRule) -> (Wdl, i32) {
        let plies = self.dtz.map_or(0, |dtz| dtz.plies() as i32);
        let outcome = self.outcome(rule);
        // Cursed wins and blessed losses are ordered by distance too, because the opponent may err.
        let nearness = if self.wdl.is_win() { -plies } else { plies };
        (outcome, nearness)
    }

    /// The outcome after the move under `rule`.
    pub const fn outcome(&self, rule: FiftyMoveRule) -> Wdl {
        match rule {
            FiftyMoveRule::InForce => self.wdl,
            FiftyMoveRule::Ignored => self.wdl.without_fifty_moves(),
        }
    }
}

/// The two kinds of table. Each material has one file of each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TableKind {
    /// Whether positions are won, drawn or lost.
    Wdl,
    /// How far the next capture or pawn move is.
    Dtz,
}

impl TableKind {
    /// Both kinds.
    pub const ALL: [Self; 2] = [Self::Wdl, Self::Dtz];

    /// The extension of file names: `rtbw` or `rtbz`.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Wdl => "rtbw",
            Self::Dtz => "rtbz",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fifty_move_rule_allows_exactly_a_hundred_plies() {
        assert_eq!(Dtz::new(40).outcome_at(60), Wdl::Win);
        assert_eq!(Dtz::new(41).outcome_at(60), Wdl::CursedWin);
        assert_eq!(Dtz::new(-40).outcome_at(60), Wdl::Loss);
        assert_eq!(Dtz::new(-41).outcome_at(60), Wdl::BlessedLoss);
        assert_eq!(Dtz::new(101).outcome_at(0), Wdl::CursedWin);
        assert_eq!(Dtz::DRAW.outcome_at(99), Wdl::Draw);
    }

    #[test]
    fn every_outcome_is_its_own_double_negative() {
        for wdl in [
            Wdl::Loss,
            Wdl::BlessedLoss,
            Wdl::Draw,
            Wdl::CursedWin,
            Wdl::Win,
        ] {
            assert_eq!(-(-wdl), wdl);
            assert_eq!(Dtz::before_zeroing(-wdl), -Dtz::before_zeroing(wdl));
            assert_eq!(Dtz::before_zeroing(wdl).outcome_at(0), wdl);
        }
    }
}
