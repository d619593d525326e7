"""Positions as text: FEN."""

from __future__ import annotations

from typing import List, Optional

from skewer.chess._san import SanMixin
from skewer.chess._squares import (
    BB_FILES,
    BB_RANKS,
    BLACK,
    FEN_CASTLING_REGEX,
    FILE_NAMES,
    SQUARE_NAMES,
    WHITE,
    Bitboard,
    Color,
    scan_forward,
    square_file,
)


class FenMixin(SanMixin):
    """Reading and writing FEN."""

    # Writing.

    def _castling_text(self, shredder: bool) -> str:
        """The third field of a FEN, with files of rooks wherever letters would not be clear."""
        rights, text = self.clean_castling_rights(), ""
        for color in (WHITE, BLACK):
            rank = BB_RANKS[0 if color else 7]
            king = self.king(color)
            if king is None:
                continue
            rooks = self.rooks & self.occupied_co[color] & rank
            for rook in sorted(scan_forward(rights & rank), reverse=True):
                right = square_file(rook) >= square_file(king)
                further = rooks >> rook + 1 if right else rooks & rank & ((1 << rook) - 1)
                letter = FILE_NAMES[square_file(rook)] if shredder or further else "qk"[right]
                text += letter.upper() if color else letter
        return text or "-"

    def castling_shredder_fen(self) -> str:
        """Castling rights by the files of the rooks."""
        return self._castling_text(shredder=True)

    def castling_xfen(self) -> str:
        """Castling rights as in a FEN: by file only where another rook stands further out."""
        return self._castling_text(shredder=False)

    def _shown_ep(self, en_passant: str) -> str:
        shown = {
            "fen": lambda: self.ep_square is not None,
            "xfen": self.has_pseudo_legal_en_passant,
        }.get(en_passant, self.has_legal_en_passant)
        return SQUARE_NAMES[self.ep_square] if shown() and self.ep_square is not None else "-"

    def _first_fields(self, shredder: bool, en_passant: str, promoted: Optional[bool]) -> List[str]:
        castling = self.castling_shredder_fen() if shredder else self.castling_xfen()
        turn = "w" if self.turn else "b"
        return [self.board_fen(promoted=promoted), turn, castling, self._shown_ep(en_passant)]

    def fen(
        self, *, shredder: bool = False, en_passant: str = "legal", promoted: Optional[bool] = None
    ) -> str:
        """The FEN of the position.

        The en passant square is given if a capture is legal ("legal"), if a pawn attacks it
        ("xfen"), or after every double step ("fen").
        """
        core = self._core or self._fast()
        if core is not None and not promoted:
            return core.fen(shredder=shredder, en_passant=en_passant)  # type: ignore[arg-type]
        first = self.epd(shredder=shredder, en_passant=en_passant, promoted=promoted)
        return f"{first} {self.halfmove_clock} {self.fullmove_number}"

    def epd(
        self, *, shredder: bool = False, en_passant: str = "legal", promoted: Optional[bool] = None
    ) -> str:
        """The first four fields of the FEN."""
        return " ".join(self._first_fields(shredder, en_passant, promoted))

    def shredder_fen(self, *, en_passant: str = "legal", promoted: Optional[bool] = None) -> str:
        """The FEN with castling rights by the files of the rooks."""
        return self.fen(shredder=True, en_passant=en_passant, promoted=promoted)

    def _text(self) -> str:
        return self.fen()

    # Reading.

    def set_fen(self, fen: str) -> None:
        """Sets up the position of a FEN, legal or not. Missing fields have their usual values.

        Raises ValueError if the text is malformed.
        """
        if self._set_fast(fen):
            return
        fields = fen.split()
        if not 1 <= len(fields) <= 6:
            raise ValueError(f"a fen has one to six fields: {fen!r}")
        defaults = [fields[0], "w", "-", "-", "0", "1"]
        placement, turn, castling, ep, clock, number = fields + defaults[len(fields) :]
        if turn not in ("w", "b"):
            raise ValueError(f"the turn in a fen is w or b: {fen!r}")
        if not FEN_CASTLING_REGEX.match(castling):
            raise ValueError(f"malformed castling rights in a fen: {fen!r}")
        if ep != "-" and ep not in SQUARE_NAMES:
            raise ValueError(f"malformed en passant square in a fen: {fen!r}")
        plies, moves = _number(clock, fen), _number(number, fen)
        self._set_board_fen(placement)
        self.turn = turn == "w"
        self._set_castling_fen(castling)
        self.ep_square = None if ep == "-" else SQUARE_NAMES.index(ep)
        self.halfmove_clock, self.fullmove_number = plies, max(moves, 1)
        self.clear_stack()

    def _set_fast(self, fen: str) -> bool:
        raise NotImplementedError

    def _read_castling(self, text: str) -> Bitboard:
        """The mask of the rooks that a castling field means, whether or not they are there."""
        rights = 0
        for letter in text.replace("-", ""):
            color: Color = letter.isupper()
            rank = BB_RANKS[0 if color else 7]
            letter = letter.lower()
            if letter in FILE_NAMES:
                rights |= rank & BB_FILES[FILE_NAMES.index(letter)]
                continue
            king = self.king(color)
            rooks = self.rooks & self.occupied_co[color] & rank
            outer = rooks & -rooks if letter == "q" else 1 << rooks.bit_length() >> 1
            beyond = king is not None and (outer < 1 << king) == (letter == "q")
            corner = BB_FILES[0 if letter == "q" else 7]
            rights |= outer if beyond else rank & corner
        return rights

    def set_castling_fen(self, castling_fen: Optional[str]) -> None:
        """Sets the castling rights from the third field of a FEN, and forgets the moves."""
        self._set_castling_fen(castling_fen)
        self.clear_stack()

    def _set_castling_fen(self, castling_fen: Optional[str]) -> None:
        castling_fen = castling_fen or "-"
        if not FEN_CASTLING_REGEX.match(castling_fen):
            raise ValueError(f"malformed castling rights: {castling_fen!r}")
        self.castling_rights = self._read_castling(castling_fen)

    def clear_stack(self) -> None:
        """Removes the moves of the stack; the position stays."""
        self._forget()


def _number(text: str, fen: str) -> int:
    """A clock or move number."""
    try:
        number = int(text)
    except ValueError:
        raise ValueError(f"a counter in a fen is not a number: {fen!r}") from None
    if number < 0:
        raise ValueError(f"a counter in a fen is negative: {fen!r}")
    return number
