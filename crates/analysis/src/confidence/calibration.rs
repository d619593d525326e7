//! Written by `tools/analyse/calibrate.py`, which says how. Do not edit.

/// The weights of the terms of [`Doubt`](super::Doubt).
pub(super) const WEIGHTS: [f64; 8] = [
    2.6477, 0.4223, -0.1200, 0.0000, -0.0678, -4.4071, 0.8338, 1.8144,
];
