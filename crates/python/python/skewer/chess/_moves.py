"""Moves: generating, checking, making and taking them back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Iterator, Optional

from skewer._skewer import IllegalMoveError
from skewer.chess import _play
from skewer.chess._pseudo import _KING_HOMES, PseudoMixin, _touched
from skewer.chess._squares import (
    BB_ALL,
    BB_BACKRANKS,
    BB_RANKS,
    BB_SQUARES,
    BISHOP_LINES,
    KING,
    KING_STEPS,
    PAWN,
    QUEEN,
    ROOK,
    ROOK_LINES,
    WHITE,
    Bitboard,
    Move,
    PieceType,
    Square,
    between,
    ray,
    scan_reversed,
    slider_attacks,
    square_file,
    square_rank,
)



class LegalMoveGenerator:
    """The legal moves of a board, always of its present position."""

    def __init__(self, board: "MovesMixin") -> None:
        self.board = board

    def __bool__(self) -> bool:
        return any(True for _ in self.board.generate_legal_moves())

    def count(self) -> int:
        """How many legal moves there are."""
        core = self.board._fast()
        if core is not None:
            return core.legal_moves.count()
        return sum(1 for _ in self)

    def __iter__(self) -> Iterator[Move]:
        return self.board.generate_legal_moves()

    def __contains__(self, move: Move) -> bool:
        return self.board.is_legal(move)

    def __repr__(self) -> str:
        sans = ", ".join(self.board.san(move) for move in self)  # type: ignore[attr-defined]
        return f"<LegalMoveGenerator at {id(self):#x} ({sans})>"


class PseudoLegalMoveGenerator:
    """The moves of a board that may leave the king in check."""

    def __init__(self, board: "MovesMixin") -> None:
        self.board = board

    def __bool__(self) -> bool:
        return any(True for _ in self)

    def count(self) -> int:
        """How many moves there are."""
        return sum(1 for _ in self)

    def __iter__(self) -> Iterator[Move]:
        return self.board.generate_pseudo_legal_moves()

    def __contains__(self, move: Move) -> bool:
        return self.board.is_pseudo_legal(move)

    def __repr__(self) -> str:
        texts = []
        for move in self:
            legal = self.board.is_legal(move)
            texts.append(self.board.san(move) if legal else move.uci())  # type: ignore[attr-defined]
        return f"<PseudoLegalMoveGenerator at {id(self):#x} ({', '.join(texts)})>"


class MovesMixin(PseudoMixin, _play.Board):
    """Legal moves, and playing moves and taking them back."""

    # The class written in Rust has methods alone and no constructor.
    if not TYPE_CHECKING:
        __new__ = object.__new__

    # Legality.

    def is_pseudo_legal(self, move: Move) -> bool:
        """Whether a move is legal, or would be if the king did not matter."""
        if not move or move.drop:
            return False
        square, target = move.from_square, move.to_square
        own = self.occupied_co[self.turn]
        kind = self.piece_type_at(square)
        if kind is None or not own >> square & 1:
            return False
        last = bool(BB_BACKRANKS >> target & 1)
        if bool(move.promotion) != (kind == PAWN and last) or move.promotion in (PAWN, KING):
            return False
        if kind == KING:
            fields = square, target, move.promotion, move.drop
            castling = self._from_chess960(self.chess960, *fields)
            if castling in self.generate_castling_moves():
                return True
        if own >> target & 1:
            return False
        if kind == PAWN:
            masks = BB_SQUARES[square], BB_SQUARES[target]
            return move in self.generate_pseudo_legal_moves(*masks)
        return bool(self.attacks_mask(square) >> target & 1)

    def is_into_check(self, move: Move) -> bool:
        """Whether a pseudo-legal move leaves the king in check."""
        king = self.king(self.turn)
        if king is None:
            return False
        checkers = self.attackers_mask(not self.turn, king)
        if checkers:
            squares = BB_SQUARES[move.from_square], BB_SQUARES[move.to_square]
            if move not in self._generate_evasions(king, checkers, *squares):
                return True
        return not self._is_safe(king, self._slider_blockers(king), move)

    def _slider_blockers(self, king: Square) -> Bitboard:
        """The mover's pieces that stand alone between its king and a slider of the other side."""
        straight = slider_attacks(ROOK_LINES, king, 0) & (self.rooks | self.queens)
        diagonal = slider_attacks(BISHOP_LINES, king, 0) & (self.bishops | self.queens)
        blockers = 0
        for slider in scan_reversed((straight | diagonal) & self.occupied_co[not self.turn]):
            way = between(king, slider) & self.occupied
            if not way & way - 1:
                blockers |= way
        return blockers & self.occupied_co[self.turn]

    def _ep_skewered(self, king: Square, capturer: Square) -> bool:
        """Whether a slider sees the king once both pawns of a capture en passant are gone."""
        ep = self.ep_square
        assert ep is not None
        passed = BB_SQUARES[ep + (-8 if self.turn else 8)]
        left = self.occupied & ~passed & ~BB_SQUARES[capturer] | BB_SQUARES[ep]
        theirs = self.occupied_co[not self.turn]
        rank = slider_attacks(ROOK_LINES, king, left) & BB_RANKS[square_rank(king)]
        diagonals = slider_attacks(BISHOP_LINES, king, left)
        seen = rank & (self.rooks | self.queens) | diagonals & (self.bishops | self.queens)
        return bool(seen & theirs)

    def _is_safe(self, king: Square, blockers: Bitboard, move: Move) -> bool:
        """Whether a pseudo-legal move leaves the king unattacked. In check, the move must be a move of the king, or
        capture the checker or block it."""
        origin, target = move.from_square, move.to_square
        if origin == king:
            return self.is_castling(move) or not self.is_attacked_by(not self.turn, target)
        if self.is_en_passant(move):
            on_line = self.pin_mask(self.turn, origin) >> target & 1
            return bool(on_line) and not self._ep_skewered(king, origin)
        return not blockers >> origin & 1 or bool(ray(origin, target) >> king & 1)

    def is_legal(self, move: Move) -> bool:
        """Whether a move is legal. The null move is not."""
        core = self._core or self._fast()
        if core is not None:
            legal = core._is_legal(move)
            # An argument that is no move raises the exception of python-chess.
            if legal is None:
                return self.is_pseudo_legal(move) and not self.is_into_check(move)
            if not legal:
                return False
            # A board in Rust takes the king's two steps for castling in Chess960, too.
            two_steps = move.from_square in (4, 60) and self.chess960 and self.is_castling(move)
            return not two_steps or bool(core.rooks >> move.to_square & 1)
        if self.is_variant_end():
            return False
        return self.is_pseudo_legal(move) and not self.is_into_check(move)

    def gives_check(self, move: Move) -> bool:
        """Whether a pseudo-legal move gives check."""
        core = (self._core or self._fast()) if self._rust_play else None
        check = None if core is None else core._gives_check(move)
        return self._after(move, self.is_check) if check is None else check

    def _after(self, move: Move, question: Callable[[], bool]) -> bool:
        """The answer to a question on the position after a move."""
        self.push(move)
        try:
            return question()
        finally:
            self.pop()

    def generate_legal_moves(
        self, from_mask: Bitboard = BB_ALL, to_mask: Bitboard = BB_ALL
    ) -> Iterator[Move]:
        """Legal moves from squares of one mask to squares of another."""
        core = self._core or self._fast()
        if core is not None:
            return iter(core._moves(int(from_mask) & BB_ALL, int(to_mask) & BB_ALL))
        return self._legal_moves(from_mask, to_mask)

    def _legal_moves(self, from_mask: Bitboard, to_mask: Bitboard) -> Iterator[Move]:
        """The legal moves by the methods of this board."""
        if self.is_variant_end():
            return
        kings = self.kings & self.occupied_co[self.turn]
        if not kings:
            yield from self.generate_pseudo_legal_moves(from_mask, to_mask)
            return
        king = kings.bit_length() - 1
        blockers = self._slider_blockers(king)
        checkers = self.attackers_mask(not self.turn, king)
        if checkers:
            moves = self._generate_evasions(king, checkers, from_mask, to_mask)
        else:
            moves = self.generate_pseudo_legal_moves(from_mask, to_mask)
        for move in moves:
            if self._is_safe(king, blockers, move):
                yield move

    def _generate_evasions(
        self,
        king: Square,
        checkers: Bitboard,
        from_mask: Bitboard = BB_ALL,
        to_mask: Bitboard = BB_ALL,
    ) -> Iterator[Move]:
        """Moves that may end a check: of the king, or of others that capture or stand between."""
        # The king does not leave a slider's line by going along it.
        shadow = 0
        for slider in scan_reversed(checkers & (self.bishops | self.rooks | self.queens)):
            shadow |= ray(king, slider) & ~BB_SQUARES[slider]
        if from_mask >> king & 1:
            steps = KING_STEPS[king] & ~self.occupied_co[self.turn] & ~shadow & to_mask
            for square in scan_reversed(steps):
                yield Move(king, square)
        if checkers & checkers - 1:
            return
        checker = checkers.bit_length() - 1
        others, way = from_mask & ~self.kings, between(king, checker) | checkers
        yield from self.generate_pseudo_legal_moves(others, to_mask & way)
        ep = self.ep_square
        if ep and not way >> ep & 1 and checker == ep + (-8 if self.turn else 8):
            yield from self.generate_pseudo_legal_ep(from_mask, to_mask)

    def generate_legal_ep(
        self, from_mask: Bitboard = BB_ALL, to_mask: Bitboard = BB_ALL
    ) -> Iterator[Move]:
        """Legal captures en passant."""
        if not self.is_variant_end():
            moves = self.generate_pseudo_legal_ep(from_mask, to_mask)
            yield from (move for move in moves if not self.is_into_check(move))

    def generate_legal_captures(
        self, from_mask: Bitboard = BB_ALL, to_mask: Bitboard = BB_ALL
    ) -> Iterator[Move]:
        """Legal captures, including captures en passant."""
        theirs = self.occupied_co[not self.turn]
        yield from self.generate_legal_moves(from_mask, to_mask & theirs)
        yield from self.generate_legal_ep(from_mask, to_mask)

    @property
    def legal_moves(self) -> LegalMoveGenerator:
        """The legal moves: iterable, countable, and `move in board.legal_moves` asks for one."""
        return LegalMoveGenerator(self)

    @property
    def pseudo_legal_moves(self) -> PseudoLegalMoveGenerator:
        """The moves that may leave the king in check."""
        return PseudoLegalMoveGenerator(self)

    def find_move(
        self, from_square: Square, to_square: Square, promotion: Optional[PieceType] = None
    ) -> Move:
        """The legal move between two squares; a pawn becomes a queen by default."""
        is_pawn, is_last = self.pawns & BB_SQUARES[from_square], BB_SQUARES[to_square] & BB_BACKRANKS
        if promotion is None and is_pawn and is_last:
            promotion = QUEEN
        move = self._from_chess960(self.chess960, from_square, to_square, promotion)
        if not self.is_legal(move):
            raise IllegalMoveError(f"no legal move {move.uci()} in {self._text()}")
        return move

    def is_irreversible(self, move: Move) -> bool:
        """Whether no position so far can occur after a pseudo-legal move: it captures, moves a pawn,
        gives up castling rights or lets an en passant capture pass."""
        if self.is_zeroing(move) or self._reduces_castling_rights(move):
            return True
        return self.has_legal_en_passant()

    def _reduces_castling_rights(self, move: Move) -> bool:
        """Whether a pseudo-legal move moves or takes a king or rook that may castle."""
        rights = homes = self.clean_castling_rights()
        for color in (False, WHITE):
            if rights & BB_RANKS[0 if color else 7]:
                homes |= self.kings & self.occupied_co[color] & ~self.promoted
        return bool(_touched(move) & homes)

    def has_pseudo_legal_en_passant(self) -> bool:
        """Whether a pawn stands ready to capture en passant."""
        return self.ep_square is not None and any(self.generate_pseudo_legal_ep())

    def has_legal_en_passant(self) -> bool:
        """Whether there is a legal capture en passant."""
        return self.ep_square is not None and any(self.generate_legal_ep())

    # Making moves.

    def _track(self) -> None:
        """Keeps the mask of promoted pieces through the last move of the stack."""
        own, move = self.__dict__, self.move_stack[-1]
        if not own["_promotions"]:
            own["_promotions"] = []
        own["_promotions"].append((len(self.move_stack) - 1, self.promoted))
        origin, target = BB_SQUARES[move.from_square], BB_SQUARES[move.to_square]
        promoted = self.promoted & ~target
        if self.promoted & origin or move.promotion:
            promoted = promoted & ~origin | target
        own["promoted"] = promoted

    def _push_any(self, move: Move) -> None:
        """Plays a move that a board in Rust refuses."""
        if move.from_square in _KING_HOMES or self._replaced:
            move = self._in_mode(move)
        self._loosen()
        saved = self._snapshot()
        wide = self._to_chess960(move)
        rook = self._castling_rook(wide)
        zeroing, passed = bool(move) and not move.drop and self.is_zeroing(move), self.ep_square
        en_passant = bool(move) and self.is_en_passant(move)
        # First on the stack: a move that fails below can be taken back.
        self.move_stack.append(Move(move.from_square, move.to_square, move.promotion, move.drop))
        self._save(saved)
        self.halfmove_clock = 0 if zeroing else self.halfmove_clock + 1
        self.fullmove_number += 0 if self.turn else 1
        self.ep_square = None
        self.castling_rights = self.clean_castling_rights()
        if move:
            self._carry(wide, rook, passed if en_passant else None)
        self.turn = not self.turn

    def _carry(self, move: Move, rook: Optional[Square], passed: Optional[Square]) -> None:
        """Moves the pieces of a move. `rook` is the rook of castling, `passed` the square of an en passant capture."""
        origin, target = move.from_square, move.to_square
        color, step = self.turn, 8 if self.turn else -8
        rank = BB_RANKS[0 if color else 7]
        promoted = bool(self.promoted >> origin & 1 or move.promotion)
        rights = self.castling_rights & ~BB_SQUARES[origin] & ~BB_SQUARES[target]
        if self.kings & ~self.promoted & BB_SQUARES[target] & BB_BACKRANKS & ~rank:
            rights &= rank
        if move.drop:
            self._set_piece_at(target, move.drop, color)
            return
        kind = self._remove_piece_at(origin)
        if kind is None:
            raise AssertionError(f"push() expects a move of a piece, not {move}: {self._text()}")
        if kind == KING and not promoted:
            rights &= ~rank
        self.castling_rights = rights
        if rook is not None:
            side, left = 0 if color else 56, square_file(rook) < square_file(origin)
            self._remove_piece_at(rook)
            self._set_piece_at(side + (2 if left else 6), KING, color)
            self._set_piece_at(side + (3 if left else 5), ROOK, color)
            return
        caught = target if passed is None else passed - step
        victim = self.piece_type_at(caught)
        if passed is not None:
            self._remove_piece_at(caught)
        if kind == PAWN and target - origin == 2 * step and square_rank(origin) in (1, 6):
            self.ep_square = origin + step
        was_promoted = bool(self.promoted >> caught & 1)
        self._set_piece_at(target, move.promotion or kind, color, promoted)
        if victim is not None:
            self._push_capture(move, caught, victim, was_promoted)

    def _push_capture(
        self, move: Move, capture_square: Square, piece_type: PieceType, was_promoted: bool
    ) -> None:
        """Called when a piece was captured; for subclasses."""

    def _pop_any(self) -> Move:
        """Takes back a move that the board in Rust does not have on its stack, or that changed the promoted pieces."""
        core, moves = self._core, self.move_stack
        move = moves.pop()
        height = len(moves)
        if core is not None and height >= self._base:
            core._pop(self.__dict__)
        else:
            saved = self._saved.pop(height + 1)
            if len(saved) == 2:
                core, own = saved[0], self.__dict__
                core.chess960 = self.chess960
                own["_core"], own["_base"] = saved
                core.pop()
                core._show(own)
                if not self._rust:
                    self._loosen()
            else:
                self._restore(saved)
        if self._promotions and self._promotions[-1][0] == height:
            self.__dict__["promoted"] = self._promotions.pop()[1]
        return move

    def peek(self) -> Move:
        """The last move. Raises IndexError if there is none."""
        return self.move_stack[-1]

    def _text(self) -> str:
        raise NotImplementedError
