//! Games between two recipes, to see which plays better.

use skewer_movegen::{Board, Color, Piece};

use super::position::Position;
use super::recipe::Recipe;
use super::searcher::{Limits, Searcher};
use crate::rng::Rng;
use crate::standing::Standing;

/// Random moves at the start of each game.
const OPENING_PLIES: usize = 8;
/// Openings in which one side is this far ahead are thrown away.
const LEVEL: i32 = 60;
/// Games that take longer are counted as draws, unless somebody is [`CLEAR`] ahead.
const LONGEST: usize = 200;
/// An advantage that wins.
const CLEAR: i32 = 500;

/// One side of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Player {
    /// How it searches.
    pub recipe: Recipe,
    /// How much it searches.
    pub limits: Limits,
}

/// Plays `pairs` pairs of games from random openings, each opening with both colours, and returns
/// how the first player stands. `on_game` hears of every finished game.
pub fn play(players: [Player; 2], pairs: usize, seed: u64, mut on_game: impl FnMut()) -> Standing {
    let mut rng = Rng::new(seed);
    let mut standing = Standing::default();
    for _ in 0..pairs {
        let opening = opening(&mut rng);
        for first_is in [Color::White, Color::Black] {
            let result = game(opening, players, first_is);
            standing.add(result);
            on_game();
        }
    }
    standing
}

/// A position after a few random moves in which nobody has lost anything yet.
fn opening(rng: &mut Rng) -> Position {
    loop {
        let mut position = Position::new(Board::STARTPOS);
        for _ in 0..OPENING_PLIES {
            let moves = position.board().legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.play(moves[rng.below(moves.len())]);
        }
        let thought = Searcher::new(Recipe::ORDERED).look(&position, 3);
        if thought.best.is_some() && thought.value.abs() <= LEVEL {
            return position;
        }
    }
}

/// One game: 1 if the first player wins, 0 for a draw, -1 for a loss.
fn game(opening: Position, players: [Player; 2], first_is: Color) -> i32 {
    let mut position = opening;
    let mut keys: Vec<u64> = Vec::new();
    let outcome = |winner: Color| if winner == first_is { 1 } else { -1 };
    for _ in 0..LONGEST {
        let board = position.board();
        let turn = board.turn();
        if !board.has_legal_moves() {
            return if board.in_check() { outcome(!turn) } else { 0 };
        }
        let met = keys.iter().filter(|&&key| key == board.key()).count();
        if met >= 2 || board.halfmove_clock() >= 100 || bare(board) {
            return 0;
        }
        let player = players[usize::from(turn != first_is)];
        let mut searcher = Searcher::new(player.recipe);
        searcher.remember_game(&keys);
        let thought = searcher.think(&position, player.limits);
        keys.push(board.key());
        let Some(mv) = thought.best else { return 0 };
        position = position.play(mv);
    }
    let value = position.evaluate();
    match value {
        v if v > CLEAR => outcome(position.board().turn()),
        v if v < -CLEAR => outcome(!position.board().turn()),
        _ => 0,
    }
}

/// Whether neither side can give mate any more.
fn bare(board: &Board) -> bool {
    let minor = board.pieces(Piece::Knight) | board.pieces(Piece::Bishop);
    let kings = board.pieces(Piece::King);
    board.occupied() == (minor | kings) && minor.count() <= 1
}
