//! The numbers of this tool, each with its meaning and unit.

/// Nodes a position unless another limit is given.
pub const DEFAULT_NODES: u64 = 100_000;

/// The private hash table of a worker, in MiB, unless another size is asked for.
pub const DEFAULT_HASH_MB: usize = 16;

/// The stack of a worker, in bytes.
pub const STACK_BYTES: usize = 32 << 20;

/// Half-moves of a best line that are kept.
pub const LINE_PLIES: usize = 12;

/// Games that may wait for an earlier one to be written, beside those that are being worked on.
pub const WINDOW: usize = 256;

/// Seconds between two lines of progress where there is no terminal.
pub const PROGRESS_SECONDS: u64 = 10;

/// Half-moves of a game in which its opening is looked for: no name of the catalogue is longer.
pub const OPENING_PLIES: usize = 40;

/// The graph as a picture, in pixels.
pub const GRAPH_SIZE: (u32, u32) = (960, 320);

/// The version of the lines of JSON: `skewer-analyse/1`. It changes when a reader of the old
/// lines would misread the new.
pub const SCHEMA: &str = "skewer-analyse/1";
