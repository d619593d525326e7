"""Boards and pieces as pictures in SVG."""

from skewer._skewer import svg as _svg

board = _svg.board
piece = _svg.piece

__all__ = ["board", "piece"]
