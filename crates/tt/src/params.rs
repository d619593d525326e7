//! Parameters of the table, each with its meaning, unit and range.

/// The weight of age in replacement: the entry with the least `depth - AGE_WEIGHT * age` is replaced,
/// where age is in searches. Plies per search, 1..=16.
pub const AGE_WEIGHT: i32 = 4;

/// A new result for a position that the table already holds from this search replaces the old
/// one unless it is more than this many plies shallower. Plies, 0..=16.
pub const REPLACE_MARGIN: i32 = 4;

/// Added to [`REPLACE_MARGIN`] for a new result from the principal variation. Plies, 0..=8.
pub const PV_BONUS: i32 = 2;

/// How many entries [`hashfull`](crate::Table::hashfull) samples: a multiple of three, far below the
/// smallest table's 98,304.
pub const HASHFULL_SAMPLE: usize = 3000;

/// How many bytes one job of a parallel clear writes: large enough for a small overhead, small enough for
/// an even load.
pub const CLEAR_CHUNK: usize = 4 << 20;

/// How many bytes of a snapshot are written or read at once. Bytes; a multiple of a cluster's 32.
pub const SNAPSHOT_BUFFER: usize = 1 << 18;
