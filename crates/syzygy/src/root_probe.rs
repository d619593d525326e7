//! What the tables say of the moves of a root.

use skewer_movegen::Move;
use skewer_types::Wdl;

/// What the tables say of one move of the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RootProbe {
    /// The move.
    pub mv: Move,
    /// What it leads to for the side that plays it, the fifty-move rule and its present count
    /// considered.
    pub wdl: Wdl,
    /// Plies to the next capture or pawn move, with best play.
    pub distance: u16,
}
