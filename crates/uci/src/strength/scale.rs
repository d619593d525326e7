//! Which `UCI_Elo` is how many steps of strength. `tools/calibrate.py --write` writes this file, from
//! games between the neighbours in it.

/// Games between each two neighbours that the scale rests on; 0 is for a guess.
pub(super) const GAMES: u32 = 0;

/// Elo and steps, both rising.
pub(super) const SCALE: &[(u32, f64)] = &[
    (800, 0.0),
    (1000, 2.0),
    (1200, 4.0),
    (1400, 6.0),
    (1600, 8.0),
    (1800, 10.0),
    (2000, 12.0),
    (2200, 14.0),
    (2400, 16.0),
    (2600, 18.0),
];
