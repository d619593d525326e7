"""Expected wins, draws and losses."""

from dataclasses import dataclass
from typing import Iterator


@dataclass
class Wdl:
    """Expected wins, draws and losses of one side, mostly in thousandths: ``wins, draws, losses = wdl``."""

    wins: int
    draws: int
    losses: int

    def total(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    def winning_chance(self) -> float:
        """The share of wins."""
        return self.wins / self.total()

    def drawing_chance(self) -> float:
        """The share of draws."""
        return self.draws / self.total()

    def losing_chance(self) -> float:
        """The share of losses."""
        return self.losses / self.total()

    def expectation(self) -> float:
        """The expected score: 1 for a win, 0.5 for a draw."""
        return self.winning_chance() + 0.5 * self.drawing_chance()

    def __bool__(self) -> bool:
        return self.total() > 0

    def __iter__(self) -> Iterator[int]:
        return iter((self.wins, self.draws, self.losses))

    def __reversed__(self) -> Iterator[int]:
        return iter((self.losses, self.draws, self.wins))

    def __pos__(self) -> "Wdl":
        return self

    def __neg__(self) -> "Wdl":
        return Wdl(*reversed(self))

    def __hash__(self) -> int:
        return hash(tuple(self))


class PovWdl:
    """Wins, draws and losses with the side that they are for. Equal to the tuple (wins, draws, losses) of that side."""

    relative: Wdl
    turn: bool

    def __init__(self, relative: Wdl, turn: bool) -> None:
        self.relative = relative
        self.turn = turn

    def white(self) -> Wdl:
        """The wins, draws and losses of White."""
        return self.pov(True)

    def black(self) -> Wdl:
        """The wins, draws and losses of Black."""
        return self.pov(False)

    def pov(self, color: bool) -> Wdl:
        """The wins, draws and losses of one side."""
        return self.relative if self.turn == color else -self.relative

    def __bool__(self) -> bool:
        return bool(self.relative)

    def __iter__(self) -> Iterator[int]:
        return iter(self.relative)

    def __len__(self) -> int:
        return 3

    def __getitem__(self, index: int) -> int:
        return tuple(self.relative)[index]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, PovWdl):
            return self.white() == other.white()
        return tuple(self.relative) == other if isinstance(other, tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self.relative))

    def __repr__(self) -> str:
        return f"PovWdl({self.relative!r}, {'WHITE' if self.turn else 'BLACK'})"
