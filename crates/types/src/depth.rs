//! Depth and ply: how far a search still has to go, and how far it has come.

/// Remaining depth of a search, in plies. Zero or less means quiescence; there are no fractional
/// plies, and intermediate results of reduction formulas may be negative.
pub type Depth = i32;

/// Distance from the root of the search, in plies: 0 at the root, never over [`MAX_PLY`].
pub type Ply = usize;

/// The deepest iteration that iterative deepening starts.
pub const MAX_DEPTH: Depth = 240;

/// The longest line a search may look at; a node at this ply is evaluated as it stands.
pub const MAX_PLY: Ply = 246;
