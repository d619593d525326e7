"""The process of an engine: :class:`Protocol`."""

from __future__ import annotations

import abc
import asyncio
import logging
import subprocess
import sys
from typing import (
    Any,
    Callable,
    Dict,
    List,
    MutableMapping,
    Optional,
    Tuple,
    TypeVar,
    Union,
)

from skewer.chess.engine._info import EngineError, EngineTerminatedError
from skewer.chess.engine._options import Option, UciOptionMap

LOGGER = logging.getLogger("chess.engine")

# The longest line that an engine may write, in bytes with its end. Without a limit an engine could fill the memory.
MOST_LINE = 1 << 16
# How much an engine may write after a command, in bytes a second, averaged over at least a second.
MOST_A_SECOND = 4 << 20

ProtocolT = TypeVar("ProtocolT", bound="Protocol")


class Protocol(asyncio.SubprocessProtocol, metaclass=abc.ABCMeta):
    """The lines to and from an engine, and the requests of every protocol."""

    options: MutableMapping[str, Option]
    id: Dict[str, str]
    returncode: asyncio.Future[int]

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.transport: Optional[asyncio.SubprocessTransport] = None
        self.options = UciOptionMap()
        self.id = {}
        self.initialized = False
        self.returncode = self.loop.create_future()
        # The beginning of a line whose end has not come yet, by pipe.
        self._rest: Dict[int, bytes] = {}
        # What the engine has written since the last command, in bytes, and when that was.
        self._written = 0
        self._asked = self.loop.time()
        # Why the engine was ended, if it was.
        self._fault: Optional[EngineError] = None
        # One request after the other.
        self._lock = asyncio.Lock()
        self._listener: Optional[Callable[[str], None]] = None
        self._waiting: "List[asyncio.Future[Any]]" = []

    # The requests. UciProtocol defines their arguments.

    @abc.abstractmethod
    async def initialize(self) -> None:
        """Starts the protocol, and learns the options of the engine."""

    @abc.abstractmethod
    async def ping(self) -> None:
        """Waits until the engine answers."""

    @abc.abstractmethod
    async def configure(self, *arguments: Any, **named: Any) -> None:
        """Sets options."""

    @abc.abstractmethod
    async def play(self, *arguments: Any, **named: Any) -> Any:
        """Finds a move."""

    @abc.abstractmethod
    async def analyse(self, *arguments: Any, **named: Any) -> Any:
        """Searches, and returns the information about the best lines."""

    @abc.abstractmethod
    async def analysis(self, *arguments: Any, **named: Any) -> Any:
        """Starts a search."""

    @abc.abstractmethod
    async def send_opponent_information(self, *arguments: Any, **named: Any) -> None:
        """Tells the engine its opponent."""

    @abc.abstractmethod
    async def send_game_result(self, *arguments: Any, **named: Any) -> None:
        """Tells the engine how a game has ended."""

    @abc.abstractmethod
    async def quit(self) -> None:
        """Asks the engine to end."""

    # The process.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The process was started."""
        self.transport = transport  # type: ignore[assignment]

    def connection_lost(self, exc: Optional[Exception]) -> None:
        """The pipes are closed, and the process has ended."""
        assert self.transport is not None
        code = self.transport.get_returncode()
        LOGGER.debug("%s: connection lost (exit code: %s, error: %s)", self, code, exc)
        self._ended(-1 if code is None else code)

    def process_exited(self) -> None:
        """The process has ended; lines may still come."""
        LOGGER.debug("%s: process exited", self)

    def _ended(self, code: int) -> None:
        """The process has ended."""
        if not self.returncode.done():
            self.returncode.set_result(code)
        self._fail(EngineTerminatedError(f"engine process died unexpectedly (exit code: {code})"))

    def _fail(self, error: EngineError) -> None:
        """Fails everything that waits for the engine."""
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_exception(error)

    def _refuse(self, reason: str) -> None:
        """Ends an engine that cannot be used any more, and fails everything that waits for it."""
        self._fault = EngineError(f"{self}: {reason}")
        self._fail(self._fault)
        assert self.transport is not None
        self.transport.close()

    def pipe_data_received(self, fd: int, data: Union[bytes, str]) -> None:
        """Splits what the process has written into lines."""
        new = data.encode() if isinstance(data, str) else data
        *lines, rest = (self._rest.get(fd, b"") + new).split(b"\n")
        if fd != 1:
            # The standard error is only logged: a line without an end is cut into pieces.
            if len(rest) >= MOST_LINE:
                lines, rest = [*lines, rest], b""
            self._rest[fd] = rest
            for line in lines:
                self.error_line_received(_text(line))
            return
        self._written += len(new)
        for line in lines:
            self._received(line)
        self._rest[fd] = rest
        self._check_written(rest)

    def _received(self, line: bytes) -> None:
        """A line from the engine, without its end."""
        self._check_written(line)
        if self._fault is not None:
            return
        text = _text(line)
        try:
            self.line_received(text)
        except Exception as error:
            # The event loop would only log the exception, and the caller would wait for ever.
            self._refuse(f"cannot handle the line {text[:200]!r}: {error!r}")

    def _check_written(self, line: bytes) -> None:
        """Ends an engine that writes too long a line, or too much."""
        if self._fault is not None:
            return
        if len(line) >= MOST_LINE:
            self._refuse(f"the engine wrote a line of more than {MOST_LINE} bytes")
        elif self._written > MOST_A_SECOND * max(1.0, self.loop.time() - self._asked):
            self._refuse(f"the engine wrote more than {MOST_A_SECOND >> 20} MiB a second")

    def error_line_received(self, line: str) -> None:
        """A line from the standard error of the process."""
        # Without a handler, `logging` prints warnings to the terminal, which the engine shall not control.
        LOGGER.warning("%s: stderr >> %s", self, line if line.isprintable() else repr(line))

    def line_received(self, line: str) -> None:
        """A line from the engine."""
        LOGGER.debug("%s: >> %s", self, line)
        if self._listener is not None:
            self._listener(line)

    def send_line(self, line: str) -> None:
        """Writes a line to the engine."""
        self._check_alive()
        assert self.transport is not None, "the engine was not started"
        self._written, self._asked = 0, self.loop.time()
        LOGGER.debug("%s: << %s", self, line)
        pipe: Any = self.transport.get_pipe_transport(0)
        pipe.write(f"{line}\n".encode())

    def _check_alive(self) -> None:
        if self._fault is not None:
            raise EngineTerminatedError(str(self._fault))
        if self.returncode.done():
            code = self.returncode.result()
            raise EngineTerminatedError(f"engine process dead (exit code: {code})")

    def _check_initialized(self) -> None:
        self._check_alive()
        if not self.initialized:
            raise EngineError("the engine was not initialized")

    def _future(self) -> "asyncio.Future[Any]":
        """A future that fails when the process ends."""
        future: "asyncio.Future[Any]" = self.loop.create_future()
        self._waiting = [other for other in self._waiting if not other.done()]
        self._waiting.append(future)
        # The event loop shall not report an exception that nobody awaits any more.
        future.add_done_callback(lambda done: done.cancelled() or done.exception())
        return future

    async def _wait_for(self, future: "asyncio.Future[Any]", end: Callable[[str], bool]) -> Any:
        """Gives lines to `end` until it returns True, unless the future is done before."""

        def listen(line: str) -> None:
            if not future.done():
                try:
                    if end(line):
                        future.set_result(None)
                except EngineError as error:
                    future.set_exception(error)

        self._listener = listen
        try:
            return await future
        finally:
            if self._listener is listen:
                self._listener = None

    @classmethod
    async def popen(
        cls: "type[ProtocolT]",
        command: Union[str, List[str]],
        *,
        setpgrp: bool = False,
        **popen_args: Any,
    ) -> Tuple[asyncio.SubprocessTransport, ProtocolT]:
        """Starts a process."""
        arguments: Dict[str, Any] = {}
        if setpgrp and sys.platform == "win32":
            arguments["creationflags"] = subprocess.CREATE_NEW_PROCESS_GROUP
        elif setpgrp:
            arguments["start_new_session"] = True
        arguments.update(popen_args)
        words = [command] if isinstance(command, str) else command
        started = await asyncio.get_running_loop().subprocess_exec(cls, *words, **arguments)
        return started[0], started[1]

    def __repr__(self) -> str:
        pid = self.transport.get_pid() if self.transport is not None else "?"
        return f"<{type(self).__name__} (pid={pid})>"


def _text(line: bytes) -> str:
    return line.decode("utf-8", errors="replace").rstrip("\r")


class MockTransport(asyncio.SubprocessTransport, asyncio.WriteTransport):
    """An engine for tests: the lines that it expects, and its answers."""

    def __init__(self, protocol: Protocol) -> None:
        super().__init__()
        self.protocol = protocol
        self._script: List[Tuple[str, List[str]]] = []
        self._rest = b""
        protocol.connection_made(self)

    def expect(self, expectation: str, responses: List[str] = []) -> None:
        """The next line must be this one, and is answered by these."""
        self._script.append((expectation, responses))

    def expect_ping(self) -> None:
        """The next line must ask whether the engine is ready."""
        self.expect("isready", ["readyok"])

    def assert_done(self) -> None:
        """Fails if a line has not come."""
        assert not self._script, f"not sent: {[line for line, _ in self._script]}"

    def get_pipe_transport(self, fd: int) -> Optional[asyncio.BaseTransport]:
        """The transport itself stands for its pipes."""
        assert fd == 0, f"an engine is written to, not read from: {fd}"
        return self

    def write(self, data: bytes) -> None:  # type: ignore[override]
        """Takes lines, and lets the loop deliver the answers."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            text = line.decode()
            assert self._script, f"unexpected line: {text!r}"
            expected, answers = self._script.pop(0)
            assert text == expected, f"expected {expected!r}, not {text!r}"
            for answer in answers:
                self.protocol.loop.call_soon(
                    self.protocol.pipe_data_received, 1, f"{answer}\n".encode()
                )

    def close(self) -> None:
        """Nothing is to be ended."""

    def get_pid(self) -> int:
        """Any number."""
        return id(self)

    def get_returncode(self) -> Optional[int]:
        """None as long as lines are expected."""
        return None if self._script else 0
