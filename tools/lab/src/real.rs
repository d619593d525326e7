//! Measurements of the engine's search: the effect of each of its techniques on nodes, time, and tactical
//! positions solved.

pub mod ablate;
pub mod tactics;

use skewer_console::options::EvaluationArgs;
use skewer_types::Techniques;

/// Options of the engine.
#[derive(Debug, clap::Args)]
pub struct EngineArgs {
    /// The size of the hash table, in megabytes.
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub hash: u32,
    /// Searches at the same time. With more than one, times are unreliable.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: u16,
    /// The evaluation.
    #[command(flatten)]
    pub evaluation: EvaluationArgs,
}

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
