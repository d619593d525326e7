//! The parameters of the analysis, each with its meaning and unit.

use std::time::Duration;

/// Nodes per position if there is no other limit.
pub const DEFAULT_NODES: u64 = 100_000;

/// Nodes of the first search of each position of a game if nothing else is asked for and doubtful labels are
/// searched again.
pub const FIRST_NODES: u64 = 25_000;

/// How sure a label of a game has to be if nothing else is asked for.
pub const DEFAULT_CONFIDENCE: f64 = 0.9;

/// How many nodes a game takes, at most, in per cent of the nodes of a plain search of all positions, if doubtful labels
/// are searched again and nothing else is asked for. Long searches have fewer nodes a second, by some 9%, and the time
/// shall at most double.
pub const MOST_PER_CENT: u64 = 180;

/// The chance to stay the same in a longer search from which a label does not count as unsure.
///
/// Of the labels of 37 games with at least this chance, 167 of 175 have a label by lichess as well; of the labels
/// with less, 223 of 300. The page says so too.
pub const SURE: f64 = 0.85;

/// The chance to stay the same from which a label has a reason: what may not be weak at all needs none.
pub const SURE_REASON: f64 = 0.55;

/// The chance to stay the same from which a label has a reason that nothing but the best move shows: such a reason stands
/// and falls with the label. By an earlier fit of the chance, with the limit at 65%, another engine confirmed 14 of 15 with
/// such a label, and 9 of 12 with a less sure one.
pub const SURE_OF_BEST: f64 = 0.6;

/// The chance to stay the same from which a label makes an exercise: a wrong exercise teaches a wrong move.
pub const SURE_EXERCISE: f64 = 0.9;

/// Nodes that the search before a move and the search after it each need before the page says that a won or a level
/// position is lost: shorter searches see wins where there are none.
pub const STANDING_NODES: u64 = 400_000;

/// The default size of a worker's private hash table, in MiB.
pub const DEFAULT_HASH_MB: usize = 16;

/// How long a UCI engine may take for a position without a time limit before it counts as hung.
pub const ENGINE_LONGEST: Duration = Duration::from_mins(5);

/// How much longer than its time a UCI engine may take before it counts as hung.
pub const ENGINE_LATE: Duration = Duration::from_secs(5);

/// The curve, in its two parameters, for scores whose own win model is not known: a hundred centipawns are an
/// even chance to win, and the spread in centipawns is the spread of
/// [`WinCurve::default`](skewer_types::WinCurve::default).
pub const ENGINE_CURVE: (f64, f64) = (100.0, 62.0);

/// How many times the nodes of the settings doubtful positions are searched with: the first time, the second
/// time, and so on.
pub const FACTORS: [u64; 4] = [1, 4, 16, 64];

/// The part of the chances that a move must lose, on the scale from -1 to 1, for its label to depend on a
/// search of its own when the game already has evaluations. An inaccuracy loses twice as much.
pub const DOUBTFUL_DROP: f64 = 0.05;

/// The stack of a worker, in bytes.
pub const STACK_BYTES: usize = 32 << 20;

/// Half-moves of a line that are kept.
pub const LINE_PLIES: usize = 12;

/// Games that may wait for an earlier one to be written, beside the games that are being worked on.
pub const WINDOW: usize = 256;

/// Half-moves of a game in which its opening is looked for: no name of the catalogue is longer.
pub const OPENING_PLIES: usize = 40;

/// The version of the lines of JSON: `skewer-analyse/1`. It changes when a reader of the old
/// lines would misread the new.
pub const SCHEMA: &str = "skewer-analyse/1";

/// Points of win percentage under which a loss still counts as excellent.
pub const EXCELLENT_DROP: f64 = 2.0;

/// The chance to win, in thousandths, from which a position counts as won, and the chance to lose from which it counts
/// as lost.
pub const CLEAR: u32 = 750;

/// The chance to win, in thousandths, from which a win can slip: more than [`CLEAR`], because a search may err.
///
/// In 81 games, 31 moves let a win of more than [`CLEAR`] go. Before two of them another engine saw no win: both were in
/// endgames, with a chance below this limit.
pub const SLIPPED_FROM: u32 = 850;

/// The points of a player, in thousandths, below which a win has been let go. Points and not wins, because in an opening
/// both players still win a quarter of the games from a level position, and in an endgame hardly any.
pub const SLIPPED_POINTS: u32 = 600;

/// The points of a player, in thousandths, from which a position is not in danger.
pub const LEVEL_POINTS: u32 = 450;

/// The version of the aggregates: `skewer-summary/2`.
pub const SUMMARY_SCHEMA: &str = "skewer-summary/2";

/// Sizes of the tables that are used in place of a larger one for short searches, in MiB.
pub const SMALL_TABLES: [usize; 2] = [1, 4];

/// Nodes whose results a table holds, for each MiB: half of the entries that there is room for.
pub const NODES_PER_MB: u64 = 50_000;
