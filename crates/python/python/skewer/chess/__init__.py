"""The interface of python-chess on the rules of Skewer: ``import skewer.chess as chess``.

Boards may break rules here; :mod:`skewer` itself has legal positions only, and is faster. The way from
one to the other is :meth:`Board.from_skewer` and :meth:`Board.to_skewer`. Standard chess and Chess960.
"""

import dataclasses as _dataclasses
from typing import TYPE_CHECKING, Any, Literal, Optional

from skewer._outcome import Outcome as Outcome, Termination as Termination
from skewer._skewer import (
    AmbiguousMoveError as AmbiguousMoveError,
    IllegalMoveError as IllegalMoveError,
    InvalidMoveError as InvalidMoveError,
)
from skewer.chess import _status
from skewer.chess._base import BaseBoard as BaseBoard, BaseBoardT as BaseBoardT
from skewer.chess._board import Board as Board, BoardT as BoardT
from skewer._names import adopt as _adopt
from skewer.chess._moves import (
    LegalMoveGenerator as LegalMoveGenerator,
    PseudoLegalMoveGenerator as PseudoLegalMoveGenerator,
)
from skewer.chess._squares import *  # noqa: F403
from skewer.chess._stack import _BoardState as _BoardState
from skewer.chess._status import Status as Status
from skewer.chess._tables import (
    BB_DIAG_ATTACKS as BB_DIAG_ATTACKS,
    BB_DIAG_MASKS as BB_DIAG_MASKS,
    BB_FILE_ATTACKS as BB_FILE_ATTACKS,
    BB_FILE_MASKS as BB_FILE_MASKS,
    BB_KING_ATTACKS as BB_KING_ATTACKS,
    BB_KNIGHT_ATTACKS as BB_KNIGHT_ATTACKS,
    BB_PAWN_ATTACKS as BB_PAWN_ATTACKS,
    BB_RANK_ATTACKS as BB_RANK_ATTACKS,
    BB_RANK_MASKS as BB_RANK_MASKS,
    BB_RAYS as BB_RAYS,
    _attack_table as _attack_table,
    _carry_rippler as _carry_rippler,
    _edges as _edges,
    _rays as _rays,
    _sliding_attacks as _sliding_attacks,
    _step_attacks as _step_attacks,
)

if TYPE_CHECKING:
    # With these imports, type checkers know `chess.pgn` and the like after `import skewer.chess as chess` too.
    from skewer.chess import (
        engine as engine,
        gaviota as gaviota,
        pgn as pgn,
        polyglot as polyglot,
        svg as svg,
        syzygy as syzygy,
        variant as variant,
    )

# STATUS_VALID, STATUS_NO_WHITE_KING and so on.
STATUS_VALID = _status.Status.VALID
for _flag in _status.Status:
    globals()[f"STATUS_{_flag.name}"] = _flag
del _flag

#: The version of python-chess whose interface this is.
__version__ = "1.11.2"
__author__ = "The Skewer authors"
__email__ = ""

EnPassantSpec = Literal["legal", "fen", "xfen"]
ColorName = Literal["white", "black"]


def _fields_of(cls: type, fields: "list[tuple[Any, ...]]") -> None:
    """Lets `dataclasses` work on a class that is compiled."""
    described: Any = _dataclasses.make_dataclass(cls.__name__, fields)
    for name in ("__dataclass_fields__", "__dataclass_params__", "__annotations__"):
        setattr(cls, name, getattr(described, name))


_piece_type = Optional[PieceType]  # noqa: F405
_fields_of(
    Move,  # noqa: F405
    [
        ("from_square", Square),  # noqa: F405
        ("to_square", Square),  # noqa: F405
        ("promotion", _piece_type, _dataclasses.field(default=None)),
        ("drop", _piece_type, _dataclasses.field(default=None)),
    ],
)
_fields_of(Piece, [("piece_type", PieceType), ("color", Color)])  # noqa: F405


_adopt(__name__, globals())
