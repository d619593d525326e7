//! Option values that the session keeps.

use std::num::NonZeroU32;
use std::time::Duration;

use skewer_movegen::CastlingMode;
use skewer_search::TimeSource;
use skewer_types::WinModel;

use crate::output::{Style, WdlColumn};
use crate::strength::Level;

/// The values. A session applies the defaults of all options when it is created, so these fields
/// have no defaults of their own.
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is an option of the type check"
)]
#[derive(Debug, Clone, Default)]
pub(crate) struct Settings {
    pub(crate) multi_pv: usize,
    pub(crate) move_overhead: Duration,
    pub(crate) chess960: bool,
    /// The searched nodes that count as a millisecond; 0 for real time.
    pub(crate) nodes_per_millisecond: u32,
    pub(crate) show_wdl: bool,
    pub(crate) analyse_mode: bool,
    pub(crate) limit_strength: bool,
    pub(crate) elo: u32,
    pub(crate) hash_file: String,
}

impl Settings {
    pub(crate) fn castling(&self) -> CastlingMode {
        if self.chess960 {
            CastlingMode::Chess960
        } else {
            CastlingMode::Standard
        }
    }

    pub(crate) fn time_source(&self) -> TimeSource {
        NonZeroU32::new(self.nodes_per_millisecond).map_or(TimeSource::Wall, |per_millisecond| {
            TimeSource::Nodes { per_millisecond }
        })
    }

    /// How lines of analysis are printed, with scores converted by `model`.
    pub(crate) fn style(&self, model: WinModel) -> Style {
        Style {
            castling: self.castling(),
            wdl: if self.show_wdl {
                WdlColumn::Shown
            } else {
                WdlColumn::Hidden
            },
            model,
        }
    }

    /// The playing level; `None` for full strength.
    pub(crate) fn level(&self) -> Option<Level> {
        (self.limit_strength && !self.analyse_mode).then(|| Level::of_elo(self.elo))
    }
}
