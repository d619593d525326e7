"""Scores of the engine: centipawns or a mate, for one side or the other."""

import abc
import functools
import math
from typing import Optional, Tuple

from skewer._wdl import PovWdl, Wdl

WHITE = True


@functools.total_ordering
class Score(abc.ABC):
    """A score for one side: :class:`Cp`, :class:`Mate`, or :data:`MateGiven`.

    Scores are ordered: being mated soon < being mated late < centipawns < mating late < mating
    soon.
    """

    @abc.abstractmethod
    def score(self, *, mate_score: Optional[int] = None) -> Optional[int]:
        """Centipawns; for a mate None, or ``mate_score`` less the moves that it takes."""

    @abc.abstractmethod
    def mate(self) -> Optional[int]:
        """Moves to mate, negative when suffering it; None for centipawns."""

    def is_mate(self) -> bool:
        """Whether the score is a mate for either side."""
        return self.mate() is not None

    def wdl(self, *, model: str = "sf", ply: int = 30) -> Wdl:
        """Expected wins, draws and losses of the side in thousandths.

        The model "sf" is Skewer's own, for the material of a middlegame; "lichess" has no draws. `ply` has no effect;
        it is accepted for scripts that pass it.
        """
        from skewer._skewer import expected_wdl

        if model == "lichess":
            # https://lichess.org/page/accuracy
            wins = round(1000 / (1 + math.exp(-0.00368208 * self._lichess_cp())))
            return Wdl(wins, 0, 1000 - wins)
        if model != "sf":
            raise ValueError(f"no model {model!r}: there are 'sf', Skewer's own, and 'lichess'")
        return Wdl(*expected_wdl(self.score(), self.mate(), self is MateGiven))

    def _lichess_cp(self) -> float:
        """The centipawns that lichess has for a score: a mate counts more the nearer it is."""
        cp, moves = self.score(), self.mate()
        if moves is None:
            return max(-1000, min(1000, cp or 0))
        if not moves:
            return math.inf if self is MateGiven else -math.inf
        return math.copysign(100 * (21 - min(10, abs(moves))), moves)

    @abc.abstractmethod
    def _order(self) -> Tuple[int, int]:
        """What scores are compared by."""

    def __eq__(self, other: object) -> bool:
        return self._order() == other._order() if isinstance(other, Score) else NotImplemented

    def __lt__(self, other: "Score") -> bool:
        return self._order() < other._order() if isinstance(other, Score) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._order())

    @abc.abstractmethod
    def __neg__(self) -> "Score":
        """The score for the other side."""

    def __pos__(self) -> "Score":
        return self

    def __abs__(self) -> "Score":
        return max(self, -self)


class Cp(Score):
    """A score in centipawns."""

    def __init__(self, cp: int) -> None:
        self.cp = cp

    def score(self, *, mate_score: Optional[int] = None) -> int:
        return self.cp

    def mate(self) -> None:
        return None

    def _order(self) -> Tuple[int, int]:
        return (0, self.cp)

    def __neg__(self) -> "Cp":
        return Cp(-self.cp)

    def __repr__(self) -> str:
        return f"Cp({self})"

    def __str__(self) -> str:
        return "0" if self.cp == 0 else format(self.cp, "+d")


class Mate(Score):
    """A mate in some moves: positive when giving it, negative when suffering it, 0 when mated."""

    def __init__(self, moves: int) -> None:
        self.moves = moves

    def score(self, *, mate_score: Optional[int] = None) -> Optional[int]:
        if mate_score is None:
            return None
        return mate_score - self.moves if self.moves > 0 else -mate_score - self.moves

    def mate(self) -> int:
        return self.moves

    def _order(self) -> Tuple[int, int]:
        return (1, -self.moves) if self.moves > 0 else (-1, -self.moves)

    def __neg__(self) -> Score:
        return Mate(-self.moves) if self.moves else MateGiven

    def __repr__(self) -> str:
        return f"Mate({self.moves:+d})" if self.moves else "Mate(-0)"

    def __str__(self) -> str:
        return f"#{self.moves:+d}" if self.moves else "#-0"


class MateGivenType(Score):
    """The other side has been mated."""

    def score(self, *, mate_score: Optional[int] = None) -> Optional[int]:
        return mate_score

    def mate(self) -> int:
        return 0

    def _order(self) -> Tuple[int, int]:
        return (2, 0)

    def __neg__(self) -> Mate:
        return Mate(0)

    def __repr__(self) -> str:
        return "MateGiven"

    def __str__(self) -> str:
        return "#+0"

    def __reduce__(self) -> str:
        return "MateGiven"


MateGiven = MateGivenType()


class PovScore:
    """A score with the side that it is for.

    >>> score = PovScore(Cp(30), WHITE)
    >>> score.white(), score.black(), score.relative
    (Cp(+30), Cp(-30), Cp(+30))
    """

    relative: Score
    turn: bool

    def __init__(self, relative: Score, turn: bool) -> None:
        self.relative = relative
        self.turn = turn

    def white(self) -> Score:
        """The score for White."""
        return self.pov(WHITE)

    def black(self) -> Score:
        """The score for Black."""
        return self.pov(not WHITE)

    def pov(self, color: bool) -> Score:
        """The score for one side."""
        return self.relative if self.turn == color else -self.relative

    def is_mate(self) -> bool:
        """Whether the score is a mate for either side."""
        return self.relative.is_mate()

    def wdl(self, *, model: str = "sf", ply: int = 30) -> PovWdl:
        """Expected wins, draws and losses in thousandths, for the side of the score."""
        return PovWdl(self.relative.wdl(model=model, ply=ply), self.turn)

    def __eq__(self, other: object) -> bool:
        return self.white() == other.white() if isinstance(other, PovScore) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.white())

    def __repr__(self) -> str:
        return f"PovScore({self.relative!r}, {'WHITE' if self.turn else 'BLACK'})"
