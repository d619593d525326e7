"""A board of pieces without a turn: :class:`BaseBoard`."""

from __future__ import annotations

from typing import Callable, Dict, List, Mapping, Optional, TypeVar

from skewer.chess._hooks import Hooked
from skewer.chess._placement import chess960_number, chess960_rank, parse_placement
from skewer.chess._squares import (
    BB_ALL,
    BB_LIGHT_SQUARES,
    BB_SQUARES,
    BISHOP_LINES,
    BLACK,
    KING_STEPS,
    KNIGHT_STEPS,
    PAWN_ATTACKS,
    ROOK_LINES,
    STARTING_BOARD_FEN,
    WHITE,
    Bitboard,
    Color,
    IntoSquareSet,
    Piece,
    PieceType,
    Square,
    SquareSet,
    between,
    flip_vertical,
    mask_of,
    ray,
    scan_forward,
    scan_reversed,
    slider_attacks,
)

BaseBoardT = TypeVar("BaseBoardT", bound="BaseBoard")

# The attributes that hold the pieces of each type, by the number of the type.
KINDS = (None, "pawns", "knights", "bishops", "rooks", "queens", "kings")
_NAMES = {kind: name for kind, name in enumerate(KINDS) if name is not None}


class BaseBoard(metaclass=Hooked):
    """Pieces on squares, in any number and anywhere.

    Without an argument the pieces of the start position; with None an empty board.
    """

    pawns: Bitboard
    knights: Bitboard
    bishops: Bitboard
    rooks: Bitboard
    queens: Bitboard
    kings: Bitboard
    occupied: Bitboard
    occupied_co: List[Bitboard]
    promoted: Bitboard

    def __init__(self, board_fen: Optional[str] = STARTING_BOARD_FEN) -> None:
        if board_fen is None:
            self._clear_board()
        else:
            self._set_board_fen(board_fen)

    @classmethod
    def empty(cls: "type[BaseBoardT]") -> BaseBoardT:
        """A board without pieces."""
        return cls(None)

    @classmethod
    def from_chess960_pos(cls: "type[BaseBoardT]", scharnagl: int) -> BaseBoardT:
        """A start position of Chess960, by its number from 0 to 959."""
        board = cls.empty()
        board.set_chess960_pos(scharnagl)
        return board

    # Editing. The methods with an underscore leave the moves of a Board alone.

    def _loosen(self) -> None:
        """Called before attributes are changed in place. A board that keeps a copy of them in Rust drops it."""

    def _clear_board(self) -> None:
        self.pawns = self.knights = self.bishops = self.rooks = self.queens = self.kings = 0
        self.occupied = self.promoted = 0
        self.occupied_co = [0, 0]

    def _remove_piece_at(self, square: Square) -> Optional[PieceType]:
        """Removes the piece on a square, if there is one, and returns its type or None."""
        kind = self.piece_type_at(square)
        if kind is not None:
            self._loosen()
            own, keep, name = self.__dict__, ~BB_SQUARES[square], _NAMES[kind]
            own[name] &= keep
            own["occupied"] &= keep
            own["promoted"] &= keep
            black, white = sides = self.occupied_co
            sides[0], sides[1] = black & keep, white & keep
        return kind

    def _set_piece_at(self, square: Square, kind: PieceType, color: Color, promoted: bool = False) -> None:
        """Puts a piece on a square, in the place of any piece there."""
        self._remove_piece_at(square)
        self._loosen()
        own, bit, name = self.__dict__, BB_SQUARES[square], _NAMES.get(kind)
        if name is None:
            return
        own[name] |= bit
        own["occupied"] |= bit
        self.occupied_co[color] |= bit
        if promoted:
            own["promoted"] |= bit

    def _reset_board(self) -> None:
        self._set_board_fen(STARTING_BOARD_FEN)

    def reset_board(self) -> None:
        """Sets up the pieces of the start position."""
        self._reset_board()

    def clear_board(self) -> None:
        """Removes all pieces."""
        self._clear_board()

    def remove_piece_at(self, square: Square) -> Optional[Piece]:
        """Removes the piece on a square, and returns it."""
        piece = self.piece_at(square)
        self._remove_piece_at(square)
        return piece

    def set_piece_at(self, square: Square, piece: Optional[Piece], promoted: bool = False) -> None:
        """Puts a piece on a square, or with None empties it."""
        if piece is None:
            self._remove_piece_at(square)
        else:
            self._set_piece_at(square, piece.piece_type, piece.color, promoted)

    def set_piece_map(self, pieces: Mapping[Square, Piece]) -> None:
        """Replaces all pieces by the pieces of a mapping from squares to pieces."""
        self._set_piece_map(pieces)

    def _set_piece_map(self, pieces: Mapping[Square, Piece]) -> None:
        self._clear_board()
        for square, piece in pieces.items():
            self._set_piece_at(square, piece.piece_type, piece.color)

    def set_board_fen(self, fen: str) -> None:
        """Sets up the pieces of the first field of a FEN. Raises ValueError if it is malformed."""
        self._set_board_fen(fen)

    def _set_board_fen(self, fen: str) -> None:
        pieces = parse_placement(fen)
        self._clear_board()
        for square, kind, color, promoted in pieces:
            self._set_piece_at(square, kind, color, promoted)

    def set_chess960_pos(self, scharnagl: int) -> None:
        """Sets up a start position of Chess960, by its number from 0 to 959."""
        self._set_chess960_pos(scharnagl)

    def _set_chess960_pos(self, scharnagl: int) -> None:
        if not 0 <= scharnagl <= 959:
            raise ValueError(f"start position {scharnagl} is not in 0..=959")
        rank = chess960_rank(scharnagl)
        self._set_board_fen(f"{rank.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{rank}")

    # Looking.

    def pieces_mask(self, piece_type: PieceType, color: Color) -> Bitboard:
        """The squares of the pieces of a type and colour, as a mask."""
        name = _NAMES.get(piece_type)
        if name is None:
            raise AssertionError(f"expected PieceType, got {piece_type!r}")
        mask: Bitboard = getattr(self, name) & self.occupied_co[color]
        return mask

    def pieces(self, piece_type: PieceType, color: Color) -> SquareSet:
        """The squares of the pieces of a type and colour."""
        return SquareSet(self.pieces_mask(piece_type, color))

    def piece_at(self, square: Square) -> Optional[Piece]:
        """The piece on a square, or None."""
        kind = self.piece_type_at(square)
        if kind is None:
            return None
        return Piece(kind, bool(self.occupied_co[WHITE] & BB_SQUARES[square]))

    def piece_type_at(self, square: Square) -> Optional[PieceType]:
        """The type of the piece on a square, or None."""
        bit = BB_SQUARES[square]
        if not self.occupied & bit:
            return None
        if self.pawns & bit:
            return 1
        if (self.knights | self.bishops) & bit:
            return 2 if self.knights & bit else 3
        return 4 if self.rooks & bit else 5 if self.queens & bit else 6

    def color_at(self, square: Square) -> Optional[Color]:
        """The colour of the piece on a square, or None."""
        bit = BB_SQUARES[square]
        black, white = self.occupied_co
        return WHITE if white & bit else BLACK if black & bit else None

    def king(self, color: Color) -> Optional[Square]:
        """The square of a king, or None. Of several, the highest square."""
        kings = self.kings & self.occupied_co[color] & ~self.promoted
        return kings.bit_length() - 1 if kings else None

    def piece_map(self, *, mask: Bitboard = BB_ALL) -> Dict[Square, Piece]:
        """The pieces by square."""
        pieces = {}
        for square in scan_reversed(self.occupied & mask_of(mask)):
            piece = self.piece_at(square)
            assert piece is not None
            pieces[square] = piece
        return pieces

    def attacks_mask(self, square: Square) -> Bitboard:
        """The squares that the piece on a square attacks, as a mask."""
        bit = BB_SQUARES[square]
        if bit & self.pawns:
            return PAWN_ATTACKS[bool(bit & self.occupied_co[WHITE])][square]
        if bit & self.knights:
            return KNIGHT_STEPS[square]
        if bit & self.kings:
            return KING_STEPS[square]
        attacks = 0
        if bit & (self.bishops | self.queens):
            attacks |= slider_attacks(BISHOP_LINES, square, self.occupied)
        if bit & (self.rooks | self.queens):
            attacks |= slider_attacks(ROOK_LINES, square, self.occupied)
        return attacks

    def attacks(self, square: Square) -> SquareSet:
        """The squares that the piece on a square attacks; none if the square is empty."""
        return SquareSet(self.attacks_mask(square))

    def attackers_mask(
        self, color: Color, square: Square, occupied: Optional[Bitboard] = None
    ) -> Bitboard:
        """The pieces of a side that attack a square; `occupied` replaces the squares in the way."""
        block = self.occupied if occupied is None else occupied
        diagonal = slider_attacks(BISHOP_LINES, square, block) & (self.bishops | self.queens)
        straight = slider_attacks(ROOK_LINES, square, block) & (self.rooks | self.queens)
        # A pawn attacks a square if one of the other side would attack the pawn from there.
        steps = (
            PAWN_ATTACKS[not color][square] & self.pawns
            | KNIGHT_STEPS[square] & self.knights
            | KING_STEPS[square] & self.kings
        )
        return (diagonal | straight | steps) & self.occupied_co[color]

    def attackers(
        self, color: Color, square: Square, occupied: Optional[IntoSquareSet] = None
    ) -> SquareSet:
        """The pieces of a side that attack a square, pinned ones included."""
        block = None if occupied is None else mask_of(occupied)
        return SquareSet(self.attackers_mask(color, square, block))

    def is_attacked_by(
        self, color: Color, square: Square, occupied: Optional[IntoSquareSet] = None
    ) -> bool:
        """Whether a side attacks a square."""
        block = None if occupied is None else mask_of(occupied)
        return bool(self.attackers_mask(color, square, block))

    def pin_mask(self, color: Color, square: Square) -> Bitboard:
        """The line on which the piece on a square is pinned to a king; all squares if it is not pinned."""
        king = self.king(color)
        line = 0 if king is None or king == square else ray(king, square)
        if not line or king is None:
            return BB_ALL
        diagonal = bool(line & ~BB_SQUARES[king] & BB_LIGHT_SQUARES) != bool(
            line & ~BB_SQUARES[king] & ~BB_LIGHT_SQUARES
        )
        sliders = (self.bishops if diagonal else self.rooks) | self.queens
        for pinner in scan_forward(line & sliders & self.occupied_co[not color]):
            way = between(king, pinner)
            if way & BB_SQUARES[square] and not way & self.occupied & ~BB_SQUARES[square]:
                return line
        return BB_ALL

    def pin(self, color: Color, square: Square) -> SquareSet:
        """The line on which the piece on a square is pinned; all squares if it is not."""
        return SquareSet(self.pin_mask(color, square))

    def is_pinned(self, color: Color, square: Square) -> bool:
        """Whether the piece on a square is pinned to the king of a side."""
        return self.pin_mask(color, square) != BB_ALL

    def chess960_pos(self) -> Optional[int]:
        """The number of the start position of Chess960 that the pieces have, or None."""
        ranks = self.board_fen().split("/")
        if ranks[1:7] != ["pppppppp", "8", "8", "8", "8", "PPPPPPPP"]:
            return None
        if ranks[0].upper() != ranks[7] or self.promoted:
            return None
        return chess960_number(ranks[7])

    # Text.

    def board_fen(self, *, promoted: Optional[bool] = False) -> str:
        """The first field of a FEN; with `promoted`, promoted pieces are marked by a tilde."""
        rows = []
        for rank in reversed(range(8)):
            row, gap = "", 0
            for square in range(8 * rank, 8 * rank + 8):
                piece = self.piece_at(square)
                if piece is None:
                    gap += 1
                    continue
                row += (str(gap) if gap else "") + piece.symbol()
                gap = 0
                if promoted and self.promoted >> square & 1:
                    row += "~"
            rows.append(row + (str(gap) if gap else ""))
        return "/".join(rows)

    def _rows(self, orientation: Color, empty: str, show: Callable[[Piece], str]) -> List[List[str]]:
        """The squares as texts, row by row as somebody on one side of the board sees them."""
        rows = []
        for rank in reversed(range(8)) if orientation else range(8):
            files = range(8) if orientation else reversed(range(8))
            pieces = [self.piece_at(8 * rank + file) for file in files]
            rows.append([empty if piece is None else show(piece) for piece in pieces])
        return rows

    def unicode(
        self,
        *,
        invert_color: bool = False,
        borders: bool = False,
        empty_square: str = "⭘",
        orientation: Color = WHITE,
    ) -> str:
        """The board in figurines of Unicode: eight lines, and further lines with borders."""
        rows = self._rows(
            orientation,
            empty_square,
            lambda piece: piece.unicode_symbol(invert_color=invert_color),
        )
        if not borders:
            return "\n".join(" ".join(row) for row in rows)
        rule = "  " + 17 * "-"
        numbers, letters = "87654321", "abcdefgh"
        if not orientation:
            numbers, letters = numbers[::-1], letters[::-1]
        lines = [rule]
        for number, row in zip(numbers, rows):
            lines += [f"{number} |{'|'.join(row)}|", rule]
        lines.append("   " + " ".join(letters))
        return "\n".join(lines)

    def __str__(self) -> str:
        rows = self._rows(WHITE, ".", Piece.symbol)
        return "\n".join(" ".join(row) for row in rows)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.board_fen()!r})"

    def _repr_svg_(self) -> str:
        from skewer.chess import svg

        return svg.board(board=self, size=400)

    # Comparison, copies and symmetry.

    def _masks(self) -> List[Bitboard]:
        black, white = self.occupied_co
        return [self.pawns, self.knights, self.bishops, self.rooks, self.queens, self.kings, white, black]

    def __eq__(self, board: object) -> bool:
        return self._masks() == board._masks() if isinstance(board, BaseBoard) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def apply_transform(self, f: Callable[[Bitboard], Bitboard]) -> None:
        """Applies a function on masks, such as :func:`flip_vertical`, to the pieces."""
        for name in (*KINDS[1:], "occupied", "promoted"):
            assert name is not None
            setattr(self, name, f(getattr(self, name)))
        self.occupied_co = [f(mask) for mask in self.occupied_co]

    def transform(self: BaseBoardT, f: Callable[[Bitboard], Bitboard]) -> BaseBoardT:
        """A copy to which a function on masks was applied."""
        changed = self.copy()
        changed.apply_transform(f)
        return changed

    def apply_mirror(self) -> None:
        """Turns the board upside down and exchanges the colours."""
        BaseBoard.apply_transform(self, flip_vertical)
        self.occupied_co = self.occupied_co[::-1]

    def mirror(self: BaseBoardT) -> BaseBoardT:
        """A copy, upside down and with the colours exchanged."""
        turned = self.copy()
        turned.apply_mirror()
        return turned

    def copy(self: BaseBoardT) -> BaseBoardT:
        """A copy of the board."""
        board = type(self)(None)
        board._assume(self)
        return board

    def _assume(self, other: "BaseBoard") -> None:
        """Takes over the pieces of another board."""
        for name in KINDS[1:]:
            assert name is not None
            setattr(self, name, getattr(other, name))
        self.occupied, self.promoted = other.occupied, other.promoted
        self.occupied_co = list(other.occupied_co)

    def __copy__(self: BaseBoardT) -> BaseBoardT:
        return self.copy()

    def __deepcopy__(self: BaseBoardT, memo: Dict[int, object]) -> BaseBoardT:
        board = self.copy()
        memo[id(self)] = board
        return board
