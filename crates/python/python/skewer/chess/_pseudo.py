"""Moves that may leave the king in check, and the kinds of moves."""

from __future__ import annotations

from typing import Iterator, List, Optional

from skewer.chess._position import Position
from skewer.chess._squares import (
    BB_ALL,
    BB_BACKRANKS,
    BB_RANKS,
    BB_SQUARES,
    BISHOP,
    KNIGHT,
    PAWN,
    PAWN_ATTACKS,
    QUEEN,
    ROOK,
    Bitboard,
    Move,
    PieceType,
    Square,
    between,
    scan_reversed,
    square_file,
    square_rank,
)

# E1 and E8.
_KING_HOMES = (4, 60)
_PROMOTIONS = (QUEEN, ROOK, BISHOP, KNIGHT)


class PseudoMixin(Position):
    """Pseudo-legal moves."""

    # Pseudo-legal moves.

    def _pawn_moves(self, from_mask: Bitboard, to_mask: Bitboard) -> Iterator[Move]:
        """Moves of pawns other than captures en passant."""
        step = 8 if self.turn else -8
        pawns = self.pawns & self.occupied_co[self.turn] & from_mask
        theirs = self.occupied_co[not self.turn] & to_mask
        for square in scan_reversed(pawns):
            for target in scan_reversed(PAWN_ATTACKS[self.turn][square] & theirs):
                yield from _with_promotions(square, target)
        free = BB_ALL & ~self.occupied
        if self.turn:
            single = pawns << 8 & free
            double = single << 8 & free & (BB_RANKS[2] | BB_RANKS[3])
        else:
            single = pawns >> 8 & free
            double = single >> 8 & free & (BB_RANKS[5] | BB_RANKS[4])
        for target in scan_reversed(single & to_mask):
            yield from _with_promotions(target - step, target)
        for target in scan_reversed(double & to_mask):
            yield Move(target - 2 * step, target)

    def generate_pseudo_legal_moves(
        self, from_mask: Bitboard = BB_ALL, to_mask: Bitboard = BB_ALL
    ) -> Iterator[Move]:
        """Moves from squares of one mask to squares of another; the king may be left in check."""
        own = self.occupied_co[self.turn]
        for square in scan_reversed(own & ~self.pawns & from_mask):
            for target in scan_reversed(self.attacks_mask(square) & ~own & to_mask):
                yield Move(square, target)
        if from_mask & self.kings:
            yield from self.generate_castling_moves(from_mask, to_mask)
        if own & self.pawns & from_mask:
            yield from self._pawn_moves(from_mask, to_mask)
            yield from self.generate_pseudo_legal_ep(from_mask, to_mask)

    def generate_pseudo_legal_ep(
        self, from_mask: Bitboard = BB_ALL, to_mask: Bitboard = BB_ALL
    ) -> Iterator[Move]:
        """Captures en passant; the king may be left in check."""
        ep = self.ep_square
        if not ep or not BB_SQUARES[ep] & to_mask & ~self.occupied:
            return
        ours = self.pawns & self.occupied_co[self.turn] & from_mask
        ours &= BB_RANKS[4 if self.turn else 3] & PAWN_ATTACKS[not self.turn][ep]
        for square in scan_reversed(ours):
            yield Move(square, ep)

    def generate_pseudo_legal_captures(
        self, from_mask: Bitboard = BB_ALL, to_mask: Bitboard = BB_ALL
    ) -> Iterator[Move]:
        """Captures, including captures en passant; the king may be left in check."""
        theirs = self.occupied_co[not self.turn]
        yield from self.generate_pseudo_legal_moves(from_mask, to_mask & theirs)
        yield from self.generate_pseudo_legal_ep(from_mask, to_mask)

    def _attacked_for_king(self, path: Bitboard, occupied: Bitboard) -> bool:
        """Whether the other side attacks a square of `path`, if the squares `occupied` are occupied."""
        return any(
            self.attackers_mask(not self.turn, square, occupied) for square in scan_reversed(path)
        )

    def generate_castling_moves(
        self, from_mask: Bitboard = BB_ALL, to_mask: Bitboard = BB_ALL
    ) -> Iterator[Move]:
        """Legal castling moves. The masks take the square of the rook for the target."""
        if self.is_variant_end():
            return
        rank = 0 if self.turn else 7
        rights = self.clean_castling_rights() & BB_RANKS[rank] & to_mask
        if not rights:
            return
        kings = self.kings & self.occupied_co[self.turn] & ~self.promoted
        king = kings & BB_RANKS[rank] & from_mask
        king &= -king
        if not king:
            return
        home = king.bit_length() - 1
        for rook in scan_reversed(rights):
            king_to, rook_to = (8 * rank + file for file in ((6, 5) if rook > home else (2, 3)))
            way = between(home, king_to) | BB_SQUARES[king_to]
            rook_way = between(rook, rook_to) | BB_SQUARES[rook_to]
            others = self.occupied & ~king & ~BB_SQUARES[rook]
            path = king | way & ~BB_SQUARES[king_to]
            if (way | rook_way) & others or self._attacked_for_king(path, self.occupied & ~king):
                continue
            # When the rook has left, a slider may attack along its rank.
            if not self._attacked_for_king(BB_SQUARES[king_to], others | BB_SQUARES[rook_to]):
                yield self._from_chess960(self.chess960, home, rook)

    def is_variant_end(self) -> bool:
        """Always False, because only variants of chess have further ends."""
        return False

    def _castling_rook(self, wide: Move) -> Optional[Square]:
        """The square of the rook of a castling move, which the king takes; None for other moves."""
        if not self.kings & BB_SQUARES[wide.from_square]:
            return None
        target = wide.to_square
        return target if self.occupied_co[self.turn] & BB_SQUARES[target] else None

    # What a move is.

    def is_en_passant(self, move: Move) -> bool:
        """Whether a pseudo-legal move captures en passant."""
        return (
            self.ep_square == move.to_square
            and bool(self.pawns >> move.from_square & 1)
            and abs(move.to_square - move.from_square) in (7, 9)
            and not self.occupied >> move.to_square & 1
        )

    def is_capture(self, move: Move) -> bool:
        """Whether a pseudo-legal move captures something."""
        core = self._core
        captures = None if core is None else core._is_capture(move)
        if captures is not None:
            return captures
        theirs = self.occupied_co[not self.turn]
        return bool(_touched(move) & theirs) or self.is_en_passant(move)

    def is_zeroing(self, move: Move) -> bool:
        """Whether a pseudo-legal move sets the half-move clock to zero."""
        touched = _touched(move)
        return bool(touched & (self.pawns | self.occupied_co[not self.turn])) or move.drop == PAWN

    def is_castling(self, move: Move) -> bool:
        """Whether a pseudo-legal move castles."""
        if not self.kings >> move.from_square & 1:
            return False
        files = abs(square_file(move.from_square) - square_file(move.to_square))
        own_rooks = self.rooks & self.occupied_co[self.turn]
        return files > 1 or bool(own_rooks >> move.to_square & 1)

    def is_kingside_castling(self, move: Move) -> bool:
        """Whether a pseudo-legal move castles towards the h file."""
        return self.is_castling(move) and to_the_right(move) > 0

    def is_queenside_castling(self, move: Move) -> bool:
        """Whether a pseudo-legal move castles towards the a file."""
        return self.is_castling(move) and to_the_right(move) < 0

    def _from_chess960(
        self,
        chess960: bool,
        from_square: Square,
        to_square: Square,
        promotion: Optional[PieceType] = None,
        drop: Optional[PieceType] = None,
    ) -> Move:
        """A move in which castling takes the rook, as the mode writes it."""
        castles = not chess960 and from_square in _KING_HOMES and promotion is None and drop is None
        if castles and self.kings >> from_square & 1:
            step = {3: 2, -4: -2}.get(to_square - from_square, 0)
            if step:
                return Move(from_square, from_square + step)
        return Move(from_square, to_square, promotion, drop)

    def _to_chess960(self, move: Move) -> Move:
        """A move with the king's two steps from home as the king taking its rook."""
        home, target = move.from_square, move.to_square
        if home in _KING_HOMES and self.kings >> home & 1 and not self.rooks >> target & 1:
            corner = {2: 3, -2: -4}.get(target - home)
            if corner is not None:
                return Move(home, home + corner)
        return move

    def _in_mode(self, move: Move, chess960: Optional[bool] = None) -> Move:
        """A castling move as a mode writes it (`chess960`; the board's mode by default); other moves unchanged."""
        if move.from_square not in _KING_HOMES and not self._replaced:
            return move
        mode = self.chess960 if chess960 is None else chess960
        wide = self._to_chess960(move)
        fields = wide.from_square, wide.to_square, wide.promotion, wide.drop
        found = self._from_chess960(mode, *fields)
        return move if found == move else found


def to_the_right(move: Move) -> int:
    """By how many files a move goes towards the h file."""
    return square_file(move.to_square) - square_file(move.from_square)


def _touched(move: Move) -> Bitboard:
    """The squares that a move changes; none for the null move."""
    return BB_SQUARES[move.from_square] ^ BB_SQUARES[move.to_square]


def _with_promotions(square: Square, target: Square) -> List[Move]:
    """The moves of a pawn to a square, one for each piece that it can become there."""
    if BB_BACKRANKS >> target & 1:
        return [Move(square, target, kind) for kind in _PROMOTIONS]
    return [Move(square, target)]
