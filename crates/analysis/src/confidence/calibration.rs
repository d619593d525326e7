//! Written by `tools/dev/calibrate_confidence.py`, which says how. Do not edit.

/// The weights of the terms of [`Doubt`](super::Doubt).
pub(super) const WEIGHTS: [f64; 8] = [
    1.7598, 0.2611, 0.0545, 0.1174, -0.0795, -3.8219, 0.3590, 2.2256,
];
