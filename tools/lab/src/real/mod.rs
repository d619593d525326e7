//! Measurements of the engine's search: the effect of each of its techniques on nodes, time, tactical
//! positions solved, and games.

pub mod ablate;
pub mod duel;
pub mod tactics;

use skewer_types::Techniques;

/// The names of techniques as the command line has them, joined by `+`.
pub(crate) fn names(techniques: Techniques) -> String {
    let names: Vec<_> = techniques
        .iter_names()
        .map(|(name, _)| kebab(name))
        .collect();
    names.join("+")
}

/// A technique's name as the command line has it.
pub fn kebab(name: &str) -> String {
    name.to_ascii_lowercase().replace('_', "-")
}
