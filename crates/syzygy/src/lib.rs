//! Syzygy endgame tables for Skewer, an adapter to pyrrhic-rs.
