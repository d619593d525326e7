"""The limits and results of searches, and the `info` lines of engines."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass
from typing import Callable, Dict, List, Optional, Union

from skewer._engine import InfoDict as InfoDict, Limit as Limit, PlayResult as PlayResult
from skewer._score import Cp, Mate, PovScore
from skewer._wdl import PovWdl, Wdl
from skewer.chess._board import Board
from skewer.chess._squares import Move


UCI_REGEX = re.compile(r"(?:[a-h][1-8][a-h][1-8][pnbrqk]?|[PNBRQK]@[a-h][1-8]|0000)\Z")


class EngineError(RuntimeError):
    """An engine misbehaves, or is used in a wrong way."""


class EngineTerminatedError(EngineError):
    """The engine's process has ended."""


class AnalysisComplete(Exception):
    """There is nothing more to get: the analysis has ended."""


class Info(enum.IntFlag):
    """Which lines of an engine are read."""

    NONE = 0
    BASIC = 1
    SCORE = 2
    PV = 4
    REFUTATION = 8
    CURRLINE = 16
    ALL = BASIC | SCORE | PV | REFUTATION | CURRLINE


class BestMove:
    """What an engine found when its analysis ended."""

    move: Optional[Move]
    ponder: Optional[Move]

    def __init__(self, move: Optional[Move], ponder: Optional[Move]) -> None:
        self.move = move
        self.ponder = ponder

    def __repr__(self) -> str:
        fields = f"move={self.move}, ponder={self.ponder}"
        return f"<{type(self).__name__} at {id(self):#x} ({fields})>"


@dataclass
class Opponent:
    """The opponent of an engine."""

    name: Optional[str]
    title: Optional[str]
    rating: Optional[int]
    is_engine: Optional[bool]


def parse_best_move(board: Board, args: str) -> BestMove:
    """Reads the text after ``bestmove``. Raises EngineError for a move that is not legal."""
    words = [word for word in args.split(" ") if word]
    if not words or words[0] in ("(none)", "NULL"):
        return BestMove(None, None)
    after = board.copy(stack=False)
    try:
        # Some engines write letters of promotions in upper case.
        move = after.push_uci(words[0].lower())
    except ValueError as error:
        raise EngineError(f"bestmove {args!r} in {board.fen()}: {error}") from None
    ponder = None
    if len(words) > 2 and words[1] == "ponder" and words[2] not in ("(none)", "NULL"):
        try:
            ponder = after.parse_uci(words[2].lower())
        except ValueError:
            pass
    return BestMove(move, ponder)


# The most lines that an engine may number; no position has more moves.
MOST_LINES = 256


def _integer(word: str) -> int:
    """A whole number of 64 bits. Raises a ValueError for any other word."""
    number = int(word)
    if not -(1 << 63) <= number < 1 << 63:
        raise ValueError(f"{word} is no number of a search")
    return number


_INTEGERS = ("depth", "seldepth", "nodes", "multipv", "currmovenumber", "hashfull", "nps", "tbhits")
_NUMBERS: "Dict[str, Callable[[str], Union[int, float]]]" = {
    **dict.fromkeys((*_INTEGERS, "cpuload"), _integer),
    "ebf": float,
}


class _Words:
    """The words of a line, one after the other."""

    def __init__(self, line: str) -> None:
        self.rest = line

    def next(self) -> str:
        """The next word; empty at the end."""
        word, _, rest = self.rest.lstrip().partition(" ")
        self.rest = rest
        return word

    def line(self, board: Board) -> List[Move]:
        """Moves, up to the first word that is no move. Raises a ValueError for a move that is not legal."""
        board, start, moves = board.copy(stack=False), self.rest, []
        while self.rest:
            before, word = self.rest, self.next()
            if not UCI_REGEX.match(word):
                self.rest = before
                break
            try:
                moves.append(board.push_uci(word))
            except ValueError:
                # A line without its word is ignored.
                self.rest = start
                raise
        return moves


def parse_info(arg: str, root_board: Board, selector: Union[Info, int] = Info.ALL) -> InfoDict:
    """Reads the text after ``info``; words that are not known are passed over.

    As in python-chess, `selector` leaves out scores, lines and the like. Numbers are read with every selector but 0.
    """
    info: InfoDict = {}
    if not selector:
        return info
    words = _Words(arg)
    while True:
        word = words.next()
        if not word and not words.rest.strip():
            return info
        try:
            _read_item(word, words, root_board, Info(selector), info)
        except (ValueError, OverflowError):
            # The word after it is no possible number: go on with the next word.
            continue


def _read_item(word: str, words: _Words, board: Board, wanted: Info, info: InfoDict) -> None:
    if word == "string":
        info["string"] = words.rest
        words.rest = ""
    elif word in _NUMBERS:
        info[word] = _NUMBERS[word](words.next())  # type: ignore[literal-required]
    elif word == "time":
        info["time"] = _integer(words.next()) / 1000
    elif word == "score":
        _read_score(words, board, wanted, info)
    elif word == "wdl":
        wins, draws, losses = (_integer(words.next()) for _ in range(3))
        if wanted & Info.SCORE:
            info["wdl"] = PovWdl(Wdl(wins, draws, losses), board.turn)
    elif word == "currmove":
        info["currmove"] = Move.from_uci(words.next())
    elif word == "pv":
        line = words.line(board)
        if wanted & Info.PV:
            info["pv"] = line
    elif word == "currline":
        # The number of the processor may be missing.
        before, number = words.rest, words.next()
        if not number.isdigit():
            words.rest = before
        processor = _integer(number) if number.isdigit() else 1
        line = words.line(board)
        if wanted & Info.CURRLINE:
            info.setdefault("currline", {})[processor] = line
    elif word == "refutation":
        line = words.line(board)
        if wanted & Info.REFUTATION and line:
            info.setdefault("refutation", {})[line[0]] = line[1:]


def _read_score(words: _Words, board: Board, wanted: Info, info: InfoDict) -> None:
    kind, number = words.next(), _integer(words.next())
    if wanted & Info.SCORE and kind in ("cp", "mate"):
        bound = words.rest.lstrip().partition(" ")[0]
        if bound in ("lowerbound", "upperbound"):
            info[bound] = True  # type: ignore[literal-required]
        info["score"] = PovScore(Cp(number) if kind == "cp" else Mate(number), board.turn)


def line_of(info: InfoDict) -> int:
    """The index of the line of play (from 0, by `multipv`) to which a piece of information belongs."""
    return max(1, info.get("multipv", 1)) - 1


