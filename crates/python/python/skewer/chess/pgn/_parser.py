"""Reading PGN files game by game."""

from __future__ import annotations

import re
from io import StringIO
from typing import Any, Callable, List, Optional, TextIO, Tuple

from skewer._skewer import pgn_events
from skewer.chess._board import Board
from skewer.chess._squares import SAN_REGEX, Move
from skewer.chess.pgn._builders import GameBuilder, HeadersBuilder, SkipVisitor
from skewer.chess.pgn._headers import Headers
from skewer.chess.pgn._visitor import SKIP, BaseVisitor

# How many characters of a StringIO are read at once, because its whole text may be one line.
_CHUNK = 8192
_BRACES = re.compile("[{};]")
# Tags with names that only python-chess allows: what is a name elsewhere, the rest of the name, and the value.
_ODD_TAG = re.compile(r'^\[([A-Za-z0-9][A-Za-z0-9_-]*)([+#=:][A-Za-z0-9_+#=:-]*)\s+"([^\r\n]*)"\]\s*$', re.MULTILINE)
# How many lines the value of a tag may have.
_MOST_LINES = 16
# Text that may stand before a tag.
_BLANKS = " \t\u00a0\u200b\ufeff"


class _Text:
    """The lines of a file, taken game by game."""

    def __init__(self, handle: TextIO) -> None:
        self.handle = handle
        # A StringIO does not end lines at a carriage return alone; other files do, or were opened not to.
        self._readline = self._short_line if isinstance(handle, StringIO) else handle.readline
        self._place = _place(handle)
        # Characters from `_place` to the first line of the game.
        self._before = 0

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

    def lines(self) -> str:
        """The lines up to the end of the next game; none at the end of the file.

        A game ends with an empty line after its moves, or with two after its tags.
        """
        line = self._readline()
        if line.startswith("\ufeff"):
            self._before += 1
            line = line[1:]
        while line and (line.isspace() or line[0] in "%;"):
            self._before += len(line)
            line = self._readline()
        lines: List[str] = []
        inside = tags = moves = False
        empty = 0
        # The lines of a tag whose value has not ended. If it never ends, the lines after the first are moves.
        value = 0
        while line:
            if inside or not line.isspace():
                empty = 0
                if not inside and line.lstrip(_BLANKS)[:1] == "[":
                    tags = True
                    moves |= value > 1
                    value = int(line.count('"') - line.count('\\"') == 1)
                elif value:
                    value = 0 if line.rstrip().endswith('"]') else value + 1
                    moves |= value == _MOST_LINES
                elif inside or line[0] != "%":
                    inside, more = _after(line, inside)
                    moves |= more
            else:
                moves |= value > 1
                value = 0
                empty += 1
                if moves or (tags and empty == 2):
                    break
            lines.append(line)
            line = self._readline()
        return "".join(lines)

    def go_back(self, text: str, used: int) -> bool:
        """Goes back in the file to the place after the first `used` characters of `text`, if the file can go back."""
        if self._place is None:
            return False
        self.handle.seek(self._place)
        self.handle.read(self._before + used)
        return True


def _after(line: str, inside: bool) -> Tuple[bool, bool]:
    """Whether a comment is open after a line, and whether the line has more than comments."""
    moves, start = False, 0
    for match in _BRACES.finditer(line):
        if inside:
            if match[0] == "}":
                inside, start = False, match.end()
        else:
            moves |= not line[start : match.start()].isspace() and match.start() > start
            if match[0] == ";":
                return False, moves
            inside, start = match[0] == "{", match.end()
    rest = line[start:]
    return inside, moves or not inside and bool(rest) and not rest.isspace()


class _Reader:
    """Reads a game from a file and shows it to a visitor."""

    def __init__(self, handle: TextIO, visitor: BaseVisitor[Any]) -> None:
        self.text = _Text(handle)
        self.visitor = visitor
        # The board of the main line, and of each open variation.
        self.boards: List[Board] = []
        # The depth of the variation in the text that the reader passes over.
        self.skipping = 0
        # Whether the visitor reads moves as visitors do by default.
        self._is_plain = type(visitor).parse_san is BaseVisitor.parse_san

    def game(self) -> Any:
        """Reads the next game; None at the end of the file."""
        text = self.text.lines()
        if not text:
            return None
        visitor = self.visitor
        skip = visitor.begin_game() is SKIP
        events, used = _events(text, skip)
        if not skip:
            headers = visitor.begin_headers()
            own = Headers({}) if headers is None else headers
            odd = {match[1]: (match[1] + match[2], match[3]) for match in _ODD_TAG.finditer(text)}
            at = 0
            for at, (kind, name, value) in enumerate(events):
                if kind == "moves":
                    break
                if kind == "tag":
                    name, value = odd.get(name, (name, value))
                    visitor.visit_header(name, value)
                    if headers is None:
                        own[name] = value
                elif kind == "error":
                    visitor.handle_error(ValueError(name))
            skip = visitor.end_headers() is SKIP
        if not skip:
            self.boards.append(self._board(own))
            visitor.visit_board(self.boards[0])
            self._play(events[at + 1 :])
        if used < len(text) and not self.text.go_back(text, used) and not skip:
            # The rest of the lines cannot be read again as another game.
            while text := text[used:]:
                events, used = _events(text, False)
                self._play(events)
        visitor.end_game()
        return visitor.result()

    def _board(self, headers: Headers) -> Board:
        try:
            return headers.board()
        except ValueError as error:
            self.visitor.handle_error(error)
            return Board()

    def _play(self, events: List[Tuple[str, str, str]]) -> None:
        """Shows the visitor the moves, comments, variations and result of a game."""
        visitor = self.visitor
        for kind, text, _ in events:
            if self.skipping:
                if kind == "open":
                    self.skipping += 1
                elif kind == "close":
                    self._close()
            elif kind == "move":
                self._move(text)
            elif kind == "comment":
                if text := _trimmed(text):
                    visitor.visit_comment(text)
            elif kind == "nag":
                visitor.visit_nag(int(text))
            elif kind == "open":
                self._open()
            elif kind == "close":
                self._close()
            elif kind == "result":
                visitor.visit_result(text)
            elif kind == "word":
                visitor.handle_error(ValueError(f"not a move: {text!r}"))
            elif kind in ("error", "tag"):
                visitor.handle_error(ValueError(text if kind == "error" else f"a tag among the moves: {text}"))

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

    def _move(self, word: str) -> None:
        board, visitor = self.boards[-1], self.visitor
        # SAN without the signs of check and mate; other notations as they are.
        match = SAN_REGEX.match(word)
        san = word.rstrip("+#") if match else word
        # A visitor that skips a move sees the moves after it in the same position.
        if visitor.begin_parse_san(board, san) is not SKIP:
            try:
                move = self._parse(board, san, word)
            except ValueError as error:
                visitor.handle_error(error)
                # Nothing after a move that was not understood makes sense.
                self.skipping = 1
            else:
                visitor.visit_move(board, move)
                board.push(move)
        visitor.visit_board(board)

    def _parse(self, board: Board, san: str, word: str) -> Move:
        """The move of a word, in every form that games have unless the visitor reads moves by itself."""
        try:
            return self.visitor.parse_san(board, san)
        except ValueError:
            core = (board._core or board._fast()) if self._is_plain else None
            if core is None:
                raise
            try:
                return core._parse_pgn(word)
            except ValueError:
                pass
            raise


def _events(text: str, skip: bool) -> Tuple[List[Tuple[str, str, str]], int]:
    """The events of the first game of a text, and its length in characters."""
    try:
        encoded = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        encoded = text.encode("utf-8", "replace")
    events, end = pgn_events(encoded, skip)
    if end == len(encoded):
        return events, len(text)
    return events, len(encoded[:end].decode("utf-8", "surrogateescape"))


def _trimmed(comment: str) -> str:
    """A comment without a blank at each end."""
    comment = comment[1:] if comment.startswith(" ") else comment
    return comment[:-1] if comment.endswith(" ") else comment


def _place(handle: TextIO) -> Optional[int]:
    """The place of the next line, if the file can go back to it."""
    try:
        return handle.tell() if handle.seekable() else None
    except (AttributeError, OSError):
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
