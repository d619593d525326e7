//! Written by `tools/dev/calibrate_confidence.py`, which says how. Do not edit.

/// The weights of the terms of [`Doubt`](super::Doubt).
pub(super) const WEIGHTS: [f64; 8] = [
    0.5148, 0.7831, 0.0793, 0.3001, -0.2014, -3.1371, 0.9232, -0.4754,
];
