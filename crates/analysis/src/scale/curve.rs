//! Written by `tools/dev/fit_scale.py`, which says how. Do not edit.

/// Centipawns of this engine, and lichess's centipawns that go with them.
pub(super) const POINTS: [[f64; 2]; 11] = [
    [0.0, 0.0],
    [40.0, 38.0],
    [80.0, 70.0],
    [160.0, 175.0],
    [240.0, 254.0],
    [320.0, 340.0],
    [480.0, 425.0],
    [800.0, 561.0],
    [1200.0, 674.0],
    [1900.0, 878.0],
    [3000.0, 1544.0],
];
