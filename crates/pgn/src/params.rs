//! The sizes and limits of the readers and the writer, each named once.

/// Bytes that a reader asks its source for at a time.
pub const CHUNK: usize = 64 * 1024;

/// The longest single thing (a tag, a comment, a line of EPD) that a reader takes in whole, in
/// bytes. Longer ones are cut short and reported, so that a damaged file cannot fill the memory.
pub const LONGEST_TOKEN: usize = 1024 * 1024;

/// Bytes that the reader likes to have ahead of it, so that numbers, moves and results lie in the
/// buffer whole. The longest of them is far shorter.
pub const LOOKAHEAD: usize = 256;

/// The longest run of characters that can be a move; a longer one is junk, and is cut here.
pub const LONGEST_MOVE: usize = 64;

/// How deep variations may nest. Real files stay below twenty.
pub const DEEPEST_NESTING: usize = 256;

/// Columns of a line of moves in the PGN export format.
pub const LINE_WIDTH: usize = 80;

/// Characters of a bad move that a message repeats.
pub const QUOTED: usize = 24;
