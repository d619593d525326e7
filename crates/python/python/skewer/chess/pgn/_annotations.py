"""Clocks, evaluations and arrows in comments, such as ``[%clk 1:23:45]``."""

from __future__ import annotations

import re
from typing import Iterable, List, Match, Optional, Pattern, Tuple, Union

from skewer.chess._squares import Color, Square
from skewer.chess.engine import Cp, Mate, PovScore, Score
from skewer.chess.svg import Arrow


def _command(names: str, operands: str) -> Pattern[str]:
    return re.compile(rf"(?P<before>\s?)\[%(?:{names})\s(?P<value>{operands})\](?P<after>\s?)")


_TIME = r"(?P<h>\d+):(?P<m>\d+):(?P<s>\d+(?:\.\d*)?)"
_MARK = r"[RGYB][a-h][1-8](?:[a-h][1-8])?"
_CLOCK, _ELAPSED = _command("clk", _TIME), _command("emt", _TIME)
_EVAL = _command(
    "eval", r"(?:#(?P<mate>[+-]?\d+)|(?P<pawns>[+-]?(?:\d*\.\d+|\d+\.?)))(?:[,/](?P<depth>\d+))?"
)
_ARROWS = _command("csl|cal", f"{_MARK}(?:,{_MARK})*")


def _closed(match: Match[str]) -> str:
    """What stays between the texts before and after a command that is taken out."""
    return match["before"] if match["before"] and match["after"] else ""


def _replaced(comment: str, pattern: Pattern[str], command: str) -> str:
    """The comment with a command in the place of the first one like it, or at its end."""
    match = pattern.search(comment)
    if match is None:
        if not command:
            return comment
        space = " " if comment and not comment[-1].isspace() else ""
        return comment + space + command
    middle = match["before"] + command + match["after"] if command else _closed(match)
    return comment[: match.start()] + middle + comment[match.end() :]


def _seconds(comment: str, pattern: Pattern[str]) -> Optional[float]:
    match = pattern.search(comment)
    if match is None:
        return None
    return 3600 * int(match["h"]) + 60 * int(match["m"]) + float(match["s"])


def _time(name: str, seconds: Optional[float]) -> str:
    """The command of a time; negative ones are zero."""
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
        match = _EVAL.search(self.comment)
        if match is None:
            return None
        turn = self.turn()
        score: Score
        if match["mate"]:
            score = Mate(int(match["mate"]))
        else:
            score = Cp(round(100 * float(match["pawns"])))
        return PovScore(score if turn else -score, turn)

    def eval_depth(self) -> Optional[int]:
        """The depth of the evaluation."""
        match = _EVAL.search(self.comment)
        return int(match["depth"]) if match is not None and match["depth"] else None

    def set_eval(self, score: Optional[PovScore], depth: Optional[int] = None) -> None:
        """Writes an evaluation, or removes it (None)."""
        command = ""
        if score is not None:
            white = score.white()
            cp = white.score()
            value = f"#{white.mate()}" if cp is None else f"{cp / 100:.2f}"
            command = f"[%eval {value}{'' if depth is None else f',{max(0, depth)}'}]"
        self.comment = _replaced(self.comment, _EVAL, command)

    def arrows(self) -> List[Arrow]:
        """The arrows and marked squares."""
        found = _ARROWS.finditer(self.comment)
        return [Arrow.from_pgn(mark) for match in found for mark in match["value"].split(",")]

    def set_arrows(self, arrows: Iterable[Union[Arrow, Tuple[Square, Square]]]) -> None:
        """Writes arrows and marked squares in the place of those that there are."""
        marks = [item if isinstance(item, Arrow) else Arrow(*item) for item in arrows]
        squares = [arrow.pgn() for arrow in marks if arrow.tail == arrow.head]
        lines = [arrow.pgn() for arrow in marks if arrow.tail != arrow.head]
        commands = f"[%csl {','.join(squares)}]" if squares else ""
        commands += f"[%cal {','.join(lines)}]" if lines else ""
        rest = _ARROWS.sub(_closed, self.comment)
        space = " " if commands and rest and not rest[0].isspace() else ""
        self.comment = commands + space + rest

    def clock(self) -> Optional[float]:
        """The time left after the move, in seconds."""
        return _seconds(self.comment, _CLOCK)

    def set_clock(self, seconds: Optional[float]) -> None:
        """Writes the time left, or removes it (None)."""
        self.comment = _replaced(self.comment, _CLOCK, _time("clk", seconds))

    def emt(self) -> Optional[float]:
        """The time that the move took, in seconds."""
        return _seconds(self.comment, _ELAPSED)

    def set_emt(self, seconds: Optional[float]) -> None:
        """Writes the time that the move took, or removes it (None)."""
        self.comment = _replaced(self.comment, _ELAPSED, _time("emt", seconds))
