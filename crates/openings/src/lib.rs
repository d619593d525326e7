//! Random balanced chess openings, and opening names.
