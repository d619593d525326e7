//! The sizes and limits of the readers and the writer, each named once.

/// The size of reads from the source, in bytes.
pub const CHUNK: usize = 64 * 1024;

/// The longest token (a tag, a comment, a line of EPD) that a reader accepts, in bytes. Longer tokens are cut and
/// reported, so that a damaged file cannot fill the memory.
pub const LONGEST_TOKEN: usize = 1024 * 1024;

/// How many tags of a game are read. Real files have fewer than thirty. Further tags are skipped and reported, so that
/// reading a damaged file cannot take long.
pub const MOST_TAGS: usize = 256;

/// How many lines the value of a tag may have.
pub const MOST_LINES: usize = 16;

/// How many moves [`Games`](crate::Games) reads of a game, variations included. A game with more moves is bad, so that
/// a damaged file cannot fill the memory.
pub const MOST_MOVES: usize = 1 << 20;

/// How many bytes the reader keeps ahead, so that numbers, moves and results are complete in the buffer.
pub const LOOKAHEAD: usize = 256;

/// The longest word that is read as a move; longer words are cut.
pub const LONGEST_MOVE: usize = 64;

/// How deep variations may nest. Real files stay below twenty.
pub const DEEPEST_NESTING: usize = 256;

/// The most moves to a mate in an evaluation. The rule of 75 moves ends every game before move 9,000.
pub const LONGEST_MATE: u32 = 9_999;

/// The largest depth in an evaluation. A larger number is a count of something else, such as nodes.
pub const LARGEST_DEPTH: u32 = 99_999;

/// The most seconds on a clock or for a move: 100,000 hours, more than eleven years, for correspondence chess.
pub const LONGEST_CLOCK: u64 = 100_000 * 3600;

/// Columns of a line of moves in the PGN export format.
pub const LINE_WIDTH: usize = 80;

/// How many of the first bytes of a file decide whether it has games or positions.
pub const SNIFFED: u64 = 1024;

/// The most characters of a bad move in a message.
pub const QUOTED: usize = 24;
