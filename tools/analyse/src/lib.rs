//! Analyse positions, EPD suites and PGN collections on every core.
