"""Positions in bulk: columns of NumPy arrays, one row for each position."""

from dataclasses import dataclass, fields
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np

from skewer import _skewer
from skewer._skewer import Board, Move


# Type checkers see the type of an array in columns that are None, so that typed scripts need not check each use.
_NONE: Any = None


@dataclass
class Positions:
    """Positions as columns of NumPy arrays. ``len(positions)`` is the number of rows; slices and
    masks select rows, as in NumPy.

    The columns of moves, results, evaluations, games and plies are None unless the positions were read from games.
    """

    #: uint64 (n, 12): the squares of White's pawns, knights, bishops, rooks, queens and king, then
    #: Black's; bit 0 is a1.
    bitboards: np.ndarray
    #: bool: whether White is to move.
    turn: np.ndarray
    #: uint8: castling rights, 1 for K, 2 for Q, 4 for k, 8 for q.
    castling: np.ndarray
    #: int8: the square of a legal en passant capture, or -1.
    ep_square: np.ndarray
    #: uint8: plies since the last capture or pawn move.
    halfmove_clock: np.ndarray
    #: uint16: the number of the move.
    fullmove_number: np.ndarray
    #: uint16: the move that was played, as from + 64 * to + 4096 * promotion; 0 is a null move.
    moves: np.ndarray = _NONE
    #: int8: the game's result for White: 1, 0 or -1, and NO_RESULT (-128) where there is none.
    results: np.ndarray = _NONE
    #: float32: the evaluation in the game's comments, in centipawns from White's side; a mate in n
    #: is 100,000 - n; NaN where there is none.
    evals: np.ndarray = _NONE
    #: uint32: the number of the game in its file, from 0.
    games: np.ndarray = _NONE
    #: uint16: the number of moves before the position.
    plies: np.ndarray = _NONE
    #: float32: the mover's clock after the move, in seconds; NaN where there is none.
    clocks: np.ndarray = _NONE
    #: Texts: the values of the tags that were asked for, by name; empty where a game has none.
    tags: Optional[Dict[str, np.ndarray]] = None

    def __len__(self) -> int:
        return len(self.turn)

    def __getitem__(self, rows: Any) -> "Positions":
        if isinstance(rows, (int, np.integer)):
            rows = range(len(self))[rows]
            rows = slice(rows, rows + 1)
        columns = {field.name: getattr(self, field.name) for field in fields(self)}
        tags = columns.pop("tags")
        chosen = {name: None if c is None else c[rows] for name, c in columns.items()}
        if tags is not None:
            tags = {name: values[rows] for name, values in tags.items()}
        return Positions(**chosen, tags=tags)

    def planes(self, *, perspective: str = "white", dtype: Any = np.uint8) -> np.ndarray:
        """One-hot planes of shape (n, 12, 8, 8): pieces as in ``bitboards``, then rank and file.

        With ``perspective="mover"``, positions with Black to move are turned upside down and the
        colours exchanged, so that planes 0 to 5 belong to the side to move.
        """
        if perspective not in ("white", "mover"):
            raise ValueError(f'perspective is "white" or "mover", not {perspective!r}')
        turn = self.turn if perspective == "mover" else None
        planes = _skewer.planes(self.bitboards, turn)
        return planes.astype(dtype, copy=False)

    def fen(self, row: int) -> str:
        """The FEN of a row."""
        row = range(len(self))[row]
        return _skewer.row_fen(
            self.bitboards[row].tolist(),
            bool(self.turn[row]),
            int(self.castling[row]),
            int(self.ep_square[row]),
            int(self.halfmove_clock[row]),
            int(self.fullmove_number[row]),
        )

    def board(self, row: int) -> Board:
        """The board of a row."""
        fen = self.fen(row)
        return Board(fen, chess960=Board(fen, chess960=True).has_chess960_castling_rights())

    def to_arrow(self, *, fen: bool = False) -> Any:
        """The columns as a pyarrow Table; tags are columns by their own names. Needs pyarrow.

        With ``fen``, a column of FEN texts is in the place of ``bitboards``, ``turn``, ``castling``,
        ``ep_square``, ``halfmove_clock`` and ``fullmove_number``.
        """
        import pyarrow as pa

        columns: Dict[str, Any] = {}
        if fen:
            columns["fen"] = pa.array([self.fen(row) for row in range(len(self))], pa.string())
        else:
            columns["bitboards"] = pa.FixedSizeListArray.from_arrays(self.bitboards.ravel(), 12)
        for field in fields(self):
            values = getattr(self, field.name)
            of_fen = field.name in _FEN_COLUMNS
            if values is not None and field.name not in ("bitboards", "tags") and not (fen and of_fen):
                columns[field.name] = pa.array(values)
        for name, texts in (self.tags or {}).items():
            columns[name] = pa.array(texts, pa.string()).dictionary_encode()
        return pa.table(columns)


_FEN_COLUMNS = ("turn", "castling", "ep_square", "halfmove_clock", "fullmove_number")


def read_positions(file: Any, **wanted: Any) -> Positions:
    """All positions of the games of a PGN file from which a move was played, as columns.

    ``file`` is a path or a file object; compressed files are recognized. Of a game with an
    illegal move, the positions before it are read. For the other arguments, and for files larger than
    memory, see :func:`iter_positions`.
    """
    for positions in iter_positions(file, 2**62, **wanted):
        return positions
    return _with_game_columns(to_arrays([]), wanted)


def iter_positions(
    file: Any,
    batch_size: int = 65_536,
    *,
    threads: Optional[int] = None,
    elo: Optional[Tuple[int, int]] = None,
    time_controls: Optional[Sequence[str]] = None,
    results: Optional[Sequence[str]] = None,
    plies: Optional[range] = None,
    clocks: bool = False,
    tags: Sequence[str] = (),
) -> Iterator[Positions]:
    """The positions of a PGN file in batches of ``batch_size`` or a few more: games are not cut.

    Parsed by ``threads`` threads, by default one on each core; positions come in the order of the file.
    Only games are read in which both ratings are within ``elo``, the time control is one of
    ``time_controls`` ("ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"; by base
    time and 40 increments), and the result is one of ``results`` ("1-0", "0-1", "1/2-1/2", "*"). The tag
    TimeControl is in seconds, unless the first clocks show minutes; a game whose clocks agree with neither
    has no time control. ``plies`` chooses positions by the number of moves before them. ``clocks`` and
    ``tags`` add columns.
    """
    if time_controls is not None and not set(time_controls) <= set(_TIME_CONTROLS):
        raise ValueError(f"time controls are {_TIME_CONTROLS}, not {list(time_controls)}")
    if results is not None and not set(results) <= set(_RESULTS):
        raise ValueError(f"results are {_RESULTS}, not {list(results)}")
    if plies is not None and plies.step != 1:
        raise ValueError(f"a range of plies has the step 1, not {plies.step}")
    reader = _skewer.position_columns(
        file,
        batch_size,
        threads,
        elo,
        None if time_controls is None else list(time_controls),
        None if results is None else list(results),
        (0, 2**62) if plies is None else (plies.start, max(plies.start, plies.stop)),
        clocks,
        list(tags),
    )
    for columns in reader:
        if "tags" in columns:
            texts, rows = columns["tags"]
            columns["tags"] = {
                name: np.repeat(np.array(texts[index :: len(tags)], object), rows)
                for index, name in enumerate(tags)
            }
        yield Positions(**columns)


_TIME_CONTROLS = ("ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence")
_RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


def write_parquet(file: Any, path: Any, *, fen: bool = False, **wanted: Any) -> int:
    """Writes the positions of a PGN file to a Parquet file, and returns their number. Needs pyarrow.

    Only one batch is in memory at a time. The columns are the columns of
    :meth:`Positions.to_arrow`. For the other arguments see :func:`iter_positions`.
    """
    import pyarrow.parquet as pq

    rows, writer = 0, None
    try:
        for positions in iter_positions(file, **wanted):
            table = positions.to_arrow(fen=fen)
            writer = writer or pq.ParquetWriter(path, table.schema)
            writer.write_table(table)
            rows += len(positions)
        if writer is None:
            empty = _with_game_columns(to_arrays([]), wanted)
            pq.write_table(empty.to_arrow(fen=fen), path)
    finally:
        if writer is not None:
            writer.close()
    return rows


def to_arrays(boards: Iterable[Union[Board, str]]) -> Positions:
    """Boards or FEN texts as columns."""
    return Positions(**_skewer.board_columns(boards))


def _with_game_columns(positions: Positions, wanted: Dict[str, Any]) -> Positions:
    types = dict(moves="u2", results="i1", evals="f4", games="u4", plies="u2", clocks="f4")
    for name, dtype in types.items():
        if name != "clocks" or wanted.get("clocks"):
            setattr(positions, name, np.zeros(len(positions), dtype))
    positions.tags = {name: np.array([], object) for name in wanted.get("tags", ())} or None
    return positions


def decode_moves(moves: Any) -> List[Move]:
    """The Move objects of an array of integer forms."""
    return _skewer.decode_moves(np.ascontiguousarray(moves, dtype=np.uint16))
