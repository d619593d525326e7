//! The search algorithms of the texts over any [`Game`], each as short as in its text.
//!
//! All of them compute the minimax value; they differ in how many nodes they visit.
//!
//! ```
//! use skewer_lab::algorithms::{Algorithm, solve};
//! use skewer_lab::games::tree::{Tree, Values};
//! use skewer_lab::laboratory::{Laboratory, Memory, Trace};
//!
//! let tree = Tree::new(5, 6, Values::PerfectOrder);
//! let mut laboratory = Laboratory::new(Memory::Off, Trace::Counts);
//! solve(Algorithm::AlphaBeta, &tree, 6, &mut laboratory);
//! // b^ceil(d/2) + b^floor(d/2) - 1 of the 15,625 leaves.
//! assert_eq!(laboratory.tally.leaves, 125 + 125 - 1);
//! ```

mod alpha_beta;
mod bratko;
mod lazy_smp;
mod minimax;
mod mtd;
mod negascout;
mod scout;
mod sss;
mod tree_split;

pub use alpha_beta::{alpha_beta, alpha_beta_soft, last_move_null_window};
pub use bratko::{Cut, bratko};
pub use lazy_smp::lazy_smp;
pub use minimax::minimax;
pub use mtd::{mt_sss, mtd_f, solution_leaves};
pub use negascout::{negascout, negascout_1983, pvs, pvs_hard};
pub use scout::scout;
pub use sss::sss;
pub use tree_split::{Processors, Split, Windows, tree_split};

use strum::{EnumCount, EnumIter};

use crate::game::{Game, Value, Window};
use crate::laboratory::{Laboratory, Memory, Node, Trace};

/// A search algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EnumCount, EnumIter)]
pub enum Algorithm {
    /// Evaluate every leaf (von Neumann, 1928; Shannon, 1950).
    Minimax,
    /// Alpha-beta that returns values inside its window only (Knuth and Moore, 1975).
    AlphaBeta,
    /// Alpha-beta that returns the best bound it knows (Fishburn, 1983).
    AlphaBetaSoft,
    /// Alpha-beta for two sides, with Bratko's comparisons.
    Bratko,
    /// Test whether a move is better before evaluating it (Pearl, 1980).
    Scout,
    /// SCOUT inside alpha-beta's window, fail-soft (Reinefeld, 1983).
    NegaScout,
    /// `NegaScout` as it was printed in 1983, without a second search on the last ply.
    NegaScout1983,
    /// Principal variation search as in the encyclopedia article (Marsland and Campbell, 1982).
    Pvs,
    /// Principal variation search that returns values inside its window only.
    PvsHard,
    /// Null windows from a guess at the value (Plaat, 1994). The guess is part of the algorithm.
    MtdF {
        /// Where the first null window lies.
        guess: Value,
    },
    /// Best-first search with an OPEN list (Stockman, 1979).
    Sss,
    /// SSS* as null windows that come down from infinity (Plaat and others, 1994).
    MtSss,
}

impl Algorithm {
    /// The name that the texts use.
    pub fn name(self) -> &'static str {
        self.names().1
    }

    /// The name in a recipe.
    pub fn recipe(self) -> &'static str {
        self.names().0
    }

    /// The name in a recipe, and the name in the texts.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Minimax => ("minimax", "minimax"),
            Self::AlphaBeta => ("alpha-beta", "alpha-beta (hard)"),
            Self::AlphaBetaSoft => ("alpha-beta-soft", "alpha-beta (soft)"),
            Self::Bratko => ("bratko", "alpha-beta (Bratko)"),
            Self::Scout => ("scout", "SCOUT"),
            Self::NegaScout => ("negascout", "NegaScout"),
            Self::NegaScout1983 => ("negascout-1983", "NegaScout (1983)"),
            Self::Pvs => ("pvs", "PVS"),
            Self::PvsHard => ("pvs-hard", "PVS (hard)"),
            Self::MtdF { .. } => ("mtd-f", "MTD(f)"),
            Self::Sss => ("sss", "SSS*"),
            Self::MtSss => ("mt-sss", "MT-SSS*"),
        }
    }

    /// The least memory that the algorithm needs. MTD(f) and MT-SSS* search from the root many times
    /// and would repeat all work without it.
    pub fn memory(self) -> Memory {
        match self {
            Self::MtdF { .. } | Self::MtSss => Memory::Path,
            _ => Memory::Off,
        }
    }

    /// A laboratory with [`memory`](Self::memory) that remembers leaves.
    pub fn laboratory(self) -> Laboratory {
        Laboratory::new(self.memory(), Trace::Leaves)
    }
}

/// The value of `game` for the side to move, searched `depth` plies.
pub fn solve<G: Game>(
    algorithm: Algorithm,
    game: &G,
    depth: u32,
    laboratory: &mut Laboratory,
) -> Value {
    let root = Node::root(game, depth);
    if !matches!(algorithm, Algorithm::MtdF { .. } | Algorithm::MtSss) {
        laboratory.pass(Window::FULL);
    }
    match algorithm {
        Algorithm::Minimax => minimax(laboratory, &root),
        Algorithm::AlphaBeta => alpha_beta(laboratory, &root, Window::FULL),
        Algorithm::AlphaBetaSoft => alpha_beta_soft(laboratory, &root, Window::FULL),
        Algorithm::Bratko => bratko(laboratory, &root, Window::FULL, Cut::Beyond).0,
        Algorithm::Scout => scout(laboratory, &root),
        Algorithm::NegaScout => negascout(laboratory, &root, Window::FULL),
        Algorithm::NegaScout1983 => negascout_1983(laboratory, &root, Window::FULL),
        Algorithm::Pvs => pvs(laboratory, &root, Window::FULL),
        Algorithm::PvsHard => pvs_hard(laboratory, &root, Window::FULL),
        Algorithm::MtdF { guess } => mtd_f(laboratory, &root, guess),
        Algorithm::Sss => sss(laboratory, &root),
        Algorithm::MtSss => mt_sss(laboratory, &root),
    }
}

/// Searches `game` to each depth up to `depth` with the same memory, as a real program does. MTD(f)
/// starts from the value two plies less deep, because values of odd and even depths differ.
pub fn deepen<G: Game>(
    algorithm: Algorithm,
    game: &G,
    depth: u32,
    laboratory: &mut Laboratory,
) -> Value {
    let mut values = [0; 2];
    for depth in depth.min(1)..=depth {
        let algorithm = match algorithm {
            Algorithm::MtdF { .. } => Algorithm::MtdF {
                guess: values[depth as usize % 2],
            },
            other => other,
        };
        values[depth as usize % 2] = solve(algorithm, game, depth, laboratory);
    }
    values[depth as usize % 2]
}
