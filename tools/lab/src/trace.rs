//! Recordings of searches: the nodes they enter, their windows, and how each node ends.
//!
//! The counters and the recording are fed by the same calls, so that a recording shows what was counted.

use std::collections::HashMap;

use crate::game::{End, Value, Window};

/// A node of the recorded tree, visited or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The index of its parent; `None` for the root.
    pub parent: Option<usize>,
    /// The move that leads to it.
    pub label: String,
    /// The position as a FEN, in chess, if the node was visited.
    pub fen: Option<String>,
    /// Its value for the root's side, for a leaf of a tree that is drawn as a whole.
    pub value: Option<Value>,
}

/// One step of a search. Values are for the side to move at the node, but values of SSS\* are for the
/// root's side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Another search from the root begins with this window.
    Pass(Window),
    /// A node is entered.
    Enter {
        /// The node.
        node: usize,
        /// The window.
        window: Window,
    },
    /// A node is left.
    Leave {
        /// The node.
        node: usize,
        /// Its value or a bound.
        value: Value,
        /// Why the search leaves the node.
        end: End,
    },
    /// A move is not searched, because it is futile or implausible.
    Skip {
        /// The node that the move leads to.
        node: usize,
    },
    /// A state of SSS\* is put on the OPEN list.
    Push {
        /// The node.
        node: usize,
        /// Whether it is solved; else it is live.
        solved: bool,
        /// Its merit.
        merit: Value,
    },
    /// The state of highest merit is taken off the OPEN list.
    Pop {
        /// The node.
        node: usize,
    },
    /// A state is removed from the OPEN list, because an ancestor is solved.
    Purge {
        /// The node.
        node: usize,
    },
}

/// The nodes and steps of a search.
#[derive(Debug, Clone, Default)]
pub struct Recording {
    /// The nodes; the root is the first.
    pub places: Vec<Place>,
    /// The steps in order.
    pub steps: Vec<Step>,
    /// Whether steps are missing at the end, because there were more than [`Recording::MOST_STEPS`].
    pub truncated: bool,
    children: HashMap<(usize, String), usize>,
}

impl Recording {
    /// The most steps, and the most nodes, that are recorded: more would make a page slow.
    pub const MOST_STEPS: usize = 60_000;

    /// The node that the move `key` leads to from `parent`; it is added with a `label` unless it is there.
    pub(crate) fn child(
        &mut self,
        parent: Option<usize>,
        key: String,
        label: impl FnOnce() -> String,
    ) -> usize {
        let key = (parent.map_or(0, |parent| parent + 1), key);
        if let Some(&known) = self.children.get(&key) {
            return known;
        }
        if self.places.len() >= Self::MOST_STEPS {
            self.truncated = true;
            return 0;
        }
        let index = self.places.len();
        self.places.push(Place {
            parent,
            label: label(),
            fen: None,
            value: None,
        });
        self.children.insert(key, index);
        index
    }

    pub(crate) fn step(&mut self, step: Step) {
        if self.steps.len() < Self::MOST_STEPS {
            self.steps.push(step);
        } else {
            self.truncated = true;
        }
    }

    pub(crate) fn enter(
        &mut self,
        node: usize,
        window: Window,
        fen: impl FnOnce() -> Option<String>,
    ) {
        if let Some(place) = self.places.get_mut(node)
            && place.fen.is_none()
        {
            place.fen = fen();
        }
        self.step(Step::Enter { node, window });
    }
}
