"""The limits and results of searches, for the engine in this process and for UCI engines."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Dict, List, Optional, TypedDict

from skewer._score import PovScore
from skewer._skewer import Move as _Move, loose
from skewer._wdl import PovWdl

if TYPE_CHECKING:
    # `skewer.chess.engine` gives moves of `skewer.chess`. The engine in process gives moves of `skewer`, which cannot
    # be changed.
    Move = loose.Move
else:
    Move = _Move


@dataclass
class Limit:
    """When a search ends: at the first limit that is met. Times are in seconds."""

    time: Optional[float] = None
    depth: Optional[int] = None
    nodes: Optional[int] = None
    mate: Optional[int] = None
    white_clock: Optional[float] = None
    black_clock: Optional[float] = None
    white_inc: Optional[float] = None
    black_inc: Optional[float] = None
    remaining_moves: Optional[int] = None
    clock_id: object = None

    def __repr__(self) -> str:
        given = {name: value for name, value in vars(self).items() if value is not None and name != "clock_id"}
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in given.items())})"


class InfoDict(TypedDict, total=False):
    """What an engine has said about a search."""

    score: PovScore
    pv: List[Move]
    depth: int
    seldepth: int
    time: float
    nodes: int
    nps: int
    tbhits: int
    multipv: int
    currmove: Move
    currmovenumber: int
    hashfull: int
    cpuload: int
    refutation: Dict[Move, List[Move]]
    currline: Dict[int, List[Move]]
    ebf: float
    wdl: PovWdl
    string: str
    lowerbound: bool
    upperbound: bool


class PlayResult:
    """The move to play, the expected answer, and the line that was found."""

    move: Optional[Move]
    ponder: Optional[Move]
    info: InfoDict
    draw_offered: bool
    resigned: bool

    def __init__(
        self,
        move: Optional[Move],
        ponder: Optional[Move],
        info: Optional[InfoDict] = None,
        *,
        draw_offered: bool = False,
        resigned: bool = False,
    ) -> None:
        self.move, self.ponder = move, ponder
        self.info = info or {}
        self.draw_offered, self.resigned = draw_offered, resigned

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value}" for name, value in vars(self).items())
        return f"<PlayResult at {id(self):#x} ({fields})>"
