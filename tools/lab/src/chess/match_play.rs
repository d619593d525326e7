//! Games between two configurations, to see which plays better.

use skewer_gamedata::GameResult;
use skewer_games::rules::ending;
use skewer_games::stats::Pairs;
use skewer_movegen::{Board, Color};
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

/// Plays `pairs` pairs of games from random openings, each opening with both colours. The results
/// are the first player's.
pub fn play(players: [Player; 2], pairs: usize, seed: u64) -> Pairs {
    let mut rng = Rng::new(seed);
    let mut results = Pairs::default();
    for _ in 0..pairs {
        let opening = opening(&mut rng);
        let half_points = [Color::White, Color::Black]
            .map(|first_is| 2.0 * game(opening, players, first_is).points_for(first_is));
        results.add(half_points.iter().sum::<f32>() as usize);
    }
    results
}

/// A position after a few random moves that is still level.
pub(super) fn opening(rng: &mut Rng) -> Position {
    loop {
        let mut position = Position::new(Board::STARTPOS);
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

/// One game.
fn game(opening: Position, players: [Player; 2], first_is: Color) -> GameResult {
    let mut position = opening;
    let mut game = skewer_search::Position::new(*opening.board());
    for _ in 0..LONGEST {
        let turn = position.board().turn();
        if let Some(ending) = ending(&game) {
            return ending.result(turn);
        }
        let (config, limits) = players[usize::from(turn != first_is)];
        let mut searcher = Searcher::new(config);
        searcher.remember_game(game.earlier_keys());
        let thought = searcher.think(&position, limits);
        let Some(mv) = thought.best else {
            return GameResult::Draw;
        };
        position = position.play(mv);
        game.play(mv);
    }
    let turn = position.board().turn();
    match position.evaluate() {
        v if v > CLEAR => GameResult::win_for(turn),
        v if v < -CLEAR => GameResult::win_for(!turn),
        _ => GameResult::Draw,
    }
}
