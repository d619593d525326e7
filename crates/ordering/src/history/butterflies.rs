//! Butterfly boards: a score for each origin and target of a move.

use skewer_movegen::{Bitboard, Move};

use super::SQUARES;

/// One score for every pair of squares: [from][to].
pub(super) type Butterfly = [i16; SQUARES * SQUARES];

/// The index of a move in a [`Butterfly`].
#[inline]
pub(super) fn square_pair(mv: Move) -> usize {
    mv.from().index() * SQUARES + mv.to().index()
}

/// Butterfly boards that remember for which origins scores were written, because clearing all scores takes longer
/// than a search of a few nodes.
#[derive(Debug, Clone)]
pub(super) struct Butterflies {
    pub(super) boards: Box<[Butterfly]>,
    /// For each board, the origins whose scores were written since the board was empty.
    written: Box<[Bitboard]>,
}

impl Butterflies {
    pub(super) fn new(count: usize) -> Self {
        Self {
            boards: vec![[0; SQUARES * SQUARES]; count].into_boxed_slice(),
            written: vec![Bitboard::EMPTY; count].into_boxed_slice(),
        }
    }

    /// Mutable access to the score of a move on the board of this number; `None` if there is no such board.
    #[inline]
    pub(super) fn entry(&mut self, board: usize, mv: Move) -> Option<&mut i16> {
        let scores = self.boards.get_mut(board)?;
        *self.written.get_mut(board)? |= mv.from().bitboard();
        Some(&mut scores[square_pair(mv)])
    }

    /// Takes a share, in hundredths, off every score.
    pub(super) fn age(&mut self, share: i32) {
        self.each_written(|score| *score -= (i32::from(*score) * share / 100) as i16);
    }

    pub(super) fn clear(&mut self) {
        self.each_written(|score| *score = 0);
        self.written.fill(Bitboard::EMPTY);
    }

    #[inline]
    fn each_written(&mut self, change: impl Fn(&mut i16)) {
        for (board, written) in self.boards.iter_mut().zip(&self.written) {
            let rows = board.as_chunks_mut::<SQUARES>().0;
            for from in *written {
                rows[from.index()].iter_mut().for_each(&change);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use skewer_movegen::Square;

    use super::*;

    /// Every score that was written loses the same share, on every board and from every square.
    #[test]
    fn ageing_reaches_every_score() {
        let mut butterflies = Butterflies::new(3);
        let mut expected = Vec::new();
        for board in 0..3 {
            for from in Square::ALL {
                let to = Square::ALL[63 - from.index()];
                let score = (from.index() as i16 - 30) * 97;
                *butterflies.entry(board, Move::normal(from, to)).unwrap() = score;
                expected.push((
                    board,
                    square_pair(Move::normal(from, to)),
                    score - score / 4,
                ));
            }
        }
        butterflies.age(25);
        for (board, index, score) in expected {
            assert_eq!(butterflies.boards[board][index], score);
        }
        butterflies.clear();
        assert!(
            butterflies
                .boards
                .as_flattened()
                .iter()
                .all(|&score| score == 0)
        );
    }
}
