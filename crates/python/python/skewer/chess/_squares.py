"""Constants and functions for squares and masks of squares."""

from __future__ import annotations

import re
from functools import wraps as _wraps
from operator import index as _index
from typing import Callable, Dict, Iterable, Iterator, List, SupportsInt, Tuple, Union

from skewer._skewer import SquareSet as SquareSet, loose as _loose
from skewer._squares import *  # noqa: F403
from skewer._squares import (
    BB_ALL,
    BB_FILES,
    BB_SQUARES,
    PIECE_NAMES,
    PIECE_SYMBOLS,
    SQUARE_NAMES,
    SQUARES,
    popcount,
    square_file,
    square_rank,
)

Move = _loose.Move
Piece = _loose.Piece

Color = bool
PieceType = int
Square = int
Bitboard = int
IntoSquareSet = Union[SupportsInt, Iterable[Square]]

SAN_REGEX = re.compile(r"^([NBKRQ])?([a-h])?([1-8])?[\-x]?([a-h][1-8])(=?[nbrqkNBRQK])?[\+#]?\Z")
FEN_CASTLING_REGEX = re.compile(r"^(?:-|[KQABCDEFGH]{0,2}[kqabcdefgh]{0,2})\Z")

# The lines of :func:`slider_attacks`: files and ranks, and the diagonals.
ROOK_LINES = True
BISHOP_LINES = False

slider_attacks, ray, between = _loose.slider_attacks, _loose.ray, _loose.between
scan_forward: Callable[[Bitboard], Iterator[Square]] = _loose.scan_forward  # type: ignore[no-redef]
scan_reversed: Callable[[Bitboard], Iterator[Square]] = _loose.scan_reversed

_NOT_FILE_A = BB_ALL & ~BB_FILES[0]
_NOT_FILE_H = BB_ALL & ~BB_FILES[7]
_NOT_FILES_AB = _NOT_FILE_A & ~BB_FILES[1]
_NOT_FILES_GH = _NOT_FILE_H & ~BB_FILES[6]


def square(file_index: int, rank_index: int) -> Square:  # type: ignore[no-redef]
    """The square of a file and a rank. As in python-chess, they are not checked."""
    return rank_index * 8 + file_index


def square_name(square: Square) -> str:  # type: ignore[no-redef]
    """The name of a square. Raises IndexError."""
    return SQUARE_NAMES[square]


def piece_symbol(piece_type: PieceType) -> str:  # type: ignore[no-redef]
    """The lower-case letter of a type of piece. Raises IndexError."""
    return PIECE_SYMBOLS[piece_type]  # type: ignore[return-value]


def piece_name(piece_type: PieceType) -> str:  # type: ignore[no-redef]
    """The English name of a type of piece. Raises IndexError."""
    return PIECE_NAMES[piece_type]  # type: ignore[return-value]


# `int.bit_count` is faster, where Python has it. Counting the squares of masks makes up much of an evaluation.
popcount: Callable[[Bitboard], int] = getattr(int, "bit_count", popcount)  # type: ignore[no-redef]


def mask_of(squares: IntoSquareSet) -> Bitboard:
    """The mask of a set of squares, of an integer, or of squares one by one."""
    if isinstance(squares, int):
        return squares & BB_ALL
    return int(SquareSet(squares))  # type: ignore[arg-type]


def square_knight_distance(a: Square, b: Square) -> int:
    """The number of moves that a knight needs from a to b."""
    reached, moves = BB_SQUARES[a], 0
    while not reached & BB_SQUARES[b]:
        for square in list(scan_forward(reached)):
            reached |= KNIGHT_STEPS[square]
        moves += 1
    return moves


def shift_up(b: Bitboard) -> Bitboard:
    """The mask moved by a rank towards the eighth."""
    return b << 8 & BB_ALL


def shift_2_up(b: Bitboard) -> Bitboard:
    """The mask moved by two ranks towards the eighth."""
    return b << 16 & BB_ALL


def shift_down(b: Bitboard) -> Bitboard:
    """The mask moved by a rank towards the first."""
    return b >> 8


def shift_2_down(b: Bitboard) -> Bitboard:
    """The mask moved by two ranks towards the first."""
    return b >> 16


def shift_right(b: Bitboard) -> Bitboard:
    """The mask moved by a file towards the h file."""
    return (b & _NOT_FILE_H) << 1


def shift_2_right(b: Bitboard) -> Bitboard:
    """The mask moved by two files towards the h file."""
    return (b & _NOT_FILES_GH) << 2


def shift_left(b: Bitboard) -> Bitboard:
    """The mask moved by a file towards the a file."""
    return (b & _NOT_FILE_A) >> 1


def shift_2_left(b: Bitboard) -> Bitboard:
    """The mask moved by two files towards the a file."""
    return (b & _NOT_FILES_AB) >> 2


def shift_up_left(b: Bitboard) -> Bitboard:
    """The mask moved by a rank up and a file towards the a file."""
    return shift_up(shift_left(b))


def shift_up_right(b: Bitboard) -> Bitboard:
    """The mask moved by a rank up and a file towards the h file."""
    return shift_up(shift_right(b))


def shift_down_left(b: Bitboard) -> Bitboard:
    """The mask moved by a rank down and a file towards the a file."""
    return shift_down(shift_left(b))


def shift_down_right(b: Bitboard) -> Bitboard:
    """The mask moved by a rank down and a file towards the h file."""
    return shift_down(shift_right(b))


# For each byte, its bits in the reverse order, and its bits as the squares of the a file, from below and from above.
_REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))
_UP = [sum(1 << 8 * bit for bit in range(8) if byte >> bit & 1) for byte in range(256)]
_DOWN = [_UP[byte] for byte in _REVERSED]


def _shifted(files: List[Bitboard], ranks: bytes) -> Bitboard:
    """The ranks as files, each one file further to the right than the last."""
    a, b, c, d, e, f, g, h = ranks
    low = files[a] | files[b] << 1 | files[c] << 2 | files[d] << 3
    return low | files[e] << 4 | files[f] << 5 | files[g] << 6 | files[h] << 7


def _of_ints(flip: Callable[[Bitboard], Bitboard]) -> Callable[[Bitboard], Bitboard]:
    """Lets a function on masks take other integers and sets of squares. A set gives a set."""

    @_wraps(flip)
    def apply(bb: Bitboard) -> Bitboard:
        if type(bb) is int and 0 <= bb <= BB_ALL:
            return flip(bb)
        mask = flip(_index(bb) & BB_ALL)
        return SquareSet(mask) if isinstance(bb, SquareSet) else mask

    return apply


@_of_ints
def flip_vertical(bb: Bitboard) -> Bitboard:
    """The mask upside down."""
    return int.from_bytes(bb.to_bytes(8, "little"), "big")


@_of_ints
def flip_horizontal(bb: Bitboard) -> Bitboard:
    """The mask with left and right exchanged."""
    return int.from_bytes(bb.to_bytes(8, "little").translate(_REVERSED), "little")


@_of_ints
def flip_diagonal(bb: Bitboard) -> Bitboard:
    """The mask mirrored at the diagonal from a1 to h8."""
    return _shifted(_UP, bb.to_bytes(8, "little"))


@_of_ints
def flip_anti_diagonal(bb: Bitboard) -> Bitboard:
    """The mask mirrored at the diagonal from h1 to a8."""
    return _shifted(_DOWN, bb.to_bytes(8, "big"))


def _steps(offsets: Iterable[Tuple[int, int]]) -> List[Bitboard]:
    """For each square, the squares at these distances of file and rank that are on the board."""
    return [
        sum(
            1 << square + file + 8 * rank
            for file, rank in offsets
            if 0 <= square_file(square) + file <= 7 and 0 <= square_rank(square) + rank <= 7
        )
        for square in SQUARES
    ]


_AROUND = [(file, rank) for file in (-1, 0, 1) for rank in (-1, 0, 1) if file or rank]
_LEAPS = [(file, rank) for file in (-2, -1, 1, 2) for rank in (-2, -1, 1, 2) if abs(file * rank) == 2]
KING_STEPS = _steps(_AROUND)
KNIGHT_STEPS = _steps(_LEAPS)
# By colour: Black first.
PAWN_ATTACKS = [_steps([(-1, -1), (1, -1)]), _steps([(-1, 1), (1, 1)])]
