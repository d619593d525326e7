"""Trees of moves: :class:`GameNode`, :class:`ChildNode` and :class:`Game`."""

from __future__ import annotations

import abc
from typing import (
    TYPE_CHECKING,
    Iterable,
    Iterator,
    List,
    Optional,
    Set,
    TypeVar,
    Union,
)

from skewer.chess._board import Board
from skewer.chess._squares import Color, Move
from skewer.chess.pgn._annotations import Annotations
from skewer.chess.pgn._headers import ROSTER_DEFAULTS, Headers, Tags
from skewer.chess.pgn._time import TimeControl, parse_time_control
from skewer.chess.pgn._visitor import BaseVisitor, ResultT
from skewer.chess.pgn._walk import Mainline, show, walk

if TYPE_CHECKING:
    from skewer.chess.pgn._builders import GameBuilder

GameT = TypeVar("GameT", bound="Game")


class GameNode(Annotations, abc.ABC):
    """A place in a tree of moves."""

    parent: "Optional[GameNode]"
    move: Optional[Move]
    variations: "List[ChildNode]"
    comment: str
    starting_comment: str
    nags: Set[int]

    def __init__(self, *, comment: str = "") -> None:
        self.parent, self.move = None, None
        self.comment, self.starting_comment = comment, ""
        self.variations, self.nags = [], set()

    # Positions.

    @abc.abstractmethod
    def board(self) -> Board:
        """The position, with the moves that lead to it: a new board each time."""

    @abc.abstractmethod
    def ply(self) -> int:
        """Plies since the start of the game, by the move number and turn."""

    def turn(self) -> Color:
        """The side to move."""
        return not self.ply() & 1

    # The place of the node.

    def root(self) -> "GameNode":
        """The node that the tree begins with."""
        node, above = self, self.parent
        while above is not None:
            node, above = above, above.parent
        return node

    def game(self) -> "Game":
        """The game to which the node belongs."""
        root = self.root()
        assert isinstance(root, Game), "the root of a tree is a game"
        return root

    def end(self) -> "GameNode":
        """The last node of the main line from here."""
        last, following = self, self.next()
        while following is not None:
            last, following = following, following.next()
        return last

    def is_end(self) -> bool:
        """Whether no move follows."""
        return not self.variations

    def starts_variation(self) -> bool:
        """Whether the node is the first of a variation, which may have a comment before its first move."""
        return self.parent is not None and not self.is_main_variation()

    def is_main_variation(self) -> bool:
        """Whether the node is the first of the variations of its parent."""
        return self.parent is None or self.parent.variations[:1] == [self]

    def is_mainline(self) -> bool:
        """Whether the node is on the main line of the game."""
        node: Optional[GameNode] = self
        while node is not None and node.is_main_variation():
            node = node.parent
        return node is None

    # Variations.

    def _index(self, move: "Union[int, Move, GameNode]") -> int:
        """The index of a child. `move` is the index, the move or the child itself. Raises KeyError or IndexError."""
        if isinstance(move, int):
            return range(len(self.variations))[move]
        for index, child in enumerate(self.variations):
            if child is move or isinstance(move, Move) and child.move == move:
                return index
        raise KeyError(move)

    def __getitem__(self, move: "Union[int, Move, GameNode]") -> "ChildNode":
        return self.variations[self._index(move)]

    def __contains__(self, move: "Union[int, Move, GameNode]") -> bool:
        return self.has_variation(move)

    def __iter__(self) -> "Iterator[ChildNode]":
        return iter(self.variations)

    def variation(self, move: "Union[int, Move, GameNode]") -> "ChildNode":
        """A child, given by its move or index."""
        return self[move]

    def has_variation(self, move: "Union[int, Move, GameNode]") -> bool:
        """Whether there is a child, given by its move or index."""
        try:
            self._index(move)
        except (KeyError, IndexError):
            return False
        return True

    def _shift(self, move: "Union[int, Move, GameNode]", by: Optional[int]) -> None:
        """Moves a child up or down the list, or to its start (None)."""
        index = self._index(move)
        target = 0 if by is None else index + by
        if 0 <= target < len(self.variations):
            self.variations.insert(target, self.variations.pop(index))

    def promote_to_main(self, move: "Union[int, Move, GameNode]") -> None:
        """Makes a child the main line."""
        self._shift(move, None)

    def promote(self, move: "Union[int, Move, GameNode]") -> None:
        """Moves a child up by one."""
        self._shift(move, -1)

    def demote(self, move: "Union[int, Move, GameNode]") -> None:
        """Moves a child down by one."""
        self._shift(move, 1)

    def remove_variation(self, move: "Union[int, Move, GameNode]") -> None:
        """Removes a child."""
        del self.variations[self._index(move)]

    def add_variation(
        self,
        move: Move,
        *,
        comment: str = "",
        starting_comment: str = "",
        nags: Iterable[int] = (),
    ) -> "ChildNode":
        """Adds a child and returns it."""
        return ChildNode(self, move, comment=comment, starting_comment=starting_comment, nags=nags)

    def add_main_variation(
        self, move: Move, *, comment: str = "", nags: Iterable[int] = ()
    ) -> "ChildNode":
        """Adds a child that becomes the main line, and returns it."""
        child = self.add_variation(move, comment=comment, nags=nags)
        self.promote_to_main(child)
        return child

    def add_line(
        self,
        moves: Iterable[Move],
        *,
        comment: str = "",
        starting_comment: str = "",
        nags: Iterable[int] = (),
    ) -> "GameNode":
        """Adds moves one after the other, and returns the last node, which has comment and NAGs."""
        node: GameNode = self
        for move in moves:
            node = node.add_variation(move, starting_comment=starting_comment)
            starting_comment = ""
        node.comment = f"{node.comment} {comment}" if node.comment and comment else (
            node.comment or comment
        )  # fmt: skip
        node.nags.update(nags)
        return node

    def next(self) -> "Optional[ChildNode]":
        """The next node of the main line, or None."""
        return self.variations[0] if self.variations else None

    def mainline(self) -> "Mainline[ChildNode]":
        """The nodes of the main line after this one."""
        return Mainline(self, lambda node: node)

    def mainline_moves(self) -> "Mainline[Move]":
        """The moves of the main line after this node."""
        return Mainline(self, lambda node: node.move)

    # Visitors.

    @abc.abstractmethod
    def accept(self, visitor: BaseVisitor[ResultT]) -> ResultT:
        """Shows the moves to a visitor, from the move that leads to this node, and returns its
        result."""

    def accept_subgame(self, visitor: BaseVisitor[ResultT]) -> ResultT:
        """Shows the moves after this node to a visitor as a game of their own."""
        board = self.board()
        board.clear_stack()
        start = Game(self.game().headers)
        start.setup(board)
        return show(visitor, start.headers, board, self, "")

    def __str__(self) -> str:
        from skewer.chess.pgn._export import StringExporter

        return self.accept(StringExporter(columns=None))


class ChildNode(GameNode):
    """A node with the move that leads to it."""

    parent: GameNode
    move: Move

    def __init__(
        self,
        parent: GameNode,
        move: Move,
        *,
        comment: str = "",
        starting_comment: str = "",
        nags: Iterable[int] = (),
    ) -> None:
        super().__init__(comment=comment)
        self.parent = parent
        self.move = move
        self.starting_comment = starting_comment
        self.nags = set(nags)
        parent.variations.append(self)

    def _line(self) -> "tuple[GameNode, List[Move]]":
        """The root, and the moves that lead from there to the node."""
        moves: List[Move] = []
        node: GameNode = self
        while node.parent is not None:
            assert node.move is not None
            moves.append(node.move)
            node = node.parent
        moves.reverse()
        return node, moves

    def board(self) -> Board:
        """The position, with the moves that lead to it: a new board each time."""
        root, moves = self._line()
        board = root.board()
        for move in moves:
            board.push(move)
        return board

    def ply(self) -> int:
        """Plies since the start of the game, by the move number and turn."""
        plies, node = 0, self.parent
        while node.parent is not None:
            plies, node = plies + 1, node.parent
        return node.ply() + plies + 1

    def san(self) -> str:
        """The move in standard algebraic notation."""
        return self.parent.board().san(self.move)

    def uci(self, *, chess960: Optional[bool] = None) -> str:
        """The move as UCI text."""
        return self.parent.board().uci(self.move, chess960=chess960)

    def end(self) -> "ChildNode":
        """The last node of the main line from here."""
        end = super().end()
        assert isinstance(end, ChildNode)
        return end

    def accept(self, visitor: BaseVisitor[ResultT]) -> ResultT:
        """Shows the moves to a visitor, from the move that leads to this node."""
        walk(visitor, self.parent.board(), self, sidelines=False)
        return visitor.result()

    def __repr__(self) -> str:
        board = self.parent.board()
        number = f"{board.fullmove_number}{'.' if board.turn else '...'}"
        try:
            text = board.san(self.move)
        except (ValueError, AssertionError):
            text = self.move.uci()
        return f"<{type(self).__name__} at {id(self):#x} ({number} {text} ...)>"


class Game(GameNode):
    """The root of a tree, with the tags of the game."""

    headers: Headers
    errors: List[Exception]

    def __init__(self, headers: Optional[Tags] = None) -> None:
        super().__init__()
        self.headers = Headers(headers)
        self.errors = []

    @classmethod
    def from_board(cls: "type[GameT]", board: Board) -> GameT:
        """A game with the moves on the stack of a board."""
        game = cls()
        game.setup(board.root())
        game.add_line(board.move_stack)
        game.headers["Result"] = board.result()
        return game

    @classmethod
    def without_tag_roster(cls: "type[GameT]") -> GameT:
        """A game without the seven usual tags."""
        return cls(headers={})

    @classmethod
    def builder(cls: "type[GameT]") -> "GameBuilder[GameT]":
        """A visitor that makes games of this class."""
        from skewer.chess.pgn._builders import GameBuilder

        return GameBuilder(Game=cls)

    def board(self) -> Board:
        """The position in which the game begins: a new board each time."""
        return self.headers.board()

    def ply(self) -> int:
        """Plies before the position in which the game begins."""
        return self.board().ply() if "FEN" in self.headers else 0

    def setup(self, board: Union[Board, str, None]) -> None:
        """Sets the position in which the game begins, by the tags FEN, SetUp and Variant."""
        if board is None or isinstance(board, str):
            board = Board(board)
        chess960 = board.chess960 or board.has_chess960_castling_rights()
        board = board.copy(stack=False)
        board.chess960 = chess960
        tags = {"FEN": board.fen(), "SetUp": "1"} if board.fen() != board.starting_fen else {}
        if chess960:
            tags["Variant"] = "Chess960"
        elif board.uci_variant != Board.uci_variant:
            tags["Variant"] = board.aliases[0]
        for tag in ("FEN", "SetUp", "Variant"):
            if tag in tags:
                self.headers[tag] = tags[tag]
            else:
                self.headers.pop(tag, None)

    def time_control(self) -> TimeControl:
        """The time control of the tag TimeControl."""
        return parse_time_control(self.headers.get("TimeControl", "?"))

    def accept(self, visitor: BaseVisitor[ResultT]) -> ResultT:
        """Shows the game to a visitor and returns its result."""
        return show(visitor, self.headers, None, self, self.comment)

    def __repr__(self) -> str:
        get = self.headers.get
        names = [get(tag, ROSTER_DEFAULTS[tag]) for tag in ("White", "Black", "Date", "Site")]
        errors = f", {len(self.errors)} errors" if self.errors else ""
        white, black, date, site = map(repr, names)
        text = f"{white} vs. {black}, {date} at {site}{errors}"
        return f"<{type(self).__name__} at {id(self):#x} ({text})>"
