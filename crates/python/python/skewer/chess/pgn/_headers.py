"""The tags of a game: :class:`Headers`."""

from __future__ import annotations

import re
from typing import (
    TYPE_CHECKING,
    Dict,
    Iterable,
    Iterator,
    Mapping,
    MutableMapping,
    Optional,
    Tuple,
    Type,
    TypeVar,
    Union,
)

from skewer.chess._board import Board

if TYPE_CHECKING:
    from skewer.chess.pgn._builders import HeadersBuilder

HeadersT = TypeVar("HeadersT", bound="Headers")
Tags = Union[Mapping[str, str], Iterable[Tuple[str, str]]]

# The seven tags that every game has.
TAG_ROSTER = ["Event", "Site", "Date", "Round", "White", "Black", "Result"]
ROSTER_DEFAULTS = dict(zip(TAG_ROSTER, ["?", "?", "????.??.??", "?", "?", "?", "*"]))
TAG_NAME_REGEX = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+#=:-]*\Z")

_CHESS960 = {"chess960", "fischerandom", "fischerrandom"}
# Wild 0 to 5, 8 and 8a are standard chess from other positions.
_WILD = {f"wild/{number}" for number in ("0", "1", "2", "3", "4", "5", "6", "7", "8", "8a")}


class Headers(MutableMapping[str, str]):
    """The tags of a game. The seven usual ones come first."""

    def __init__(self, data: Optional[Tags] = None, **kwargs: str) -> None:
        self._tags: Dict[str, str] = {}
        if data is None:
            data = ROSTER_DEFAULTS
        self.update(data)
        self.update(kwargs)

    def _variant(self) -> str:
        return self.get("Variant", "").lower()

    def is_chess960(self) -> bool:
        """Whether the tag Variant says that the game is one of Chess960."""
        return self._variant().replace(" ", "") in _CHESS960

    def is_wild(self) -> bool:
        """Whether the tag Variant says that the game begins from another position."""
        return self._variant() in _WILD

    def variant(self) -> Type[Board]:
        """The class of boards for the tag Variant. Raises ValueError if there is none."""
        from skewer.chess.variant import find_variant

        if "Variant" not in self or self.is_chess960() or self.is_wild():
            return Board
        return find_variant(self["Variant"])

    def board(self) -> Board:
        """The position in which the game begins. Raises ValueError."""
        kind = self.variant()
        board = kind(self.get("FEN", kind.starting_fen), chess960=self.is_chess960())
        if not board.chess960 and board.has_chess960_castling_rights():
            board.chess960 = True
        return board

    def __setitem__(self, key: str, value: str) -> None:
        # As in python-chess, the usual tags are not checked.
        if key in ROSTER_DEFAULTS:
            self._tags[key] = value
            return
        if not TAG_NAME_REGEX.match(key):
            raise ValueError(f"not the name of a tag: {key!r}")
        if "\n" in value or "\r" in value:
            raise ValueError(f"a line break in the tag {key}: {value!r}")
        self._tags[key] = value

    def __getitem__(self, key: str) -> str:
        return self._tags[key]

    def __delitem__(self, key: str) -> None:
        del self._tags[key]

    def __iter__(self) -> Iterator[str]:
        yield from (tag for tag in TAG_ROSTER if tag in self._tags)
        yield from (tag for tag in self._tags if tag not in ROSTER_DEFAULTS)

    def __len__(self) -> int:
        return len(self._tags)

    def copy(self: HeadersT) -> HeadersT:
        """A copy."""
        return type(self)(self)

    def __copy__(self: HeadersT) -> HeadersT:
        return self.copy()

    def __repr__(self) -> str:
        tags = ", ".join(f"{tag}={value!r}" for tag, value in self.items())
        return f"{type(self).__name__}({tags})"

    @classmethod
    def builder(cls: "type[HeadersT]") -> "HeadersBuilder[HeadersT]":
        """A visitor that makes headers of this class."""
        from skewer.chess.pgn._builders import HeadersBuilder

        return HeadersBuilder(Headers=cls)
