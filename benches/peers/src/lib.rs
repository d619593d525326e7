//! Skewer compared with other crates: the same moves, endgame tables and games, and the speed of each.
//!
//! Outside the workspace, because some of the peers are under licences (GPL, AGPL) that nothing shipped may link. So no
//! lock file or vendored source of the workspace has them.

pub mod generators;
pub mod tables;
