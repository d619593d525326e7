//! Openings of random moves.

use skewer_movegen::{Board, Move};

use crate::{Rng, Variant};

/// The kind of random openings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RandomOpening {
    /// The variant.
    pub variant: Variant,
    /// The fewest random moves, of both sides together.
    pub min_plies: u32,
    /// The most random moves. If the range contains odd and even numbers, either side may be to move.
    pub max_plies: u32,
}

impl Default for RandomOpening {
    /// Eight or nine random moves of standard chess.
    fn default() -> Self {
        Self {
            variant: Variant::Standard,
            min_plies: 8,
            max_plies: 9,
        }
    }
}

/// A position and the moves that lead to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// The position before the first move.
    pub start: Board,
    /// The moves.
    pub moves: Vec<Move>,
    /// The position after the last move.
    pub board: Board,
}

impl From<Board> for Opening {
    /// An opening of no moves: the position `start` alone.
    fn from(start: Board) -> Self {
        Self {
            start,
            moves: Vec::new(),
            board: start,
        }
    }
}

impl Opening {
    /// An opening of random legal moves with equal probabilities. Its last position has a legal move.
    ///
    /// ```
    /// use skewer_openings::{Opening, RandomOpening, Rng};
    ///
    /// let opening = Opening::random(&RandomOpening::default(), &mut Rng::new(1));
    /// assert!((8..=9).contains(&opening.moves.len()));
    /// assert!(opening.board.has_legal_moves());
    /// ```
    pub fn random(kind: &RandomOpening, rng: &mut Rng) -> Self {
        loop {
            if let Some(opening) = Self::try_random(kind, rng) {
                return opening;
            }
        }
    }

    fn try_random(kind: &RandomOpening, rng: &mut Rng) -> Option<Self> {
        let spread = kind.max_plies.saturating_sub(kind.min_plies) as usize;
        let plies = kind.min_plies as usize + rng.below(spread + 1);
        let mut opening = Self::from(kind.variant.start(rng));
        for _ in 0..plies {
            let legal = opening.board.legal_moves();
            let mv = *rng.choose(&legal)?;
            opening.moves.push(mv);
            opening.board = opening.board.play(mv);
        }
        opening.board.has_legal_moves().then_some(opening)
    }

    /// Makes random openings until the score by `judge` is at most `margin` from zero, in the judge's unit.
    /// Openings without a score are discarded.
    ///
    /// After `tries` openings, returns the opening with the score nearest to zero; if none has a score, a random opening.
    pub fn balanced(
        kind: &RandomOpening,
        rng: &mut Rng,
        margin: u32,
        tries: u32,
        mut judge: impl FnMut(&Board) -> Option<i32>,
    ) -> Self {
        let draw = || Self::random(kind, rng);
        let found = most_balanced(margin, tries.saturating_sub(1), draw, |opening| {
            judge(&opening.board)
        });
        found.unwrap_or_else(|| Self::random(kind, rng))
    }
}

/// Draws candidates until the score of a candidate is at most `margin` from zero. After `tries` candidates, returns the
/// candidate with the score nearest to zero; `None` if none had a score.
pub fn most_balanced<T>(
    margin: u32,
    tries: u32,
    mut draw: impl FnMut() -> T,
    mut score: impl FnMut(&T) -> Option<i32>,
) -> Option<T> {
    let mut best: Option<(u32, T)> = None;
    for _ in 0..tries {
        let candidate = draw();
        let Some(score) = score(&candidate) else {
            continue;
        };
        let distance = score.unsigned_abs();
        if distance <= margin {
            return Some(candidate);
        }
        if best.as_ref().is_none_or(|(least, _)| distance < *least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}
