"""Boards and pieces as pictures in SVG.

The pieces are Skewer's own drawings.
"""

from __future__ import annotations

import functools
import math
from typing import Dict, Iterable, List, Optional, Tuple, Union
from xml.sax.saxutils import escape, quoteattr

import skewer.chess as chess  # noqa: F401  # Programs read `chess.svg.chess`.
import skewer
from skewer.chess._base import BaseBoard
from skewer.chess._squares import (
    BB_LIGHT_SQUARES,
    COLOR_NAMES,
    COLORS,
    FILE_NAMES,
    PIECE_NAMES,
    PIECE_TYPES,
    RANK_NAMES,
    SQUARE_NAMES,
    SQUARES,
    WHITE,
    Color,
    IntoSquareSet,
    Move,
    Piece,
    Square,
    mask_of,
    parse_square,
    scan_forward,
    square_file,
    square_rank,
)

SQUARE_SIZE = 45
MARGIN = 15

DEFAULT_COLORS = {
    "square light": "#f0d9b5",
    "square dark": "#b58863",
    "square light lastmove": "#cdd26a",
    "square dark lastmove": "#aaa23b",
    "margin": "#312e2b",
    "inner border": "#111111",
    "outer border": "#111111",
    "coord": "#e8e6e3",
    "arrow green": "#15781bb0",
    "arrow red": "#882020b0",
    "arrow yellow": "#e68f00b0",
    "arrow blue": "#003088b0",
}

_LETTERS = {"G": "green", "R": "red", "Y": "yellow", "B": "blue"}


class Arrow:
    """An arrow between two squares, or a circle on one."""

    tail: Square
    head: Square
    color: str

    def __init__(self, tail: Square, head: Square, *, color: str = "green") -> None:
        self.tail = tail
        self.head = head
        self.color = color

    def pgn(self) -> str:
        """The arrow as comments of PGN files have it, such as ``Ga1`` or ``Ya2h2``."""
        letters = {color: letter for letter, color in _LETTERS.items()}
        head = "" if self.tail == self.head else SQUARE_NAMES[self.head]
        return letters.get(self.color, "G") + SQUARE_NAMES[self.tail] + head

    @classmethod
    def from_pgn(cls, pgn: str) -> "Arrow":
        """Reads the form that :meth:`pgn` writes; the colour may be missing. Raises ValueError."""
        color, squares = (_LETTERS[pgn[0]], pgn[1:]) if pgn[:1] in _LETTERS else ("green", pgn)
        if len(squares) not in (2, 4):
            raise ValueError(f"not an arrow of pgn: {pgn!r}")
        return cls(parse_square(squares[:2]), parse_square(squares[-2:]), color=color)

    def __str__(self) -> str:
        return self.pgn()

    def __repr__(self) -> str:
        tail, head = SQUARE_NAMES[self.tail].upper(), SQUARE_NAMES[self.head].upper()
        return f"Arrow({tail}, {head}, color={self.color!r})"


class SvgWrapper(str):
    """A picture, which notebooks show."""

    def _repr_svg_(self) -> "SvgWrapper":
        return self

    _repr_html_ = _repr_svg_


@functools.lru_cache(maxsize=None)
def _drawing(kind: int, color: Color) -> str:
    """The drawing of a piece, under a name that a board can use many times."""
    picture = skewer.svg.piece(Piece(kind, color))
    inner = picture[picture.index(">") + 1 : picture.rindex("</svg>")]
    side, name = COLOR_NAMES[color], PIECE_NAMES[kind]
    return f'<g id="{side}-{name}" class="{side} {name}">{inner}</g>'


#: The drawings of pieces by their letters: groups that a picture can name.
PIECES = {
    Piece(kind, color).symbol(): _drawing(kind, color) for color in COLORS for kind in PIECE_TYPES
}


def _element(name: str, **attributes: Union[str, int, float, None]) -> str:
    """An empty element. In names of attributes, underscores become hyphens; one at the end is left out."""
    texts = []
    for key, value in attributes.items():
        if value is not None:
            text = f"{value:g}" if isinstance(value, float) else str(value)
            texts.append(f" {key.rstrip('_').replace('_', '-')}={quoteattr(text)}")
    return f"<{name}{''.join(texts)} />"


def _opening(side: float, size: Optional[int]) -> str:
    root = _element(
        "svg",
        xmlns="http://www.w3.org/2000/svg",
        version="1.1",
        viewBox=f"0 0 {side:g} {side:g}",
        width=size,
        height=size,
    )
    return root[: -len(" />")] + ">"


def _paint(color: str) -> Tuple[str, Optional[float]]:
    """A colour, and its opacity if it has one."""
    if color.startswith("#") and len(color) in (5, 9):
        digits = 1 if len(color) == 5 else 2
        return color[:-digits], int(color[-digits:], 16) / (16**digits - 1)
    return color, None


def piece(piece: Piece, size: Optional[int] = None) -> str:
    """A picture of a piece."""
    drawing = _drawing(piece.piece_type, piece.color)
    return SvgWrapper(_opening(SQUARE_SIZE, size) + drawing + "</svg>")


class _Picture:
    """A picture of a board while it is drawn."""

    def __init__(self, colors: Dict[str, str], orientation: Color, frame: float) -> None:
        self.colors = {**DEFAULT_COLORS, **colors}
        self.orientation = orientation
        self.frame = frame
        self.parts: List[str] = []

    def corner(self, square: Square) -> Tuple[float, float]:
        """The upper left corner of a square."""
        file, rank = square_file(square), square_rank(square)
        x, y = (file, 7 - rank) if self.orientation else (7 - file, rank)
        return self.frame + x * SQUARE_SIZE, self.frame + y * SQUARE_SIZE

    def middle(self, square: Square) -> Tuple[float, float]:
        """The middle of a square."""
        x, y = self.corner(square)
        return x + SQUARE_SIZE / 2, y + SQUARE_SIZE / 2

    def rect(self, x: float, y: float, side: float, color: str, class_: Optional[str] = None) -> None:
        """A square of one colour."""
        fill, opacity = _paint(color)
        self.parts.append(
            _element(
                "rect", x=x, y=y, width=side, height=side, class_=class_, stroke="none",
                fill=fill, fill_opacity=opacity,
            )
        )  # fmt: skip

    def squares(self, lastmove: Optional[Move], fill: Dict[Square, str]) -> None:
        """The squares of the board."""
        last = set() if not lastmove else {lastmove.from_square, lastmove.to_square}
        for square in SQUARES:
            shade = "light" if BB_LIGHT_SQUARES >> square & 1 else "dark"
            mark = " lastmove" if square in last else ""
            name = SQUARE_NAMES[square]
            x, y = self.corner(square)
            color = self.colors[f"square {shade}{mark}"]
            self.rect(x, y, SQUARE_SIZE, color, f"square {shade}{mark} {name}")
            if square in fill:
                self.rect(x, y, SQUARE_SIZE, fill[square])

    def coordinates(self, width: float, edge: float) -> None:
        """The names of files and ranks in the margin, which begins at an edge."""
        color, opacity = _paint(self.colors["coord"])
        near, far = edge + width / 2, 2 * self.frame + 8 * SQUARE_SIZE - edge - width / 2
        for square in SQUARES[:8]:
            x = self.middle(square)[0]
            for y in (near, far):
                self.text(FILE_NAMES[square], x, y, color, opacity)
        for square in SQUARES[::8]:
            y = self.middle(square)[1]
            for x in (near, far):
                self.text(RANK_NAMES[square // 8], x, y, color, opacity)

    def text(self, text: str, x: float, y: float, color: str, opacity: Optional[float]) -> None:
        """A letter around a point."""
        start = _element(
            "text", x=x, y=y + 4, class_="coord", fill=color, fill_opacity=opacity,
            font_family="sans-serif", font_size=12, text_anchor="middle",
        )  # fmt: skip
        self.parts.append(f"{start[: -len(' />')]}>{text}</text>")

    def check(self, square: Square) -> None:
        """The red glow behind a king in check."""
        x, y = self.middle(square)
        self.parts.append(
            '<radialGradient id="check_gradient"><stop offset="0.2" stop-color="#f00" />'
            '<stop offset="1" stop-color="#f00" stop-opacity="0" /></radialGradient>'
        )
        fill = "url(#check_gradient)"
        self.parts.append(_element("circle", cx=x, cy=y, r=SQUARE_SIZE / 2, class_="check", fill=fill))

    def cross(self, square: Square) -> None:
        """The mark of a selected square."""
        x, y = self.middle(square)
        path = f"M{x - 12:g} {y - 12:g}l24 24m0-24l-24 24"
        self.parts.append(_element("path", class_="mark", d=path, stroke="#000", stroke_width=4))

    def arrow(self, arrow: Union[Arrow, Tuple[Square, Square]]) -> None:
        """An arrow, or a circle if it goes nowhere."""
        if isinstance(arrow, Arrow):
            tail, head, color = arrow.tail, arrow.head, arrow.color
        else:
            (tail, head), color = arrow, "green"
        stroke, opacity = _paint(self.colors.get(f"arrow {color}", color))
        (x1, y1), (x2, y2) = self.middle(tail), self.middle(head)
        if tail == head:
            self.parts.append(
                _element(
                    "circle", cx=x1, cy=y1, r=SQUARE_SIZE / 2 - 2.5, class_="circle", fill="none",
                    stroke=stroke, stroke_width=4, opacity=opacity,
                )
            )  # fmt: skip
            return
        length = math.hypot(x2 - x1, y2 - y1)
        dx, dy = (x2 - x1) / length, (y2 - y1) / length
        neck = (x2 - 22 * dx, y2 - 22 * dy)
        points = [
            (x2 - 2 * dx, y2 - 2 * dy),
            (neck[0] - 12 * dy, neck[1] + 12 * dx),
            (neck[0] + 12 * dy, neck[1] - 12 * dx),
        ]
        self.parts.append(
            _element(
                "line", x1=x1, y1=y1, x2=neck[0], y2=neck[1], class_="arrow", stroke=stroke,
                stroke_width=9, stroke_linecap="butt", opacity=opacity,
            )
        )  # fmt: skip
        corners = " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
        self.parts.append(
            _element("polygon", points=corners, class_="arrow", fill=stroke, opacity=opacity)
        )


def board(
    board: Optional[BaseBoard] = None,
    *,
    orientation: Color = WHITE,
    lastmove: Optional[Move] = None,
    check: Optional[Square] = None,
    arrows: Iterable[Union[Arrow, Tuple[Square, Square]]] = [],
    fill: Dict[Square, str] = {},
    squares: Optional[IntoSquareSet] = None,
    size: Optional[int] = None,
    coordinates: bool = True,
    colors: Dict[str, str] = {},
    flipped: bool = False,
    borders: bool = False,
    style: Optional[str] = None,
) -> str:
    """A picture of a board.

    :param board: The pieces, or None for an empty board.
    :param orientation: The side that is below.
    :param lastmove: A move whose squares are highlighted.
    :param check: A square that is marked as in check.
    :param arrows: :class:`Arrow` objects or pairs of squares.
    :param fill: Colours by square, drawn over the square.
    :param squares: Squares that are marked by a cross.
    :param size: Width and height in pixels; None fits the place where the picture is.
    :param coordinates: Whether files and ranks are named around the board.
    :param colors: Other colours than :data:`DEFAULT_COLORS`, under the same names.
    :param flipped: Turns the orientation round.
    :param borders: Whether there is a line around the board and around the margin.
    :param style: A style sheet for the classes of the elements.
    """
    margin = MARGIN if coordinates else 0
    inner = 1 if borders else 0
    outer = 1 if borders and coordinates else 0
    frame = margin + inner + outer
    side = 8 * SQUARE_SIZE + 2 * frame
    picture = _Picture(colors, orientation ^ flipped, frame)
    if style:
        picture.parts.append(f"<style>{escape(style)}</style>")
    if board is not None:
        kinds = [(kind, color) for color in COLORS for kind in PIECE_TYPES]
        used = [_drawing(*kind) for kind in kinds if board.pieces_mask(*kind)]
        picture.parts.append(f"<defs>{''.join(used)}</defs>")
    if outer:
        picture.rect(0, 0, side, picture.colors["outer border"])
    if margin:
        picture.rect(outer, outer, side - 2 * outer, picture.colors["margin"])
    if inner:
        start = outer + margin
        picture.rect(start, start, side - 2 * start, picture.colors["inner border"])
    if coordinates:
        picture.coordinates(margin, outer)
    picture.squares(lastmove, fill)
    if check is not None:
        picture.check(check)
    if board is not None:
        for square, found in board.piece_map().items():
            x, y = picture.corner(square)
            name = f"{COLOR_NAMES[found.color]}-{PIECE_NAMES[found.piece_type]}"
            place = f"translate({x:g}, {y:g})"
            picture.parts.append(_element("use", href=f"#{name}", transform=place))
    if squares is not None:
        for square in scan_forward(mask_of(squares)):
            picture.cross(square)
    for arrow in arrows:
        picture.arrow(arrow)
    return SvgWrapper(_opening(side, size) + "".join(picture.parts) + "</svg>")
