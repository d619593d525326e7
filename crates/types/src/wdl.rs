//! Win, draw or loss: what an endgame table or a finished game says.

/// The outcome of a position with perfect play, or of a finished game, for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Wdl {
    /// The side to move loses.
    Loss,
    /// The side to move would lose, but the fifty-move rule saves it.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// The side to move would win, but the fifty-move rule saves the opponent.
    CursedWin,
    /// The side to move wins.
    Win,
}

impl core::ops::Neg for Wdl {
    type Output = Self;

    /// The same outcome as the other side sees it.
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
