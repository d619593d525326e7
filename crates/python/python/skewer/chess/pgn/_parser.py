"""Reading PGN files game by game."""

from __future__ import annotations

import re
from io import StringIO
from typing import Any, Callable, List, Optional, TextIO

from skewer.chess._board import Board
from skewer.chess.pgn._builders import GameBuilder, HeadersBuilder, SkipVisitor
from skewer.chess.pgn._characters import plain
from skewer.chess.pgn._headers import Headers
from skewer.chess.pgn._nags import SIGNS
from skewer.chess.pgn._visitor import SKIP, BaseVisitor

_TAG = re.compile(r'\[([A-Za-z0-9][A-Za-z0-9_+#=:-]*)\s+"([^\r]*)"\]\s*$')

# What movetext is made of. Between these stand numbers and signs, which are passed over, and words, which are errors.
_TOKEN = re.compile(
    r"""(?P<text>[{;])
    |(?P<open>\()|(?P<close>\))
    |(?P<result>1-0|0-1|1/2-1/2|\*)
    |\$(?P<nag>[0-9]{1,4})
    |(?P<sign>[?!]{1,2})
    |(?P<san>[NBKRQ]?[a-h]?[1-8]?[-x]?[a-h][1-8](?:=?[nbrqkNBRQK])?
        |[PNBRQK]?@[a-h][1-8]
        |--|Z0|0000|@@@@
        |O-O(?:-O)?|0-0(?:-0)?)""",
    re.VERBOSE,
)
# How many characters of a StringIO are read at once: all of it may be one line to it.
_CHUNK = 8192
_BRACES = re.compile("[{};]")
_COMMENT = re.compile("[{;]")
# A letter or a sign of another alphabet, just before a move: a part of it.
_PREFIX = re.compile(r"[^\W\d_]$|[^\x00-\x7f]$")
_WORD = re.compile(r"[^\W\d_][\w.]*")
# Words that are marks of a move, and pawns.
_MARKS = {"e.p.", "e.p", "ep", "mate", "ch", "ch.", "dbl", "dis", "N", "D", "P"}


class _Reader:
    """A game on its way from a file to a visitor."""

    def __init__(self, handle: TextIO, visitor: BaseVisitor[Any]) -> None:
        self.handle = handle
        # A StringIO does not end lines at a carriage return alone; other files do, or were opened not to.
        self._readline = self._short_line if isinstance(handle, StringIO) else handle.readline
        self.visitor = visitor
        # The board of the main line, and of each open variation.
        self.boards: List[Board] = []
        # How many variations deep the reader is in what it passes over.
        self.skipping = 0
        # Comments between the tags.
        self.leading: List[str] = []
        # The game ends in a comment, and the next one follows.
        self.ended = False

    def _short_line(self) -> str:
        """A line that a carriage return alone may end, too."""
        line = self.handle.readline(_CHUNK)
        if "\r" not in line:
            whole = len(line) < _CHUNK or line.endswith("\n")
            return line if whole else line + self._short_line()
        end = line.index("\r") + 1
        end += line.startswith("\n", end)
        if end < len(line):
            self.handle.seek(self.handle.tell() - len(line) + end)
        elif len(line) == _CHUNK and self.handle.read(1) not in ("\n", ""):
            self.handle.seek(self.handle.tell() - 1)
        return line[: end - 1] + "\n" if line[end - 1] == "\r" else line

    def game(self) -> Any:
        """Reads the next game; None at the end of the file."""
        line = self._readline()
        line = line[1:] if line.startswith("\ufeff") else line
        while line and (line.isspace() or line[0] in "%;"):
            line = self._readline()
        if not line:
            return None
        visitor = self.visitor
        skip = visitor.begin_game() is SKIP
        headers = None if skip else visitor.begin_headers()
        own = Headers({}) if headers is None else headers
        line = self._tags(line, None if skip else own, headers is None)
        if not skip:
            skip = visitor.end_headers() is SKIP
        if skip:
            self._pass_over(line)
        else:
            self.boards.append(self._board(own))
            visitor.visit_board(self.boards[0])
            for comment in self.leading:
                visitor.visit_comment(comment)
            self._moves(line)
        visitor.end_game()
        return visitor.result()

    def _tags(self, line: str, headers: Optional[Headers], keep: bool) -> str:
        """Reads tags, and returns the first line after them; empty if the game has no moves."""
        empty = 0
        while line:
            if line[0] == "[":
                empty = 0
                match = _TAG.match(line)
                if match and headers is not None:
                    self.visitor.visit_header(match[1], match[2])
                    if keep:
                        headers[match[1]] = match[2]
            elif line.isspace():
                empty += 1
                if empty == 2:
                    return ""
            elif line[0] == "{" and not empty and line.find("}") == len(line.rstrip()) - 1:
                self.leading.append(line.rstrip()[1:-1].strip())
            elif line[0] not in "%;":
                break
            line = self._readline()
        return line

    def _board(self, headers: Headers) -> Board:
        try:
            return headers.board()
        except ValueError as error:
            self.visitor.handle_error(error)
            return Board()

    def _pass_over(self, line: str) -> None:
        """Passes over the moves, up to an empty line outside comments."""
        inside = False
        while line and (inside or not line.isspace()):
            if inside or line[0] != "%":
                for match in _BRACES.finditer(line):
                    if match[0] == ";" and not inside:
                        break
                    inside = (match[0] == "{") if not inside else match[0] != "}"
            line = self._readline()

    def _moves(self, line: str) -> None:
        """Reads moves, up to an empty line outside comments."""
        while line and not line.isspace():
            if line[0] != "%":
                line = self._line(line)
                if self.ended:
                    return
            line = self._readline()

    def _line(self, line: str) -> str:
        """Reads a line, and those that a comment goes on to; returns the last of them."""
        at = 0
        line = _readable(line, at)
        while True:
            match = _TOKEN.search(line, at)
            if match is None:
                self._between(line[at:], "")
                return line
            kind = match.lastgroup
            self._between(line[at : match.start()], match[0] if kind == "san" else "")
            at = match.end()
            if kind == "text":
                if match[0] == ";":
                    return line
                line, at = self._comment(line, at)
                if self.ended:
                    return line
                line = _readable(line, at)
            elif self.skipping:
                if kind == "open":
                    self.skipping += 1
                elif kind == "close":
                    self._close()
            elif kind == "san":
                self._move(match[0])
            elif kind == "open":
                self._open()
            elif kind == "close":
                self._close()
            elif kind == "nag":
                self.visitor.visit_nag(int(match["nag"]))
            elif kind == "sign":
                self.visitor.visit_nag(SIGNS[match[0]])
            elif len(self.boards) == 1:
                self.visitor.visit_result(match[0])

    def _between(self, text: str, san: str) -> None:
        """Reports words in the place of moves. Nothing after a part of a move makes sense."""
        if self.skipping or not text or text.isspace():
            return
        is_part = bool(san) and _PREFIX.search(text) is not None and not text.endswith("P")
        for match in _WORD.finditer(text):
            word = match[0]
            if is_part and match.end() == len(text):
                break
            if word not in _MARKS:
                self.visitor.handle_error(ValueError(f"not a move: {word!r}"))
        if is_part:
            word = text.split()[-1] + san
            self.visitor.handle_error(ValueError(f"not a move: {word!r}"))
            self.skipping = 1

    def _comment(self, line: str, at: int) -> "tuple[str, int]":
        """Reads a comment whose brace is before `at`, and returns the line and place of its end."""
        start = line[at + 1 :] if line.startswith(" ", at) else line[at:]
        parts: List[str] = []
        places: List[Optional[int]] = [None]
        rest = start
        while rest and "}" not in rest:
            parts.append(rest)
            places.append(_place(self.handle))
            rest = line = self._readline()
        game = _next_game([*parts, rest[: rest.find("}") + 1]], closed=bool(rest))
        if game is not None and places[game] is not None:
            self.handle.seek(places[game] or 0)
            parts, rest = parts[:game], ""
            self.ended = True
            if not self.skipping:
                self.visitor.handle_error(ValueError("a comment has no closing brace"))
        end = rest.find("}")
        text = "".join(parts) + rest[: max(end, 0)]
        if not rest:
            text = text.rstrip()
        if text.endswith(" "):
            text = text[:-1]
        if text and not self.skipping:
            self.visitor.visit_comment(text)
        if not rest:
            return "", 0
        return line, len(line) - len(rest) + end + 1

    def _open(self) -> None:
        board = self.boards[-1]
        if not board.move_stack:
            return
        if self.visitor.begin_variation() is SKIP:
            self.skipping = 1
            self.boards.append(board)
            return
        branch = board.copy()
        branch.pop()
        self.boards.append(branch)

    def _close(self) -> None:
        """Ends a variation, or a part of one that is passed over."""
        self.skipping -= bool(self.skipping)
        if not self.skipping and len(self.boards) > 1:
            self.boards.pop()
            self.visitor.end_variation()

    def _move(self, san: str) -> None:
        board, visitor = self.boards[-1], self.visitor
        if visitor.begin_parse_san(board, san) is SKIP:
            self.skipping = 1
            return
        try:
            move = visitor.parse_san(board, san)
        except ValueError as error:
            visitor.handle_error(error)
            # Nothing after a move that was not understood makes sense.
            self.skipping = 1
            return
        visitor.visit_move(board, move)
        board.push(move)
        visitor.visit_board(board)


def _readable(line: str, at: int) -> str:
    """The line, with the characters outside ASCII from `at` to the next comment as those that they stand for."""
    if line.isascii():
        return line
    match = _COMMENT.search(line, at)
    end = match.start() if match is not None else len(line)
    return line[:at] + plain(line[at:end]) + line[end:]


def _place(handle: TextIO) -> Optional[int]:
    """Where the next line is, if the file can go back to it."""
    try:
        return handle.tell() if handle.seekable() else None
    except (AttributeError, OSError):
        return None


def _next_game(lines: List[str], closed: bool) -> Optional[int]:
    """The line of a comment at which another game begins; None if the comment has a closing brace of its own.

    That are tags before an empty line or moves, with no closing brace behind them or, before it, another opening one.
    """
    for index, line in enumerate(lines):
        if index == 0 or not line.startswith("[") or not _TAG.match(line):
            continue
        behind = next((at for at in range(index, len(lines)) if not _TAG.match(lines[at])), None)
        if behind is not None and not (lines[behind].isspace() or lines[behind][:1] in "0123456789{*"):
            continue
        if not closed or any("{" in line for line in lines[index:]):
            return index
    return None


def read_game(handle: TextIO, *, Visitor: Callable[[], BaseVisitor[Any]] = GameBuilder) -> Any:
    """Reads the next game of a file that was opened as text; None at its end.

    A game ends with an empty line. What cannot be understood is passed over, logged and kept in the
    list `errors` of the game, unless the visitor does something else with it.

    >>> import io
    >>> from skewer.chess import pgn
    >>> game = pgn.read_game(io.StringIO("1. e4 e5 (1... c5) 2. Nf3 *"))
    >>> [str(move) for move in game.mainline_moves()], len(game[0].variations)
    (['e2e4', 'e7e5', 'g1f3'], 2)
    """
    return _Reader(handle, Visitor()).game()


def read_headers(handle: TextIO) -> Optional[Headers]:
    """Reads the tags of the next game and passes over its moves; None at the end of the file."""
    headers: Optional[Headers] = read_game(handle, Visitor=HeadersBuilder)
    return headers


def skip_game(handle: TextIO) -> bool:
    """Passes over the next game. False at the end of the file."""
    return bool(read_game(handle, Visitor=SkipVisitor))
