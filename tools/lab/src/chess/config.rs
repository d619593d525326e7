//! Which techniques the textbook searcher uses, and in which form.

use bitflags::bitflags;

use crate::game::Value;
use crate::params::chess as params;

bitflags! {
    /// The techniques that are either on or off.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Ideas: u32 {
        /// Try the best move stored in the hash table first (Kornilov, 2005).
        const HASH_MOVE = 1 << 0;
        /// Return the value stored in the hash table at the same depth.
        const HASH_VALUE = 1 << 1;
        /// Try the quiet moves that last failed high at the same ply (Kornilov, 2005).
        const KILLERS = 1 << 2;
        /// Order quiet moves by how often they were best anywhere (Kornilov, 2005).
        const HISTORY = 1 << 3;
        /// Null windows after the first move (Reinefeld, 1983).
        const NEGASCOUT = 1 << 4;
        /// Futility pruning at the node itself (Kornilov, 2005, first listing).
        const FUTILITY_NODE = 1 << 5;
        /// Futility pruning of a move in its parent (Kornilov, 2005, second listing).
        const FUTILITY_PARENT = 1 << 6;
        /// Search only the most promising quiet moves (Bratko).
        const FORWARD_PRUNING = 1 << 7;
        /// Search good moves as they are found, before the others are generated (Kornilov, 2005).
        const EARLY_CANDIDATES = 1 << 8;
        /// One ply more in check.
        const CHECK_EXTENSION = 1 << 9;
        /// No null move without pieces (Moreland: not in the endgame).
        const NULL_NEEDS_PIECES = 1 << 10;
        /// A repeated position of the path, or a hundred plies without progress, is a draw.
        /// Values then depend on the path, so experiments that compare values leave it out.
        const PATH_DRAWS = 1 << 11;
        /// Try quiet moves that give check before other quiet moves (Kornilov, 2005).
        const CHECKS_FIRST = 1 << 12;
        /// Search null moves with the window of the node, in place of a null window below beta (against
        /// Moreland, to see what the null window is worth).
        const NULL_MOVE_OPEN_WINDOW = 1 << 13;
        /// No null move against a queen on h3 with a pawn on f3, or their mirror images (Goetsch and
        /// Campbell, 1990; Moreland).
        const WATCH_QUEEN_AND_PAWN = 1 << 14;
        /// No futility pruning while alpha or beta is a mate (Kornilov, 2005).
        const MATES_FIRST = 1 << 15;
        /// A ply more, once in a line, against a queen on h3 with a pawn on f3, or their mirror images (Moreland).
        const EXTEND_QUEEN_AND_PAWN = 1 << 16;
        /// Null moves with R=1 against a queen on h3 with a pawn on f3, or their mirror images (Moreland).
        const SMALLER_R_QUEEN_AND_PAWN = 1 << 17;
    }
}

/// The forms of null move (Moreland).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NullMove {
    /// No null move.
    Off,
    /// A fixed reduction (Donninger, 1993): 1 to 4 in the text.
    Plain {
        /// In plies, besides the ply of the null move itself.
        reduction: i32,
    },
    /// Reduction 2 or 3 by depth and pieces (Heinz, 1999).
    Adaptive,
    /// Reduction 3; a cutoff is verified by a search one ply less deep (Tabibi and Netanyahu, 2002).
    Verified,
}

/// How many null moves may follow each other (Moreland tries one and two, and warns of more).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ConsecutiveNullMoves {
    /// A real move between any two.
    One,
    /// Two, then a real move.
    Two,
    /// Any number: the search degenerates into doing nothing.
    Unlimited,
}

/// The order of quiet moves that are neither killers nor have history (Kornilov, 2005).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum QuietOrder {
    /// The order of the move generator.
    Generated,
    /// Three buckets by the change of evaluation: gains, small changes, losses.
    Buckets,
    /// The same buckets, without a list of the first bucket: a move that gains is searched as soon
    /// as it is generated. Killers, history and checks order the moves that are left.
    BestAtOnce,
    /// Sorted by the change of evaluation.
    Sorted,
}

/// The search at the horizon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Quiescence {
    /// The position is evaluated as it stands.
    Off,
    /// Captures and promotions are searched.
    Captures,
    /// Captures are searched, and in the first plies checks and all evasions.
    Checks,
}

/// The techniques and parameters of a [`Searcher`](super::searcher::Searcher).
///
/// ```
/// use skewer_lab::chess::config::{Ideas, NullMove, Config};
///
/// let plain = Config::PLAIN;
/// let with_null_move = Config { null_move: NullMove::Plain { reduction: 2 }, ..plain };
/// assert!(Config::FULL.ideas.contains(Ideas::KILLERS));
/// assert_ne!(plain, with_null_move);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Config {
    /// The techniques that are in use.
    pub ideas: Ideas,
    /// The form of null move.
    pub null_move: NullMove,
    /// How many null moves may follow each other.
    pub consecutive: ConsecutiveNullMoves,
    /// The order of quiet moves.
    pub quiet_order: QuietOrder,
    /// The search beyond the horizon.
    pub quiescence: Quiescence,
    /// The margin of futility pruning, in hundredths of a pawn.
    pub margin: Value,
}

impl Config {
    /// Alpha-beta and quiescence, captures ordered, and nothing else.
    pub const PLAIN: Self = Self {
        ideas: Ideas::empty(),
        null_move: NullMove::Off,
        consecutive: ConsecutiveNullMoves::One,
        quiet_order: QuietOrder::Generated,
        quiescence: Quiescence::Captures,
        margin: params::FUTILITY_MARGIN,
    };

    /// All move ordering of Kornilov (2005), with `NegaScout` and the hash table. Prunes nothing, so
    /// its values are exact.
    pub const ORDERED: Self = Self {
        ideas: Ideas::HASH_MOVE
            .union(Ideas::HASH_VALUE)
            .union(Ideas::KILLERS)
            .union(Ideas::HISTORY)
            .union(Ideas::NEGASCOUT),
        quiet_order: QuietOrder::Buckets,
        ..Self::PLAIN
    };

    /// [`ORDERED`](Self::ORDERED) with null move, futility and check extension: what the texts
    /// together recommend.
    pub const FULL: Self = Self {
        ideas: Self::ORDERED
            .ideas
            .union(Ideas::FUTILITY_NODE)
            .union(Ideas::FUTILITY_PARENT)
            .union(Ideas::CHECK_EXTENSION)
            .union(Ideas::NULL_NEEDS_PIECES)
            .union(Ideas::PATH_DRAWS),
        null_move: NullMove::Adaptive,
        ..Self::ORDERED
    };

    /// The configuration with `ideas` added.
    #[must_use]
    pub const fn with(self, ideas: Ideas) -> Self {
        Self {
            ideas: self.ideas.union(ideas),
            ..self
        }
    }

    /// The configuration with `ideas` taken out.
    #[must_use]
    pub const fn without(self, ideas: Ideas) -> Self {
        Self {
            ideas: self.ideas.difference(ideas),
            ..self
        }
    }
}
