//! Lazy SMP: processors search the same tree and share nothing but their memory.
//!
//! The processors advance in step, a node at a time, so that the counts do not depend on threads. Each has its
//! own order of moves after the first, which keeps them apart: where a node has fewer moves than there are
//! processors, some do the same. In chess programs depths and histories differ too.

use super::alpha_beta::flip;
use crate::game::{Game, INFINITE, Value, Window};
use crate::laboratory::{Laboratory, Memory, Node, Trace};

/// A node whose moves are being searched.
struct Frame<G> {
    node: Node<G>,
    window: Window,
    best: Value,
    /// The moves that are left, in reverse order.
    moves: Vec<Node<G>>,
}

/// A processor: alpha-beta, fail-soft, that can stop at any node.
struct Walker<G> {
    /// How far the moves after the first are rotated, as a share of their number.
    rotation: f64,
    line: Vec<Frame<G>>,
}

impl<G: Game> Walker<G> {
    /// Enters one node. Returns the value of the root if that is known.
    fn step(&mut self, lab: &mut Laboratory, root: &Node<G>) -> Option<Value> {
        let (node, asked) = match self.line.last_mut() {
            None => (root.clone(), Window::FULL),
            Some(frame) => {
                // Nodes that have ended were left at the end of the last step.
                let child = frame.moves.pop()?;
                (
                    child,
                    flip(frame.window.alpha.max(frame.best), frame.window.beta),
                )
            }
        };
        let mut window = asked;
        if let Some(value) = lab.recall(&node, &mut window) {
            return self.give(lab, value);
        }
        let children = lab.expand(&node, window).map(Iterator::collect::<Vec<_>>);
        let Some(mut moves) = children else {
            let value = lab.leaf(&node, window);
            return self.give(lab, value);
        };
        let others = moves.len() - 1;
        moves[1..].rotate_left((others as f64 * self.rotation) as usize);
        moves.reverse();
        let best = -INFINITE;
        self.line.push(Frame {
            node,
            window,
            best,
            moves,
        });
        None
    }

    /// Gives the value of a node to its parent, and leaves every node that the value completes or
    /// cuts off.
    fn give(&mut self, lab: &mut Laboratory, mut value: Value) -> Option<Value> {
        while let Some(frame) = self.line.last_mut() {
            frame.best = frame.best.max(-value);
            if frame.best < frame.window.beta && !frame.moves.is_empty() {
                return None;
            }
            let frame = self.line.pop()?;
            value = lab.remember(&frame.node, frame.window, frame.best, None);
        }
        Some(value)
    }
}

/// The value of `node` by this many processors with one memory, and the nodes that each of them visited until the
/// first of them had the value.
///
/// # Panics
///
/// If there are no processors.
pub fn lazy_smp<G: Game>(node: &Node<G>, processors: u32) -> (Value, u64) {
    assert!(processors > 0, "a search needs a processor");
    let mut lab = Laboratory::new(Memory::Path, Trace::Counts);
    let walker = |number: u32| Walker {
        rotation: f64::from(number) / f64::from(processors),
        line: Vec::new(),
    };
    let mut walkers: Vec<Walker<G>> = (0..processors).map(walker).collect();
    let mut steps = 0;
    loop {
        steps += 1;
        for walker in &mut walkers {
            if let Some(value) = walker.step(&mut lab, node) {
                return (value, steps);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Algorithm, solve};
    use super::*;
    use crate::games::tree::{Tree, Values};
    use crate::games::typed::TypedTree;

    #[test]
    fn one_processor_is_alpha_beta_and_more_find_the_same_value_sooner() {
        let (mut one, mut four) = (0, 0);
        for seed in 0..30 {
            let tree = Tree::new(4, 5, Values::Random { seed, range: 90 });
            let root = Node::root(&tree, 5);
            let mut lab = Algorithm::AlphaBetaSoft.laboratory();
            let value = solve(Algorithm::AlphaBetaSoft, &tree, 5, &mut lab);
            assert_eq!(lazy_smp(&root, 1), (value, lab.tally.nodes()));
            for processors in [2, 3, 4, 9] {
                assert_eq!(lazy_smp(&root, processors).0, value);
            }
            one += lab.tally.nodes();
            four += lazy_smp(&root, 4).1;
        }
        assert!(four < one, "{four} of {one}");
    }

    #[test]
    fn processors_share_what_they_know_and_differ_after_the_first_move() {
        // Both processors enter the root, its first move and the leaf after it. Then each enters another move of the
        // root.
        let tree: TypedTree = "((5) (1) (2))".parse().unwrap();
        let root = Node::root(&tree, 2);
        assert_eq!(lazy_smp(&root, 1), (5, 1 + 2 + 2 + 2));
        assert_eq!(lazy_smp(&root, 2).0, 5);
        assert!(lazy_smp(&root, 2).1 < 7);
        assert_eq!(lazy_smp(&Node::root(&tree, 0), 3), (0, 1));
    }

    #[test]
    fn the_moves_after_the_first_are_rotated_by_a_share_of_their_number() {
        let tree: TypedTree = "(5 1 2 3)".parse().unwrap();
        let root = Node::root(&tree, 1);
        for (rotation, expected) in [
            (0.0, [0, 1, 2, 3]),
            (0.5, [0, 2, 3, 1]),
            (0.75, [0, 3, 1, 2]),
        ] {
            let mut lab = Laboratory::new(Memory::Path, Trace::Counts);
            let line = Vec::new();
            let mut walker = Walker { rotation, line };
            assert_eq!(walker.step(&mut lab, &root), None);
            let next = walker.line[0].moves.iter().rev();
            let order: Vec<_> = next.map(|child| child.number).collect();
            assert_eq!(order, expected, "{rotation}");
        }
    }
}
