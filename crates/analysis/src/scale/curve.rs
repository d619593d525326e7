//! Written by `tools/dev/fit_scale.py`, which says how. Do not edit.

/// Centipawns of this engine, and lichess's centipawns that go with them.
pub(super) const POINTS: [[f64; 2]; 11] = [
    [0.0, 0.0],
    [40.0, 41.0],
    [80.0, 74.0],
    [160.0, 156.0],
    [240.0, 262.0],
    [320.0, 320.0],
    [480.0, 421.0],
    [800.0, 532.0],
    [1200.0, 656.0],
    [1900.0, 832.0],
    [3000.0, 1046.0],
];
