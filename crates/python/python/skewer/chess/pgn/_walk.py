"""Going through the moves of a game."""

from __future__ import annotations

from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Generic,
    Iterator,
    List,
    Optional,
    TypeVar,
)

from skewer.chess._board import Board
from skewer.chess.pgn._headers import Headers
from skewer.chess.pgn._visitor import SKIP, BaseVisitor, ResultT

if TYPE_CHECKING:
    from skewer.chess.pgn._tree import ChildNode, GameNode

MainlineMapT = TypeVar("MainlineMapT")


class Mainline(Generic[MainlineMapT]):
    """The nodes after a node on the main line, or a value for each of these nodes."""

    def __init__(self, start: GameNode, f: Callable[[ChildNode], MainlineMapT]) -> None:
        self.start = start
        self.f = f

    def __bool__(self) -> bool:
        return not self.start.is_end()

    def _nodes(self) -> Iterator[ChildNode]:
        following = self.start.next()
        while following is not None:
            yield following
            following = following.next()

    def __iter__(self) -> Iterator[MainlineMapT]:
        return map(self.f, self._nodes())

    def __reversed__(self) -> Iterator[MainlineMapT]:
        return map(self.f, reversed(list(self._nodes())))

    def accept(self, visitor: BaseVisitor[ResultT]) -> ResultT:
        """Shows the line to a visitor as a line without variations."""
        board = self.start.board()
        for node in self._nodes():
            _visit(visitor, board, node)
        return visitor.result()

    def __str__(self) -> str:
        from skewer.chess.pgn._export import StringExporter

        return self.accept(StringExporter(columns=None))

    def __repr__(self) -> str:
        from skewer.chess.pgn._export import StringExporter

        text = self.accept(StringExporter(columns=None, comments=False))
        return f"<{type(self).__name__} at {id(self):#x} ({text})>"


def show(
    visitor: BaseVisitor[ResultT],
    headers: Headers,
    board: Optional[Board],
    node: GameNode,
    comment: str,
) -> ResultT:
    """Shows headers, a comment and the moves after a node as a game."""
    skipped = visitor.begin_game() is SKIP
    if not skipped:
        visitor.begin_headers()
        for tag, value in headers.items():
            visitor.visit_header(tag, value)
        skipped = visitor.end_headers() is SKIP
    if not skipped:
        start = node.board() if board is None else board
        visitor.visit_board(start)
        if comment:
            visitor.visit_comment(comment)
        if not node.is_end():
            walk(visitor, start, node[0], sidelines=True)
        visitor.visit_result(headers.get("Result", "*"))
    visitor.end_game()
    return visitor.result()


def _visit(visitor: BaseVisitor[Any], board: Board, node: ChildNode) -> None:
    """Shows a move with its comments, and plays it."""
    if node.starting_comment:
        visitor.visit_comment(node.starting_comment)
    visitor.visit_move(board, node.move)
    board.push(node.move)
    visitor.visit_board(board)
    for nag in sorted(node.nags):
        visitor.visit_nag(nag)
    if node.comment:
        visitor.visit_comment(node.comment)


def walk(
    visitor: BaseVisitor[Any], board: Board, first: ChildNode, *, sidelines: bool
) -> None:
    """Shows a node and all nodes after it; with `sidelines`, also the node's siblings.

    Without recursion, since games and variations may be long.
    """
    # The calls that are left to make; the last is the next.
    todo: List[Callable[[], None]] = []

    def enter(node: ChildNode, sidelines: bool) -> None:
        _visit(visitor, board, node)
        beside = node.parent.variations[1:] if sidelines else []
        todo.append(lambda: follow(node))
        if beside:
            board.pop()
            todo.append(lambda: board.push(node.move))
            todo.extend(branching(other) for other in reversed(beside))

    def follow(node: ChildNode) -> None:
        if node.variations:
            enter(node.variations[0], True)

    def branching(node: ChildNode) -> Callable[[], None]:
        return lambda: branch(node)

    def branch(node: ChildNode) -> None:
        height = len(board.move_stack)
        skipped = visitor.begin_variation() is SKIP
        todo.append(lambda: leave(height))
        if not skipped:
            enter(node, False)

    def leave(height: int) -> None:
        while len(board.move_stack) > height:
            board.pop()
        visitor.end_variation()

    enter(first, sidelines)
    while todo:
        todo.pop()()
