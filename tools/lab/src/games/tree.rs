//! Artificial uniform trees: every node has the same number of moves, and the values of leaves are
//! random or follow a rule.

use skewer_types::{Bound, mix};

use crate::game::{Game, Tally, Value, Window};

/// How the leaves get their values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Values {
    /// Each leaf is independent and uniform in `0..range`, as in the classical analyses. No move
    /// order is better than another.
    Random {
        /// Which tree.
        seed: u64,
        /// How many values there are.
        range: u32,
    },
    /// The best move is first at every node. Each node divides its interval of values among its
    /// moves, best first.
    PerfectOrder,
    /// The best move is last at every node, and each move is better than all before it, so that
    /// nothing can be pruned.
    WorstOrder,
    /// Each move has a value, and a leaf's value is the sum over the moves that led to it, much like
    /// a game's evaluation. So the value of a move predicts the value of its subtree.
    Incremental {
        /// Which tree.
        seed: u64,
        /// A move's value for the side that makes it is between `-step` and `step`.
        step: u32,
        /// The order of moves.
        order: Order,
    },
}

/// The order of moves in an incrementally valued tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// By number.
    Unsorted,
    /// By the value of the move itself, highest first.
    Sorted,
}

/// A node of an artificial tree.
#[derive(Debug, Clone)]
pub struct Tree {
    branching: u16,
    values: Values,
    /// Plies below this node.
    height: u32,
    /// Whether the root's side is to move.
    maximises: bool,
    /// The sum of the moves' values for the root's side, or the lower end of the interval.
    sum: i64,
    path: u64,
}

impl Tree {
    /// The root of a tree of `height` plies with `branching` moves at every node.
    ///
    /// # Panics
    ///
    /// If a node would have no move or more than 255, or the tree more than 2^30 leaves.
    pub fn new(branching: u16, height: u32, values: Values) -> Self {
        assert!((1..=255).contains(&branching), "{branching} moves a node");
        let leaves = u64::from(branching).checked_pow(height);
        let enough = leaves.is_some_and(|leaves| leaves <= 1 << 30);
        assert!(enough, "more than 2^30 leaves");
        Self {
            branching,
            values,
            height,
            maximises: true,
            sum: 0,
            path: 0x1ab,
        }
    }

    /// The fewest leaves that a search of `height` plies can visit: b^ceil(d/2) + b^floor(d/2) - 1
    /// (Slagle and Dixon, 1969).
    pub fn minimal_leaves(branching: u16, height: u32) -> u64 {
        let power = |plies| u64::from(branching).pow(plies);
        power(height.div_ceil(2)) + power(height / 2) - 1
    }

    /// The value of a move for the side that makes it, in an incremental tree.
    fn move_value(&self, mv: u16, seed: u64, step: u32) -> i64 {
        let draw = mix(self.path ^ mix(seed ^ (u64::from(mv) << 32)));
        (draw % u64::from(2 * step + 1)) as i64 - i64::from(step)
    }
}

impl Game for Tree {
    type Move = u16;

    fn moves(&self) -> Vec<u16> {
        if self.height == 0 {
            return Vec::new();
        }
        let mut moves: Vec<_> = (0..self.branching).collect();
        if let Values::Incremental {
            seed,
            step,
            order: Order::Sorted,
        } = self.values
        {
            moves.sort_by_key(|&mv| -self.move_value(mv, seed, step));
        }
        moves
    }

    fn play(&self, mv: u16) -> Self {
        let branching = i64::from(self.branching);
        let step = match self.values {
            Values::Random { .. } => 0,
            Values::PerfectOrder | Values::WorstOrder => {
                let width = branching.pow(self.height - 1);
                let upward = self.maximises == (self.values == Values::WorstOrder);
                let place = if upward {
                    i64::from(mv)
                } else {
                    branching - 1 - i64::from(mv)
                };
                place * width
            }
            Values::Incremental { seed, step, .. } => {
                let value = self.move_value(mv, seed, step);
                if self.maximises { value } else { -value }
            }
        };
        Self {
            branching: self.branching,
            values: self.values,
            height: self.height - 1,
            maximises: !self.maximises,
            sum: self.sum + step,
            path: mix(self.path ^ u64::from(mv)),
        }
    }

    fn value(&self, _depth: u32, _window: Window, _tally: &mut Tally) -> (Value, Bound) {
        let value = match self.values {
            Values::Random { seed, range } => {
                (mix(self.path ^ mix(seed)) % u64::from(range)) as Value
            }
            _ => self.sum as Value,
        };
        let value = if self.maximises { value } else { -value };
        (value, Bound::Exact)
    }

    fn key(&self) -> u64 {
        self.path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_trees_are_refused() {
        for (branching, height) in [(0, 3), (255, 9)] {
            let tree = || Tree::new(branching, height, Values::WorstOrder);
            assert!(std::panic::catch_unwind(tree).is_err());
        }
    }

    #[test]
    fn sorted_moves_have_falling_values() {
        let (seed, step) = (3, 50);
        let order = Order::Sorted;
        let tree = Tree::new(8, 4, Values::Incremental { seed, step, order });
        let values: Vec<_> = tree
            .moves()
            .iter()
            .map(|&mv| tree.move_value(mv, seed, step))
            .collect();
        assert!(values.is_sorted_by(|a, b| a >= b));
        assert!(values.iter().all(|value| (-50..=50).contains(value)));
        assert_ne!(values.first(), values.last());
    }
}
