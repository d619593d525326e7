//! The parameters of the lab, given by the texts or chosen for the experiments.

/// Noughts and crosses.
pub mod rows {
    use crate::game::Value;

    /// The value of a finished row, to which the plies left are added.
    pub const WIN: Value = 10_000;

    /// The value of a row in which one side has `stones` and the other none: four times as much for
    /// each further stone.
    pub const fn row_value(stones: u32) -> Value {
        if stones == 0 {
            0
        } else {
            1 << (2 * (stones - 1))
        }
    }
}

/// Chess as the lab plays it: a simple evaluation, and the margins of the texts.
pub mod chess {
    use crate::game::Value;

    /// The value of a mate at the root; a mate further away counts one less for each ply.
    pub const MATE: Value = 30_000;
    /// Values beyond this are mates.
    pub const MATE_BOUND: Value = MATE - 1000;
    /// Pawn, knight, bishop, rook, queen and king, in hundredths of a pawn.
    pub const PIECES: [Value; 6] = [100, 320, 330, 500, 950, 0];
    /// Bonus of a pawn by rank, from its own side's first.
    pub const PAWN_RANKS: [Value; 8] = [0, 0, 4, 10, 20, 40, 75, 0];
    /// Bonus of a pawn on a centre file for each of its first three steps.
    pub const CENTRE_PAWN: Value = 8;
    /// Bonus of a knight, bishop, rook and queen for each step towards the centre.
    pub const CENTRE: [Value; 4] = [8, 5, 1, 2];
    /// Bonus of a rook or queen on the seventh rank.
    pub const SEVENTH: Value = 15;
    /// Penalty of a king for each rank away from its back rank.
    pub const KING_RANK: Value = -12;
    /// Bonus of a king on the files a, b, g and h, as after castling.
    pub const KING_WING: Value = 18;

    /// Half a pawn: the margin that Kornilov (2005) finds enough.
    pub const FUTILITY_MARGIN: Value = PIECES[0] / 2;
    /// The last plies in which Kornilov (2005) prunes.
    pub const FUTILITY_DEPTH: i32 = 2;
    /// A quiet move that gains more than this goes into the first of Kornilov's three buckets; a
    /// move that loses anything goes into the last.
    pub const SMALL_GAIN: Value = 5;
    /// How many quiet moves forward pruning searches at a node with 1, 2, 3... plies left; the last
    /// number holds for all greater depths.
    pub const PLAUSIBLE: [usize; 4] = [6, 8, 10, 14];
    /// Plies of quiescence in which [`Quiescence::Checks`] searches checks.
    ///
    /// [`Quiescence::Checks`]: crate::chess::config::Quiescence::Checks
    pub const CHECKING_PLIES: u32 = 2;
    /// A queen's move that ends within this many king's steps of the enemy king is promising, if it
    /// comes nearer.
    pub const DANGEROUS_DISTANCE: u32 = 3;
    /// Moves of passed pawns are promising from this rank on, counted from 1 at its own side.
    pub const PASSED_RANK: usize = 4;
    /// Heinz's adaptive null move: up to this depth the reduction is 2.
    pub const ADAPTIVE_SHALLOW: i32 = 6;
    /// Heinz's adaptive null move: beyond this depth the reduction is 3; between, it is 3 only
    /// with [`ADAPTIVE_PIECES`] on each side.
    pub const ADAPTIVE_DEEP: i32 = 8;
    /// See [`ADAPTIVE_DEEP`]. Pawns and kings do not count.
    pub const ADAPTIVE_PIECES: u32 = 3;
    /// The reduction of Tabibi and Netanyahu's verified null move.
    pub const VERIFIED_REDUCTION: i32 = 3;
}
