"""The tag TimeControl."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import Dict, List, Optional


class TimeControlType(enum.Enum):
    """The usual classes of time controls."""

    UNKNOWN = 0
    UNLIMITED = 1
    STANDARD = 2
    RAPID = 3
    BLITZ = 4
    BULLET = 5


@dataclass
class TimeControlPart:
    """A number of moves (0 for the rest of the game) and their time in seconds."""

    moves: int = 0
    time: int = 0
    increment: float = 0
    delay: float = 0


@dataclass
class TimeControl:
    """The parts of a time control, and its class."""

    parts: List[TimeControlPart] = field(default_factory=list)
    type: TimeControlType = TimeControlType.UNKNOWN


def _part(text: str) -> TimeControlPart:
    moves, slash, rest = text.rpartition("/")
    time, plus, increment = rest.partition("+")
    return TimeControlPart(
        moves=int(moves) if slash else 0,
        time=int(time),
        increment=float(increment) if plus else 0,
    )


def _type(part: TimeControlPart) -> TimeControlType:
    """The class of a game, by its first part: the time and sixty increments."""
    seconds = part.time + 60 * part.increment
    if seconds < 180:
        return TimeControlType.BULLET
    if seconds <= 600:
        return TimeControlType.BLITZ
    return TimeControlType.RAPID if seconds < 3600 else TimeControlType.STANDARD


def parse_time_control(time_control: str) -> TimeControl:
    """Reads the value of the tag TimeControl. Raises ValueError if it is malformed."""
    known: Dict[Optional[str], TimeControlType] = {
        None: TimeControlType.UNKNOWN,
        "": TimeControlType.UNKNOWN,
        "?": TimeControlType.UNKNOWN,
        "-": TimeControlType.UNLIMITED,
    }
    if time_control in known:
        return TimeControl(type=known[time_control])
    parts = [_part(text) for text in time_control.split(":")]
    if any(not part.moves for part in parts[:-1]):
        raise ValueError(f"a part before the last has no number of moves: {time_control!r}")
    return TimeControl(parts, _type(parts[0]))
