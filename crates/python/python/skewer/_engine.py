"""The limits and results of searches."""

from dataclasses import dataclass, field
from typing import Any, Dict, Optional

from skewer._skewer import Move


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


@dataclass
class PlayResult:
    """The move to play, the expected answer, and the line that was found."""

    move: Optional[Move]
    ponder: Optional[Move] = None
    info: Dict[str, Any] = field(default_factory=dict)
    draw_offered: bool = False
    resigned: bool = False
