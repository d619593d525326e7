"""Pieces as text: the first field of a FEN, and the start positions of Chess960."""

from __future__ import annotations

from typing import List, Optional

from skewer.chess._squares import BLACK, PIECE_SYMBOLS, WHITE, Color, PieceType, Square

_PLACEMENTS = {symbol: (kind, color) for kind, letter in enumerate(PIECE_SYMBOLS) if letter
               for symbol, color in ((letter, BLACK), (letter.upper(), WHITE))}


def parse_placement(fen: str) -> "List[tuple[Square, PieceType, Color, bool]]":
    """The pieces of the first field of a FEN, with whether each is marked as promoted."""

    def wrong(reason: str) -> ValueError:
        return ValueError(f"{reason} in the board of a fen: {fen!r}")

    text = fen.strip()
    if " " in text:
        raise wrong("more than one field")
    rows = text.split("/")
    if len(rows) != 8:
        raise wrong(f"{len(rows)} rows instead of 8")
    pieces: "List[tuple[Square, PieceType, Color, bool]]" = []
    for rank, row in zip(reversed(range(8)), rows):
        file, before = 0, ""
        for letter in row:
            if letter in "12345678":
                if before.isdigit():
                    raise wrong("two digits in a row")
                file += int(letter)
            elif letter == "~":
                if before not in _PLACEMENTS:
                    raise wrong("a tilde without a piece")
                pieces[-1] = (*pieces[-1][:3], True)
            elif letter in _PLACEMENTS:
                pieces.append((8 * rank + min(file, 7), *_PLACEMENTS[letter], False))
                file += 1
            else:
                raise wrong(f"unknown character {letter!r}")
            before = letter
        if file != 8:
            raise wrong("a row that is not 8 squares wide")
    return pieces


# Reinhard Scharnagl's numbers of the start positions: the two knights among the five squares that
# bishops and queen leave.
_KNIGHTS = [(a, b) for a in range(4) for b in range(a + 1, 5)]


def chess960_rank(number: int) -> str:
    """The pieces of the first rank of a start position."""
    rest, light = divmod(number, 4)
    rest, dark = divmod(rest, 4)
    knights, queen = divmod(rest, 6)
    rank = [""] * 8
    rank[2 * light + 1] = rank[2 * dark] = "B"

    def place(index: int, letter: str) -> None:
        free = [file for file in range(8) if not rank[file]]
        rank[free[index]] = letter

    place(queen, "Q")
    first, second = _KNIGHTS[knights]
    place(second, "N")
    place(first, "N")
    for letter in "RKR":
        place(0, letter)
    return "".join(rank)


_NUMBERS = {chess960_rank(number): number for number in range(960)}


def chess960_number(rank: str) -> Optional[int]:
    """The number of the start position with these pieces, or None."""
    return _NUMBERS.get(rank)
