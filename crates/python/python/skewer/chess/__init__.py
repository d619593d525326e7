"""The interface of python-chess on the rules of Skewer: ``import skewer.chess as chess``.

Boards may break rules here; :mod:`skewer` itself has legal positions only, and is faster. The way from
one to the other is :meth:`Board.from_skewer` and :meth:`Board.to_skewer`. Standard chess and Chess960.
"""

from typing import TYPE_CHECKING

from skewer._outcome import Outcome as Outcome, Termination as Termination
from skewer._skewer import (
    AmbiguousMoveError as AmbiguousMoveError,
    IllegalMoveError as IllegalMoveError,
    InvalidMoveError as InvalidMoveError,
)
from skewer.chess import _status
from skewer.chess._base import BaseBoard as BaseBoard, BaseBoardT as BaseBoardT
from skewer.chess._board import Board as Board, BoardT as BoardT
from skewer.chess._moves import (
    LegalMoveGenerator as LegalMoveGenerator,
    PseudoLegalMoveGenerator as PseudoLegalMoveGenerator,
)
from skewer.chess._squares import *  # noqa: F403
from skewer.chess._status import Status as Status

if TYPE_CHECKING:
    # Of these modules too, `import skewer.chess as chess` is known to have those that are imported.
    from skewer.chess import (
        engine as engine,
        pgn as pgn,
        polyglot as polyglot,
        svg as svg,
        syzygy as syzygy,
    )

# STATUS_VALID, STATUS_NO_WHITE_KING and so on.
STATUS_VALID = _status.Status.VALID
for _flag in _status.Status:
    globals()[f"STATUS_{_flag.name}"] = _flag
del _flag
