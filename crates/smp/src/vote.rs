//! Choosing the worker whose line is played.
//!
//! Each worker votes for its move with a weight that grows with its depth and with its score above
//! the worst score of all, as in Stockfish since 2018. If there is a proven win, the shortest one
//! is played without a vote.

use skewer_movegen::Move;
use skewer_types::{Depth, Score};

use crate::params::VOTE_SCORE_OFFSET;

/// The move that one worker chose.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    /// The worker's number.
    pub(crate) worker: usize,
    pub(crate) mv: Move,
    pub(crate) score: Score,
    pub(crate) depth: Depth,
}

/// The worker whose line is played, or `None` if there is no candidate. Candidates come in the
/// order of their workers, and the first of equals is elected.
pub(crate) fn elect(candidates: &[Candidate]) -> Option<usize> {
    let best_by = |key: &dyn Fn(&Candidate) -> (i64, i64, i64)| {
        candidates
            .iter()
            .rev()
            .max_by_key(|candidate| key(candidate))
            .map(|candidate| candidate.worker)
    };
    let worst = candidates.iter().map(|c| c.score).min()?;
    if candidates.iter().any(|c| c.score.is_win()) {
        return best_by(&|c| (i64::from(c.score.raw()), i64::from(c.depth), 0));
    }
    let weight =
        |c: &Candidate| i64::from(c.score - worst + VOTE_SCORE_OFFSET) * i64::from(c.depth);
    let votes = |mv: Move| -> i64 { candidates.iter().filter(|c| c.mv == mv).map(weight).sum() };
    best_by(&|c| (votes(c.mv), weight(c), i64::from(c.depth)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use skewer_movegen::Board;

    fn candidates(list: &[(&str, Score, Depth)]) -> Vec<Candidate> {
        let board = Board::STARTPOS;
        list.iter()
            .enumerate()
            .map(|(worker, &(mv, score, depth))| Candidate {
                worker,
                mv: board.parse_uci(mv).unwrap(),
                score,
                depth,
            })
            .collect()
    }

    #[test]
    fn no_candidates_elect_none() {
        assert_eq!(elect(&[]), None);
    }

    #[test]
    fn the_first_worker_wins_a_tie() {
        let all = candidates(&[("e2e4", Score::new(10), 8), ("d2d4", Score::new(10), 8)]);
        assert_eq!(elect(&all), Some(0));
    }

    #[test]
    fn two_agreeing_workers_outvote_one() {
        let all = candidates(&[
            ("e2e4", Score::new(10), 8),
            ("d2d4", Score::new(10), 8),
            ("d2d4", Score::new(10), 8),
        ]);
        assert_eq!(elect(&all), Some(1));
    }

    #[test]
    fn depth_outweighs_a_small_difference_in_score() {
        let all = candidates(&[("e2e4", Score::new(11), 8), ("d2d4", Score::new(10), 12)]);
        assert_eq!(elect(&all), Some(1));
    }

    #[test]
    fn the_shortest_proven_mate_is_not_put_to_the_vote() {
        let all = candidates(&[
            ("e2e4", Score::mate_in(9), 20),
            ("e2e4", Score::mate_in(9), 20),
            ("d2d4", Score::mate_in(5), 6),
        ]);
        assert_eq!(elect(&all), Some(2));
    }

    #[test]
    fn no_sum_of_votes_overflows() {
        let all: Vec<_> = candidates(&[("e2e4", Score::mated_in(0), 240)])
            .into_iter()
            .chain((1..4096).map(|worker| Candidate {
                worker,
                ..candidates(&[("d2d4", Score::MAX_EVAL, 240)])[0]
            }))
            .collect();
        assert_eq!(elect(&all), Some(1));
    }
}
