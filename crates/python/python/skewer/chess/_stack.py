"""Positions by their attributes alone: the form in which python-chess keeps the positions before each move."""

from __future__ import annotations

from typing import TYPE_CHECKING, List

from skewer.chess._squares import BLACK, WHITE

if TYPE_CHECKING:
    from skewer.chess._board import Board

# The attributes that have the same name on a board.
_SAME = (
    "pawns", "knights", "bishops", "rooks", "queens", "kings", "occupied", "promoted", "turn", "castling_rights",
    "ep_square", "halfmove_clock", "fullmove_number",
)  # fmt: skip


class _BoardState:
    """The pieces, turn, rights and clocks of a board at the time when it is made."""

    def __init__(self, board: Board) -> None:
        for name in _SAME:
            setattr(self, name, getattr(board, name))
        self.occupied_w, self.occupied_b = board.occupied_co[WHITE], board.occupied_co[BLACK]

    def restore(self, board: Board) -> None:
        """Gives a board the position; its stack of moves stays."""
        for name in _SAME:
            setattr(board, name, getattr(self, name))
        board.occupied_co[WHITE], board.occupied_co[BLACK] = self.occupied_w, self.occupied_b


def states_of(board: Board) -> List[_BoardState]:
    """The positions before each move of the stack of a board."""
    past, found = board.copy(), []
    while past.move_stack:
        past.pop()
        found.append(_BoardState(past))
    return found[::-1]
