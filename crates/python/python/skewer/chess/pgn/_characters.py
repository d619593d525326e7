"""Characters outside ASCII among the moves, as those of ASCII that they stand for."""

from __future__ import annotations

from typing import Dict

_GROUPS = {
    "K": "\u2654\u265a\u039a",
    "Q": "\u2655\u265b",
    "R": "\u2656\u265c",
    "B": "\u2657\u265d\u0412",
    "N": "\u2658\u265e\u039d",
    "P": "\u2659\u265f",
    # Hyphens, dashes, signs of subtraction.
    "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u2796\ufe58\ufe63\uff0d",
    # Letters that look like an O.
    "O": "\u041e\u043e\u039f\u03bf\u0555\u0585",
    "a": "\u0430",
    "c": "\u0441",
    "e": "\u0435",
    "x": "\u00d7\u0445\u0425",
    "+": "\u2020\u2021",
    "...": "\u2026",
    "1/2": "\u00bd",
    "!": "\uff01",
    "?": "\uff1f",
    "!!": "\u203c",
    "??": "\u2047",
    "!?": "\u2049",
    "?!": "\u2048",
    # Glyphs by their numbers.
    " $7 ": "\u25a1",
    " $13 ": "\u221e",
    " $14 ": "\u2a72",
    " $15 ": "\u2a71",
    " $16 ": "\u00b1",
    " $17 ": "\u2213",
    " ": "\u0085\u00a0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B))),
    # Not shown.
    "": "\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2060\ufe0e\ufe0f\ufeff",
}
# The forms of ASCII characters in East Asian text.
_WIDE = {code: chr(code - 0xFEE0) for code in [*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B)]}
_PLAIN: Dict[int, str] = {**_WIDE, **{ord(c): text for text, group in _GROUPS.items() for c in group}}


def plain(text: str) -> str:
    """The text with figurines, dashes, letters that look the same, and blanks of any kind in ASCII.

    >>> plain("\u2658f3 \u041e\u2013\u041e")
    'Nf3 O-O'
    """
    return text.translate(_PLAIN)
