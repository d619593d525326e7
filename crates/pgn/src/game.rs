//! A game as a tree: tags, the moves of the main line and of all variations, comments and marks.

use skewer_movegen::{Board, CastlingMode, Move, Outcome, ParseMoveError};

use crate::{Nag, Problem, Start};

/// The seven tags that every game of the export format has, in their order.
pub const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// The tags of a game, in the order of the file, each name once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    /// The value of a tag; names are case-sensitive.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter()
            .find(|(tag, _)| *tag == name)
            .map(|(_, value)| value)
    }

    /// The value of a tag, also if the file writes its name with other upper and lower case, as in `[fen "..."]`.
    pub(crate) fn get_in_any_case(&self, name: &str) -> Option<&str> {
        self.get(name).or_else(|| {
            self.iter()
                .find(|(tag, _)| tag.eq_ignore_ascii_case(name))
                .map(|(_, value)| value)
        })
    }

    /// Sets a tag. A new one is added at the end.
    pub fn set(&mut self, name: impl Into<String>, value: impl Into<String>) {
        let (name, value) = (name.into(), value.into());
        match self.0.iter_mut().find(|(tag, _)| *tag == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name, value)),
        }
    }

    /// Removes the tags of this name in other upper and lower case, and returns the value of the last one.
    pub(crate) fn remove_other_cases(&mut self, name: &str) -> Option<String> {
        let is_other = |tag: &str| tag != name && tag.eq_ignore_ascii_case(name);
        let mut removed = None;
        while let Some(index) = self.0.iter().position(|(tag, _)| is_other(tag)) {
            removed = Some(self.0.remove(index).1);
        }
        removed
    }

    /// Removes a tag and returns its value.
    pub fn remove(&mut self, name: &str) -> Option<String> {
        let index = self.0.iter().position(|(tag, _)| tag == name)?;
        Some(self.0.remove(index).1)
    }

    /// All tags, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// How many tags there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no tags.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A node in the tree of a game: the position after a move or, by default, the start position. Valid only for
/// the game that it came from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct NodeId(u32);

impl NodeId {
    /// The start position of every game.
    pub const ROOT: Self = Self(0);

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// A move in the tree, with its annotations.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Node {
    parent: Option<NodeId>,
    mv: Option<Move>,
    after: Board,
    children: Vec<NodeId>,
    /// Annotation glyphs, in order.
    pub nags: Vec<Nag>,
    /// Comments before the move, at the beginning of a variation.
    pub comments_before: Vec<String>,
    /// Comments after the move; at the root, before the first move.
    pub comments: Vec<String>,
}

impl Node {
    fn new(parent: Option<NodeId>, mv: Option<Move>, after: Board) -> Self {
        Self {
            parent,
            mv,
            after,
            children: Vec::new(),
            nags: Vec::new(),
            comments_before: Vec::new(),
            comments: Vec::new(),
        }
    }

    /// The node before this move; `None` at the root.
    pub fn parent(&self) -> Option<NodeId> {
        self.parent
    }

    /// The move that led here; `None` at the root, and for a null move.
    pub fn mv(&self) -> Option<Move> {
        self.mv
    }

    /// The position after the move.
    pub fn board(&self) -> &Board {
        &self.after
    }

    /// The moves that follow: the main one first, then the variations.
    pub fn children(&self) -> &[NodeId] {
        &self.children
    }
}

/// A game: tags, moves, variations, comments, result. Every move in it is legal.
///
/// The main line is the first child of every node; further children are variations.
///
/// ```
/// use skewer_movegen::Board;
/// use skewer_pgn::{NodeId, PgnGame, San};
///
/// let mut game = PgnGame::default();
/// game.tags.set("White", "Anderssen, Adolf");
/// let mut at = NodeId::ROOT;
/// for san in ["e4", "e5", "f4"] {
///     let mv = San::new(san.as_bytes()).resolve(game.node(at).board())?;
///     at = game.add(at, mv)?;
/// }
/// game.node_mut(at).comments.push("the gambit".to_owned());
/// assert!(game.to_string().contains("1. e4 e5 2. f4 { the gambit } *"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnGame {
    /// The tags. A writer derives `FEN`, `SetUp`, `Variant` and `Result` from the game instead. It keeps a `Result`
    /// that contradicted the moves when the game was read, and one that is no result (`0-0`) if the game has none.
    pub tags: Tags,
    /// The result at the end of the moves, or in the tag if the moves have none or a star; `None` for a game that is
    /// unfinished or of unknown result.
    pub outcome: Option<Outcome>,
    /// Errors that did not end the reading, in the order of the file.
    pub problems: Vec<Problem>,
    mode: CastlingMode,
    nodes: Vec<Node>,
}

impl Default for PgnGame {
    fn default() -> Self {
        Self::from_start(Start::default())
    }
}

impl PgnGame {
    /// A game without moves.
    pub fn from_start(start: Start) -> Self {
        Self {
            tags: Tags::default(),
            outcome: None,
            problems: Vec::new(),
            mode: start.mode,
            nodes: vec![Node::new(None, None, start.board)],
        }
    }

    /// The start position.
    pub fn start(&self) -> Start {
        Start {
            board: self.nodes[0].after,
            mode: self.mode,
        }
    }

    /// The node with this id.
    ///
    /// # Panics
    ///
    /// May panic for a node of another game.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// The node with this id, to change its annotations.
    ///
    /// # Panics
    ///
    /// May panic for a node of another game.
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    /// Adds a move after `parent` (`None` is a null move) and returns its node. The first child of a node
    /// continues its line; further ones begin variations.
    ///
    /// # Errors
    ///
    /// When the move is not legal there.
    ///
    /// # Panics
    ///
    /// May panic when `parent` is a node of another game.
    pub fn add(&mut self, parent: NodeId, mv: Option<Move>) -> Result<NodeId, ParseMoveError> {
        let board = self.node(parent).board();
        let after = match mv {
            Some(mv) => match board.why_illegal(mv) {
                None => board.play(mv),
                Some(reason) => return Err(ParseMoveError::Illegal(reason)),
            },
            None => board.play_null().ok_or(ParseMoveError::Null)?,
        };
        Ok(self.add_checked(parent, mv, after))
    }

    /// Adds a move that is known to be legal and to lead to `after`.
    pub(crate) fn add_checked(&mut self, parent: NodeId, mv: Option<Move>, after: Board) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(Node::new(Some(parent), mv, after));
        self.node_mut(parent).children.push(id);
        id
    }

    /// Makes `id`, a move from the start position, the first move of the main line, even if variations were added
    /// before it.
    pub(crate) fn put_first(&mut self, id: NodeId) {
        let children = &mut self.node_mut(NodeId::ROOT).children;
        children.sort_by_key(|&child| child != id);
    }

    /// The move that continues the line of `id`.
    pub fn next(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).children.first().copied()
    }

    /// The nodes of the main line, without the root.
    pub fn mainline(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.next(NodeId::ROOT), |&id| self.next(id))
    }

    /// The moves of the main line, each with the position before it. Null moves are passed over.
    ///
    /// ```
    /// use skewer_pgn::Games;
    ///
    /// let game = Games::new("1. e4 (1. d4) e5 2. Nf3 *".as_bytes()).next().unwrap()?;
    /// let sans: Vec<String> = game.moves().map(|(board, mv)| board.san(mv).to_string()).collect();
    /// assert_eq!(sans, ["e4", "e5", "Nf3"]);
    /// # Ok::<(), skewer_pgn::ReadError>(())
    /// ```
    pub fn moves(&self) -> impl Iterator<Item = (&Board, Move)> + '_ {
        self.mainline().filter_map(|id| {
            let node = self.node(id);
            let before = self.node(node.parent()?).board();
            Some((before, node.mv()?))
        })
    }

    /// Removes all variations. The main line keeps its comments and glyphs.
    pub fn strip_variations(&mut self) {
        let line: Vec<NodeId> = std::iter::once(NodeId::ROOT)
            .chain(self.mainline())
            .collect();
        let mut nodes = Vec::with_capacity(line.len());
        for (index, &id) in line.iter().enumerate() {
            let last = index + 1 == line.len();
            let old = self.node_mut(id);
            nodes.push(Node {
                parent: index.checked_sub(1).map(|parent| NodeId(parent as u32)),
                children: if last {
                    Vec::new()
                } else {
                    vec![NodeId(index as u32 + 1)]
                },
                nags: std::mem::take(&mut old.nags),
                comments_before: std::mem::take(&mut old.comments_before),
                comments: std::mem::take(&mut old.comments),
                ..Node::new(None, old.mv, old.after)
            });
        }
        self.nodes = nodes;
    }

    /// How many moves the game has, with the moves of variations.
    pub fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Whether there are no moves.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
