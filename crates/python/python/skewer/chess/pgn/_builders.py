"""Visitors that make games, headers and boards of what they see."""

from __future__ import annotations

import logging
from typing import Any, List, Optional

from skewer.chess._board import Board
from skewer.chess._squares import Move
from skewer.chess.pgn._headers import Headers, HeadersT
from skewer.chess.pgn._tree import Game, GameNode, GameT
from skewer.chess.pgn._visitor import SKIP, BaseVisitor, SkipType

LOGGER = logging.getLogger("chess.pgn")


class GameBuilder(BaseVisitor[GameT]):
    """Makes a tree of moves."""

    game: GameT

    def __init__(self, *, Game: Any = Game) -> None:
        self.Game = Game

    def begin_game(self) -> None:
        """A game begins."""
        self.game = self.Game()
        # The last node of the main line and of each open variation.
        self.variation_stack: List[GameNode] = [self.game]
        # Comments before the first move of a variation, and whether its first move has been reached.
        self._before: List[str] = []
        self._moving = False

    def begin_headers(self) -> Headers:
        """The headers of the new game."""
        return self.game.headers

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        """A tag."""
        self.game.headers[tagname] = tagvalue

    def visit_nag(self, nag: int) -> None:
        """A numeric annotation glyph of the last move."""
        last = self.variation_stack[-1]
        last.nags.add(nag)

    def begin_variation(self) -> Optional[SkipType]:
        """A variation beside the last move begins."""
        before = self.variation_stack[-1].parent
        assert before is not None, "a variation begins before the first move"
        self._moving = False
        self.variation_stack.append(before)
        return None

    def end_variation(self) -> None:
        """The variation has ended."""
        self._moving = True
        del self.variation_stack[-1]

    def visit_result(self, result: str) -> None:
        """The result, which counts if the headers have none."""
        if self.game.headers.get("Result", "*") == "*":
            self.game.headers["Result"] = result

    def visit_comment(self, comment: str) -> None:
        """A comment on the last move, on the game, or before the first move of a variation."""
        node = self.variation_stack[-1]
        if self._moving or node.parent is None and node.is_end():
            node.comment = f"{node.comment} {comment}" if node.comment else comment
        else:
            self._before.append(comment)

    def visit_move(self, board: Board, move: Move) -> None:
        """The next move."""
        before = " ".join(self._before)
        child = self.variation_stack[-1].add_variation(move, starting_comment=before)
        self.variation_stack[-1:] = [child]
        self._before.clear()
        self._moving = True

    def handle_error(self, error: Exception) -> None:
        """Logs the error and keeps it in the list `errors` of the game."""
        LOGGER.error("%s while reading %r", error, self.game)
        self.game.errors.append(error)

    def result(self) -> GameT:
        """The game."""
        return self.game


class HeadersBuilder(BaseVisitor[HeadersT]):
    """Makes headers, and passes over the moves."""

    def __init__(self, *, Headers: Any = Headers) -> None:
        self.Headers = Headers

    def begin_headers(self) -> HeadersT:
        """New headers."""
        self._found: HeadersT = self.Headers({})
        return self._found

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        """A tag."""
        self._found[tagname] = tagvalue

    def end_headers(self) -> SkipType:
        """Passes over the moves."""
        return SKIP

    def result(self) -> HeadersT:
        """The headers."""
        return self._found


class BoardBuilder(BaseVisitor[Board]):
    """Finds the last position of the main line, with the moves on its stack."""

    def begin_game(self) -> None:
        """A game begins."""
        # The last board of the main line, and of each variation that is passed over.
        self._boards = [Board()]

    def begin_variation(self) -> SkipType:
        """Passes over the variation."""
        self._boards.append(self._boards[-1])
        return SKIP

    def end_variation(self) -> None:
        """The variation has ended."""
        self._boards.pop()

    def visit_board(self, board: Board) -> None:
        """The board at the start and after each move."""
        self._boards[-1] = board

    def result(self) -> Board:
        """The board."""
        return self._boards[0]


class SkipVisitor(BaseVisitor[bool]):
    """Passes over a game."""

    def begin_game(self) -> SkipType:
        """Passes over the game."""
        return SKIP

    def end_headers(self) -> SkipType:
        """Passes over the moves."""
        return SKIP

    def begin_variation(self) -> SkipType:
        """Passes over the variation."""
        return SKIP

    def result(self) -> bool:
        """True: there was a game."""
        return True
