//! The step of strength for each `UCI_Elo`. `tools/selfplay/levels/calibrate.py --write` writes this
//! file, from games between neighbouring levels and against Stockfish, whose levels are known.

/// How many games neighbouring levels played; 0 if the scale is a guess.
pub(super) const GAMES: u32 = 120;

/// Elo and steps, both rising.
pub(super) const SCALE: &[(u32, f64)] = &[
    (1120, 2.0),
    (1170, 4.0),
    (1340, 6.0),
    (1510, 8.0),
    (1650, 10.0),
    (1790, 12.0),
    (1880, 14.0),
    (2040, 16.0),
    (2180, 18.0),
];
