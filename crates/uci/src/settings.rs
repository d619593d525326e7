//! What the options are set to, as far as the session keeps it; the rest is the engine's.

use std::time::Duration;

use skewer_movegen::CastlingMode;
use skewer_smp::TimeSource;
use skewer_types::WinModel;

use crate::options::{DEFAULT_MOVE_OVERHEAD_MS, Setting};
use crate::output::{Style, WdlColumn};
use crate::strength::{Level, MAX_ELO};

/// The settings of a session.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) multi_pv: usize,
    pub(crate) move_overhead: Duration,
    pub(crate) castling: CastlingMode,
    pub(crate) time_source: TimeSource,
    pub(crate) wdl: WdlColumn,
    pub(crate) analysing: bool,
    pub(crate) limit_strength: bool,
    pub(crate) elo: u32,
    pub(crate) hash_file: String,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            multi_pv: 1,
            move_overhead: Duration::from_millis(DEFAULT_MOVE_OVERHEAD_MS as u64),
            castling: CastlingMode::Standard,
            time_source: TimeSource::Wall,
            wdl: WdlColumn::Hidden,
            analysing: false,
            limit_strength: false,
            elo: MAX_ELO,
            hash_file: String::new(),
        }
    }
}

impl Settings {
    /// Makes a change.
    pub(crate) fn change(&mut self, setting: Setting) {
        match setting {
            Setting::Ponder(_) => {}
            Setting::MultiPv(lines) => self.multi_pv = lines,
            Setting::MoveOverhead(overhead) => self.move_overhead = overhead,
            Setting::Castling(mode) => self.castling = mode,
            Setting::TimeSource(source) => self.time_source = source,
            Setting::Wdl(column) => self.wdl = column,
            Setting::AnalyseMode(on) => self.analysing = on,
            Setting::LimitStrength(on) => self.limit_strength = on,
            Setting::Elo(elo) => self.elo = elo,
            Setting::HashFile(path) => self.hash_file = path,
        }
    }

    /// How lines of analysis are to be written, with the scores of an evaluation of this model.
    pub(crate) fn style(&self, model: WinModel) -> Style {
        Style {
            castling: self.castling,
            wdl: self.wdl,
            model,
        }
    }

    /// The level to play at, unless it is the full one.
    pub(crate) fn level(&self) -> Option<Level> {
        (self.limit_strength && !self.analysing).then(|| Level::of_elo(self.elo))
    }
}
