"""Boards and pieces as pictures in SVG."""

from typing import Dict, Iterable, Optional, Tuple, Union

from skewer._skewer import Board, Move, Piece, SquareSet

_Arrow = Union[Move, Tuple[int, int], Tuple[int, int, str]]

def board(
    board: Optional[Board] = None,
    *,
    orientation: bool = True,
    lastmove: Optional[Move] = None,
    check: Optional[int] = None,
    arrows: Optional[Iterable[_Arrow]] = None,
    fill: Optional[Dict[int, str]] = None,
    squares: Union[SquareSet, Iterable[int], int, None] = None,
    size: Optional[int] = None,
    coordinates: bool = True,
) -> str: ...
def piece(piece: Piece) -> str: ...

__all__ = ["board", "piece"]
