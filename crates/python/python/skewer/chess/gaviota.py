"""The names of Gaviota tablebases, for programs that import them. Skewer reads Syzygy tables only."""

from __future__ import annotations

import os
from typing import Any, NoReturn, Union

import skewer.chess as chess  # noqa: F401  # Programs read `chess.gaviota.chess`.


class MissingTableError(KeyError):
    """A position is in no table that was opened."""


class PythonTablebase:
    """Raises NotImplementedError when it is made."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        raise NotImplementedError("skewer does not read Gaviota tables: use skewer.chess.syzygy")


class NativeTablebase(PythonTablebase):
    """Raises NotImplementedError when it is made."""


def open_tablebase_native(
    directory: "Union[str, os.PathLike[str]]", *, libgtb: Any = None, LibraryLoader: Any = None
) -> NoReturn:
    """Raises NotImplementedError."""
    NativeTablebase()
    raise AssertionError


def open_tablebase(
    directory: "Union[str, os.PathLike[str]]", *, libgtb: Any = None, LibraryLoader: Any = None
) -> NoReturn:
    """Raises NotImplementedError."""
    PythonTablebase()
    raise AssertionError
