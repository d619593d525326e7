"""Engines without asyncio: :class:`SimpleEngine`."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import functools
import math
import threading
from types import TracebackType
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Coroutine,
    Dict,
    Iterator,
    List,
    MutableMapping,
    Optional,
    Tuple,
    Type,
    TypeVar,
    Union,
)

from skewer.chess.engine._analysis import AnalysisResult
from skewer.chess.engine._info import (
    AnalysisComplete,
    BestMove,
    EngineTerminatedError,
    InfoDict,
    Limit,
)
from skewer.chess.engine._options import Option
from skewer.chess.engine._xboard import ABSENT as XBOARD_ABSENT
from skewer.chess.engine._uci import UciProtocol

if TYPE_CHECKING:
    from typing import Iterable, overload

    from skewer.chess._board import Board
    from skewer.chess._squares import Move
    from skewer.chess.engine._info import Info
    from skewer.chess.engine._options import ConfigMapping
    from typing_extensions import Concatenate, ParamSpec

    P = ParamSpec("P")

T = TypeVar("T")


async def popen_uci(
    command: Union[str, List[str]], *, setpgrp: bool = False, **popen_args: Any
) -> Tuple[asyncio.SubprocessTransport, UciProtocol]:
    """Starts an engine, and learns its options. The command is a path, or path and arguments.

    With `setpgrp` signals such as Ctrl-C do not reach the engine.
    """
    transport, protocol = await UciProtocol.popen(command, setpgrp=setpgrp, **popen_args)
    try:
        await protocol.initialize()
    except BaseException:
        transport.close()
        raise
    return transport, protocol


def run_in_background(
    coroutine: "Callable[[concurrent.futures.Future[T]], Coroutine[Any, Any, None]]",
    *,
    name: Optional[str] = None,
    debug: Optional[bool] = None,
) -> T:
    """Runs a coroutine in a thread of its own, and returns the result that it gives to its future.

    The coroutine goes on after that.
    """
    future: "concurrent.futures.Future[T]" = concurrent.futures.Future()

    async def main() -> None:
        try:
            await coroutine(future)
        except BaseException as error:
            if future.done():
                raise
            future.set_exception(error)
        else:
            if not future.done():
                future.cancel()

    thread = threading.Thread(target=lambda: asyncio.run(main(), debug=debug), name=name)
    thread.start()
    return future.result()


def _waiting(
    method: "Callable[Concatenate[UciProtocol, P], Coroutine[Any, Any, T]]",
) -> "Callable[Concatenate[SimpleEngine, P], T]":
    """Makes a method that calls the method of the protocol and waits for the answer."""

    @functools.wraps(method)
    def wait(self: SimpleEngine, /, *arguments: P.args, **named: P.kwargs) -> T:
        given = (*arguments, *named.values())
        limit = next((value for value in given if isinstance(value, Limit)), None)
        timeout = self.timeout if limit is None else self._time_for(limit)
        return self._call(method(self.protocol, *arguments, **named), timeout)

    return wait


def _starting(
    method: "Callable[Concatenate[UciProtocol, P], Coroutine[Any, Any, AnalysisResult]]",
) -> "Callable[Concatenate[SimpleEngine, P], SimpleAnalysisResult]":
    """Makes a method that calls the method of the protocol and waits until the search has begun."""

    @functools.wraps(method)
    def start(self: SimpleEngine, /, *arguments: P.args, **named: P.kwargs) -> SimpleAnalysisResult:
        call = method(self.protocol, *arguments, **named)
        return SimpleAnalysisResult(self, self._call(call, self.timeout))

    return start


class SimpleEngine:
    """An engine whose methods wait for the answer.

    Answers that take longer than `timeout` seconds, besides the time of the search, raise
    asyncio.TimeoutError. As a context manager it closes the engine.
    """

    def __init__(
        self,
        transport: asyncio.SubprocessTransport,
        protocol: UciProtocol,
        *,
        timeout: Optional[float] = 10.0,
    ) -> None:
        self.transport = transport
        self.protocol = protocol
        self.timeout = timeout
        self._closed = False
        self._guard = threading.Lock()
        self.shutdown_event = asyncio.Event()
        #: The exit code of the process, once it has ended.
        self.returncode: "concurrent.futures.Future[int]" = concurrent.futures.Future()

    @classmethod
    def popen(
        cls,
        Protocol: "Type[UciProtocol]",
        command: Union[str, List[str]],
        *,
        timeout: Optional[float] = 10.0,
        debug: Optional[bool] = None,
        setpgrp: bool = False,
        **popen_args: Any,
    ) -> "SimpleEngine":
        """Starts an engine with its event loop in a thread."""

        async def background(future: "concurrent.futures.Future[SimpleEngine]") -> None:
            transport, protocol = await Protocol.popen(command, setpgrp=setpgrp, **popen_args)
            engine = cls(transport, protocol, timeout=timeout)
            try:
                await asyncio.wait_for(protocol.initialize(), timeout)
                future.set_result(engine)
                ends: "List[asyncio.Future[Any]]" = [
                    asyncio.shield(protocol.returncode),
                    asyncio.ensure_future(engine.shutdown_event.wait()),
                ]
                await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            finally:
                engine._closed = True
                transport.close()
                # Closing the transport ends the process, which takes some rounds of the event loop.
                with contextlib.suppress(asyncio.TimeoutError):
                    engine.returncode.set_result(await asyncio.wait_for(asyncio.shield(protocol.returncode), 5))

        return run_in_background(background, name=f"{cls.__name__} ({command!r})", debug=debug)

    @classmethod
    def popen_uci(
        cls,
        command: Union[str, List[str]],
        *,
        timeout: Optional[float] = 10.0,
        debug: Optional[bool] = None,
        setpgrp: bool = False,
        **popen_args: Any,
    ) -> "SimpleEngine":
        """Starts an engine, and learns its options: as :func:`popen_uci`."""
        return cls.popen(
            UciProtocol, command, timeout=timeout, debug=debug, setpgrp=setpgrp, **popen_args
        )

    @classmethod
    def popen_xboard(
        cls,
        command: Union[str, List[str]],
        *,
        timeout: Optional[float] = 10.0,
        debug: Optional[bool] = None,
        setpgrp: bool = False,
        **popen_args: Any,
    ) -> "SimpleEngine":
        """Raises NotImplementedError: engines speak UCI here."""
        raise NotImplementedError(XBOARD_ABSENT)

    # Calls into the event loop.

    def _call(self, coroutine: Coroutine[Any, Any, T], timeout: Optional[float]) -> T:
        with self._guard:
            if self._closed:
                coroutine.close()
                raise EngineTerminatedError("the engine was closed")
            waiting = asyncio.wait_for(coroutine, timeout)
            future = asyncio.run_coroutine_threadsafe(waiting, self.protocol.loop)
        return future.result()

    def _soon(self, action: Callable[[], T]) -> T:
        async def run() -> T:
            return action()

        return self._call(run(), self.timeout)

    def _time_for(self, limit: Limit) -> Optional[float]:
        """How long an answer may take, in seconds.

        None, no limit, if the search has no limit in time or the engine has no timeout.
        """
        searching = limit.time
        if searching is None and limit.white_clock is not None and limit.black_clock is not None:
            searching = max(limit.white_clock, limit.black_clock)
        # A time that is not a finite number is refused later, when the limit is read.
        if self.timeout is None or not isinstance(searching, (int, float)) or not math.isfinite(searching):
            return None
        return self.timeout + searching

    @property
    def options(self) -> MutableMapping[str, Option]:
        """The options of the engine by name."""
        return self._soon(lambda: self.protocol.options)

    @property
    def id(self) -> Dict[str, str]:
        """The name and the author of the engine."""
        return self._soon(lambda: self.protocol.id.copy())

    def communicate(self, command: "Callable[[UciProtocol], Coroutine[Any, Any, T]]") -> T:
        """Runs a coroutine of the protocol."""
        return self._call(command(self.protocol), self.timeout)

    configure = _waiting(UciProtocol.configure)
    ping = _waiting(UciProtocol.ping)
    play = _waiting(UciProtocol.play)
    if TYPE_CHECKING:

        @overload
        def analyse(
            self,
            board: Board,
            limit: Limit,
            *,
            multipv: None = None,
            game: object = None,
            info: Info = Info.ALL,
            root_moves: Optional[Iterable[Move]] = None,
            options: ConfigMapping = {},
        ) -> InfoDict: ...

        @overload
        def analyse(
            self,
            board: Board,
            limit: Limit,
            *,
            multipv: int,
            game: object = None,
            info: Info = Info.ALL,
            root_moves: Optional[Iterable[Move]] = None,
            options: ConfigMapping = {},
        ) -> List[InfoDict]: ...

        def analyse(self, board: Board, limit: Limit, **named: Any) -> Any: ...
    else:
        analyse = _waiting(UciProtocol.analyse)

    send_opponent_information = _waiting(UciProtocol.send_opponent_information)
    send_game_result = _waiting(UciProtocol.send_game_result)
    quit = _waiting(UciProtocol.quit)

    analysis = _starting(UciProtocol.analysis)

    def close(self) -> None:
        """Ends the process at once."""
        with self._guard:
            if not self._closed:
                self._closed = True
                with contextlib.suppress(RuntimeError):
                    self.protocol.loop.call_soon_threadsafe(self.shutdown_event.set)

    def __enter__(self) -> "SimpleEngine":
        return self

    def __exit__(
        self,
        exc_type: Optional[Type[BaseException]],
        exc_value: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} (pid={self.transport.get_pid()})>"


class SimpleAnalysisResult:
    """What an engine says while it thinks, for :class:`SimpleEngine`. Iterate over it."""

    def __init__(self, simple_engine: SimpleEngine, inner: AnalysisResult) -> None:
        self.simple_engine = simple_engine
        self.inner = inner

    @property
    def info(self) -> InfoDict:
        """What is known of the best line."""
        return self.simple_engine._soon(lambda: self.inner.info.copy())

    @property
    def multipv(self) -> List[InfoDict]:
        """What is known of each line."""
        return self.simple_engine._soon(lambda: [info.copy() for info in self.inner.multipv])

    def stop(self) -> None:
        """Ends the search soon."""
        self.simple_engine._soon(self.inner.stop)

    def wait(self) -> BestMove:
        """Waits for the end of the search."""
        return self.simple_engine._call(self.inner.wait(), None)

    def would_block(self) -> bool:
        """Whether reading the next piece of information would wait."""
        return self.simple_engine._soon(self.inner.would_block)

    def empty(self) -> bool:
        """Whether all that the engine has said so far was taken."""
        return self.simple_engine._soon(self.inner.empty)

    def get(self) -> InfoDict:
        """The next piece of information. Raises AnalysisComplete if there is no more."""
        return self.simple_engine._call(self.inner.get(), None)

    def next(self) -> Optional[InfoDict]:
        """The next piece of information, or None at the end."""
        return self.simple_engine._call(self.inner.next(), None)

    def __iter__(self) -> Iterator[InfoDict]:
        return self

    def __next__(self) -> InfoDict:
        try:
            return self.get()
        except AnalysisComplete:
            raise StopIteration from None

    def __enter__(self) -> "SimpleAnalysisResult":
        return self

    def __exit__(
        self,
        exc_type: Optional[Type[BaseException]],
        exc_value: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        with contextlib.suppress(EngineTerminatedError):
            self.stop()
