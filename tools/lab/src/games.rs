//! Games for the algorithms: noughts and crosses, artificial trees, and trees that are typed in.

pub mod perfect;
pub mod play;
pub mod rows;
pub mod tree;
pub mod typed;
