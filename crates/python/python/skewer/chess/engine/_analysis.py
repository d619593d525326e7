"""A search that goes on: :class:`AnalysisResult`."""

from __future__ import annotations

import asyncio
import collections
from types import TracebackType
from typing import Callable, Deque, List, Optional, Type

from skewer.chess.engine._info import AnalysisComplete, BestMove, InfoDict, line_of


class AnalysisResult:
    """The information that an engine sends while it searches a position: each piece when it comes, and all so far.

    Iterate over it with ``async for``. As a context manager it ends the search.
    """

    multipv: List[InfoDict]

    def __init__(self, stop: Optional[Callable[[], None]] = None) -> None:
        self.multipv = [{}]
        self._stop = stop
        self._new: Deque[InfoDict] = collections.deque()
        self._change = asyncio.Event()
        self._best: "asyncio.Future[BestMove]" = asyncio.get_running_loop().create_future()
        # Read the exception, because the event loop reports exceptions that nobody has read.
        self._best.add_done_callback(lambda best: best.cancelled() or best.exception())

    # For the protocol.

    def post(self, info: InfoDict) -> None:
        """Adds a piece of information that the engine has sent."""
        index = line_of(info)
        while len(self.multipv) <= index:
            self.multipv.append({})
        for key in ("lowerbound", "upperbound"):
            if "score" in info:
                self.multipv[index].pop(key, None)  # type: ignore[misc]
        self.multipv[index].update(info)
        self._new.append(info)
        self._change.set()

    def set_finished(self, best: BestMove) -> None:
        """The search has ended with a move."""
        if not self._best.done():
            self._best.set_result(best)
        self._change.set()

    def set_exception(self, exc: Exception) -> None:
        """The search has failed."""
        if not self._best.done():
            self._best.set_exception(exc)
        self._change.set()

    # For the user.

    @property
    def info(self) -> InfoDict:
        """What is known of the best line."""
        return self.multipv[0]

    def stop(self) -> None:
        """Ends the search soon."""
        if self._stop is not None and not self._best.done():
            self._stop()

    async def wait(self) -> BestMove:
        """Waits for the end of the search."""
        return await asyncio.shield(self._best)

    async def get(self) -> InfoDict:
        """The next piece of information. Raises AnalysisComplete if there is no more."""
        while not self._new:
            if self._best.done():
                self._best.result()
                raise AnalysisComplete
            self._change.clear()
            await self._change.wait()
        return self._new.popleft()

    async def next(self) -> Optional[InfoDict]:
        """The next piece of information, or None at the end."""
        try:
            return await self.get()
        except AnalysisComplete:
            return None

    def would_block(self) -> bool:
        """Whether getting the next piece of information would have to wait for the engine."""
        return not self._new and not self._best.done()

    def empty(self) -> bool:
        """Whether all that the engine has said so far was taken."""
        return not self._new

    def __aiter__(self) -> "AnalysisResult":
        return self

    async def __anext__(self) -> InfoDict:
        try:
            return await self.get()
        except AnalysisComplete:
            raise StopAsyncIteration from None

    def __enter__(self) -> "AnalysisResult":
        return self

    def __exit__(
        self,
        exc_type: Optional[Type[BaseException]],
        exc_value: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.stop()
