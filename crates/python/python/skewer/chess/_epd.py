"""EPD: positions with operations."""

from __future__ import annotations

import math
import re
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Union

from skewer.chess._fen import FenMixin
from skewer.chess._squares import Move

Operand = Union[None, str, int, float, Move, List[Move]]

_INTEGER = re.compile(r"[+-]?\d+\Z")
_NUMBER = re.compile(r"[+-]?(\d+\.\d*|\.\d+)\Z")
# One operation: a name, and operands in which a semicolon may stand between quotes.
_OPERATION = re.compile(r"""((?:"(?:\\.|[^"\\])*(?:"|\Z)|[^;"])*)(?:;|\Z)""", re.DOTALL)


class EpdMixin(FenMixin):
    """Reading and writing EPD."""

    def epd(
        self,
        *,
        shredder: bool = False,
        en_passant: str = "legal",
        promoted: Optional[bool] = None,
        **operations: Union[None, str, int, float, Move, Iterable[Move]],
    ) -> str:
        """The first four fields of the FEN, followed by operations: operands by opcode."""
        core = self._core or self._fast()
        if core is not None and not promoted:
            text = core.epd(shredder=shredder, en_passant=en_passant)  # type: ignore[arg-type]
        else:
            text = " ".join(self._first_fields(shredder, en_passant, promoted))
        return f"{text} {self._epd_operations(operations)}" if operations else text

    def _epd_operations(self, operations: Mapping[str, Any]) -> str:
        """The texts of operations, given as operands by opcode."""
        return " ".join(self._operation(*item) for item in operations.items())

    def _validate_epd_opcode(self, opcode: str) -> None:
        """Raises ValueError for a text that is no opcode."""
        if opcode in ("", "-") or re.search(r"[ \n\t\r]", opcode):
            raise ValueError(f"not an opcode of epd: {opcode!r}")

    def _operation(self, opcode: str, operand: Any) -> str:
        """The text of an operation, with its semicolon."""
        self._validate_epd_opcode(opcode)
        if operand is None:
            return f"{opcode};"
        if isinstance(operand, Move):
            return f"{opcode} {self.san(operand)};"
        if isinstance(operand, float):
            if not math.isfinite(operand):
                raise AssertionError(f"numbers in epd are finite: {operand}")
            return f"{opcode} {operand};"
        if isinstance(operand, int):
            return f"{opcode} {operand};"
        if isinstance(operand, str):
            escaped = operand
            for plain, written in (("\\", "\\\\"), ("\t", "\\t"), ("\r", "\\r"), ("\n", "\\n")):
                escaped = escaped.replace(plain, written)
            return '{} "{}";'.format(opcode, escaped.replace('"', '\\"'))
        if opcode in ("am", "bm", "pv"):
            return " ".join([opcode, *self._sans(opcode, list(operand))]) + ";"
        return self._operation(opcode, str(operand))

    def _sans(self, opcode: str, moves: List[Move]) -> List[str]:
        if opcode != "pv":
            return sorted(self.san(move) for move in moves)
        board = self.copy(stack=False)  # type: ignore[call-arg]
        return [board.san_and_push(move) for move in moves]

    def set_epd(self, epd: str) -> Dict[str, Operand]:
        """Sets up the position of an EPD, and returns its operations by opcode.

        Values are None, numbers, texts, moves or lists of moves.
        """
        fields = epd.strip().rstrip(";").split(None, 4)
        rest = fields[4] if len(fields) > 4 else ""
        position = " ".join(fields[:4])
        self.set_fen(position or epd)
        operations = self._read_operations(rest) if rest else {}
        if "hmvc" in operations or "fmvn" in operations:
            # Checked like the clocks of a FEN.
            self.set_fen(f"{position} {operations.get('hmvc', 0)} {operations.get('fmvn', 1)}")
        return operations

    def _parse_epd_ops(
        self, operation_part: str, make_board: "Callable[[], EpdMixin]"
    ) -> Dict[str, Operand]:
        """The operations of a text. Its moves are moves of the board that `make_board` returns."""
        return make_board()._read_operations(operation_part)

    def _read_operations(self, text: str) -> Dict[str, Operand]:
        operations: Dict[str, Operand] = {}
        for match in _OPERATION.finditer(text):
            opcode, _, operand = match[1].strip().partition(" ")
            # Some files have dashes in the place of clocks before the first operation.
            while opcode == "-":
                opcode, _, operand = operand.strip().partition(" ")
            if opcode:
                if opcode[0].isdigit():
                    raise ValueError(f"not an opcode of epd: {opcode!r}")
                operations[opcode] = self._operand(opcode, operand.strip())
        return operations

    def _operand(self, opcode: str, text: str) -> Operand:
        if not text:
            return None
        if text[0] == '"':
            return _unquoted(text)
        if _INTEGER.match(text):
            return int(text)
        if _NUMBER.match(text):
            return float(text)
        if opcode == "pv" or opcode in ("am", "bm"):
            board = self.copy(stack=False)  # type: ignore[call-arg]
            read = board.push_xboard if opcode == "pv" else board.parse_xboard
            return [read(word) for word in text.split()]
        return self.parse_xboard(text)


def _unquoted(text: str) -> str:
    """A text between quotes, the last of which may be missing."""
    inner = re.match(r'"((?:\\.|[^"\\])*)', text, re.DOTALL)
    assert inner is not None
    signs = {"t": "\t", "n": "\n", "r": "\r"}
    return re.sub(r"\\(.)", lambda found: signs.get(found[1], found[1]), inner[1])
