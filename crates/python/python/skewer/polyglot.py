"""Keys of Polyglot opening books."""

from skewer._skewer import Board


def zobrist_hash(board: Board) -> int:
    """The key of a position in Polyglot opening books."""
    return board.polyglot_key()
