//! A solved game: noughts and crosses with an evaluation that is never wrong.

use std::collections::HashMap;

use skewer_types::Rng;

use super::rows::Rows;
use crate::game::Game;

/// The value for the side to move of a game that is over.
fn final_value(position: &Rows) -> Option<i32> {
    let lost = position.lost().then_some(-1);
    lost.or_else(|| position.over().then_some(0))
}

/// Values of positions for the side to move: 1 won, 0 drawn, -1 lost.
#[derive(Debug, Default)]
struct Solved(HashMap<u64, i32>);

impl Solved {
    /// The perfect evaluation.
    fn value(&mut self, position: &Rows) -> i32 {
        if let Some(value) = final_value(position) {
            return value;
        }
        if let Some(&value) = self.0.get(&position.key()) {
            return value;
        }
        let moves = position.moves();
        let values = moves.into_iter().map(|mv| -self.value(&position.play(mv)));
        let best = values.max().unwrap_or(0);
        self.0.insert(position.key(), best);
        best
    }

    /// The position after the move that a search of one ply chooses by the perfect evaluation.
    fn one_ply(&mut self, position: &Rows) -> Rows {
        let children = position.moves().into_iter().map(|mv| position.play(mv));
        let best = children.min_by_key(|child| self.value(child));
        best.unwrap_or_else(|| position.clone())
    }

    /// The worst result of the one-ply player, to move, against every defence.
    fn worst_result(&mut self, position: &Rows) -> i32 {
        if let Some(value) = final_value(position) {
            return value;
        }
        let after = self.one_ply(position);
        if let Some(value) = final_value(&after) {
            return -value;
        }
        let replies = after.moves();
        let results = replies
            .into_iter()
            .map(|mv| self.worst_result(&after.play(mv)));
        results.min().unwrap_or(0)
    }
}

/// Plays noughts and crosses on 3x3 from the empty board and `starts - 1` random positions, one ply
/// deep with the perfect evaluation, against every defence. Returns how many positions kept their
/// value, and how many there were.
pub fn one_ply_games(starts: usize, seed: u64) -> (usize, usize) {
    let empty = Rows::new(3, 3, 3);
    let mut rng = Rng::new(seed);
    let mut solved = Solved::default();
    let mut kept = 0;
    for start in 0..starts {
        let mut position = empty.clone();
        for _ in 0..start % 5 {
            let moves = position.moves();
            if position.over() || moves.is_empty() {
                break;
            }
            position = position.play(moves[rng.below(moves.len())]);
        }
        kept += usize::from(solved.worst_result(&position) == solved.value(&position));
    }
    (kept, starts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_game_is_a_draw_and_one_ply_keeps_it() {
        let empty = Rows::new(3, 3, 3);
        let mut solved = Solved::default();
        assert_eq!(solved.value(&empty), 0);
        assert_eq!(solved.worst_result(&empty), 0);
        let (kept, games) = one_ply_games(30, 7);
        assert_eq!((kept, games), (30, 30));
    }
}
