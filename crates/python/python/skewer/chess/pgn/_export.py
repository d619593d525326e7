"""Visitors that write PGN."""

from __future__ import annotations

from typing import List, Optional, TextIO

from skewer.chess._board import Board
from skewer.chess._squares import Move
from skewer.chess.pgn._visitor import SKIP, BaseVisitor, SkipType


class StringExporterMixin:
    """Turns a game into lines of text, without saying where they go."""

    def __init__(
        self,
        *,
        columns: Optional[int] = 80,
        headers: bool = True,
        comments: bool = True,
        variations: bool = True,
    ) -> None:
        self.columns = columns
        self.headers = headers
        self.comments = comments
        self.variations = variations
        self.lines: List[str] = []
        self.current_line = ""
        self.variation_depth = 0
        self.found_headers = False
        # Whether the next move is written with its number even if it is Black's.
        self.force_movenumber = True

    def flush_current_line(self) -> None:
        """Ends the line, if there is anything on it."""
        line, self.current_line = self.current_line.rstrip(), ""
        if line:
            self.lines.append(line)

    def write_token(self, token: str) -> None:
        """Puts a word on the line, or on the next one if there is no room."""
        if self.columns is not None and len(self.current_line) + len(token) > self.columns:
            self.flush_current_line()
        self.current_line += token

    def write_line(self, line: str = "") -> None:
        """Writes a whole line."""
        self.flush_current_line()
        self.lines.append(line.rstrip())

    def _shown(self) -> bool:
        """Whether to write what the visitor is shown now; variations may be left out."""
        return self.variations or not self.variation_depth

    def begin_headers(self) -> None:
        """Tags begin."""
        self.found_headers = False

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        """A tag, on a line of its own."""
        if self.headers:
            self.found_headers = True
            self.write_line(f'[{tagname} "{tagvalue}"]')

    def end_headers(self) -> None:
        """An empty line after the tags."""
        if self.found_headers:
            self.write_line()

    def begin_variation(self) -> Optional[SkipType]:
        """An opening parenthesis."""
        self.variation_depth += 1
        if not self.variations:
            return SKIP
        self.write_token("( ")
        self.force_movenumber = True
        return None

    def end_variation(self) -> None:
        """A closing parenthesis."""
        self.variation_depth -= 1
        if self.variations:
            self.write_token(") ")
            self.force_movenumber = True

    def visit_comment(self, comment: str) -> None:
        """A comment in braces."""
        if self.comments and self._shown():
            self.write_token("{ " + comment.replace("}", "").strip() + " } ")
            self.force_movenumber = True

    def visit_nag(self, nag: int) -> None:
        """A numeric annotation glyph. Glyphs are left out together with comments."""
        if self.comments and self._shown():
            self.write_token(f"${nag} ")

    def visit_move(self, board: Board, move: Move) -> None:
        """A move, with its number where the reader needs it."""
        if self._shown():
            if board.turn or self.force_movenumber:
                self.write_token(f"{board.fullmove_number}{'.' if board.turn else '...'} ")
            self.write_token(board.san(move) + " ")
            self.force_movenumber = False

    def visit_result(self, result: str) -> None:
        """The result after the moves."""
        self.write_token(result + " ")

    def end_game(self) -> None:
        """An empty line after the game."""
        self.write_line()


class StringExporter(StringExporterMixin, BaseVisitor[str]):
    """Writes a game to a text. With `columns` None the moves are on one line."""

    def result(self) -> str:
        """The text, without a line break at its end."""
        lines = [*self.lines, self.current_line.rstrip()]
        return "\n".join(lines).rstrip()

    def __str__(self) -> str:
        return self.result()


class FileExporter(StringExporterMixin, BaseVisitor[int]):
    """Writes games to a text file, each with an empty line after it."""

    def __init__(
        self,
        handle: TextIO,
        *,
        columns: Optional[int] = 80,
        headers: bool = True,
        comments: bool = True,
        variations: bool = True,
    ) -> None:
        super().__init__(columns=columns, headers=headers, comments=comments, variations=variations)
        self.handle = handle

    def begin_game(self) -> None:
        """A game begins."""
        self.written = 0
        self.variation_depth = 0
        self.found_headers = False
        self.force_movenumber = True

    def flush_current_line(self) -> None:
        """Ends the line, if there is anything on it."""
        super().flush_current_line()
        self._write()

    def write_line(self, line: str = "") -> None:
        """Writes a whole line."""
        super().write_line(line)
        self._write()

    def _write(self) -> None:
        for line in self.lines:
            self.written += self.handle.write(line + "\n")
        self.lines.clear()

    def result(self) -> int:
        """How many characters the game took."""
        return self.written

    def __repr__(self) -> str:
        return f"<{type(self).__name__} at {id(self):#x}>"

    def __str__(self) -> str:
        return repr(self)
