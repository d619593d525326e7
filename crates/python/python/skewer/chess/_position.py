"""The state of a board: attributes of Python, and beside them a board in Rust while the position is valid.

The attributes of a :class:`Position` (`pawns`, `turn`, `occupied_co`, ...) are plain ones, which always hold
the position: programs read them far more often than they change them. `_core` is a :class:`skewer.Board` with
the same position, or None. It answers questions faster than Python, and updates the attributes when a move is made
or taken back. Setting an attribute by hand drops `_core`, since any rule may then be broken. The next question for
Rust makes a new one, if a :class:`skewer.Board` can hold the position.
"""

from __future__ import annotations

import operator
import weakref
from typing import Any, Dict, FrozenSet, List, Optional, Tuple, Union

import skewer
from skewer.chess._base import KINDS, BaseBoard
from skewer.chess._hooks import HOOKS, flags
from skewer.chess._squares import (
    BB_CORNERS,
    BB_FILES,
    BB_RANKS,
    BB_SQUARES,
    BLACK,
    WHITE,
    Bitboard,
    Color,
    Move,
    Square,
    SquareSet,
)

# The attributes of an empty position, other than the list `occupied_co`.
_EMPTY: Dict[str, Any] = {
    **{name: 0 for name in KINDS[1:] if name is not None},
    "occupied": 0,
    "turn": WHITE,
    "castling_rights": 0,
    "ep_square": None,
    "halfmove_clock": 0,
    "fullmove_number": 1,
    "promoted": 0,
}

# The attributes that describe the position. A program that sets one may break a rule of chess.
_STATE = frozenset((*_EMPTY, "occupied_co", "chess960")) - {"promoted"}
_WATCHED = _STATE | HOOKS | {"move_stack"}
#: Every attribute of a board that no program has added.
OWN = _STATE | {
    "promoted", "move_stack", "_core", "_refused", "_base", "_saved", "_promotions",
}  # fmt: skip

# The position before a push: its attributes and the squares of each side, or a board in Rust whose last move is the
# pushed move, with the height of the stack at which that board began.
_Saved = Union[Tuple[Any, ...], Tuple[skewer.Board, int]]

_look = operator.attrgetter(*_EMPTY)

# Every attribute of a new board, always in this order. New boards share an empty `_saved` and `_promotions`; a board
# gets its own before something is added.
_BLANK: Dict[str, Any] = {**_EMPTY, "_refused": False, "_base": 0, **dict.fromkeys(sorted(OWN - _EMPTY.keys()))}
_BLANK.update(_refused=False, _base=0, _saved={}, _promotions=[], occupied_co=(0, 0))


class Sides(list):  # type: ignore[type-arg]
    """The occupied squares by side. The board notices an assignment to an element."""

    __slots__ = ("board",)
    board: "weakref.ref[Position]"

    def __setitem__(self, color: Any, mask: Any) -> None:
        board = self.board()
        if board is not None:
            board._loosen()
        super().__setitem__(color, mask)

    def __reduce__(self) -> Any:
        return list, (list(self),)


def sides_of(board: "Position", masks: Any) -> Sides:
    """A list of the occupied squares by side of a board."""
    sides = Sides(masks)
    sides.board = weakref.ref(board)
    return sides


# Gives an object another dictionary, past `__setattr__`.
set_attributes = BaseBoard.__dict__["__dict__"].__set__


class Position(BaseBoard):
    """Pieces, turn, castling rights, clocks and the stack of moves."""

    #: The side to move.
    turn: Color
    #: The rooks that may castle.
    castling_rights: Bitboard
    #: The square behind a pawn that has just made two steps, or None.
    ep_square: Optional[Square]
    #: Plies since a capture or pawn move.
    halfmove_clock: int
    #: The number of the move, from 1.
    fullmove_number: int
    #: Whether castling is the king taking its rook.
    chess960: bool

    # What Rust may answer: see _hooks.
    _replaced: FrozenSet[str]
    _rust: bool = True
    _rust_play: bool = True
    _rust_ends: bool = True
    _rust_setup: bool = True

    move_stack: List[Move]
    _core: Optional[skewer.Board]
    _refused: bool
    _base: int
    _saved: Dict[int, _Saved]
    _promotions: List[Tuple[int, Bitboard]]

    def _start(
        self,
        core: Optional[skewer.Board],
        chess960: bool = False,
        known: Optional[Dict[str, Any]] = None,
    ) -> None:
        """Begins with a board in Rust, or with an empty position; without moves.

        `known` has the attributes of another board with the same position.
        """
        # Python reads attributes fastest if each board has a dictionary of its own, with the attributes
        # in the same order on every board.
        before, own = self.__dict__, (known or _BLANK).copy()
        if before:
            own.update((name, before[name]) for name in before.keys() - OWN)
        own["chess960"], own["_core"], own["move_stack"] = chess960, core, []
        own["occupied_co"] = sides_of(self, own["occupied_co"])
        set_attributes(self, own)
        if core is not None and known is None:
            core._show(own)

    def _forget(self) -> None:
        """Removes the moves of the stack; the position stays."""
        own = self.__dict__
        own["move_stack"], own["_saved"], own["_promotions"], own["_base"] = [], {}, [], 0
        if self._core is not None:
            self._core.clear_stack()

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in _WATCHED:
            object.__setattr__(self, name, value)
        elif name in HOOKS:
            object.__setattr__(self, name, value)
            self._note_hooks()
        elif name == "move_stack":
            object.__setattr__(self, name, value)
            core = self.__dict__.get("_core")
            if core is not None:
                # The board in Rust adds moves to the list that it knows, so it must forget the old list.
                core._show(self.__dict__)
        else:
            self._loosen()
            if name == "occupied_co":
                self.__dict__[name] = sides_of(self, value)
            else:
                self.__dict__[name] = value

    def __delattr__(self, name: str) -> None:
        object.__delattr__(self, name)
        if name in HOOKS:
            self._note_hooks()

    def _note_hooks(self) -> None:
        """Notes that a method was replaced on this board alone."""
        own = self.__dict__
        if "_core" in own:
            self._loosen()
        shown, here = flags(type(self)._replaced), HOOKS & own.keys()
        if here:
            own.update(flags(type(self)._replaced | here))
        else:
            for name in shown:
                own.pop(name, None)

    # The board in Rust.

    def _loosen(self) -> None:
        """Drops the board in Rust, since the attributes are going to be changed."""
        own = self.__dict__
        own["_refused"] = False
        core = own["_core"]
        if core is not None:
            height = len(self.move_stack)
            if height > self._base:
                self._save((core, self._base))
            own["_core"] = None

    def _save(self, entry: _Saved) -> None:
        """Saves the position before the last move of the stack."""
        own = self.__dict__
        if not own["_saved"]:
            own["_saved"] = {}
        own["_saved"][len(self.move_stack)] = entry

    def _fast(self) -> Optional[skewer.Board]:
        """The board in Rust, made if the position allows it; None if it breaks a rule."""
        if self._core is None and not self._refused and self._rust:
            own = self.__dict__
            own["_refused"] = True
            if self.ep_square is None or self._valid_ep_square() is not None:
                try:
                    core = skewer.Board._from_attributes(own)
                except (ValueError, OverflowError, TypeError):
                    return None
                # A promoted king is no king for python-chess's rules.
                if self.promoted & self.kings:
                    return None
                own["_core"], own["_base"] = core, len(self.move_stack)
        return self._core

    def _snapshot(self) -> Tuple[Any, ...]:
        """The attributes, for :meth:`_restore`."""
        return _look(self) + tuple(self.occupied_co)

    def _restore(self, saved: Tuple[Any, ...]) -> None:
        """Goes back to a snapshot."""
        own = self.__dict__
        own["_core"], own["_refused"] = None, False
        own.update(zip(_EMPTY, saved))
        list.__setitem__(self.occupied_co, slice(2), saved[-2:])

    # Checks and castling rights, which validity and moves both need.

    def checkers_mask(self) -> Bitboard:
        """The pieces that give check, as a mask."""
        core = self._core
        if core is not None:
            return core.checkers_mask()
        king = self.king(self.turn)
        return 0 if king is None else self.attackers_mask(not self.turn, king)

    def checkers(self) -> SquareSet:
        """The pieces that give check."""
        return SquareSet(self.checkers_mask())

    def is_check(self) -> bool:
        """Whether the side to move is in check."""
        core = self._core
        return bool(self.checkers_mask()) if core is None else core.is_check()

    def was_into_check(self) -> bool:
        """Whether the side that is not to move is in check, which breaks the rules."""
        king = self.king(not self.turn)
        return king is not None and self.is_attacked_by(self.turn, king)

    def clean_castling_rights(self) -> Bitboard:
        """The castling rights for which king and rook are in place."""
        if self._core is not None:
            return self._core.castling_rights
        rights = 0
        for color, rank in ((WHITE, BB_RANKS[0]), (BLACK, BB_RANKS[7])):
            own = self.occupied_co[color] & rank & ~self.promoted
            rooks = self.castling_rights & own & self.rooks
            king = own & self.kings
            if not rooks or not king:
                continue
            if not self.chess960:
                if king & BB_FILES[4]:
                    rights |= rooks & BB_CORNERS
                continue
            # The outermost rook on each side of the king.
            left, right = rooks & king - 1, rooks & ~(king - 1)
            rights |= left & -left
            rights |= BB_SQUARES[right.bit_length() - 1] if right else 0
        return rights

    def _valid_ep_square(self) -> Optional[Square]:
        raise NotImplementedError
