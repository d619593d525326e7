//! MTD, a memory-enhanced test driver (Plaat, Schaeffer, Pijls and de Bruin, 1994): null-window
//! searches from a first guess to the value. The memory saves repeating work between passes.

use super::alpha_beta::alpha_beta_soft;
use crate::game::{Game, INFINITE, Value, Window};
use crate::laboratory::{Laboratory, Node};

/// MTD(f): each null-window search returns a bound on the value, and the next window is placed at
/// that bound.
pub fn mtd_f<G: Game>(lab: &mut Laboratory, node: &Node<G>, guess: Value) -> Value {
    let (mut lower, mut upper) = (-INFINITE, INFINITE);
    let mut value = guess;
    while lower < upper {
        let beta = if value == lower { value + 1 } else { value };
        let window = Window::null(beta);
        lab.pass(window);
        value = alpha_beta_soft(lab, node, window);
        if value < beta {
            upper = value;
        } else {
            lower = value;
        }
    }
    value
}

/// MT-SSS*: MTD that starts from infinity. It visits the leaves of [`sss`](super::sss()) in the same
/// order, without an OPEN list.
pub fn mt_sss<G: Game>(lab: &mut Laboratory, node: &Node<G>) -> Value {
    mtd_f(lab, node, INFINITE)
}

/// The number of leaves of the solution tree in memory that proves the upper bound of `node`: all
/// moves of the side to move at the root, with one reply to each. MT-SSS* needs this part of the
/// table; SSS* has it in the OPEN list.
pub fn solution_leaves<G: Game>(lab: &mut Laboratory, node: &Node<G>) -> u64 {
    let Some(children) = lab.expand(node, Window::FULL) else {
        return 1;
    };
    let mut leaves = 0;
    for child in children {
        leaves += lower_proof(lab, &child);
    }
    leaves
}

fn lower_proof<G: Game>(lab: &mut Laboratory, node: &Node<G>) -> u64 {
    let Some(children) = lab.expand(node, Window::FULL) else {
        return 1;
    };
    let bound = lab.bounds(node).0;
    for child in children {
        if -lab.bounds(&child).1 >= bound {
            return solution_leaves(lab, &child);
        }
    }
    0
}
