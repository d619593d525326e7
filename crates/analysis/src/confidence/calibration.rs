//! Written by `tools/dev/calibrate_confidence.py`, which says how. Do not edit.

/// The weights of the terms of [`Doubt`](super::Doubt).
pub(super) const WEIGHTS: [f64; 8] = [
    0.0602, 0.7967, 0.1495, 0.2212, -0.1063, -2.2589, 2.1196, 0.8564,
];
