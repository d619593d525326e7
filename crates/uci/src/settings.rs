//! What the options are set to, as far as the session keeps it; the rest is the engine's.

use std::num::NonZeroU32;
use std::time::Duration;

use skewer_movegen::CastlingMode;
use skewer_smp::TimeSource;

use crate::options::{Change, DEFAULT_MOVE_OVERHEAD_MS};
use crate::output::{Style, Wdl};
use crate::strength::{Level, MAX_ELO};

/// The settings of a session.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) multi_pv: usize,
    pub(crate) move_overhead: Duration,
    pub(crate) castling: CastlingMode,
    pub(crate) time_source: TimeSource,
    pub(crate) wdl: Wdl,
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
            wdl: Wdl::Hide,
            analysing: false,
            limit_strength: false,
            elo: MAX_ELO,
            hash_file: String::new(),
        }
    }
}

impl Settings {
    /// Makes a change, if it is one that the session keeps.
    pub(crate) fn change(&mut self, change: Change) {
        match change {
            Change::MultiPv(lines) => self.multi_pv = lines,
            Change::MoveOverhead(overhead) => self.move_overhead = overhead,
            Change::Chess960(true) => self.castling = CastlingMode::Chess960,
            Change::Chess960(false) => self.castling = CastlingMode::Standard,
            Change::NodesTime(nodes) => {
                self.time_source = NonZeroU32::new(nodes)
                    .map_or(TimeSource::Wall, |per_millisecond| TimeSource::Nodes {
                        per_millisecond,
                    });
            }
            Change::ShowWdl(true) => self.wdl = Wdl::Show,
            Change::ShowWdl(false) => self.wdl = Wdl::Hide,
            Change::AnalyseMode(on) => self.analysing = on,
            Change::LimitStrength(on) => self.limit_strength = on,
            Change::Elo(elo) => self.elo = elo,
            Change::HashFile(path) => self.hash_file = path,
            _ => {}
        }
    }

    /// How lines of analysis are to be written.
    pub(crate) fn style(&self) -> Style {
        Style {
            castling: self.castling,
            wdl: self.wdl,
        }
    }

    /// The level to play at, unless it is the full one.
    pub(crate) fn level(&self) -> Option<Level> {
        (self.limit_strength && !self.analysing).then(|| Level::of_elo(self.elo))
    }
}
