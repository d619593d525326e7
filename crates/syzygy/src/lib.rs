//! Syzygy endgame tables for Skewer, an adapter to pyrrhic-rs.

/// A set of Syzygy endgame tables, opened from one or more folders.
#[derive(Debug)]
pub struct Tablebases {
    _private: (),
}
