//! Games for the algorithms: noughts and crosses, and artificial trees.

pub mod perfect;
pub mod play;
pub mod rows;
pub mod tree;
