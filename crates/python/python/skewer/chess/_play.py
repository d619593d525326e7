"""The class written in Rust that has `push` and `pop`. Pickles of these methods find it by this name."""

from skewer._skewer import loose

Board = loose.Board
