//! The games that the algorithms are tried on.

pub mod perfect;
pub mod play;
pub mod rows;
pub mod tree;
