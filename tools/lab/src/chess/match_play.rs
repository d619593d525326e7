//! Games between two configurations, to see which plays better.

use skewer_games::stats::Pairs;
use skewer_movegen::{Board, Color, DrawRules, Move, Outcome};
use skewer_types::Rng;

use super::config::Config;
use super::position::Position;
use super::searcher::{Limits, Searcher};

/// Random moves at the start of each game.
const OPENING_PLIES: usize = 8;
/// Openings in which one side is further ahead are discarded.
const LEVEL: i32 = 60;
/// Plies after which a game is drawn, unless one side is [`CLEAR`] ahead.
const LONGEST: usize = 200;
/// An advantage that wins a game at its last ply.
const CLEAR: i32 = 500;

/// One side of a match: how it searches, and how much.
pub type Player = (Config, Limits);

/// What a match showed.
#[derive(Debug, Clone)]
pub struct Played {
    /// The results, for the first player.
    pub results: Pairs,
    /// The number of pairs whose two games have the same moves, each found with the same number of nodes. If
    /// all pairs are so, both players search alike.
    pub repeated: usize,
}

/// Plays `pairs` pairs of games from random openings, each opening with both colours.
pub fn play(players: [Player; 2], pairs: usize, seed: u64) -> Played {
    let mut rng = Rng::new(seed);
    let mut played = Played {
        results: Pairs::default(),
        repeated: 0,
    };
    for _ in 0..pairs {
        let opening = opening(Board::STARTPOS, &mut rng);
        let colors = [Color::White, Color::Black];
        let [(one, first), (other, second)] = colors.map(|first_is| {
            let (result, moves) = game(opening, players, first_is);
            (2.0 * result.points_for(first_is), moves)
        });
        played.results.add((one + other) as usize);
        played.repeated += usize::from(first == second);
    }
    played
}

/// A position after a few random moves from `start` that is still level.
pub(super) fn opening(start: Board, rng: &mut Rng) -> Position {
    loop {
        let mut position = Position::new(start);
        for _ in 0..OPENING_PLIES {
            let moves = position.board().legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.play(moves[rng.below(moves.len())]);
        }
        let thought = Searcher::new(Config::ORDERED).search_to_depth(&position, 3);
        if thought.best.is_some() && thought.value.abs() <= LEVEL {
            return position;
        }
    }
}

/// One game: its result, and each move with the nodes that it took.
fn game(opening: Position, players: [Player; 2], first_is: Color) -> (Outcome, Vec<(Move, u64)>) {
    let mut moves = Vec::new();
    let mut position = opening;
    let mut game = skewer_search::Position::new(*opening.board());
    for _ in 0..LONGEST {
        let turn = position.board().turn();
        if let Some(ending) = game.ending(DrawRules::Claimed) {
            return (ending.outcome(), moves);
        }
        let (config, limits) = players[usize::from(turn != first_is)];
        let mut searcher = Searcher::new(config);
        searcher.remember_game(game.earlier_keys());
        let thought = searcher.think(&position, limits);
        let Some(mv) = thought.best else {
            return (Outcome::Draw, moves);
        };
        moves.push((mv, searcher.effort.total()));
        position = position.play(mv);
        game.play(mv);
    }
    let turn = position.board().turn();
    let result = match position.evaluate() {
        v if v > CLEAR => Outcome::from_winner(Some(turn)),
        v if v < -CLEAR => Outcome::from_winner(Some(!turn)),
        _ => Outcome::Draw,
    };
    (result, moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_side_plays_the_best_move_of_its_own_search_and_takes_the_reply() {
        let opening = opening(Board::STARTPOS, &mut Rng::new(1));
        let players = [(Config::PLAIN, 1), (Config::ORDERED, 2)]
            .map(|(config, depth)| (config, Limits::depth(depth)));
        for first_is in [Color::White, Color::Black] {
            let (_, moves) = game(opening, players, first_is);
            assert!(moves.len() > 10, "{} plies", moves.len());
            let mut position = opening;
            for (mv, nodes) in moves {
                let is_first = position.board().turn() == first_is;
                let (config, limits) = players[usize::from(!is_first)];
                let mut searcher = Searcher::new(config);
                assert_eq!(searcher.think(&position, limits).best, Some(mv));
                assert_eq!(searcher.effort.total(), nodes);
                position = position.play(mv);
            }
        }
    }

    #[test]
    fn the_same_player_on_both_sides_repeats_its_games_and_another_does_not() {
        let player = |depth| (Config::PLAIN, Limits::depth(depth));
        let same = play([player(1), player(1)], 3, 7);
        assert_eq!((same.repeated, same.results.pairs()), (3, 3));
        assert_eq!(same.results.counts()[2], 3, "every pair is even");
        let other = play([player(2), player(1)], 3, 7);
        assert_eq!(other.repeated, 0);
    }
}
