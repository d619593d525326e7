//! Written by `tools/dev/fit_scale.py`, which says how. Do not edit.

/// Centipawns of this engine, and lichess's centipawns that go with them.
pub(super) const POINTS: [[f64; 2]; 10] = [
    [0.0, 0.0],
    [25.0, 37.0],
    [50.0, 67.0],
    [100.0, 148.0],
    [150.0, 240.0],
    [200.0, 289.0],
    [300.0, 426.0],
    [500.0, 550.0],
    [800.0, 636.0],
    [1200.0, 729.0],
];
