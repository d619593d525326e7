"""Positions in bulk: columns of NumPy arrays, one row for each position."""

from dataclasses import dataclass, fields
from typing import Any, Iterable, Iterator, List, Optional, Union

import numpy as np

from skewer import _skewer
from skewer._skewer import Board, Move


@dataclass
class Positions:
    """Positions as columns of NumPy arrays. ``len(positions)`` is the number of rows; slices and
    masks select rows, as in NumPy.

    The columns of moves, results, evaluations, games and plies are there for positions that were
    read from games, and None otherwise.
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
    #: uint8: half-moves since the last capture or pawn move.
    halfmove_clock: np.ndarray
    #: uint16: the number of the move.
    fullmove_number: np.ndarray
    #: uint16: the move that was played, as from + 64 * to + 4096 * promotion; 0 is a null move.
    moves: Optional[np.ndarray] = None
    #: int8: the game's result for White: 1, 0 or -1, and NO_RESULT (-128) where there is none.
    results: Optional[np.ndarray] = None
    #: float32: the evaluation in the game's comments, in centipawns from White's side; a mate in n
    #: is 100,000 - n; NaN where there is none.
    evals: Optional[np.ndarray] = None
    #: uint32: the number of the game in its file, from 0.
    games: Optional[np.ndarray] = None
    #: uint16: the number of moves before the position.
    plies: Optional[np.ndarray] = None

    def __len__(self) -> int:
        return len(self.turn)

    def __getitem__(self, rows: Any) -> "Positions":
        if isinstance(rows, (int, np.integer)):
            rows = range(len(self))[rows]
            rows = slice(rows, rows + 1)
        columns = ((field.name, getattr(self, field.name)) for field in fields(self))
        return Positions(**{n: None if c is None else c[rows] for n, c in columns})

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
        return Board(self.fen(row))


def read_positions(file: Any) -> Positions:
    """All positions of the games of a PGN file from which a move was played, as columns.

    ``file`` is a path or a file object; compressed files are recognised. Of a game with an
    illegal move, the positions before it are read. For files larger than memory there is :func:`iter_positions`.
    """
    for columns in _skewer.position_columns(file, 2**62):
        return Positions(**columns)
    return _with_game_columns(to_arrays([]))


def iter_positions(file: Any, batch_size: int = 65_536) -> Iterator[Positions]:
    """The positions of a PGN file in batches of ``batch_size`` or a few more: games are not cut."""
    for columns in _skewer.position_columns(file, batch_size):
        yield Positions(**columns)


def to_arrays(boards: Iterable[Union[Board, str]]) -> Positions:
    """Boards or FEN texts as columns."""
    return Positions(**_skewer.board_columns(boards))


def _with_game_columns(positions: Positions) -> Positions:
    n = len(positions)
    positions.moves = np.zeros(n, np.uint16)
    positions.results = np.zeros(n, np.int8)
    positions.evals = np.zeros(n, np.float32)
    positions.games = np.zeros(n, np.uint32)
    positions.plies = np.zeros(n, np.uint16)
    return positions


def decode_moves(moves: Any) -> List[Move]:
    """The Move objects of an array of integer forms."""
    return _skewer.decode_moves(np.ascontiguousarray(moves, dtype=np.uint16))
