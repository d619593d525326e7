//! The weights that the hand-written evaluation plays with. `skewer-train tune` writes this
//! file; until it has, they are the plain ones.

use super::params::{PLAIN, Weight};
use super::terms::Term;

/// A middlegame and an endgame value for every weight, in the order of [`Term`].
pub const WEIGHTS: [Weight; Term::WEIGHTS] = PLAIN;
