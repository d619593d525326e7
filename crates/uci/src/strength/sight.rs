//! What a low level overlooks: captures and mates in one, its own and the opponent's.

use skewer_movegen::{Board, Move, Square};
use skewer_search::{Position, Report};
use skewer_types::{Rng, Score, is_within_share};

/// How much of a line a player sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seen {
    /// The whole line.
    Whole,
    /// The first move, but not the answer, which captures or gives mate.
    FirstMove,
    /// Nothing.
    Nothing,
}

/// Chooses at random, for one move of a game, which moves are overlooked. A side's captures on one square are overlooked
/// together, because a player who sees that a piece hangs sees all ways to take it.
pub(super) struct Sight<'a> {
    board: &'a Board,
    /// The square on which the opponent has just captured. Everybody sees a recapture.
    recapture: Option<Square>,
    /// The chance that a mate, or the captures on one square, are overlooked.
    rate: f64,
    rng: &'a mut Rng,
    /// Whether captures are overlooked, by side (the own side first) and square; `None` until it is chosen.
    drawn: [[Option<bool>; 64]; 2],
}

impl<'a> Sight<'a> {
    pub(super) fn new(rate: f64, position: &'a Position, rng: &'a mut Rng) -> Self {
        let capture = |(before, mv): (&Board, Move)| before.is_capture(mv).then(|| mv.to());
        Self {
            board: position.board(),
            recapture: position.last_move().and_then(capture),
            rate,
            rng,
            drawn: [[None; 64]; 2],
        }
    }

    pub(super) fn see(&mut self, line: &Report) -> Seen {
        // A level that overlooks nothing takes no random number.
        if self.rate <= 0.0 {
            return Seen::Whole;
        }
        let Some(&first) = line.pv.first() else {
            return Seen::Whole;
        };
        if self.overlooks(0, self.board, first, line.score == Score::mate_in(1)) {
            return Seen::Nothing;
        }
        let after = self.board.play(first);
        match line.pv.get(1) {
            Some(&answer)
                if self.overlooks(1, &after, answer, line.score == Score::mated_in(2)) =>
            {
                Seen::FirstMove
            }
            _ => Seen::Whole,
        }
    }

    /// Whether a move of this side is overlooked.
    fn overlooks(&mut self, side: usize, board: &Board, mv: Move, is_mate: bool) -> bool {
        let is_capture = board.is_capture(mv);
        if side == 0 && is_capture && self.recapture == Some(mv.to()) {
            return false;
        }
        if is_mate {
            return is_within_share(self.rng.next_u64(), self.rate);
        }
        if !is_capture {
            return false;
        }
        let drawn = &mut self.drawn[side][mv.to().index()];
        *drawn.get_or_insert_with(|| is_within_share(self.rng.next_u64(), self.rate))
    }
}
