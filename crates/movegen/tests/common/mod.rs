//! Random games for the tests, the same on every run.

use skewer_movegen::{Board, Scharnagl};

/// A small generator of random numbers (splitmix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

/// The start of game `number`: every third is standard chess, Chess960, double Chess960.
pub(crate) fn start(number: usize, random: &mut Random) -> Board {
    let mut any = || Scharnagl::new(random.below(960) as u16).unwrap();
    match number % 3 {
        0 => Board::STARTPOS,
        1 => Board::chess960(any()),
        _ => Board::double_chess960(any(), any()),
    }
}

/// Plays `games` random games of at most `plies` and shows every position to `look`.
pub(crate) fn walk(
    seed: u64,
    games: usize,
    plies: usize,
    mut look: impl FnMut(&Board, &mut Random),
) {
    let mut random = Random(seed);
    for number in 0..games {
        let mut board = start(number, &mut random);
        for _ in 0..plies {
            look(&board, &mut random);
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            board = board.play(moves[random.below(moves.len())]);
        }
    }
}
