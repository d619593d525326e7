"""Constants and functions for colours, pieces, squares, files and ranks, and masks of squares."""

from typing import List as _List
from typing import Optional as _Optional

WHITE, BLACK = True, False
COLORS = [WHITE, BLACK]
COLOR_NAMES = ["black", "white"]

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = PIECE_TYPES = list(range(1, 7))
PIECE_SYMBOLS = [None, "p", "n", "b", "r", "q", "k"]
PIECE_NAMES = [None, "pawn", "knight", "bishop", "rook", "queen", "king"]
UNICODE_PIECE_SYMBOLS = dict(zip("RrNnBbQqKkPp", "♖♜♘♞♗♝♕♛♔♚♙♟"))

FILE_NAMES = list("abcdefgh")
RANK_NAMES = list("12345678")
STARTING_BOARD_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
STARTING_FEN = STARTING_BOARD_FEN + " w KQkq - 0 1"
STATUS_VALID = 0

SQUARES = list(range(64))
SQUARE_NAMES = [file + rank for rank in RANK_NAMES for file in FILE_NAMES]
SQUARES_180 = [square ^ 56 for square in SQUARES]

BB_EMPTY = 0
BB_ALL = 2**64 - 1
BB_SQUARES = [1 << square for square in SQUARES]
BB_FILES = [0x0101_0101_0101_0101 << file for file in range(8)]
BB_RANKS = [0xFF << 8 * rank for rank in range(8)]
BB_LIGHT_SQUARES = 0x55AA_55AA_55AA_55AA
BB_DARK_SQUARES = 0xAA55_AA55_AA55_AA55
BB_CORNERS = 0x8100_0000_0000_0081
BB_CENTER = 0x0000_0018_1800_0000
BB_BACKRANKS = BB_RANKS[0] | BB_RANKS[7]

A1, B1, C1, D1, E1, F1, G1, H1 = SQUARES[0:8]
A2, B2, C2, D2, E2, F2, G2, H2 = SQUARES[8:16]
A3, B3, C3, D3, E3, F3, G3, H3 = SQUARES[16:24]
A4, B4, C4, D4, E4, F4, G4, H4 = SQUARES[24:32]
A5, B5, C5, D5, E5, F5, G5, H5 = SQUARES[32:40]
A6, B6, C6, D6, E6, F6, G6, H6 = SQUARES[40:48]
A7, B7, C7, D7, E7, F7, G7, H7 = SQUARES[48:56]
A8, B8, C8, D8, E8, F8, G8, H8 = SQUARES[56:64]
BB_A1, BB_B1, BB_C1, BB_D1, BB_E1, BB_F1, BB_G1, BB_H1 = BB_SQUARES[0:8]
BB_A2, BB_B2, BB_C2, BB_D2, BB_E2, BB_F2, BB_G2, BB_H2 = BB_SQUARES[8:16]
BB_A3, BB_B3, BB_C3, BB_D3, BB_E3, BB_F3, BB_G3, BB_H3 = BB_SQUARES[16:24]
BB_A4, BB_B4, BB_C4, BB_D4, BB_E4, BB_F4, BB_G4, BB_H4 = BB_SQUARES[24:32]
BB_A5, BB_B5, BB_C5, BB_D5, BB_E5, BB_F5, BB_G5, BB_H5 = BB_SQUARES[32:40]
BB_A6, BB_B6, BB_C6, BB_D6, BB_E6, BB_F6, BB_G6, BB_H6 = BB_SQUARES[40:48]
BB_A7, BB_B7, BB_C7, BB_D7, BB_E7, BB_F7, BB_G7, BB_H7 = BB_SQUARES[48:56]
BB_A8, BB_B8, BB_C8, BB_D8, BB_E8, BB_F8, BB_G8, BB_H8 = BB_SQUARES[56:64]
BB_RANK_1, BB_RANK_2, BB_RANK_3, BB_RANK_4 = BB_RANKS[:4]
BB_RANK_5, BB_RANK_6, BB_RANK_7, BB_RANK_8 = BB_RANKS[4:]
BB_FILE_A, BB_FILE_B, BB_FILE_C, BB_FILE_D = BB_FILES[:4]
BB_FILE_E, BB_FILE_F, BB_FILE_G, BB_FILE_H = BB_FILES[4:]


def _check(square: int) -> int:
    if not 0 <= square <= 63:
        raise ValueError(f"square {square} is not in 0..=63")
    return square


def square(file_index: int, rank_index: int) -> int:
    """The square of a file and a rank, both from 0 to 7."""
    if not (0 <= file_index <= 7 and 0 <= rank_index <= 7):
        raise ValueError(f"file {file_index} or rank {rank_index} is not in 0..=7")
    return 8 * rank_index + file_index


def square_file(square: int) -> int:
    """The file of a square: 0 for the a file."""
    return square & 7


def square_rank(square: int) -> int:
    """The rank of a square: 0 for the first rank."""
    return square >> 3


def square_name(square: int) -> str:
    """The name of a square, such as ``e4``."""
    return SQUARE_NAMES[_check(square)]


def parse_square(name: str) -> int:
    """The square of a name. Raises ValueError for anything else."""
    try:
        return SQUARE_NAMES.index(name)
    except ValueError:
        raise ValueError(f"{name!r} is not the name of a square") from None


def square_distance(a: int, b: int) -> int:
    """The number of moves that a king needs from a to b."""
    return max(abs(square_file(a) - square_file(b)), abs(square_rank(a) - square_rank(b)))


def square_manhattan_distance(a: int, b: int) -> int:
    """The distance in files plus the distance in ranks."""
    return abs(square_file(a) - square_file(b)) + abs(square_rank(a) - square_rank(b))


def square_mirror(square: int) -> int:
    """The square with its rank flipped, as from the other side of the board."""
    return square ^ 56


def piece_symbol(piece_type: int) -> str:
    """The lower-case letter of a type of piece."""
    symbol: _Optional[str] = PIECE_SYMBOLS[piece_type] if 1 <= piece_type <= 6 else None
    if symbol is None:
        raise ValueError(f"{piece_type} is not a piece type (1 to 6)")
    return symbol


def piece_name(piece_type: int) -> str:
    """The English name of a type of piece."""
    return PIECE_NAMES[PIECE_SYMBOLS.index(piece_symbol(piece_type))] or ""


def scan_forward(bb: int) -> _List[int]:
    """The squares of a mask, the lowest first."""
    return [square for square in SQUARES if bb >> square & 1]


def msb(bb: int) -> int:
    """The highest square of a mask."""
    return bb.bit_length() - 1


def lsb(bb: int) -> int:
    """The lowest square of a mask."""
    return (bb & -bb).bit_length() - 1


def popcount(bb: int) -> int:
    """How many squares a mask has."""
    return bin(bb).count("1")
