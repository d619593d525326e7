//! Games of four in a row, on a board of 5x5, between two depths of the same search.

use skewer_games::stats::Pairs;
use skewer_types::Rng;

use super::rows::Rows;
use crate::algorithms::alpha_beta;
use crate::chess::match_play::Played;
use crate::game::{Game, Window};
use crate::laboratory::{Laboratory, Memory, Node, Trace};

/// Stones set at random before a game begins.
const OPENING: usize = 4;

/// Plays `pairs` pairs of games of four in a row on 5x5 from random openings, each opening from
/// both sides. The players search to `depths` in plies; the results are for the first player.
pub fn rows_match(depths: [u32; 2], pairs: usize, seed: u64) -> Played {
    let mut rng = Rng::new(seed);
    let mut played = Played {
        results: Pairs::default(),
        repeated: 0,
    };
    let empty = Rows::new(5, 5, 4);
    for _ in 0..pairs {
        let mut opening = empty.clone();
        for _ in 0..OPENING {
            let moves = opening.moves();
            opening = opening.play(moves[rng.below(moves.len())]);
        }
        let [(one, first), (other, second)] = [0, 1].map(|side| game(&opening, depths, side));
        played.results.add(one + other);
        played.repeated += usize::from(first == second);
    }
    played
}

/// One game: the half points of the first player, and each position with the nodes that its move took.
fn game(opening: &Rows, depths: [u32; 2], first_moves_on: u32) -> (usize, Vec<(u64, u64)>) {
    let mut position = opening.clone();
    let mut moves = Vec::new();
    for ply in 0.. {
        if position.over() {
            break;
        }
        let first_moves = ply % 2 == first_moves_on;
        let (child, nodes) = best_child(&position, depths[usize::from(!first_moves)]);
        moves.push((child.key(), nodes));
        position = child;
        if position.lost() {
            return (if first_moves { 2 } else { 0 }, moves);
        }
    }
    (1, moves)
}

/// The position after the best move by a search of `depth` plies, and the nodes of the search.
fn best_child(position: &Rows, depth: u32) -> (Rows, u64) {
    let mut laboratory = Laboratory::new(Memory::Off, Trace::Counts);
    let mut window = Window::FULL;
    let mut best = None;
    for mv in position.moves() {
        let child = position.play(mv);
        let node = Node::root(&child, depth - 1);
        let value = -alpha_beta(&mut laboratory, &node, window.flip());
        if best.is_none() || value > window.alpha {
            window.alpha = value;
            best = Some(child);
        }
    }
    let child = best.unwrap_or_else(|| position.clone());
    (child, laboratory.tally.nodes())
}
