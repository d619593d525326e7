"""Polyglot opening books."""

from __future__ import annotations

import mmap
import os
import random as _random
import struct
from types import TracebackType
from typing import Container, Iterator, List, NamedTuple, Optional, Type, Union

import skewer.chess as chess  # noqa: F401  # Programs read `chess.polyglot.chess`.
from skewer._skewer import polyglot_numbers
from skewer.chess._base import BaseBoard
from skewer.chess._board import Board
from skewer.chess._squares import PAWN_ATTACKS, Move, scan_forward

POLYGLOT_RANDOM_ARRAY = polyglot_numbers()
ENTRY_STRUCT = struct.Struct(">QHHI")

# Where the numbers of castling rights, en passant files and the turn begin, after the pieces.
_CASTLING, _EN_PASSANT, _TURN = 768, 772, 780


class ZobristHasher:
    """Keys of positions from 781 random numbers, in the order of Polyglot's books."""

    def __init__(self, array: List[int]) -> None:
        if len(array) < 781:
            raise AssertionError(f"expected 781 numbers, not {len(array)}")
        self.array = array

    def hash_board(self, board: BaseBoard) -> int:
        """The part of the key for the pieces."""
        key = 0
        for color in (False, True):
            for kind in range(1, 7):
                index = 64 * (2 * (kind - 1) + color)
                for square in scan_forward(board.pieces_mask(kind, color)):
                    key ^= self.array[index + square]
        return key

    def hash_castling(self, board: Board) -> int:
        """The part of the key for the castling rights."""
        key = 0
        wings = [
            has(color)
            for color in (True, False)
            for has in (board.has_kingside_castling_rights, board.has_queenside_castling_rights)
        ]
        for index, present in enumerate(wings):
            if present:
                key ^= self.array[_CASTLING + index]
        return key

    def hash_ep_square(self, board: Board) -> int:
        """The part of the key for the en passant file, if an enemy pawn stands beside the pawn that has moved."""
        ep = board.ep_square
        if ep is None:
            return 0
        beside = PAWN_ATTACKS[not board.turn][ep] & board.pawns & board.occupied_co[board.turn]
        return self.array[_EN_PASSANT + (ep & 7)] if beside else 0

    def hash_turn(self, board: Board) -> int:
        """The part of the key for the side to move."""
        return self.array[_TURN] if board.turn else 0

    def __call__(self, board: Board) -> int:
        parts = self.hash_board(board), self.hash_castling(board), self.hash_turn(board)
        return parts[0] ^ parts[1] ^ parts[2] ^ self.hash_ep_square(board)


_HASHER = ZobristHasher(POLYGLOT_RANDOM_ARRAY)


def zobrist_hash(board: Board, *, _hasher: ZobristHasher = _HASHER) -> int:
    """The key of a position in Polyglot's books."""
    core = board._fast() if _hasher is _HASHER else None
    return _hasher(board) if core is None else core.polyglot_key()


class Entry(NamedTuple):
    """A move of a book."""

    key: int
    raw_move: int
    weight: int
    learn: int
    move: Move


class MemoryMappedReader:
    """A book, mapped into memory."""

    def __init__(self, filename: Union[str, bytes, "os.PathLike[str]"]) -> None:
        with open(filename, "rb") as file:
            empty = os.fstat(file.fileno()).st_size == 0
            self._map: Union[mmap.mmap, bytes]
            self._map = b"" if empty else mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        if len(self._map) % ENTRY_STRUCT.size:
            self.close()
            raise IOError(f"{filename!r} is not a Polyglot book: {ENTRY_STRUCT.size} bytes a move")

    def close(self) -> None:
        """Closes the book."""
        if isinstance(self._map, mmap.mmap):
            self._map.close()

    def __enter__(self) -> "MemoryMappedReader":
        return self

    def __exit__(
        self,
        exc_type: Optional[Type[BaseException]],
        exc_value: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self._map) // ENTRY_STRUCT.size

    def __getitem__(self, index: int) -> Entry:
        at = index + len(self) if index < 0 else index
        if not 0 <= at < len(self):
            raise IndexError(f"entry {index} of a book of {len(self)}")
        key, raw, weight, learn = ENTRY_STRUCT.unpack_from(self._map, at * ENTRY_STRUCT.size)
        to_square, from_square, promotion = raw & 63, raw >> 6 & 63, raw >> 12 & 7
        if from_square == to_square:
            return Entry(key, raw, weight, learn, Move.null())
        move = Move(from_square, to_square, promotion + 1 if promotion else None)
        return Entry(key, raw, weight, learn, move)

    def __iter__(self) -> Iterator[Entry]:
        return (self[index] for index in range(len(self)))

    def __reversed__(self) -> Iterator[Entry]:
        return (self[index] for index in reversed(range(len(self))))

    def bisect_key_left(self, key: int) -> int:
        """The index of the first entry whose key is not lower."""
        low, high = 0, len(self)
        while low < high:
            middle = (low + high) // 2
            if self._key(middle) < key:
                low = middle + 1
            else:
                high = middle
        return low

    def _key(self, index: int) -> int:
        at = index * ENTRY_STRUCT.size
        return int.from_bytes(self._map[at : at + 8], "big")

    def __contains__(self, entry: Entry) -> bool:
        return any(found == entry for found in self._of_key(entry.key))

    def _of_key(self, key: int) -> Iterator[Entry]:
        index = self.bisect_key_left(key)
        while index < len(self) and self._key(index) == key:
            yield self[index]
            index += 1

    def find_all(
        self,
        board: Union[Board, int],
        *,
        minimum_weight: int = 1,
        exclude_moves: Container[Move] = [],
    ) -> Iterator[Entry]:
        """The entries of a position, or of a key. For a position, only entries with legal moves."""
        key = board if isinstance(board, int) else zobrist_hash(board)
        for entry in self._of_key(key):
            if isinstance(board, Board):
                # Books have castling as the king taking its rook.
                move = board._in_mode(entry.move)
                entry = entry._replace(move=move)
                if not board.is_legal(move):
                    continue
            if entry.weight >= minimum_weight and entry.move not in exclude_moves:
                yield entry

    def find(
        self,
        board: Union[Board, int],
        *,
        minimum_weight: int = 1,
        exclude_moves: Container[Move] = [],
    ) -> Entry:
        """The first entry of the highest weight. Raises IndexError if there is none."""
        entry = self.get(board, minimum_weight=minimum_weight, exclude_moves=exclude_moves)
        if entry is None:
            raise IndexError("the book has no entry for the position")
        return entry

    def get(
        self,
        board: Union[Board, int],
        default: Optional[Entry] = None,
        *,
        minimum_weight: int = 1,
        exclude_moves: Container[Move] = [],
    ) -> Optional[Entry]:
        """As :meth:`find`, with a default for positions that are not in the book."""
        found = self.find_all(board, minimum_weight=minimum_weight, exclude_moves=exclude_moves)
        return max(found, key=lambda entry: entry.weight, default=default)

    def choice(
        self,
        board: Union[Board, int],
        *,
        minimum_weight: int = 1,
        exclude_moves: Container[Move] = [],
        random: Optional[_random.Random] = None,
    ) -> Entry:
        """One of the entries, with equal probabilities. Raises IndexError if there is none."""
        draw = _random.randint if random is None else random.randint
        found = self.find_all(board, minimum_weight=minimum_weight, exclude_moves=exclude_moves)
        chosen = next(found, None)
        if chosen is None:
            raise IndexError("the book has no entry for the position")
        # Each further entry takes the place of the chosen one with the probability 1/count. A program that seeds
        # its random numbers gets the choice of python-chess.
        for index, entry in enumerate(found, 1):
            if draw(0, index) == index:
                chosen = entry
        return chosen

    def weighted_choice(
        self,
        board: Union[Board, int],
        *,
        exclude_moves: Container[Move] = [],
        random: Optional[_random.Random] = None,
    ) -> Entry:
        """One of the entries, with probabilities in proportion to their weights. Raises IndexError if there is none."""
        found = list(self.find_all(board, exclude_moves=exclude_moves))
        total = sum(entry.weight for entry in found)
        if not total:
            raise IndexError("the book has no entry for the position")
        draw = _random.randint if random is None else random.randint
        left = draw(0, total - 1)
        for entry in found:
            left -= entry.weight
            if left < 0:
                return entry
        raise AssertionError("a number that is not below the total weight was drawn")


def open_reader(path: Union[str, bytes, "os.PathLike[str]"]) -> MemoryMappedReader:
    """Opens a book."""
    return MemoryMappedReader(path)
