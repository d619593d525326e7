//! The step of strength for each `UCI_Elo`. `tools/dev/levels/calibrate.py --write` writes this
//! file, from games between neighbouring levels and against Stockfish, whose levels are known.

/// Elo and steps, both rising, from the games of `benches/results/levels.csv`.
pub(super) const SCALE: &[(u32, f64)] = &[
    (800, -3.77),
    (900, -2.73),
    (1000, -1.85),
    (1100, -1.35),
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
