//! Written by `tools/dev/fit_scale.py`, which says how. Do not edit.

/// Centipawns of this engine, and lichess's centipawns that go with them.
pub(super) const POINTS: [[f64; 2]; 11] = [
    [0.0, 0.0],
    [25.0, 43.0],
    [50.0, 77.0],
    [100.0, 163.0],
    [150.0, 265.0],
    [200.0, 321.0],
    [300.0, 420.0],
    [500.0, 536.0],
    [800.0, 677.0],
    [1200.0, 855.0],
    [1900.0, 1091.0],
];
