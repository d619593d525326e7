//! Written by `tools/analyse/calibrate.py`, which says how. Do not edit.

/// The weights of the terms of [`Doubt`](super::Doubt).
pub(super) const WEIGHTS: [f64; 8] = [0.5, 1.0, 0.0, 0.1, -0.2, -0.5, 0.5, 0.5];
