"""Clocks, evaluations and arrows in comments, such as ``[%clk 1:23:45]``."""

from __future__ import annotations

import re
from typing import Iterable, List, Match, Optional, Pattern, Tuple, Union

from skewer.chess._squares import Color, Square
from skewer.chess.engine import Cp, Mate, PovScore, Score
from skewer.chess.svg import Arrow


def _command(names: str, operands: str) -> Pattern[str]:
    return re.compile(rf"(?P<prefix>\s?)\[%(?:{names})\s{operands}\](?P<suffix>\s?)")


_TIME = r"(?P<hours>\d+):(?P<minutes>\d+):(?P<seconds>\d+(?:\.\d*)?)"
_MARK = r"[RGYB][a-h][1-8](?:[a-h][1-8])?"
CLOCK_REGEX, EMT_REGEX = _command("clk", _TIME), _command("emt", _TIME)
EVAL_REGEX = _command(
    "eval", r"(?:#(?P<mate>[+-]?\d+)|(?P<cp>[+-]?(?:\d*\.\d+|\d+\.?)))(?:[,/](?P<depth>\d+))?"
)
ARROWS_REGEX = _command("csl|cal", f"(?P<arrows>{_MARK}(?:,{_MARK})*)")


def _closed(match: Match[str]) -> str:
    """The text that takes the place of a removed command: a space between two words."""
    return match["prefix"] if match["prefix"] and match["suffix"] else ""


def _replaced(comment: str, pattern: Pattern[str], command: str) -> str:
    """The comment with `command` in place of the first match of `pattern`, or at the end.

    An empty `command` removes the match.
    """
    match = pattern.search(comment)
    if match is None:
        if not command:
            return comment
        space = " " if comment and not comment[-1].isspace() else ""
        return comment + space + command
    middle = match["prefix"] + command + match["suffix"] if command else _closed(match)
    return comment[: match.start()] + middle + comment[match.end() :]


def _seconds(comment: str, pattern: Pattern[str]) -> Optional[float]:
    match = pattern.search(comment)
    if match is None:
        return None
    return 3600 * int(match["hours"]) + 60 * int(match["minutes"]) + float(match["seconds"])


def _time(name: str, seconds: Optional[float]) -> str:
    """The command of a time. A negative time becomes zero."""
    if seconds is None:
        return ""
    thousandths = round(1000 * max(0, seconds))
    minutes, rest = divmod(thousandths, 60_000)
    hours, minutes = divmod(minutes, 60)
    fraction = f".{rest % 1000:03}".rstrip("0").rstrip(".")
    return f"[%{name} {hours}:{minutes:02}:{rest // 1000:02}{fraction}]"


class Annotations:
    """The commands in the comment of a node."""

    comment: str

    def turn(self) -> Color:
        """The side to move at the node."""
        raise NotImplementedError

    def eval(self) -> Optional[PovScore]:
        """The evaluation, for the side to move; None if the comment has none."""
        match = EVAL_REGEX.search(self.comment)
        if match is None:
            return None
        turn = self.turn()
        score: Score
        if match["mate"]:
            score = Mate(int(match["mate"]))
        else:
            score = Cp(round(100 * float(match["cp"])))
        return PovScore(score if turn else -score, turn)

    def eval_depth(self) -> Optional[int]:
        """The depth of the evaluation."""
        match = EVAL_REGEX.search(self.comment)
        return int(match["depth"]) if match is not None and match["depth"] else None

    def set_eval(self, score: Optional[PovScore], depth: Optional[int] = None) -> None:
        """Writes an evaluation, or removes it (None)."""
        command = ""
        if score is not None:
            white = score.white()
            cp = white.score()
            value = f"#{white.mate()}" if cp is None else f"{cp / 100:.2f}"
            command = f"[%eval {value}{'' if depth is None else f',{max(0, depth)}'}]"
        self.comment = _replaced(self.comment, EVAL_REGEX, command)

    def arrows(self) -> List[Arrow]:
        """The arrows and marked squares."""
        found = ARROWS_REGEX.finditer(self.comment)
        return [Arrow.from_pgn(mark) for match in found for mark in match["arrows"].split(",")]

    def set_arrows(self, arrows: Iterable[Union[Arrow, Tuple[Square, Square]]]) -> None:
        """Writes arrows and marked squares in the place of the present arrows and marked squares."""
        marks = [item if isinstance(item, Arrow) else Arrow(*item) for item in arrows]
        squares = [arrow.pgn() for arrow in marks if arrow.tail == arrow.head]
        lines = [arrow.pgn() for arrow in marks if arrow.tail != arrow.head]
        commands = f"[%csl {','.join(squares)}]" if squares else ""
        commands += f"[%cal {','.join(lines)}]" if lines else ""
        rest = ARROWS_REGEX.sub(_closed, self.comment)
        space = " " if commands and rest and not rest[0].isspace() else ""
        self.comment = commands + space + rest

    def clock(self) -> Optional[float]:
        """The time left after the move, in seconds."""
        return _seconds(self.comment, CLOCK_REGEX)

    def set_clock(self, seconds: Optional[float]) -> None:
        """Writes the time left, or removes it (None)."""
        self.comment = _replaced(self.comment, CLOCK_REGEX, _time("clk", seconds))

    def emt(self) -> Optional[float]:
        """The time that the move took, in seconds."""
        return _seconds(self.comment, EMT_REGEX)

    def set_emt(self, seconds: Optional[float]) -> None:
        """Writes the time that the move took, or removes it (None)."""
        self.comment = _replaced(self.comment, EMT_REGEX, _time("emt", seconds))
