"""How a game ended."""

import enum
from dataclasses import dataclass
from typing import Optional


class Termination(enum.Enum):
    """The rule that ended a game. The members for variants are never used, because there are no variants."""

    CHECKMATE = enum.auto()
    STALEMATE = enum.auto()
    INSUFFICIENT_MATERIAL = enum.auto()
    SEVENTYFIVE_MOVES = enum.auto()
    FIVEFOLD_REPETITION = enum.auto()
    FIFTY_MOVES = enum.auto()
    THREEFOLD_REPETITION = enum.auto()
    VARIANT_WIN = enum.auto()
    VARIANT_LOSS = enum.auto()
    VARIANT_DRAW = enum.auto()


@dataclass
class Outcome:
    """The rule that ended a game, and who won: WHITE, BLACK, or None for a draw."""

    termination: Termination
    winner: Optional[bool]

    def result(self) -> str:
        """The result as PGN writes it: ``1-0``, ``0-1`` or ``1/2-1/2``."""
        return "1/2-1/2" if self.winner is None else ("1-0" if self.winner else "0-1")
