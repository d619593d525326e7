"""Games analysed as ``skewer-analyse`` does it: typed records and tables."""

import json
import os
from dataclasses import dataclass, field
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Union

from skewer._score import Cp, Mate, MateGiven, Score
from skewer._skewer import DEFAULT_HASH, RecordReader

#: One path or several.
Paths = Union[str, "os.PathLike[str]", Sequence[Union[str, "os.PathLike[str]"]]]


@dataclass
class Line:
    """A line that the engine found: its evaluation from White's side, and its moves in SAN."""

    cp: Optional[int] = None
    mate: Optional[int] = None
    moves: List[str] = field(default_factory=list)
    uci: List[str] = field(default_factory=list)

    def score(self, white_won: bool = True) -> Score:
        """The evaluation from White's side; with mate on the board (`mate` 0), White has won if `white_won`."""
        if self.mate is None:
            return Cp(self.cp or 0)
        return Mate(self.mate) if self.mate else (MateGiven if white_won else Mate(0))


@dataclass
class AnalysedMove:
    """A move of a game with its judgement. Evaluations are from White's side."""

    number: int
    color: str
    san: str
    #: UCI text; None for a null move.
    uci: Optional[str]
    #: Centipawns after the move, or None for a mate.
    cp: Optional[int]
    #: Moves to mate after the move; 0 is mate on the board.
    mate: Optional[int]
    #: White's expected wins, draws and losses in thousandths.
    wdl: List[int]
    #: White's win chances after the move, in per cent.
    win: float
    #: The accuracy of the move in per cent; None for a null move.
    accuracy: Optional[float]
    #: What the move lost, in centipawns; None for a null move.
    loss: Optional[int]
    #: "inaccuracy", "mistake", "blunder", or None.
    label: Optional[str]
    #: The best line in place of the move.
    best: Line
    #: Further lines, with multipv.
    others: List[Line]
    depth: int
    nodes: int
    #: The player's clock in seconds, if the game has it.
    clock: Optional[float]
    #: Everything in the record, by the names of docs/analysis.schema.json.
    data: Dict[str, Any] = field(repr=False, default_factory=dict)

    @classmethod
    def _from_json(cls, data: Dict[str, Any]) -> "AnalysedMove":
        return cls(
            number=data["number"],
            color=data["color"],
            san=data["san"],
            uci=data["uci"],
            cp=data["eval"].get("cp"),
            mate=data["eval"].get("mate"),
            wdl=data["wdl"],
            win=data["win"],
            accuracy=data["accuracy"],
            loss=data["loss"],
            label=data.get("label"),
            best=_line(data["best"]),
            others=[_line(line) for line in data.get("others", [])],
            depth=data["depth"],
            nodes=data["nodes"],
            clock=data.get("clock"),
            data=data,
        )


def _line(data: Dict[str, Any]) -> Line:
    return Line(data.get("cp"), data.get("mate"), data["moves"], data.get("uci", []))


@dataclass
class PlayerFigures:
    """A player's figures in one game."""

    #: In per cent; None without moves.
    accuracy: Optional[float]
    #: Centipawns lost a move.
    average_loss: Optional[float]
    inaccuracies: int
    mistakes: int
    blunders: int


@dataclass
class AnalysedGame:
    """A game with its judgement: what ``skewer-analyse games --jsonl`` writes."""

    #: Among the games of all files, from 1.
    number: int
    file: str
    #: The line of the file on which the game begins.
    line: int
    tags: Dict[str, str] = field(default_factory=dict)
    #: The FEN of the start position.
    start: str = ""
    result: str = "*"
    eco: Optional[str] = None
    opening: Optional[str] = None
    #: By colour: "white" and "black".
    players: Dict[str, PlayerFigures] = field(default_factory=dict)
    moves: List[AnalysedMove] = field(default_factory=list)
    #: Why the game could not be analysed, or None.
    error: Optional[str] = None
    #: Everything in the record, by the names of docs/analysis.schema.json.
    data: Dict[str, Any] = field(repr=False, default_factory=dict)

    @property
    def white(self) -> str:
        """The name of White."""
        return self.tags.get("White", "?")

    @property
    def black(self) -> str:
        """The name of Black."""
        return self.tags.get("Black", "?")

    @classmethod
    def _from_json(cls, text: str) -> "AnalysedGame":
        data = json.loads(text)
        opening = data.get("opening") or {}
        figures = PlayerFigures.__dataclass_fields__
        return cls(
            number=data["number"],
            file=data["file"],
            line=data["line"],
            tags=dict(data["tags"]),
            start=data["start"],
            result=data["result"],
            eco=opening.get("eco"),
            opening=opening.get("name"),
            players={
                color: PlayerFigures(**{name: player[name] for name in figures})
                for color, player in data["players"].items()
            },
            moves=[AnalysedMove._from_json(move) for move in data["moves"]],
            data=data,
        )


class AnalysedGames(Iterator[AnalysedGame]):
    """Analysed games in the order of the files. Each game comes as soon as it and all games before it are finished.

    Iterate it for :class:`AnalysedGame` records, or call :meth:`table` for all moves at once.
    """

    def __init__(self, records: Iterable[AnalysedGame], close: Any = None) -> None:
        self._records = iter(records)
        self._close = close

    def __next__(self) -> AnalysedGame:
        return next(self._records)

    def table(self) -> "Table":
        """The moves of the remaining games as a table, one row for each move."""
        return Table.of(self)

    def close(self) -> None:
        """Stops the analysis of the remaining games."""
        if self._close is not None:
            self._close()

    def __enter__(self) -> "AnalysedGames":
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()


#: The columns of a table: name and type.
COLUMNS = {
    "game": "int64",
    "white": "str",
    "black": "str",
    "result": "str",
    "eco": "str",
    "number": "int32",
    "color": "str",
    "move": "str",
    "uci": "str",
    "cp": "float64",
    "mate": "float64",
    "win": "float64",
    "accuracy": "float64",
    "loss": "float64",
    "label": "str",
    "best": "str",
    "depth": "int32",
    "nodes": "int64",
    "clock": "float64",
}


def rows(games: Iterable[AnalysedGame]) -> Iterator[Dict[str, Any]]:
    """A dictionary for each move, with the columns of :class:`Table`."""
    for game in games:
        for move in game.moves:
            yield {
                "game": game.number,
                "white": game.white,
                "black": game.black,
                "result": game.result,
                "eco": game.eco or "",
                "number": move.number,
                "color": move.color,
                "move": move.san,
                "uci": move.uci or "",
                "cp": float("nan") if move.cp is None else move.cp,
                "mate": float("nan") if move.mate is None else move.mate,
                "win": move.win,
                "accuracy": float("nan") if move.accuracy is None else move.accuracy,
                "loss": float("nan") if move.loss is None else move.loss,
                "label": move.label or "",
                "best": " ".join(move.best.moves),
                "depth": move.depth,
                "nodes": move.nodes,
                "clock": float("nan") if move.clock is None else move.clock,
            }


class Table(Dict[str, Any]):
    """Columns by name, one row for each analysed move: a dictionary of NumPy arrays.

    ``pandas.DataFrame(table)`` and ``polars.DataFrame(table)`` take it as it is;
    ``pyarrow.table(table)`` too, or any reader of the Arrow C stream interface once pyarrow is
    installed.
    """

    @classmethod
    def of(cls, games: Iterable[AnalysedGame]) -> "Table":
        """The table of some records."""
        import numpy as np

        columns: Dict[str, List[Any]] = {name: [] for name in COLUMNS}
        for row in rows(games):
            for name, value in row.items():
                columns[name].append(value)
        dtypes = {name: object if kind == "str" else kind for name, kind in COLUMNS.items()}
        return cls({name: np.array(values, dtypes[name]) for name, values in columns.items()})

    def to_pandas(self) -> Any:
        """The table as a pandas DataFrame. Needs pandas."""
        import pandas

        return pandas.DataFrame(self)

    def to_arrow(self) -> Any:
        """The table as a pyarrow Table. Needs pyarrow."""
        import pyarrow

        return pyarrow.table(dict(self))

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.to_arrow().__arrow_c_stream__(requested_schema)


def _paths(paths: Paths) -> List[str]:
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    return [os.fspath(path) for path in paths]


def analyse_games(
    paths: Paths,
    *,
    nodes: Optional[int] = None,
    depth: Optional[int] = None,
    time: Optional[float] = None,
    multipv: int = 1,
    hash: int = DEFAULT_HASH,
    threads: Optional[int] = None,
    evaluation: str = "default",
    syzygy: Optional[str] = None,
    start: int = 0,
    stop: Optional[int] = None,
) -> AnalysedGames:
    """Analyses every position of the games of PGN files, as ``skewer-analyse games`` does.

    Each game is analysed by one of ``threads`` threads (by default one for each core). The thread clears its hash
    table of ``hash`` MiB before each game, so that with a node limit the records do not depend on the number of
    threads. The limit is for each position: 100,000 ``nodes`` unless ``nodes``, ``depth`` in
    plies or ``time`` in seconds is given. ``start`` and ``stop`` choose games by their place among
    the games of all files, from 0, as in a slice.

    Games come in the order of the files. The record of a game that cannot be read has the reason in ``error``.
    """
    reader = RecordReader(
        _paths(paths),
        nodes=nodes,
        depth=depth,
        time=time,
        multipv=multipv,
        hash=hash,
        threads=threads,
        evaluation=evaluation,
        syzygy=syzygy,
        start=start,
        stop=stop,
    )
    return AnalysedGames(_records(reader), reader.close)


def _records(reader: RecordReader) -> Iterator[AnalysedGame]:
    for number, file, line, record, error in reader:
        if record is None:
            yield AnalysedGame(number, file, line, error=error)
        else:
            yield AnalysedGame._from_json(record)
