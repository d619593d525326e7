"""What can be wrong with a position."""

from __future__ import annotations

import enum
from typing import Optional

from skewer.chess._position import Position
from skewer.chess._squares import (
    BB_BACKRANKS,
    BB_SQUARES,
    BLACK,
    WHITE,
    Square,
    popcount,
    ray,
    scan_forward,
    square_rank,
)


class Status(enum.IntFlag):
    """What is wrong with a position. The race conditions belong to Racing Kings and are never set."""

    VALID = 0
    NO_WHITE_KING = enum.auto()
    NO_BLACK_KING = enum.auto()
    TOO_MANY_KINGS = enum.auto()
    TOO_MANY_WHITE_PAWNS = enum.auto()
    TOO_MANY_BLACK_PAWNS = enum.auto()
    PAWNS_ON_BACKRANK = enum.auto()
    TOO_MANY_WHITE_PIECES = enum.auto()
    TOO_MANY_BLACK_PIECES = enum.auto()
    BAD_CASTLING_RIGHTS = enum.auto()
    INVALID_EP_SQUARE = enum.auto()
    OPPOSITE_CHECK = enum.auto()
    EMPTY = enum.auto()
    RACE_CHECK = enum.auto()
    RACE_OVER = enum.auto()
    RACE_MATERIAL = enum.auto()
    TOO_MANY_CHECKERS = enum.auto()
    IMPOSSIBLE_CHECK = enum.auto()


class StatusMixin(Position):
    """The validity of a board."""

    def _valid_ep_square(self) -> Optional[Square]:
        """The en passant square, if a pawn can just have passed it."""
        ep = self.ep_square
        if ep is None or square_rank(ep) != (5 if self.turn else 2):
            return None
        back = -8 if self.turn else 8
        theirs = self.pawns & self.occupied_co[not self.turn]
        path = BB_SQUARES[ep] | BB_SQUARES[ep - back]
        return ep if theirs >> ep + back & 1 and not self.occupied & path else None

    def _impossible_check(self, checkers: int) -> bool:
        """Whether no possible last move gives this check."""
        king = self.king(self.turn)
        if not checkers or king is None:
            return False
        passed = self._valid_ep_square()
        if passed is not None:
            # The last move is a pawn's double step. Another piece that gives check must not have given it before.
            back = -8 if self.turn else 8
            here, home = BB_SQUARES[passed + back], BB_SQUARES[passed - back]
            before = self.occupied & ~here | home
            return bool(self.attackers_mask(not self.turn, king, before) & checkers & ~here)
        if popcount(checkers) > 2:
            return True
        if popcount(checkers) == 2:
            first, second = scan_forward(checkers)
            return bool(ray(first, second) & self.kings & self.occupied_co[self.turn])
        return False

    def status(self) -> Status:
        """What is wrong with the position: flags, or :data:`STATUS_VALID`."""
        status = Status.VALID if self.occupied else Status.EMPTY
        flags = (
            (WHITE, Status.NO_WHITE_KING, Status.TOO_MANY_WHITE_PAWNS, Status.TOO_MANY_WHITE_PIECES),
            (BLACK, Status.NO_BLACK_KING, Status.TOO_MANY_BLACK_PAWNS, Status.TOO_MANY_BLACK_PIECES),
        )
        for color, no_king, pawns, pieces in flags:
            own = self.occupied_co[color]
            if not own & self.kings:
                status |= no_king
            if popcount(own & self.pawns) > 8:
                status |= pawns
            if popcount(own) > 16:
                status |= pieces
        if popcount(self.kings) > 2:
            status |= Status.TOO_MANY_KINGS
        if self.pawns & BB_BACKRANKS:
            status |= Status.PAWNS_ON_BACKRANK
        if self.castling_rights != self.clean_castling_rights():
            status |= Status.BAD_CASTLING_RIGHTS
        if self.ep_square != self._valid_ep_square():
            status |= Status.INVALID_EP_SQUARE
        if self.was_into_check():
            status |= Status.OPPOSITE_CHECK
        checkers = self.checkers_mask()
        if popcount(checkers) > 2:
            status |= Status.TOO_MANY_CHECKERS
        if self._impossible_check(checkers):
            status |= Status.IMPOSSIBLE_CHECK
        return status

    def is_valid(self) -> bool:
        """Whether nothing is wrong with the position: see :meth:`status`."""
        return self.status() == Status.VALID
