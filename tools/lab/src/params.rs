//! The parameters of the lab: those that the texts give, and those chosen for the experiments.

/// Noughts and crosses.
pub mod rows {
    use crate::game::Value;

    /// The value of a finished row, to which the plies left are added.
    pub const WIN: Value = 10_000;

    /// What a row with `stones` of one side only is worth to it: each stone four times as much.
    pub const fn worth_of(stones: u32) -> Value {
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

    /// Being mated at the root; a mate further away is worth one less for each ply.
    pub const MATE: Value = 30_000;
    /// Values beyond this are mates.
    pub const MATE_BOUND: Value = MATE - 1000;
    /// Pawn, knight, bishop, rook, queen and king, in hundredths of a pawn.
    pub const PIECES: [Value; 6] = [100, 320, 330, 500, 950, 0];
    /// What a pawn gains by standing on each rank, from its own side's first.
    pub const PAWN_RANKS: [Value; 8] = [0, 0, 4, 10, 20, 40, 75, 0];
    /// What a pawn on a centre file gains with each step, of the first three.
    pub const CENTRE_PAWN: Value = 8;
    /// What each step towards the centre is worth to a knight, bishop, rook and queen.
    pub const CENTRE: [Value; 4] = [8, 5, 1, 2];
    /// What a rook or queen gains on the seventh rank.
    pub const SEVENTH: Value = 15;
    /// What a king loses with each rank that it leaves its own behind.
    pub const KING_RANK: Value = -12;
    /// What a king gains on the wings, where it has castled to.
    pub const KING_WING: Value = 18;

    /// Half a pawn: the margin that Kornilov (2005) finds enough.
    pub const FUTILITY_MARGIN: Value = PIECES[0] / 2;
    /// The last plies in which Kornilov (2005) prunes.
    pub const FUTILITY_DEPTH: i32 = 2;
    /// A quiet move that gains more than this goes into the first of Kornilov's three buckets;
    /// one that loses anything into the last.
    pub const SMALL_GAIN: Value = 5;
    /// How many quiet moves a node of the forward-pruning search looks at, with 1, 2, 3... plies
    /// left; the last number holds for all greater depths.
    pub const PLAUSIBLE: [usize; 4] = [6, 8, 10, 14];
    /// Quiescence searches checks in so many plies, where it is asked to.
    pub const CHECKING_PLIES: u32 = 2;
    /// The queen is near the king, and has come nearer, within so many king's steps.
    pub const DANGEROUS_DISTANCE: u8 = 3;
    /// A pawn is worth an early look from this rank on, counted from 0 at its own side.
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

/// Matches of the real search.
pub mod duel {
    /// A side this far ahead, in internal units, ...
    pub const WIN_SCORE: i32 = 800;
    /// ... for so many plies by both sides' own scores, has won.
    pub const WIN_PLIES: u32 = 6;
    /// A game within this of zero, ...
    pub const DRAW_SCORE: i32 = 8;
    /// ... for so many plies, ...
    pub const DRAW_PLIES: u32 = 12;
    /// ... from this ply on, is drawn.
    pub const DRAW_FROM: u32 = 80;
    /// The longest bar of the chart, in Elo.
    pub const MOST_ELO: f64 = 1000.0;
}
