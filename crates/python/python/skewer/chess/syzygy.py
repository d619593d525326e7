"""Syzygy endgame tables, probed by Skewer."""

from __future__ import annotations

import os
import re
from types import TracebackType
from typing import Callable, Dict, Iterable, Iterator, List, Optional, Set, Tuple, Type

import skewer.chess as chess  # noqa: F401  # Programs read `chess.syzygy.chess`.
import skewer
from skewer._skewer import Tables
from skewer.chess._base import BaseBoard
from skewer.chess._board import Board
from skewer.chess._squares import popcount

TBPIECES = 7
PCHR = ["K", "Q", "R", "B", "N", "P"]
TABLENAME_REGEX = re.compile(r"^[KQRBNP]+v[KQRBNP]+\Z")


class MissingTableError(KeyError):
    """There is no table for a position."""


# Names of tables.


def _order(side: str) -> Tuple[int, List[int]]:
    """Sides with more pieces come first in a name, then sides with stronger pieces."""
    return -len(side), [PCHR.index(letter) for letter in side]


def normalize_tablename(name: str, *, mirror: bool = False) -> str:
    """The name with the stronger side first, or with `mirror` last, and pieces by strength."""
    sides = ["".join(sorted(side, key=PCHR.index)) for side in name.split("v", 1)]
    return "v".join(sorted(sides, key=_order, reverse=mirror))


def calc_key(board: BaseBoard, *, mirror: bool = False) -> str:
    """The name of the table for the pieces on a board, White first, or with `mirror` Black."""
    sides = [
        "".join(
            letter * popcount(board.pieces_mask(6 - index, color))
            for index, letter in enumerate(PCHR)
        )
        for color in (not mirror, mirror)
    ]
    return "v".join(sides)


def is_tablename(
    name: str,
    *,
    one_king: bool = True,
    piece_count: Optional[int] = TBPIECES,
    normalized: bool = True,
) -> bool:
    """Whether a text is the name of a table, of at most `piece_count` pieces."""
    return (
        bool(TABLENAME_REGEX.match(name))
        and (piece_count is None or len(name) <= piece_count + 1)
        and (not normalized or normalize_tablename(name) == name)
        and (not one_king or all(side.count("K") == 1 for side in name.split("v")))
        and (not one_king or name != "KvK")
    )


def tablenames(*, one_king: bool = True, piece_count: int = 6) -> Iterator[str]:
    """The names of all tables up to a number of pieces.

    Captures and promotions lead from tables of pawns to all others.
    """
    first, pawns = "K" if one_king else "P", piece_count - 2
    most = [
        f"{first}{'P' * (pawns - weak)}v{first}{'P' * weak}" for weak in range(pawns // 2 + 1)
    ]
    return all_dependencies(most, one_king=one_king)


def _without(name: str, one_king: bool) -> Iterator[str]:
    """The names of the positions after one promotion or capture, by piece, some of them twice."""
    sides = name.split("v", 1)
    for letter in PCHR[1:] if one_king else PCHR:
        changes = [("P", letter)] if letter != "P" else []
        for old, new in [*changes, (letter, "")]:
            for index, side in enumerate(sides):
                changed = side.replace(old, new, 1)
                if changed and changed != side:
                    pair = [changed, sides[1]] if index == 0 else [sides[0], changed]
                    yield normalize_tablename("v".join(pair))


def dependencies(target: str, *, one_king: bool = True) -> Iterator[str]:
    """The tables that probing a table needs besides it, one capture or promotion away."""
    names = dict.fromkeys(_without(target, one_king))
    return (name for name in names if not (one_king and name == "KvK"))


def all_dependencies(targets: Iterable[str], *, one_king: bool = True) -> Iterator[str]:
    """The tables that are needed to probe the tables `targets`: `targets`, and every table that captures and promotions
    lead to."""
    found: Set[str] = {"KvK"} if one_king else set()
    # The last name of the list comes next: programs that show or load tables one by one expect this order.
    names = [normalize_tablename(name) for name in targets]
    while names:
        name = names.pop()
        if name not in found:
            found.add(name)
            yield name
            names += _without(name, one_king)


def dtz_before_zeroing(wdl: int) -> int:
    """The distance of a position with this outcome, if its best move is a capture or pawn move."""
    sign = (wdl > 0) - (wdl < 0)
    return sign * (101 if abs(wdl) == 1 else 1)


# Probing.


class Table:
    """One table file."""

    kind = ""

    def __init__(self, path: str, *, variant: Type[Board] = Board) -> None:
        self.path = path
        self.variant = variant
        self.key, _ = os.path.splitext(os.path.basename(path))
        self._tables: Optional[Tables] = None

    def _open(self, board: Board) -> Tables:
        """The tables of the file's folder.

        Raises MissingTableError if the file is not the table for the pieces on a board.
        """
        if calc_key(board) != self.key and calc_key(board, mirror=True) != self.key:
            raise MissingTableError(f"{self.path} is not the table of {board.fen()}")
        if self._tables is None:
            self._tables = Tables([os.path.dirname(self.path) or "."], [])
        return self._tables

    def close(self) -> None:
        """Closes the file."""
        self._tables = None

    def __enter__(self) -> "Table":
        return self

    def __exit__(
        self,
        exc_type: Optional[Type[BaseException]],
        exc_value: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()


class WdlTable(Table):
    """A table of outcomes."""

    def init_table_wdl(self) -> None:
        """Nothing: the file is opened when it is first probed."""

    def probe_wdl_table(self, board: Board) -> int:
        """The stored value of a position, without a search of captures."""
        return self._open(board).stored_wdl(board.to_skewer())


class DtzTable(Table):
    """A table of distances to the next capture or pawn move."""

    def init_table_dtz(self) -> None:
        """Nothing: the file is opened when it is first probed."""

    def probe_dtz_table(self, board: Board, wdl: int) -> Tuple[int, int]:
        """The number that the table has for a position with this outcome, and 1.

        (0, -1) if the table has only positions with the other side to move.
        """
        return _stored_dtz(self._open(board), board, wdl)


def _stored_dtz(tables: Tables, board: Board, wdl: int) -> Tuple[int, int]:
    stored = tables.stored_dtz(board.to_skewer(), wdl)
    return (0, -1) if stored is None else (stored, 1)


class Tablebase:
    """Tables of any number of folders and files."""

    def __init__(self, *, max_fds: Optional[int] = 128, VariantBoard: Type[Board] = Board) -> None:
        self.variant = VariantBoard
        self.max_fds = max_fds
        self.wdl: Dict[str, str] = {}
        self.dtz: Dict[str, str] = {}
        self._folders: List[str] = []
        self._files: List[str] = []
        self._tables: Optional[Tables] = None

    def _add(self, path: str, load_wdl: bool, load_dtz: bool) -> bool:
        name, suffix = os.path.splitext(os.path.basename(path))
        if not is_tablename(name, one_king=self.variant.one_king, piece_count=None, normalized=False):
            return False
        for end, load, loaded in ((".rtbw", load_wdl, self.wdl), (".rtbz", load_dtz, self.dtz)):
            if suffix == end and load:
                loaded[name] = path
                self._tables = None
                return True
        return False

    def add_directory(
        self, directory: str, *, load_wdl: bool = True, load_dtz: bool = True
    ) -> int:
        """Adds the tables of a folder, and returns how many there are."""
        folder = os.path.abspath(directory)
        added = sum(
            self._add(os.path.join(folder, name), load_wdl, load_dtz)
            for name in sorted(os.listdir(folder))
        )
        self._folders.append(folder)
        return added

    def add_file(self, path: str, *, load_wdl: bool = True, load_dtz: bool = True) -> int:
        """Adds one table, and returns 1. Returns 0 if the file is not a table or its kind is not to be loaded."""
        added = self._add(os.path.abspath(path), load_wdl, load_dtz)
        if added:
            self._files.append(os.path.abspath(path))
        return int(added)

    def _board(self, board: Board) -> Tuple[Tables, skewer.Board]:
        """The tables, and the board as a position for them.

        Raises MissingTableError if no table of outcomes was added.
        """
        if board.castling_rights:
            raise KeyError(f"tables do not cover positions with castling rights: {board.fen()}")
        if board.uci_variant != self.variant.uci_variant:
            raise KeyError(f"tables of another kind of chess: {board.uci_variant}")
        if not self.wdl:
            raise MissingTableError(f"no table for {calc_key(board)}")
        if self._tables is None:
            self._tables = Tables(self._folders, self._files)
        return self._tables, board.to_skewer()

    def _probe(self, method: str, board: Board) -> int:
        if board.kings == board.occupied and not board.castling_rights:
            return 0
        tables, position = self._board(board)
        if "dtz" in method and not self.dtz:
            raise MissingTableError(f"no table of distances for {calc_key(board)}")
        try:
            result: int = getattr(tables, method)(position)
        except KeyError as error:
            raise MissingTableError(*error.args) from None
        return result

    def probe_wdl_table(self, board: Board) -> int:
        """The stored outcome of a position, without a search of captures."""
        return self._probe("stored_wdl", board)

    def probe_dtz_table(self, board: Board, wdl: int) -> Tuple[int, int]:
        """The stored distance of a position with this outcome, and 1; (0, -1) if the table has only the other side."""
        tables, position = self._board(board)
        try:
            stored = tables.stored_dtz(position, wdl)
        except KeyError as error:
            raise MissingTableError(*error.args) from None
        return (0, -1) if stored is None else (stored, 1)

    def probe_wdl(self, board: Board) -> int:
        """The outcome for the side to move: 2 won, 1 won but for the fifty-move rule, 0 drawn, -1
        lost but for the fifty-move rule, -2 lost. Raises MissingTableError."""
        return self._probe("probe_wdl", board)

    def get_wdl(self, board: Board, default: Optional[int] = None) -> Optional[int]:
        """As :meth:`probe_wdl`, with a default for positions without a table."""
        return _or_default(self.probe_wdl, board, default)

    def probe_dtz_no_ep(self, board: Board) -> int:
        """As :meth:`probe_dtz`, without captures en passant."""
        without = board.copy(stack=False)
        without.ep_square = None
        return self.probe_dtz(without)

    def probe_dtz(self, board: Board) -> int:
        """The plies to the next capture or pawn move with best play, positive if the side to move wins
        and negative if it loses. It may be one ply too few. Raises MissingTableError."""
        return self._probe("probe_dtz", board)

    def get_dtz(self, board: Board, default: Optional[int] = None) -> Optional[int]:
        """As :meth:`probe_dtz`, with a default for positions without a table."""
        return _or_default(self.probe_dtz, board, default)

    def close(self) -> None:
        """Closes all tables."""
        self.wdl.clear()
        self.dtz.clear()
        self._folders.clear()
        self._files.clear()
        self._tables = None

    def __enter__(self) -> "Tablebase":
        return self

    def __exit__(
        self,
        exc_type: Optional[Type[BaseException]],
        exc_value: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()


def _or_default(
    probe: Callable[[Board], int], board: Board, default: Optional[int]
) -> Optional[int]:
    try:
        return probe(board)
    except KeyError:
        return default


def open_tablebase(
    directory: str,
    *,
    load_wdl: bool = True,
    load_dtz: bool = True,
    max_fds: Optional[int] = 128,
    VariantBoard: Type[Board] = Board,
) -> Tablebase:
    """Opens the tables of a folder. A position also needs the tables of all positions that captures and promotions lead
    to."""
    opened = Tablebase(VariantBoard=VariantBoard, max_fds=max_fds)
    opened.add_directory(directory, load_dtz=load_dtz, load_wdl=load_wdl)
    return opened
