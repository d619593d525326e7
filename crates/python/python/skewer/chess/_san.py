"""Moves as text: SAN, long algebraic notation, UCI and XBoard."""

from __future__ import annotations

from typing import Iterable, List, Optional

from skewer._skewer import AmbiguousMoveError, IllegalMoveError, InvalidMoveError
from skewer.chess._pseudo import to_the_right
from skewer.chess._rules import RulesMixin
from skewer.chess._squares import (
    BB_FILES,
    BB_RANKS,
    BB_SQUARES,
    PAWN,
    PIECE_SYMBOLS,
    SAN_REGEX,
    SQUARE_NAMES,
    Move,
    piece_symbol,
    square_file,
    square_rank,
)

_NULL_MOVES = ("--", "Z0", "0000", "@@@@")
_CASTLING = {"O-O": True, "0-0": True, "O-O-O": False, "0-0-0": False}


class SanMixin(RulesMixin):
    """Reading and writing moves."""

    # Writing.

    def _origin(self, move: Move, kind: int, long: bool) -> str:
        """The part of a SAN that names the square from which a piece comes."""
        square = move.from_square
        if long:
            return SQUARE_NAMES[square]
        if kind == PAWN:
            return SQUARE_NAMES[square][0] if self.is_capture(move) else ""
        alike = self.pieces_mask(kind, self.turn) & ~BB_SQUARES[square]
        rivals = 0
        for other in self.generate_legal_moves(alike, BB_SQUARES[move.to_square]):
            rivals |= BB_SQUARES[other.from_square]
        if not rivals:
            return ""
        name = SQUARE_NAMES[square]
        if not rivals & BB_FILES[square_file(square)]:
            return name[0]
        return name if rivals & BB_RANKS[square_rank(square)] else name[1]

    def _algebraic_without_suffix(self, move: Move, *, long: bool = False) -> str:
        """A move in algebraic notation, without the sign of check or mate."""
        if not move:
            return "--"
        if move.drop:
            letter = "" if move.drop == PAWN else piece_symbol(move.drop).upper()
            return f"{letter}@{SQUARE_NAMES[move.to_square]}"
        if self.is_castling(move):
            return "O-O-O" if to_the_right(move) < 0 else "O-O"
        kind = self.piece_type_at(move.from_square)
        if kind is None:
            raise AssertionError(
                f"san() and lan() expect a move of a piece, not {move}: {self._text()}"
            )
        letter = "" if kind == PAWN else piece_symbol(kind).upper()
        between = "x" if self.is_capture(move) else "-" if long else ""
        promotion = f"={piece_symbol(move.promotion).upper()}" if move.promotion else ""
        origin = self._origin(move, kind, long)
        return f"{letter}{origin}{between}{SQUARE_NAMES[move.to_square]}{promotion}"

    def san(self, move: Move) -> str:
        """A move in standard algebraic notation."""
        core = (self._core or self._fast()) if self._rust_play else None
        if core is not None:
            try:
                return core.san(move)
            except (IllegalMoveError, TypeError):
                # An argument that is no move raises the exception of python-chess.
                pass
        return self._algebraic(move)

    def lan(self, move: Move) -> str:
        """A move in long algebraic notation."""
        return self._algebraic(move, long=True)

    def _algebraic(self, move: Move, *, long: bool = False) -> str:
        text = self._algebraic_and_push(move, long=long)
        self.pop()
        return text

    def _algebraic_and_push(self, move: Move, *, long: bool = False) -> str:
        """A move in algebraic notation, with the sign of check or mate, which is then played."""
        text = self._algebraic_without_suffix(move, long=long)
        self.push(move)
        check = self.is_check()
        lost = check and self.is_checkmate() or self.is_variant_loss() or self.is_variant_win()
        return text + ("#" if lost else "+" if check else "") if move else text

    def san_and_push(self, move: Move) -> str:
        """The SAN of a move, which is then played."""
        if not self._rust_play:
            return self._algebraic_and_push(move)
        san = self.san(move)
        self.push(move)
        return san

    def variation_san(self, variation: Iterable[Move]) -> str:
        """The moves of a line in SAN, with move numbers. Raises IllegalMoveError."""
        board = self.copy(stack=False)  # type: ignore[call-arg]
        words: List[str] = []
        for move in variation:
            if not board.is_legal(move):
                raise IllegalMoveError(f"illegal move {move} in position {board._text()}")
            dots = "." if board.turn else "..." if not words else ""
            number = f"{board.fullmove_number}{dots}{' ' if board.turn else ''}" if dots else ""
            words.append(number + board.san_and_push(move))
        return " ".join(words)

    def uci(self, move: Move, *, chess960: Optional[bool] = None) -> str:
        """A move as UCI text; in Chess960, castling is the king taking its own rook."""
        return self._in_mode(move, chess960).uci()

    def xboard(self, move: Move, chess960: Optional[bool] = None) -> str:
        """A move as XBoard text; in Chess960, castling is written as in SAN."""
        mode = self.chess960 if chess960 is None else chess960
        if mode and self.is_castling(move):
            return "O-O-O" if to_the_right(move) < 0 else "O-O"
        return self._in_mode(move, mode).xboard()

    # Reading.

    def parse_san(self, san: str) -> Move:
        """Reads a move in standard algebraic notation, long notation included.

        Raises InvalidMoveError, IllegalMoveError or AmbiguousMoveError, all of them ValueErrors.
        """
        match = SAN_REGEX.match(san)
        text = san if match else san[:-1] if san[-1:] in ("+", "#") else san
        if match or text in _CASTLING:
            core = self._core or self._fast()
            # In Chess960, Rust reads the king's two steps as castling.
            if core is not None and not (match and match[3] and match[2] and core.chess960):
                try:
                    return core._parse_san(san)
                except ValueError:
                    pass
        elif san in _NULL_MOVES:
            return Move.null()
        else:
            raise InvalidMoveError(f"invalid san: {san!r}")
        if not match:
            return self._parse_castling(san, text)
        letter, file, rank, target, promotion = match.groups()
        kind = PIECE_SYMBOLS.index(letter.lower()) if letter else PAWN
        wanted = PIECE_SYMBOLS.index(promotion[-1].lower()) if promotion else None
        if file and rank and not letter:
            # Two squares are a move of any piece.
            squares = SQUARE_NAMES.index(file + rank), SQUARE_NAMES.index(target)
            move = self.find_move(*squares, wanted)
            return self._only([move] if move.promotion == wanted else [], san)
        sources = self.pieces_mask(kind, self.turn)
        if file:
            sources &= BB_FILES["abcdefgh".index(file)]
        elif kind == PAWN:
            # A pawn without its file does not capture.
            sources &= BB_FILES["abcdefgh".index(target[0])]
        if rank:
            sources &= BB_RANKS[int(rank) - 1]
        found = [
            move
            for move in self.generate_legal_moves(sources, BB_SQUARES[SQUARE_NAMES.index(target)])
            if move.promotion == wanted
            and move.to_square == SQUARE_NAMES.index(target)
            # In Chess960, the target of castling is the own rook.
            and not self.occupied_co[self.turn] >> move.to_square & 1
        ]
        return self._only(found, san)

    def _parse_castling(self, san: str, text: str) -> Move:
        on_wing = self.is_kingside_castling if _CASTLING[text] else self.is_queenside_castling
        return self._only([move for move in self.generate_castling_moves() if on_wing(move)], san)

    def _only(self, moves: List[Move], text: str) -> Move:
        """The only move that a text can mean."""
        if not moves:
            raise IllegalMoveError(f"illegal san: {text!r} in {self._text()}")
        if len(moves) > 1:
            raise AmbiguousMoveError(f"ambiguous san: {text!r} in {self._text()}")
        return moves[0]

    def push_san(self, san: str) -> Move:
        """Plays a move in standard algebraic notation and returns it."""
        move = self.parse_san(san)
        self.push(move)
        return move

    def parse_uci(self, uci: str) -> Move:
        """Reads a move in UCI text, with castling in either form. Raises a ValueError."""
        move = Move.from_uci(uci)
        if not move:
            return move
        move = self._in_mode(move)
        if not self.is_legal(move):
            raise IllegalMoveError(f"illegal uci: {uci!r} in {self._text()}")
        return move

    def push_uci(self, uci: str) -> Move:
        """Plays a move in UCI text and returns it."""
        move = self.parse_uci(uci)
        self.push(move)
        return move

    def parse_xboard(self, xboard: str) -> Move:
        """Reads a move in XBoard text, which is SAN as well."""
        return self.parse_san(xboard)

    def push_xboard(self, san: str) -> Move:
        """Plays a move in XBoard text and returns it."""
        move = self.parse_xboard(san)
        self.push(move)
        return move
