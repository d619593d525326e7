"""The state of a board: in Rust while the position is valid, in Python otherwise.

A :class:`Position` is in one of two states. While `_core` is a :class:`skewer.Board`, that is the truth
and legal moves come from it. Otherwise the attributes with an underscore are the truth, and they may
break any rule. What is set by hand moves to the second state; the first question that Rust answers
faster moves back, if the position is one that a :class:`skewer.Board` can hold.
"""

from __future__ import annotations

import operator
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

# The attributes of an empty position in Python.
_EMPTY = {
    "_chess960": False,
    "_turn": WHITE,
    "_castling_rights": 0,
    "_ep_square": None,
    "_halfmove_clock": 0,
    "_fullmove_number": 1,
    "_refused": False,
    "_occupied": 0,
    **dict.fromkeys((f"_{name}" for name in KINDS[1:]), 0),
}

# What a position in Python is before a push: masks and fields. Or a board in Rust that has the pushed
# move as its last, with the height of the stack at which it began.
_Saved = Union[Tuple[Any, ...], Tuple[skewer.Board, int]]

_SLOTS = tuple(f"_{name}" for name in KINDS[1:])
_FIELDS = ("turn", "castling_rights", "ep_square", "halfmove_clock", "fullmove_number")


def _attribute(name: str, doc: str) -> Any:
    """A property that is read from the board in Rust, or from the attribute of Python."""
    slot = "_" + name
    look = operator.attrgetter(name)

    def read(self: "Position") -> Any:
        core = self._core
        return getattr(self, slot) if core is None else look(core)

    def write(self: "Position", value: Any) -> None:
        self._loosen()
        self.__dict__[slot] = value

    return property(read, write, doc=doc)


class _Sides(list):  # type: ignore[type-arg]
    """The occupied squares by side of a board in Rust. What is assigned to one is set on the board."""

    __slots__ = ("board",)
    board: "Position"

    def __setitem__(self, color: Any, mask: Any) -> None:
        super().__setitem__(color, mask)
        self.board._loosen()
        self.board._occupied_co[color] = mask

    def __reduce__(self) -> Any:
        return list, (list(self),)


class Position(BaseBoard):
    """Pieces, turn, castling rights, clocks and the stack of moves."""

    turn: Color = _attribute("turn", "The side to move.")
    castling_rights: Bitboard = _attribute("castling_rights", "The rooks that may castle.")
    ep_square: Optional[Square] = _attribute(
        "ep_square", "The square behind a pawn that has just made two steps, or None."
    )
    halfmove_clock: int = _attribute("halfmove_clock", "Plies since a capture or pawn move.")
    fullmove_number: int = _attribute("fullmove_number", "The number of the move, from 1.")
    chess960: bool = _attribute("chess960", "Whether castling is the king taking its rook.")
    pawns: Bitboard = _attribute("pawns", "The pawns of both sides.")
    knights: Bitboard = _attribute("knights", "The knights of both sides.")
    bishops: Bitboard = _attribute("bishops", "The bishops of both sides.")
    rooks: Bitboard = _attribute("rooks", "The rooks of both sides.")
    queens: Bitboard = _attribute("queens", "The queens of both sides.")
    kings: Bitboard = _attribute("kings", "The kings of both sides.")
    occupied: Bitboard = _attribute("occupied", "All occupied squares.")

    @property
    def occupied_co(self) -> List[Bitboard]:
        """The occupied squares by side, Black first."""
        core = self._core
        if core is None:
            sides: List[Bitboard] = self._occupied_co
            return sides
        shown = _Sides(core.occupied_co)
        shown.board = self
        return shown

    @occupied_co.setter
    def occupied_co(self, sides: List[Bitboard]) -> None:
        self._loosen()
        self.__dict__["_occupied_co"] = sides

    # What Rust may answer: see _hooks.
    _replaced: FrozenSet[str]
    _rust: bool = True
    _rust_play: bool = True
    _rust_ends: bool = True
    _rust_setup: bool = True

    # The state in Python, the truth while there is no `_core`.
    _pawns: Bitboard
    _knights: Bitboard
    _bishops: Bitboard
    _rooks: Bitboard
    _queens: Bitboard
    _kings: Bitboard
    _occupied_co: List[Bitboard]
    _turn: Color
    _castling_rights: Bitboard
    _ep_square: Optional[Square]
    _halfmove_clock: int
    _fullmove_number: int
    _chess960: bool

    move_stack: List[Move]
    _core: Optional[skewer.Board]
    _refused: bool
    _base: int
    _saved: Dict[int, _Saved]
    _promotions: List[Tuple[int, Bitboard]]

    def _start(self, core: Optional[skewer.Board]) -> None:
        """Begins with a board in Rust, or with an empty position in Python; without moves."""
        own = self.__dict__
        own["_core"] = core
        own["promoted"] = 0
        if core is None:
            own.update(_EMPTY)
            own["_occupied_co"] = [0, 0]
        self._forget()

    def _forget(self) -> None:
        """Removes the moves of the stack; the position stays."""
        own = self.__dict__
        own["move_stack"], own["_saved"], own["_promotions"], own["_base"] = [], {}, [], 0
        if self._core is not None:
            self._core.clear_stack()

    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)
        if name in HOOKS:
            self._note_hooks()

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

    # Between the states.

    def _loosen(self) -> None:
        """Makes Python's attributes the truth, so that they can be changed."""
        core, own = self._core, self.__dict__
        own["_refused"] = False
        if core is None:
            return
        self._read(core)
        height = len(self.move_stack)
        if height > self._base:
            self._saved[height] = (core, self._base)
        own["_core"] = None

    def _read(self, core: skewer.Board) -> None:
        """Takes over the state of a board in Rust."""
        own, (kinds, sides) = self.__dict__, core._state()
        own.update(zip(_SLOTS, kinds))
        own["_occupied_co"], own["_occupied"] = list(sides), sides[0] | sides[1]
        own["_turn"], own["_castling_rights"] = core.turn, core.castling_rights
        own["_ep_square"], own["_chess960"] = core.ep_square, core.chess960
        own["_halfmove_clock"], own["_fullmove_number"] = core.halfmove_clock, core.fullmove_number

    def _fast(self) -> Optional[skewer.Board]:
        """The board in Rust, made if the position allows it; None if it breaks a rule."""
        if self._core is None and not self._refused and self._rust:
            self.__dict__["_refused"] = True
            if self.ep_square is None or self._valid_ep_square() is not None:
                try:
                    core = skewer.Board._from_state(
                        (
                            self._pawns,
                            self._knights,
                            self._bishops,
                            self._rooks,
                            self._queens,
                            self._kings,
                        ),
                        (self._occupied_co[BLACK], self._occupied_co[WHITE]),
                        self._turn,
                        self._castling_rights,
                        self._ep_square,
                        self._halfmove_clock,
                        self._fullmove_number,
                        self._chess960,
                    )
                except (ValueError, OverflowError, TypeError):
                    return None
                if self._overlaps():
                    return None
                self.__dict__["_core"], self.__dict__["_base"] = core, len(self.move_stack)
        return self._core

    def _overlaps(self) -> bool:
        """Whether a promoted king stands somewhere, which is no king for python-chess's rules."""
        return bool(self.promoted & self._kings)

    def _snapshot(self) -> Tuple[Any, ...]:
        """Python's attributes, for :meth:`_restore`."""
        masks = tuple(self._masks())
        return masks + tuple(getattr(self, name) for name in _FIELDS) + (self.promoted,)

    def _restore(self, saved: Tuple[Any, ...]) -> None:
        """Goes back to a snapshot."""
        self._chess960 = self.chess960
        self._core, self._refused = None, False
        for name, mask in zip(KINDS[1:], saved):
            setattr(self, f"_{name}", mask)
        self._occupied_co = list(saved[6:8])
        self._occupied = saved[6] | saved[7]
        for name, value in zip(_FIELDS, saved[8:]):
            setattr(self, f"_{name}", value)
        self.promoted = saved[-1]

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
