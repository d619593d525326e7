//! Which `UCI_Elo` is how many steps of strength. `tools/calibrate.py --write` writes this file, from
//! games between the neighbours in it and against Stockfish, whose levels are known.

/// Games between each two neighbours that the scale rests on; 0 is for a guess.
pub(super) const GAMES: u32 = 120;

/// Elo and steps, both rising.
pub(super) const SCALE: &[(u32, f64)] = &[
    (780, 0.0),
    (890, 2.0),
    (1010, 4.0),
    (1260, 6.0),
    (1470, 8.0),
    (1860, 10.0),
    (2160, 12.0),
    (2460, 14.0),
    (2850, 16.0),
    (3100, 18.0),
];
