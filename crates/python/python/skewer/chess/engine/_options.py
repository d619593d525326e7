"""Options of engines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import (
    Dict,
    Iterator,
    List,
    Mapping,
    MutableMapping,
    Optional,
    Tuple,
    TypeVar,
    Union,
)

from skewer.chess.engine._info import EngineError

T = TypeVar("T")
ConfigValue = Union[str, int, bool, None]
ConfigMapping = Mapping[str, ConfigValue]

# Options that each search sets, and not the user.
MANAGED_OPTIONS = ["uci_chess960", "uci_variant", "multipv", "ponder"]


@dataclass(frozen=True)
class Option:
    """An option that an engine offers."""

    name: str
    type: str
    default: ConfigValue
    min: Optional[int]
    max: Optional[int]
    var: Optional[List[str]]

    def is_managed(self) -> bool:
        """Whether each search sets the option."""
        return self.name.lower() in MANAGED_OPTIONS

    def parse(self, value: ConfigValue) -> ConfigValue:
        """The value, converted to the option's type. Raises EngineError if that is impossible."""
        if self.type == "check":
            # As in python-chess, an empty value is itself.
            return value and value != "false"
        if self.type == "spin":
            return self._spin(value)
        if self.type == "combo":
            text = str(value)
            if text not in (self.var or []):
                raise EngineError(f"{text!r} is none of the values of {self.name}: {self.var}")
            return text
        if self.type in ("button", "reset", "save"):
            return None
        if self.type in ("string", "file", "path"):
            text = "" if value is None else str(value)
            if "\n" in text or "\r" in text:
                raise EngineError(f"a line break in the value of {self.name}: {text!r}")
            return text
        raise EngineError(f"unknown type of option {self.name}: {self.type!r}")

    def _spin(self, value: ConfigValue) -> int:
        try:
            number = int(value)  # type: ignore[arg-type]
        except ValueError:
            raise EngineError(f"{value!r} is no number for {self.name}") from None
        low = number if self.min is None else self.min
        high = number if self.max is None else self.max
        if not low <= number <= high:
            raise EngineError(f"{number} for {self.name} is not in {self.min}..={self.max}")
        return number


class UciOptionMap(MutableMapping[str, T]):
    """A dictionary whose keys are the same in upper and lower case."""

    def __init__(self, data: "Optional[Mapping[str, T]]" = None, **kwargs: T) -> None:
        # By the key in lower case: the key as it was set, and the value.
        self._items: Dict[str, Tuple[str, T]] = {}
        self.update(data or {}, **kwargs)

    def __getitem__(self, key: str) -> T:
        return self._items[key.lower()][1]

    def __setitem__(self, key: str, value: T) -> None:
        self._items[key.lower()] = key, value

    def __delitem__(self, key: str) -> None:
        del self._items[key.lower()]

    def __iter__(self) -> Iterator[str]:
        return (key for key, _ in self._items.values())

    def __len__(self) -> int:
        return len(self._items)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mapping):
            return NotImplemented
        # Keys of another UciOptionMap are the same in upper and lower case.
        return len(self) == len(other) and all(
            key in other and other[key] == value for key, value in self.items()
        )

    def copy(self) -> "UciOptionMap[T]":
        """A copy."""
        return type(self)(self)

    __copy__ = copy

    def __repr__(self) -> str:
        return f"{type(self).__name__}({dict(self.items())!r})"


_FIELDS = ("name", "type", "default", "min", "max", "var")


def parse_option(line: str) -> Option:
    """Reads the text after ``option``. Names and values may have spaces."""
    found: Dict[str, List[str]] = {}
    variants: List[str] = []
    field, words = "", []  # type: str, List[str]
    for word in [*line.split(" "), "var"]:
        # A name ends with the word `type`, whatever else is in it, unless the type stood before the name.
        starts = word in _FIELDS and (field != "name" or word == "type" or "type" in found)
        if not starts:
            words.append(word)
            continue
        if field == "var":
            variants.append(" ".join(words))
        elif field:
            found[field] = words
        field, words = word, []
    text = {name: " ".join(value).strip() for name, value in found.items()}
    kind = text.get("type", "")
    default: ConfigValue = text.get("default", "")
    if kind == "check":
        default = default not in ("", "false")
    elif kind == "spin":
        default = _integer(text.get("default")) or 0
    elif kind == "button":
        default = None
    bounds = _integer(text.get("min")), _integer(text.get("max"))
    return Option(text.get("name", ""), kind, default, *bounds, var=variants)


def _integer(text: Optional[str]) -> Optional[int]:
    try:
        return int(text or "")
    except ValueError:
        return None
