"""The names of the XBoard protocol, for programs that offer it beside UCI. Skewer speaks UCI only."""

from __future__ import annotations

import asyncio
from typing import Any, List, NoReturn, Tuple, Union

from skewer.chess.engine._protocol import Protocol

ABSENT = "skewer runs no engines by the XBoard protocol: use popen_uci"


class XBoardProtocol(Protocol):
    """Raises NotImplementedError when it is made."""

    def __new__(cls) -> XBoardProtocol:
        raise NotImplementedError(ABSENT)


async def popen_xboard(
    command: Union[str, List[str]], *, setpgrp: bool = False, **popen_args: Any
) -> Tuple[asyncio.SubprocessTransport, XBoardProtocol]:
    """Raises NotImplementedError."""
    return _refuse()


def _refuse() -> NoReturn:
    raise NotImplementedError(ABSENT)
