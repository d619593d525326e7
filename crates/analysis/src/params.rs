//! The parameters of the analysis, each with its meaning and unit.

use std::time::Duration;

/// Nodes per position if there is no other limit.
pub const DEFAULT_NODES: u64 = 100_000;

/// Default nodes of the first search of each position of a game, if positions with doubtful labels are searched again.
pub const FIRST_NODES: u64 = 25_000;

/// How sure a label of a game must be by default: the chance that it would stay the same in a much longer search.
pub const DEFAULT_CONFIDENCE: f64 = 0.9;

/// The default limit of the nodes of a game if positions with doubtful labels are searched again, in per cent of the
/// nodes of a single search of all positions. It keeps the time below twice the time of the single searches: long
/// searches are about 9% slower, in nodes a second.
pub const MOST_PER_CENT: u64 = 180;

/// A label is sure if its chance to stay the same in a much longer search is at least this.
///
/// In 37 games, 167 of 175 sure labels have a label by lichess as well, and 223 of 300 others. The page and the manual
/// print these figures.
pub const SURE: f64 = 0.85;

/// A label gets a reason if its chance to stay the same is at least this. Below it, the move may not be weak at all.
pub const SURE_REASON: f64 = 0.55;

/// The least chance to stay the same of a label whose reason only the best move shows: if the label is wrong, so is the
/// reason. By an earlier fit of the chance, with the limit at 65%, another engine confirmed 14 of 15 such reasons above
/// the limit, and 9 of 12 below it.
pub const SURE_OF_BEST: f64 = 0.6;

/// The least chance to stay the same of a label that becomes an exercise. A wrong exercise would teach a wrong move.
pub const SURE_EXERCISE: f64 = 0.9;

/// The least nodes of the search before a move, and of the search after it, for the statement that the move lets a win
/// slip or loses a level position. Shorter searches see wins where there are none.
pub const STANDING_NODES: u64 = 400_000;

/// The default size of a worker's private hash table, in MiB.
pub const DEFAULT_HASH_MB: usize = 16;

/// How long a UCI engine may take for a position without a time limit before it counts as hung.
pub const ENGINE_LONGEST: Duration = Duration::from_mins(5);

/// How much longer than its time a UCI engine may take before it counts as hung.
pub const ENGINE_LATE: Duration = Duration::from_secs(5);

/// The two parameters of the curve for scores without a win model, from other engines and from files: a hundred
/// centipawns are an even chance to win, with the spread of [`WinCurve::default`](skewer_types::WinCurve::default) in
/// centipawns.
pub const ENGINE_CURVE: (f64, f64) = (100.0, 62.0);

/// The nodes of a search at level 1, 2, 3 and 4, as multiples of the nodes of the settings. Each further search of a
/// position is at a higher level.
pub const FACTORS: [u64; 4] = [1, 4, 16, 64];

/// How much a move must lose by the evaluations of the file for its positions to be searched, as a difference of
/// chances on the scale from -1 to 1. An inaccuracy loses twice as much.
pub const DOUBTFUL_DROP: f64 = 0.05;

/// The stack of a worker, in bytes.
pub const STACK_BYTES: usize = 32 << 20;

/// How many plies of a line are kept.
pub const LINE_PLIES: usize = 12;

/// How many analysed games may wait for an earlier game, besides the games that workers have.
pub const WINDOW: usize = 256;

/// In how many plies of a game its opening is looked for: the catalogue has no longer line.
pub const OPENING_PLIES: usize = 40;

/// The version of the lines of JSON. It changes when a reader of old lines would misread new ones.
pub const SCHEMA: &str = "skewer-analyse/1";

/// A move that loses fewer points of win percentage than this is excellent.
pub const EXCELLENT_DROP: f64 = 2.0;

/// The chance to win, in thousandths, from which a position counts as won, and the chance to lose from which it counts
/// as lost.
pub const CLEAR: u32 = 750;

/// The least chance to win, in thousandths, of a position in which a win can slip. It is more than [`CLEAR`], because a
/// search may err.
///
/// In 81 games, 31 moves let a win of more than [`CLEAR`] go. Before two of them another engine saw no win: both were
/// in endgames, with a chance below this limit.
pub const SLIPPED_FROM: u32 = 850;

/// A move lets a win slip if it leaves the player fewer expected points than this, in thousandths. Points are used and
/// not chances to win, because from a level position each player wins a quarter of the games in an opening, and hardly
/// any in an endgame.
pub const SLIPPED_POINTS: u32 = 600;

/// A position is level if the player has at least these expected points, in thousandths.
pub const LEVEL_POINTS: u32 = 450;

/// The version of the aggregates: `skewer-summary/2`.
pub const SUMMARY_SCHEMA: &str = "skewer-summary/2";

/// Sizes of the hash tables that short searches use in place of a larger one, in MiB.
pub const SMALL_TABLES: [usize; 2] = [1, 4];

/// How many nodes a small table may serve for each MiB: half of the entries that fit into it.
pub const NODES_PER_MB: u64 = 50_000;
