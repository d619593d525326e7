"""How a game ends."""

from __future__ import annotations

import operator
from typing import Callable, Hashable, List, Optional

from skewer._outcome import Outcome, Termination
from skewer.chess._moves import MovesMixin
from skewer.chess._squares import (
    BB_DARK_SQUARES,
    BB_LIGHT_SQUARES,
    COLORS,
    Color,
    popcount,
)


class RulesMixin(MovesMixin):
    """Mate, stalemate and draws."""

    # Kinds of chess other than the standard one have ends of their own.

    def is_variant_loss(self) -> bool:
        """Always False, because only variants of chess have further ends."""
        return False

    def is_variant_win(self) -> bool:
        """Always False, because only variants of chess have further ends."""
        return False

    def is_variant_draw(self) -> bool:
        """Always False, because only variants of chess have further ends."""
        return False

    def _can_move(self) -> bool:
        core = self._core
        if core is not None:
            return bool(core.legal_moves)
        return any(True for _ in self.generate_legal_moves())

    def is_checkmate(self) -> bool:
        """Whether the side to move is checkmated."""
        return self.is_check() and not self._can_move()

    def is_stalemate(self) -> bool:
        """Whether the side to move has no legal move and is not in check."""
        return not self.is_check() and not self.is_variant_end() and not self._can_move()

    def has_insufficient_material(self, color: Color) -> bool:
        """Whether a side does not have the pieces to give mate, whatever the other side does."""
        own, theirs = self.occupied_co[color], self.occupied_co[not color]
        if own & (self.pawns | self.rooks | self.queens):
            return False
        if own & self.knights:
            # A lone knight needs a piece of the other side, other than a queen, that blocks its own king.
            return popcount(own) <= 2 and not theirs & ~self.kings & ~self.queens
        if own & self.bishops:
            sides = self.bishops & BB_LIGHT_SQUARES, self.bishops & BB_DARK_SQUARES
            return not all(sides) and not self.pawns and not self.knights
        return True

    def is_insufficient_material(self) -> bool:
        """Whether neither side has the pieces to give mate."""
        return all(self.has_insufficient_material(color) for color in COLORS)

    def _is_halfmoves(self, plies: int) -> bool:
        return self.halfmove_clock >= plies and self._can_move()

    def is_seventyfive_moves(self) -> bool:
        """Whether 75 moves of each side were made without a capture or pawn move: a draw."""
        return self._is_halfmoves(150)

    def is_fifty_moves(self) -> bool:
        """Whether 50 moves of each side were made without a capture or pawn move."""
        return self._is_halfmoves(100)

    def can_claim_fifty_moves(self) -> bool:
        """Whether the side to move can claim a draw by the fifty-move rule, now or by a move."""
        if self.is_fifty_moves():
            return True
        if self.halfmove_clock < 99:
            return False
        quiet = (move for move in self.generate_legal_moves() if not self.is_zeroing(move))
        return any(self._after(move, self.is_fifty_moves) for move in quiet)

    def _transposition_key(self) -> Hashable:
        """A key that is equal for equal positions, by which repetitions are found."""
        ep = self.ep_square if self.has_legal_en_passant() else None
        return (*self._masks(), self.turn, self.clean_castling_rights(), ep)

    def is_repetition(self, count: int = 3) -> bool:
        """Whether the position has occurred `count` times, this time included."""
        core = (self._core or self._fast()) if self._rust_play else None
        if core is not None and not self._saved and not self._base:
            return count <= 1 or core.is_repetition(operator.index(count))
        return self._occurrences(count) >= count

    def _occurrences(self, enough: int) -> int:
        """How often the position has occurred, counted up to `enough`."""
        key, found, past = self._transposition_key(), 1, self.copy()
        while found < enough and past.move_stack:
            move = past.pop()
            if past.is_irreversible(move):
                break
            found += past._transposition_key() == key
        return found

    def is_fivefold_repetition(self) -> bool:
        """Whether the position has occurred five times: a draw."""
        return self.is_repetition(5)

    def can_claim_threefold_repetition(self) -> bool:
        """Whether the side to move can claim a draw by repetition, now or by a move."""
        core = (self._core or self._fast()) if self._rust_play else None
        if core is not None and not self._saved and not self._base:
            return core.can_claim_threefold_repetition()
        if self._occurrences(3) >= 3:
            return True
        moves = self.generate_legal_moves()
        return any(self._after(move, lambda: self._occurrences(3) >= 3) for move in moves)

    def can_claim_draw(self) -> bool:
        """Whether the side to move can claim a draw."""
        return self.can_claim_fifty_moves() or self.can_claim_threefold_repetition()

    def outcome(self, *, claim_draw: bool = False) -> Optional[Outcome]:
        """How the game ended, or None while it goes on; with `claim_draw`, also by a claim."""
        us, them, nobody = self.turn, not self.turn, None
        ends: "List[tuple[Callable[[], bool], Termination, Optional[Color]]]" = [
            (self.is_variant_loss, Termination.VARIANT_LOSS, them),
            (self.is_variant_win, Termination.VARIANT_WIN, us),
            (self.is_variant_draw, Termination.VARIANT_DRAW, nobody),
            (self.is_checkmate, Termination.CHECKMATE, them),
            (self.is_insufficient_material, Termination.INSUFFICIENT_MATERIAL, nobody),
            (lambda: not self._can_move(), Termination.STALEMATE, nobody),
            (self.is_seventyfive_moves, Termination.SEVENTYFIVE_MOVES, nobody),
            (self.is_fivefold_repetition, Termination.FIVEFOLD_REPETITION, nobody),
            (self.can_claim_fifty_moves, Termination.FIFTY_MOVES, nobody),
            (self.can_claim_threefold_repetition, Termination.THREEFOLD_REPETITION, nobody),
        ]
        if not claim_draw:
            del ends[-2:]
        met = (Outcome(termination, winner) for holds, termination, winner in ends if holds())
        return next(met, None)

    def is_game_over(self, *, claim_draw: bool = False) -> bool:
        """Whether the game is over."""
        return self.outcome(claim_draw=claim_draw) is not None

    def result(self, *, claim_draw: bool = False) -> str:
        """The result as PGN writes it, ``*`` for a game that goes on."""
        outcome = self.outcome(claim_draw=claim_draw)
        return "*" if outcome is None else outcome.result()
