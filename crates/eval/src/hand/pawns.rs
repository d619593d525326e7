//! A cache of what depends on nothing but the pawns: most positions of a search share their pawns
//! with others. What it answers is what counting would give, so it changes nothing but the time.

use skewer_movegen::{Bitboard, Board, Color, Piece};

use super::Sum;
use super::count::{Structure, count_pawns};
use crate::Tapered;

/// Places in the cache; a power of two. A place takes 72 bytes, so the cache stays near the core.
const PLACES: usize = 1024;

/// The pawns of a position, and what was counted of them.
#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    white: Bitboard,
    black: Bitboard,
    /// White's terms less Black's.
    score: Tapered,
    structure: Structure,
}

/// The cache. Empty places stand for positions without pawns, of which they are right.
#[derive(Debug, Clone)]
pub(super) struct PawnCache(Box<[Entry]>);

impl PawnCache {
    pub(super) fn new() -> Self {
        Self(vec![Entry::default(); PLACES].into_boxed_slice())
    }

    /// The score of the pawns of `board` for White, and what else they alone decide.
    #[inline]
    pub(super) fn get(&mut self, board: &Board) -> (Tapered, Structure) {
        let pawns = board.pieces(Piece::Pawn);
        let white = pawns & board.color(Color::White);
        let black = pawns & !white;
        let entry = &mut self.0[place(white, black)];
        if entry.white != white || entry.black != black {
            *entry = Entry::of(board, white, black);
        }
        (entry.score, entry.structure)
    }
}

/// Where these pawns are looked for: multiplicative hashing (Knuth, 1973) of both sets, of which
/// the high bits are the good ones.
#[inline]
fn place(white: Bitboard, black: Bitboard) -> usize {
    let mixed = (white.0 ^ black.0.rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 40) as usize % PLACES
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
    use super::*;
    use crate::{Evaluator, HandCrafted};

    #[test]
    fn a_full_cache_says_what_an_empty_one_does() {
        let mut seed = 0x853c_49e6_748f_ea9b_u64;
        let mut used = HandCrafted::default();
        let mut cache = PawnCache::new();
        let (mut found, mut replaced) = (0, 0);
        for _ in 0..40 {
            let mut board = Board::STARTPOS;
            for _ in 0..80 {
                let moves = board.legal_moves();
                if moves.is_empty() {
                    break;
                }
                seed ^= seed << 13;
                seed ^= seed >> 7;
                seed ^= seed << 17;
                board = board.play(moves[(seed % moves.len() as u64) as usize]);
                used.reset(&board);
                assert_eq!(
                    used.evaluate(&board),
                    HandCrafted::new(&board).evaluate(&board),
                    "{board}"
                );
                // The same with a cache that can be looked into.
                let [white, black] =
                    Color::ALL.map(|color| board.pieces(Piece::Pawn) & board.color(color));
                let there = cache.0[place(white, black)];
                if there.white == white && there.black == black {
                    found += 1;
                } else if there.white.any() || there.black.any() {
                    replaced += 1;
                }
                assert_eq!(cache.get(&board), PawnCache::new().get(&board), "{board}");
            }
        }
        assert!(found > 1000 && replaced > 100, "{found} {replaced}");
    }
}
