//! A cache of the terms that depend on pawns alone, because most positions of a search have the same pawns as
//! other positions of it. The cache does not change scores.

use skewer_movegen::{Bitboard, Board, Color, Piece};

use super::Sum;
use super::count::{Structure, count_pawns};
use crate::Tapered;

/// Entries of the cache; a power of two. An entry takes 72 bytes, so the cache fits the L2 cache.
const ENTRIES: usize = 1024;

/// The pawns of a position, and their terms.
#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    white: Bitboard,
    black: Bitboard,
    /// White's terms less Black's.
    score: Tapered,
    structure: Structure,
}

/// The cache. An empty entry is a valid entry for positions without pawns.
#[derive(Debug, Clone)]
pub(super) struct PawnCache(Box<[Entry]>);

impl PawnCache {
    pub(super) fn new() -> Self {
        Self(vec![Entry::default(); ENTRIES].into_boxed_slice())
    }

    /// The score of the pawns of `board` for White, and their structure.
    #[inline]
    pub(super) fn get(&mut self, board: &Board) -> (Tapered, Structure) {
        let pawns = board.pieces(Piece::Pawn);
        let white = pawns & board.color(Color::White);
        let black = pawns & !white;
        let entry = &mut self.0[index(white, black)];
        if entry.white != white || entry.black != black {
            *entry = Entry::of(board, white, black);
        }
        (entry.score, entry.structure)
    }
}

/// The index of the entry for these pawns, by multiplicative hashing (Knuth, 1973): the high bits are
/// well mixed.
#[inline]
fn index(white: Bitboard, black: Bitboard) -> usize {
    let mixed = (white.0 ^ black.0.rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 40) as usize % ENTRIES
}

impl Entry {
    #[cold]
    fn of(board: &Board, white: Bitboard, black: Bitboard) -> Self {
        let mut sides = [Sum::default(); 2];
        let structure = count_pawns(board, &mut sides);
        Self {
            white,
            black,
            score: sides[0].0 - sides[1].0,
            structure,
        }
    }
}

#[cfg(test)]
mod tests {
    use skewer_types::Rng;

    use super::*;
    use crate::{Evaluator, HandWritten};

    #[test]
    fn a_full_cache_gives_the_scores_of_an_empty_one() {
        let mut rng = Rng::new(3);
        let mut used = HandWritten::default();
        let mut cache = PawnCache::new();
        let (mut found, mut replaced) = (0, 0);
        for _ in 0..40 {
            let mut board = Board::STARTPOS;
            for _ in 0..80 {
                let moves = board.legal_moves();
                let Some(&mv) = rng.choose(&moves) else {
                    break;
                };
                board = board.play(mv);
                used.reset(&board);
                assert_eq!(
                    used.evaluate(&board),
                    HandWritten::new(&board).evaluate(&board),
                    "{board}"
                );
                // Repeat it with a cache whose entries the test can read, to count hits.
                let [white, black] =
                    Color::ALL.map(|color| board.pieces(Piece::Pawn) & board.color(color));
                let entry = cache.0[index(white, black)];
                if entry.white == white && entry.black == black {
                    found += 1;
                } else if entry.white.any() || entry.black.any() {
                    replaced += 1;
                }
                assert_eq!(cache.get(&board), PawnCache::new().get(&board), "{board}");
            }
        }
        assert!(found > 1000 && replaced > 100, "{found} {replaced}");
    }
}
