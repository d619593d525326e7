"""PGN files: the same functions as in :mod:`skewer`, by themselves."""

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
