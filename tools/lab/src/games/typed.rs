//! A tree that is typed in, as the textbooks print them: `((3 5) (6 9) (1 2))`.

use std::sync::Arc;

use skewer_types::{Bound, mix};
use thiserror::Error;

use crate::game::{Game, Tally, Value, Window};

/// The most nodes of a typed tree.
const MOST_NODES: usize = 100_000;
/// The most moves of a node.
const MOST_MOVES: usize = 200;
/// The most plies. SSS\* can keep a path of at most 15 moves.
const MOST_PLIES: u32 = 15;
/// Leaves lie between this value and its negative.
const MOST_VALUE: Value = 1_000_000;

/// A text that is no tree. Places are counted in characters from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TypedTreeError {
    /// Neither a bracket nor a number.
    #[error("character {0}: expected `(`, `)` or a whole number, as in ((3 5) (6 9))")]
    Unexpected(usize),
    /// A number that is too large.
    #[error("character {0}: a leaf is a whole number from -{MOST_VALUE} to {MOST_VALUE}")]
    Value(usize),
    /// A bracket without content.
    #[error("character {0}: `()` has no moves")]
    NoMoves(usize),
    /// A closing bracket without an opening bracket, or text after the tree.
    #[error("character {0}: the tree has ended before this character")]
    Ended(usize),
    /// A bracket that is not closed, or no tree at all.
    #[error("the text ends before the tree does: a `)` is missing, or the whole tree")]
    Unfinished,
    /// Too many nodes, moves or plies.
    #[error(
        "a tree has at most {MOST_NODES} nodes, {MOST_MOVES} moves a node and {MOST_PLIES} plies"
    )]
    TooLarge,
}

#[derive(Debug, PartialEq, Eq)]
enum Content {
    Leaf(Value),
    /// The indices of the children.
    Moves(Vec<usize>),
}

/// A node of a typed tree. The root's side maximises, and leaves have their values for that side.
///
/// ```
/// use skewer_lab::algorithms::{Algorithm, solve};
/// use skewer_lab::games::typed::TypedTree;
///
/// let tree: TypedTree = "((3 5) (6 9) (1 2))".parse()?;
/// let mut laboratory = Algorithm::AlphaBeta.laboratory();
/// assert_eq!(solve(Algorithm::AlphaBeta, &tree, tree.height(), &mut laboratory), 6);
/// assert_eq!(laboratory.tally.leaves, 5, "after 1, the 2 is not looked at");
/// # Ok::<(), skewer_lab::games::typed::TypedTreeError>(())
/// ```
#[derive(Debug, Clone)]
pub struct TypedTree {
    nodes: Arc<[Content]>,
    height: u32,
    index: usize,
    maximises: bool,
}

impl TypedTree {
    /// The plies of the longest line.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The number of nodes, the root among them.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }
}

impl std::str::FromStr for TypedTree {
    type Err = TypedTreeError;

    fn from_str(text: &str) -> Result<Self, TypedTreeError> {
        let (mut nodes, mut open, mut height) = (Vec::<Content>::new(), Vec::<usize>::new(), 0);
        let mut letters = (1..).zip(text.chars()).peekable();
        while let Some((place, letter)) = letters.next() {
            if letter.is_whitespace() || letter == ',' {
                continue;
            }
            if open.is_empty() && !nodes.is_empty() {
                return Err(TypedTreeError::Ended(place));
            }
            let content = match letter {
                ')' => {
                    // No bracket is open only at the beginning of the text, because text after a
                    // whole tree is refused above.
                    let Some(last) = open.pop() else {
                        return Err(TypedTreeError::Ended(place));
                    };
                    if nodes[last] == Content::Moves(Vec::new()) {
                        return Err(TypedTreeError::NoMoves(place));
                    }
                    continue;
                }
                '(' => Content::Moves(Vec::new()),
                '-' | '0'..='9' => {
                    let mut number = String::from(letter);
                    while let Some((_, digit)) = letters.next_if(|(_, next)| next.is_ascii_digit())
                    {
                        number.push(digit);
                    }
                    let value = number.parse().ok();
                    let value = value.filter(|value: &Value| value.abs() <= MOST_VALUE);
                    Content::Leaf(value.ok_or(TypedTreeError::Value(place))?)
                }
                _ => return Err(TypedTreeError::Unexpected(place)),
            };
            let index = nodes.len();
            if let Some(&parent) = open.last()
                && let Content::Moves(moves) = &mut nodes[parent]
            {
                moves.push(index);
                if moves.len() > MOST_MOVES {
                    return Err(TypedTreeError::TooLarge);
                }
            }
            height = height.max(open.len() as u32);
            if content == Content::Moves(Vec::new()) {
                open.push(index);
            }
            nodes.push(content);
            if nodes.len() > MOST_NODES || height > MOST_PLIES {
                return Err(TypedTreeError::TooLarge);
            }
        }
        if nodes.is_empty() || !open.is_empty() {
            return Err(TypedTreeError::Unfinished);
        }
        Ok(Self {
            nodes: nodes.into(),
            height,
            index: 0,
            maximises: true,
        })
    }
}

impl Game for TypedTree {
    type Move = usize;

    fn moves(&self) -> Vec<usize> {
        match &self.nodes[self.index] {
            Content::Leaf(_) => Vec::new(),
            Content::Moves(moves) => moves.clone(),
        }
    }

    fn play(&self, index: usize) -> Self {
        Self {
            nodes: Arc::clone(&self.nodes),
            index,
            maximises: !self.maximises,
            ..*self
        }
    }

    /// A node at the horizon that is no leaf counts as 0.
    fn value(&self, _depth: u32, _window: Window, _tally: &mut Tally) -> (Value, Bound) {
        let value = match self.nodes[self.index] {
            Content::Leaf(value) if self.maximises => value,
            Content::Leaf(value) => -value,
            Content::Moves(_) => 0,
        };
        (value, Bound::Exact)
    }

    fn key(&self) -> u64 {
        // Depths are mixed into the keys of a table, and must not be mistaken for indices.
        mix(self.index as u64 | 1 << 32)
    }

    fn label(&self, index: usize) -> String {
        let place = self.moves().iter().position(|&mv| mv == index);
        place.map_or_else(String::new, |place| (place + 1).to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_tree_is_refused_with_the_place() {
        for (text, error) in [
            ("", TypedTreeError::Unfinished),
            ("((3 5) (6 9)", TypedTreeError::Unfinished),
            ("((3 5) x)", TypedTreeError::Unexpected(8)),
            ("((3 5) ())", TypedTreeError::NoMoves(9)),
            (")", TypedTreeError::Ended(1)),
            ("(1 2) 3", TypedTreeError::Ended(7)),
            ("3 4", TypedTreeError::Ended(3)),
            ("(1 -)", TypedTreeError::Value(4)),
            ("(1 99999999999)", TypedTreeError::Value(4)),
            ("((((((((((((((((1", TypedTreeError::TooLarge),
        ] {
            assert_eq!(text.parse::<TypedTree>().err(), Some(error), "{text}");
        }
        let wide = format!("({})", "1 ".repeat(201));
        assert_eq!(
            wide.parse::<TypedTree>().err(),
            Some(TypedTreeError::TooLarge)
        );
    }

    #[test]
    fn a_leaf_alone_is_a_tree() {
        let tree: TypedTree = " -7 ".parse().unwrap();
        assert_eq!((tree.height(), tree.nodes()), (0, 1));
        assert!(tree.moves().is_empty());
    }
}
