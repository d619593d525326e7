//! The moves of the root, with their scores, lines and node counts.

use skewer_movegen::Move;
use skewer_types::{MAX_PLY, Ply, Score};

use crate::report::Line;

/// A move of the root.
#[derive(Debug, Clone)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    /// The score that the present search of the root found, or minus [`Score::INFINITE`] if it found none.
    pub(crate) score: Score,
    /// An average of what iterations found; `None` before the first.
    pub(crate) average: Option<Score>,
    /// The line, the move itself first; empty before the first search. On the heap, because the
    /// moves of the root are looked through and sorted often, and few of them have a line.
    pub(crate) pv: Vec<Move>,
    /// The longest line looked at when the score was found.
    pub(crate) seldepth: Ply,
    /// Nodes spent on the move.
    pub(crate) nodes: u64,
    /// Whether the present search of the root has finished the move.
    pub(crate) was_searched: bool,
}

impl RootMove {
    fn new(mv: Move) -> Self {
        Self {
            mv,
            score: -Score::INFINITE,
            average: None,
            pv: Vec::new(),
            seldepth: 0,
            nodes: 0,
            was_searched: false,
        }
    }

    /// The line, which is the move alone before the first search.
    pub(crate) fn line(&self) -> Line {
        if self.pv.is_empty() {
            return [self.mv].into_iter().collect();
        }
        self.pv.iter().copied().take(MAX_PLY + 1).collect()
    }

    /// The score of a move that does not lose and whose line may have been cut short. A fail-high may have
    /// its mate score from the hash table, but a mate is reported only with the line that leads to it.
    pub(crate) fn score_within_line(&self) -> Score {
        match self.score.plies_to_mate() {
            Some(plies) if (self.pv.len() as i32) < plies => Score::MAX_EVAL,
            _ => self.score,
        }
    }
}

/// An average that follows the scores of the iterations, each with the weight of two thirds.
pub(crate) fn followed(average: Option<Score>, score: Score) -> Score {
    match average {
        Some(average) if !score.is_decisive() && !average.is_decisive() => {
            Score::from_raw((average.raw() + 2 * score.raw()) / 3)
        }
        _ => score,
    }
}

/// The moves of the root, the best known first, and which of them the present line leaves out.
#[derive(Debug)]
pub(crate) struct RootMoves {
    pub(crate) moves: Vec<RootMove>,
    /// The score of the root by the endgame tables.
    pub(crate) known: Option<Score>,
    /// Moves before this index belong to better lines, and are not searched again.
    pub(crate) first: usize,
    /// The move that failed high in the last window, with its lower bound and line, while a wider
    /// window is searched.
    pub(crate) failed_high: Option<RootMove>,
}

impl RootMoves {
    pub(crate) fn new() -> Self {
        Self {
            moves: Vec::with_capacity(64),
            known: None,
            first: 0,
            failed_high: None,
        }
    }

    /// Starts a search with these moves, of a root worth `known` if the endgame tables know it.
    pub(crate) fn start(&mut self, moves: impl Iterator<Item = Move>, known: Option<Score>) {
        self.known = known;
        self.moves.clear();
        self.moves.extend(moves.map(RootMove::new));
        self.first = 0;
        self.failed_high = None;
    }

    /// The score to report for a searched score: the score of the tables, unless the search found a mate.
    pub(crate) fn shown(&self, score: Score) -> Score {
        match self.known {
            Some(known) if !score.is_mate() => known,
            _ => score,
        }
    }

    /// The index of a move that the present line may play.
    #[inline]
    pub(crate) fn find(&self, mv: Move) -> Option<usize> {
        (self.first..self.moves.len()).find(|&index| self.moves[index].mv == mv)
    }

    /// The best move that the present line may play.
    #[inline]
    pub(crate) fn head(&self) -> Option<Move> {
        self.moves.get(self.first).map(|root| root.mv)
    }

    /// Puts the best of the moves that the present line may play in front. The others keep their
    /// order.
    pub(crate) fn sort_from(&mut self, first: usize) {
        self.moves[first..].sort_by_key(|root| core::cmp::Reverse(root.score));
    }

    /// Lets the averages follow the scores of a finished iteration.
    pub(crate) fn settle_averages(&mut self) {
        for root in &mut self.moves {
            if root.score != -Score::INFINITE {
                root.average = Some(followed(root.average, root.score));
            }
        }
    }
}
