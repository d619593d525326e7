//! Gives the positions of old games new scores by searching them with the present evaluation.

use skewer_gamedata::{Filter, Game, ScoredMove};
use skewer_search::{Limits, Position, Solo, WorkerFactory};
use skewer_tt::{TableError, TableSize};

/// The hash table of a [`Rescorer`], in megabytes: enough for a game at a few thousand nodes a move,
/// and quick to clear.
const HASH_MB: usize = 4;

/// A search that gives the positions of games new scores: one for each thread.
pub struct Rescorer {
    solo: Solo,
    limits: Limits,
}

impl Rescorer {
    /// Creates a rescorer that starts no iteration after this many nodes.
    ///
    /// # Errors
    ///
    /// When there is no memory for its hash table.
    pub fn new(evaluation: impl Into<WorkerFactory>, nodes: u64) -> Result<Self, TableError> {
        Ok(Self {
            solo: Solo::new(evaluation, TableSize::from_megabytes(HASH_MB))?,
            limits: Limits::soft_nodes(nodes),
        })
    }

    /// Gives new scores to the positions of a game that `filter` accepts, searched with their history,
    /// and returns their number. Moves and result are unchanged. The scores do not depend on other
    /// games, because the search is cleared before each.
    pub fn rescore(&mut self, game: &mut Game, filter: &Filter) -> u64 {
        self.solo.clear();
        let wanted: Vec<bool> = game.positions().map(|p| filter.accepts(&p)).collect();
        let mut position = Position::new(game.start);
        let mut judged = 0;
        for (scored, wanted) in game.moves.iter_mut().zip(wanted) {
            if wanted {
                let score = self.solo.search(&position, &self.limits).score.raw();
                let white = position.board().turn().fold(score, -score);
                *scored = ScoredMove::new(scored.mv, white);
                judged += 1;
            }
            position.play(scored.mv);
        }
        judged
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skewer_eval::Evaluation;
    use skewer_movegen::Board;

    #[test]
    fn accepted_positions_are_rescored_and_others_kept() {
        // White is a queen up; the scores in the game say nothing of it.
        let start = Board::from_fen("4k3/pppp4/8/8/8/8/PPPP4/3QK3 w - - 0 20").unwrap();
        let mut game = Game::new(start);
        let mut board = start;
        for text in ["e1e2", "e8e7", "d1c1", "e7e6"] {
            let mv = board.parse_uci(text).unwrap();
            game.moves.push(ScoredMove { mv, score: 7 });
            board = board.play(mv);
        }
        let mut rescorer = Rescorer::new(Evaluation::hand_crafted(), 500).unwrap();
        let late = Filter {
            min_ply: 40,
            ..Filter::default()
        };
        let mut again = game.clone();
        assert_eq!(rescorer.rescore(&mut game, &late), 2);
        let scores: Vec<i16> = game.moves.iter().map(|scored| scored.score).collect();
        assert_eq!(scores[..2], [7, 7]);
        // White's point of view, whichever side is to move.
        assert!(scores[2] > 400 && scores[3] > 400, "{scores:?}");
        rescorer.rescore(&mut again, &late);
        assert_eq!(again, game);
    }
}
