"""The base class of visitors, which are shown a game in the order of its file: :class:`BaseVisitor`."""

from __future__ import annotations

import abc
import enum
from typing import TYPE_CHECKING, Generic, Optional, TypeVar

from skewer.chess._board import Board
from skewer.chess._squares import Move

if TYPE_CHECKING:
    from skewer.chess.pgn._headers import Headers

ResultT = TypeVar("ResultT", covariant=True)


class SkipType(enum.Enum):
    """What a visitor returns to pass over a game or variation."""

    SKIP = None


SKIP = SkipType.SKIP


class BaseVisitor(abc.ABC, Generic[ResultT]):
    """Methods that a parser or a tree of moves calls, in the order of a PGN file.

    Each does nothing unless it is overridden. A board that is handed over must be left as it was.
    """

    def begin_game(self) -> Optional[SkipType]:
        """A game begins."""
        return None

    def begin_headers(self) -> "Optional[Headers]":
        """Tags begin. A parser takes the position from the headers that this method returns, if it returns any."""
        return None

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        """A tag."""

    def end_headers(self) -> Optional[SkipType]:
        """Tags have ended."""
        return None

    def begin_parse_san(self, board: Board, san: str) -> Optional[SkipType]:
        """A parser is about to read a move."""
        return None

    def parse_san(self, board: Board, san: str) -> Move:
        """Reads a move for a parser."""
        return board.parse_san(san)

    def visit_move(self, board: Board, move: Move) -> None:
        """A move, with the board before it."""

    def visit_board(self, board: Board) -> None:
        """The board at the start and after each move."""

    def visit_comment(self, comment: str) -> None:
        """A comment."""

    def visit_nag(self, nag: int) -> None:
        """A numeric annotation glyph."""

    def begin_variation(self) -> Optional[SkipType]:
        """A variation begins."""
        return None

    def end_variation(self) -> None:
        """A variation has ended, which may have been passed over."""

    def visit_result(self, result: str) -> None:
        """The result at the end of the moves."""

    def end_game(self) -> None:
        """The game has ended."""

    @abc.abstractmethod
    def result(self) -> ResultT:
        """What reading or traversing the game returns."""

    def handle_error(self, error: Exception) -> None:
        """A part of the game cannot be understood. Raises the error, unless overridden."""
        raise error
