//! The step of strength for each `UCI_Elo`. `tools/selfplay/levels/calibrate.py --write` writes this
//! file, from games between neighbouring levels and against Stockfish, whose levels are known.

/// Elo and steps, both rising. Neighbouring levels played at least 120 games.
pub(super) const SCALE: &[(u32, f64)] = &[
    (1330, 2.0),
    (1520, 4.0),
    (1670, 6.0),
    (1700, 8.0),
    (1790, 10.0),
    (1870, 12.0),
    (1920, 14.0),
    (2040, 16.0),
    (2180, 18.0),
];
