"""The functions and classes of :mod:`skewer` for PGN files."""

from skewer._skewer import Game, GameNode, GameReader, PgnError, count_games, parse_pgn, read_pgn

__all__ = [
    "Game",
    "GameNode",
    "GameReader",
    "PgnError",
    "count_games",
    "parse_pgn",
    "read_pgn",
]
