//! Written by `tools/analyse/calibrate.py`, which says how. Do not edit.

/// The weights of the terms of [`Doubt`](super::Doubt).
pub(super) const WEIGHTS: [f64; 8] = [
    1.9139, 0.1905, 0.0634, 0.1204, -0.0772, -4.1131, 0.3531, 2.7068,
];
