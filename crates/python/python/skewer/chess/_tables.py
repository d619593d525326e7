"""Tables of attacks under the names of python-chess, made when they are first looked at."""

from __future__ import annotations

import functools
from typing import Any, Dict, Iterable, Iterator, List, Tuple

from skewer._skewer import SquareSet
from skewer.chess._squares import (
    BB_FILES,
    BB_RANKS,
    KING_STEPS,
    KNIGHT_STEPS,
    PAWN_ATTACKS,
    SQUARES,
    Bitboard,
    Square,
    square_distance,
    square_file,
    square_rank,
)


def _sliding_attacks(square: Square, occupied: Bitboard, deltas: Iterable[int]) -> Bitboard:
    """The squares that a slider reaches by steps of these distances."""
    reached = 0
    for delta in deltas:
        here, following = square, square + delta
        while 0 <= following < 64 and square_distance(here, following) <= 2:
            reached |= 1 << following
            if occupied >> following & 1:
                break
            here, following = following, following + delta
    return reached


def _step_attacks(square: Square, deltas: Iterable[int]) -> Bitboard:
    """The squares that one step of these distances reaches."""
    return _sliding_attacks(square, -1, deltas)


def _edges(square: Square) -> Bitboard:
    """The edges of the board on which a square does not lie."""
    files = (BB_FILES[0] | BB_FILES[7]) & ~BB_FILES[square_file(square)]
    return files | (BB_RANKS[0] | BB_RANKS[7]) & ~BB_RANKS[square_rank(square)]


def _carry_rippler(mask: Bitboard) -> Iterator[Bitboard]:
    """Every subset of a mask, the empty one first."""
    subset = 0
    while True:
        yield subset
        subset = subset - mask & mask
        if not subset:
            return


def _attack_table(deltas: List[int]) -> Tuple[List[Bitboard], List[Dict[Bitboard, Bitboard]]]:
    """For each square, the squares that may block a slider, and the attacks by which of these are occupied."""
    masks = [_sliding_attacks(square, 0, deltas) & ~_edges(square) for square in SQUARES]
    attacks = [
        {subset: _sliding_attacks(square, subset, deltas) for subset in _carry_rippler(mask)}
        for square, mask in zip(SQUARES, masks)
    ]
    return masks, attacks


def _rays() -> List[List[Bitboard]]:
    """All squares of the line through two squares, for each pair."""
    return [[int(SquareSet.ray(a, b)) for b in SQUARES] for a in SQUARES]


@functools.lru_cache(maxsize=None)
def _table(line: str) -> Tuple[List[Bitboard], List[Dict[Bitboard, Bitboard]]]:
    return _attack_table({"DIAG": [-9, -7, 7, 9], "FILE": [-8, 8], "RANK": [-1, 1]}[line])


@functools.lru_cache(maxsize=None)
def _all_rays() -> List[List[Bitboard]]:
    return _rays()


BB_KING_ATTACKS = KING_STEPS
BB_KNIGHT_ATTACKS = KNIGHT_STEPS
BB_PAWN_ATTACKS = PAWN_ATTACKS
#: The names that :func:`lookup` knows.
LAZY = ["BB_RAYS"] + [
    f"BB_{line}_{what}" for line in ("DIAG", "FILE", "RANK") for what in ("MASKS", "ATTACKS")
]


def lookup(name: str) -> Any:
    """The table of a name."""
    if name == "BB_RAYS":
        return _all_rays()
    if name in LAZY:
        masks, attacks = _table(name[3:7])
        return masks if name.endswith("MASKS") else attacks
    raise AttributeError(f"module 'skewer.chess' has no attribute {name!r}")
