//! The step of strength for each `UCI_Elo`. `tools/dev/levels/calibrate.py --write` writes this
//! file, from games between neighbouring levels and against Stockfish, whose levels are known.

/// Elo and steps, both rising, from the games of `benches/results/levels.csv`. The steps below 1200 were raised when those
/// levels began to overlook moves, so that they stayed as far apart (`benches/results/experiments.csv`).
pub(super) const SCALE: &[(u32, f64)] = &[
    (800, -2.30),
    (900, -1.60),
    (1000, -1.00),
    (1100, -0.93),
    (1200, -0.84),
    (1300, -0.34),
    (1400, 1.06),
    (1500, 2.78),
    (1600, 3.88),
    (1700, 8.02),
    (1800, 10.04),
    (1900, 11.55),
    (2000, 13.62),
    (2100, 16.51),
    (2200, 17.85),
    (2300, 19.12),
    (2400, 20.50),
    (2500, 22.07),
    (2600, 22.91),
];
