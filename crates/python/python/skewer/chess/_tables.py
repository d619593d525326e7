"""Tables of attacks under the names of python-chess.

They are made when the package is imported, in milliseconds. To make them at their first use, the module would need a
function `__getattr__`, with which Python reads every name of the module more slowly.
"""

from __future__ import annotations

from typing import Dict, Iterable, Iterator, List, Tuple

from skewer.chess._squares import (
    BB_FILES,
    BB_RANKS,
    BB_SQUARES,
    BISHOP_LINES,
    KING_STEPS,
    KNIGHT_STEPS,
    PAWN_ATTACKS,
    ROOK_LINES,
    SQUARES,
    Bitboard,
    Square,
    ray,
    slider_attacks,
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
    return [[ray(a, b) for b in SQUARES] for a in SQUARES]


def _lines(kind: bool, lines: List[Bitboard]) -> Tuple[List[Bitboard], List[Dict[Bitboard, Bitboard]]]:
    """The result of :func:`_attack_table` for sliders on one line of each square; Rust computes the attacks."""
    masks = [line & ~_edges(square) for square, line in zip(SQUARES, lines)]
    attacks = [
        {subset: slider_attacks(kind, square, subset) & line for subset in _carry_rippler(mask)}
        for square, (line, mask) in enumerate(zip(lines, masks))
    ]
    return masks, attacks


BB_KING_ATTACKS = KING_STEPS
BB_KNIGHT_ATTACKS = KNIGHT_STEPS
BB_PAWN_ATTACKS = PAWN_ATTACKS
BB_DIAG_MASKS, BB_DIAG_ATTACKS = _lines(BISHOP_LINES, [slider_attacks(BISHOP_LINES, square, 0) for square in SQUARES])
BB_FILE_MASKS, BB_FILE_ATTACKS = _lines(ROOK_LINES, [BB_FILES[square_file(s)] & ~BB_SQUARES[s] for s in SQUARES])
BB_RANK_MASKS, BB_RANK_ATTACKS = _lines(ROOK_LINES, [BB_RANKS[square_rank(s)] & ~BB_SQUARES[s] for s in SQUARES])
BB_RAYS = _rays()
