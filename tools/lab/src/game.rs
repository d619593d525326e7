//! The interface between the textbook algorithms and games, and what a search counts.
//!
//! The algorithms of [`crate::algorithms`] are generic over [`Game`]; chess, noughts and crosses and
//! artificial trees implement it. (Bratko's book suggests other games as a project.)

use std::fmt::Debug;

use serde::Serialize;
use skewer_types::Bound;
use strum::VariantArray;

/// The worth of a position for the side to move. Units are the game's own (hundredths of a pawn
/// in chess); every value lies strictly between `-INFINITE` and `INFINITE`.
pub type Value = i32;

/// Above every value that a game can return. Its negation and its neighbours do not overflow.
pub const INFINITE: Value = 1 << 30;

/// The alpha-beta window: the open interval in which the caller needs the exact value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// For values at or below this, the caller needs only an upper bound.
    pub alpha: Value,
    /// For values at or above this, the caller needs only a lower bound.
    pub beta: Value,
}

impl Window {
    /// The window in which every value lies.
    pub const FULL: Self = Self {
        alpha: -INFINITE,
        beta: INFINITE,
    };

    /// The window that asks only whether the value is at least `beta`.
    pub const fn null(beta: Value) -> Self {
        Self {
            alpha: beta - 1,
            beta,
        }
    }

    /// Whether no value lies inside.
    pub const fn is_null(self) -> bool {
        self.alpha + 1 == self.beta
    }

    /// The window as the other side sees it.
    #[must_use]
    pub const fn flip(self) -> Self {
        Self {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }

    /// The kind of bound of a `value` that a fail-soft search with this window returned.
    pub fn bound(self, value: Value) -> Bound {
        if value <= self.alpha {
            Bound::Upper
        } else if value >= self.beta {
            Bound::Lower
        } else {
            Bound::Exact
        }
    }
}

/// How the search of a node ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, VariantArray)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// The node was evaluated, in chess by quiescence.
    Leaf,
    /// The node has no legal move.
    GameOver,
    /// The node is drawn by repetition or by the fifty-move rule.
    Drawn,
    /// The value or a sufficient bound was in memory.
    Known,
    /// Futility pruning: the evaluation is far enough above beta.
    Futile,
    /// A null move failed high.
    NullMove,
    /// A move reached beta; the others were not searched.
    Cutoff,
    /// All moves were searched, and the value is inside the window.
    Exact,
    /// All moves were searched, and none is better than alpha.
    FailLow,
    /// The limit of nodes was met.
    Stopped,
}

impl End {
    /// How a node ended whose moves were searched with this window.
    pub fn of(value: Value, window: Window) -> Self {
        if value >= window.beta {
            Self::Cutoff
        } else if value > window.alpha {
            Self::Exact
        } else {
            Self::FailLow
        }
    }
}

/// Counts of windows and ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Visits {
    /// Nodes entered with a null window.
    pub null_windows: u64,
    /// Nodes entered with a wider window.
    pub wide_windows: u64,
    /// Nodes by how they ended, in the order of [`End::VARIANTS`].
    pub ends: [u64; End::VARIANTS.len()],
}

impl Visits {
    /// The number of nodes that ended like this.
    pub fn ended(&self, end: End) -> u64 {
        self.ends[end as usize]
    }

    pub(crate) fn enter(&mut self, window: Window) {
        if window.is_null() {
            self.null_windows += 1;
        } else {
            self.wide_windows += 1;
        }
    }

    pub(crate) fn leave(&mut self, end: End) {
        self.ends[end as usize] += 1;
    }
}

/// The counters of a search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Nodes whose moves were generated; a node entered twice counts twice.
    pub interior: u64,
    /// Leaves that were evaluated; a leaf evaluated twice counts twice.
    pub leaves: u64,
    /// Leaves that were evaluated at least once (only with [`Trace::Leaves`](crate::laboratory::Trace::Leaves)).
    pub distinct_leaves: u64,
    /// Nodes of the quiescence search below the leaves, the leaves themselves not counted.
    pub quiescence: u64,
    /// Searches from the root: 1 for most algorithms, many for MTD(f) and MT-SSS*.
    pub passes: u64,
    /// Moves searched again after they failed high in a null window.
    pub researches: u64,
    /// The most entries that were in memory at once: in a table, or in SSS*'s OPEN list.
    pub stored: u64,
    /// Windows, and how nodes ended; SSS* has no windows, and its inner nodes do not end.
    pub visits: Visits,
}

impl Tally {
    /// All nodes: interior, leaves and quiescence.
    pub fn nodes(&self) -> u64 {
        self.interior + self.leaves + self.quiescence
    }
}

/// A two-player game of perfect information, at some position.
///
/// Values must depend on the position and the remaining depth, never on the path, so that every
/// algorithm computes the same value. So there are no draws by repetition.
///
/// ```
/// use skewer_lab::game::{Game, Tally, Window};
/// use skewer_lab::games::rows::Rows;
///
/// let game = Rows::new(4, 4, 4);
/// assert_eq!(game.moves().len(), 16);
/// let (value, _) = game.value(0, Window::FULL, &mut Tally::default());
/// assert_eq!(value, 0);
/// ```
pub trait Game: Clone {
    /// One move.
    type Move: Copy + PartialEq + Debug;

    /// The legal moves, in the order in which a search tries them. Empty when the game is over.
    fn moves(&self) -> Vec<Self::Move>;

    /// The position after `mv`, which must come from [`moves`](Self::moves).
    fn play(&self, mv: Self::Move) -> Self;

    /// The value for the side to move of a leaf: a position at the horizon (`depth` is 0), or one where
    /// the game is over with `depth` plies left, so that a faster win can have a higher value. Chess
    /// runs its quiescence search within `window`; games with cheap leaves ignore it.
    fn value(&self, depth: u32, window: Window, tally: &mut Tally) -> (Value, Bound);

    /// A 64-bit hash of the position.
    fn key(&self) -> u64;

    /// The name of a move, for people.
    fn label(&self, mv: Self::Move) -> String {
        format!("{mv:?}")
    }

    /// The position as a FEN, if this is chess.
    fn fen(&self) -> Option<String> {
        None
    }
}
