//! Alpha-beta with the tree split among processors (Fishburn, Finkel and Lawless, 1980).
//!
//! Processors form a tree: a master gives the moves of its node to its slaves, which are masters of others, and
//! the processors at the bottom search by alpha-beta. Here a master hands out as many moves as it has slaves
//! and waits for all of them, so that what is counted does not depend on how fast the threads are. Fishburn's
//! masters do not wait: a slave that is free gets the next move, and slaves at work learn of a better alpha.

use rayon::prelude::*;

use super::alpha_beta::{alpha_beta, flip};
use crate::game::{Game, Value, Window};
use crate::laboratory::{Laboratory, Memory, Node, Trace};

/// A tree of processors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Processors {
    /// The slaves of each master.
    pub fan_out: usize,
    /// The masters above each processor at the bottom.
    pub height: u32,
}

impl Processors {
    /// The number of processors at the bottom, which search.
    pub fn count(self) -> usize {
        self.fan_out.pow(self.height)
    }
}

/// The windows of the slaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Windows {
    /// All moves are searched with the window of their node.
    Open,
    /// The first move is searched by all processors together, the others with null windows. A move that is better is
    /// searched again by all processors together.
    Null,
}

/// What a search by many processors took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Split {
    /// The value for the side to move, inside the window.
    pub value: Value,
    /// The nodes that must be visited one after another, and so decide the time: in each round, the nodes of the
    /// processor for which the others wait.
    pub longest: u64,
    /// The nodes of all processors. A slave is ended when its master knows enough, but its whole search is counted.
    pub nodes: u64,
}

impl Split {
    /// Adds the nodes of searches that ran at the same time; the longest of them took `longest`
    /// nodes.
    fn wait(&mut self, searched: &[Self], longest: u64) {
        self.longest += longest;
        self.nodes += searched.iter().map(|one| one.nodes).sum::<u64>();
    }
}

/// The value of `node` by alpha-beta on many processors, fail-hard.
pub fn tree_split<G>(
    node: &Node<G>,
    window: Window,
    processors: Processors,
    windows: Windows,
) -> Split
where
    G: Game + Send + Sync,
{
    let mut lab = Laboratory::new(Memory::Off, Trace::Counts);
    let children = if processors.height == 0 {
        None
    } else {
        lab.expand(node, window).map(Iterator::collect::<Vec<_>>)
    };
    let Some(children) = children else {
        let value = alpha_beta(&mut lab, node, window);
        let nodes = lab.tally.nodes();
        return Split {
            value,
            longest: nodes,
            nodes,
        };
    };
    let beta = window.beta;
    let mut split = Split {
        value: window.alpha,
        longest: 1,
        nodes: 1,
    };
    let together = |split: &mut Split, child: &Node<G>, alpha| {
        let one = tree_split(child, flip(alpha, beta), processors, windows);
        split.wait(&[one], one.longest);
        -one.value
    };
    let mut rest = &children[..];
    if windows == Windows::Null {
        split.value = together(&mut split, &children[0], window.alpha).max(window.alpha);
        rest = &children[1..];
    }
    let slaves = Processors {
        height: processors.height - 1,
        ..processors
    };
    for round in rest.chunks(processors.fan_out) {
        if split.value >= beta {
            break;
        }
        let known = split.value;
        let asked = match windows {
            Windows::Open => flip(known, beta),
            Windows::Null => flip(known, known + 1),
        };
        let searched: Vec<_> = round
            .par_iter()
            .map(|child| tree_split(child, asked, slaves, windows))
            .collect();
        // A slave that reaches beta ends the others.
        let cuts = searched.iter().filter(|one| -one.value >= beta);
        let all = searched.iter().map(|one| one.longest);
        let longest = cuts.map(|one| one.longest).min().or(all.max());
        split.wait(&searched, longest.unwrap_or(0));
        for (child, one) in round.iter().zip(&searched) {
            let mut value = -one.value;
            // The move is better than the best value at the start of the round, and perhaps better than the best
            // value now.
            if windows == Windows::Null && value > known && value < beta && split.value < beta {
                let alpha = split.value;
                value = together(&mut split, child, alpha);
            }
            split.value = split.value.max(value);
        }
    }
    split.value = split.value.min(beta);
    split
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tree::{Order, Tree, Values};
    use crate::games::typed::TypedTree;

    fn processors(fan_out: usize, height: u32) -> Processors {
        Processors { fan_out, height }
    }

    #[test]
    fn any_number_of_processors_finds_the_value_of_alpha_beta() {
        for seed in 0..40 {
            let (range, step) = (2 + 7 * seed as u32, 30);
            let order = Order::Sorted;
            for values in [
                Values::Random { seed, range },
                Values::Incremental { seed, step, order },
            ] {
                let tree = Tree::new(2 + (seed % 4) as u16, 5, values);
                let root = Node::root(&tree, 5);
                for window in [Window::FULL, Window { alpha: 3, beta: 40 }, Window::null(8)] {
                    let mut lab = Laboratory::new(Memory::Off, Trace::Counts);
                    let value = alpha_beta(&mut lab, &root, window);
                    for windows in [Windows::Open, Windows::Null] {
                        for (fan_out, height) in [(2, 0), (2, 1), (3, 2), (2, 4), (1, 3)] {
                            let split =
                                tree_split(&root, window, processors(fan_out, height), windows);
                            assert_eq!(split.value, value);
                            assert!(split.longest <= split.nodes);
                            if height == 0 {
                                assert_eq!(split.longest, lab.tally.nodes());
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_master_waits_for_the_slowest_of_a_round_and_gives_the_next_its_best_value() {
        // Two moves at a time, each with the window that was known when the round began: MIN's first reply to the
        // third move, 1, is worse than the 3 of the first round, so that its 9 is not looked at.
        let tree: TypedTree = "((3 5) (2 6 7) (1 9) (4 8))".parse().unwrap();
        let root = Node::root(&tree, 2);
        let split = tree_split(&root, Window::FULL, processors(2, 1), Windows::Open);
        // The root; the second move with its three replies; the fourth with two.
        assert_eq!((split.value, split.longest), (4, 1 + 4 + 3));
        assert_eq!(split.nodes, 1 + (3 + 4) + (2 + 3));
    }

    #[test]
    fn a_slave_that_reaches_beta_ends_the_others() {
        let tree: TypedTree = "((1 2 3 4) (6 7))".parse().unwrap();
        let root = Node::root(&tree, 2);
        let window = Window {
            alpha: -100,
            beta: 5,
        };
        let split = tree_split(&root, window, processors(2, 1), Windows::Open);
        assert_eq!((split.value, split.longest), (5, 1 + 3));
    }

    #[test]
    fn two_moves_of_a_round_that_are_better_are_both_searched_again() {
        let tree: TypedTree = "((1) (5) (9))".parse().unwrap();
        let root = Node::root(&tree, 2);
        let split = tree_split(&root, Window::FULL, processors(2, 1), Windows::Null);
        assert_eq!(split.value, 9);
    }

    #[test]
    fn with_null_windows_all_search_the_first_move_and_what_is_better_again() {
        let tree: TypedTree = "((3 5) (4 6) (2 7))".parse().unwrap();
        let root = Node::root(&tree, 2);
        let split = tree_split(&root, Window::FULL, processors(2, 1), Windows::Null);
        // The root. The first move by both: its node, 3, and then 5. The null windows of the others: three nodes
        // for 4 and 6, two for 2, which cuts. The second again, by both.
        assert_eq!((split.value, split.longest), (4, 1 + 3 + 3 + 3));
    }

    #[test]
    fn nothing_is_searched_again_that_reaches_beta_or_comes_after_a_move_that_did() {
        let count = |text: &str, beta| {
            let tree: TypedTree = text.parse().unwrap();
            let root = Node::root(&tree, 2);
            let window = Window { alpha: -100, beta };
            let split = tree_split(&root, window, processors(2, 1), Windows::Null);
            (split.value, split.longest, split.nodes)
        };
        // The null window above 3 ends at beta. The root, and each move with two replies.
        assert_eq!(count("((3 5) (6 9))", 4), (4, 1 + 3 + 3, 1 + 3 + 3));
        // Both moves of the round are more than 1. The second search of the first reaches beta.
        let nodes = 1 + 2 + (2 + 2) + 2;
        assert_eq!(count("((1) (7) (9))", 6), (6, 1 + 2 + 2 + 2, nodes));
    }

    #[test]
    fn the_processors_at_the_bottom_are_the_slaves_of_the_lowest_masters() {
        assert_eq!(processors(3, 2).count(), 9);
        assert_eq!(processors(2, 3).count(), 8);
        assert_eq!(processors(5, 0).count(), 1);
    }
}
