"""Drives the engine over pipes, without a client library that tolerates errors.

The format of its lines is checked in `lines.py`, its time in `watch.py`.
"""

import collections
import os
import select
import subprocess
import tempfile
import time
from pathlib import Path

# How long an engine may take to get ready, to answer or to quit, in seconds.
TIMEOUT = 60.0


class Failure(Exception):
    """Something that must not happen; its text says what, and begins with its kind and a colon."""


class Engine:
    """An engine process, ready and with its options set. As a context manager it checks that the engine quits."""

    def __init__(self, path, options=None):
        self.stderr = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.stderr, bufsize=0
        )
        self.out = self.process.stdout.fileno()
        self.rest = b""
        self.lines = collections.deque()
        self.send("uci")
        self.until("uciok")
        self.set(options or {})

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            self.leave()
        else:
            self.kill()

    @property
    def pid(self):
        return self.process.pid

    def set(self, options):
        """Sets options; returns the engine's remarks."""
        for name, value in options.items():
            said = str(value).lower() if isinstance(value, bool) else value
            self.send(f"setoption name {name} value {said}")
        self.send("isready")
        return self.until("readyok")[:-1]

    def send(self, line):
        try:
            self.process.stdin.write(line.encode() + b"\n")
        except OSError as error:
            raise Failure(f"crash: {error} on {line}") from error

    def fetch(self, seconds):
        """Reads output for up to `seconds` (None: no limit); returns whether there was any."""
        readable, _, _ = select.select([self.out], [], [], seconds)
        if not readable:
            return False
        data = os.read(self.out, 1 << 16)
        if not data:
            raise Failure(f"crash: the output ended, exit status {self.process.wait(TIMEOUT)}")
        *whole, self.rest = (self.rest + data).split(b"\n")
        self.lines += [line.decode() for line in whole]
        return True

    def read_until(self, prefix, seconds=TIMEOUT):
        """Yields the lines up to a line that begins with `prefix`."""
        deadline = None if seconds is None else time.perf_counter() + seconds
        while True:
            while self.lines:
                line = self.lines.popleft()
                yield line
                if line.startswith(prefix):
                    return
            left = None if deadline is None else max(0.0, deadline - time.perf_counter())
            if not self.fetch(left):
                raise Failure(f"hang: no {prefix} after {seconds:.1f} s")

    def until(self, prefix, seconds=TIMEOUT):
        """The lines up to a line that begins with `prefix`."""
        return list(self.read_until(prefix, seconds))

    def ask(self, line, prefix, seconds=TIMEOUT):
        """Sends a line and returns the lines up to a line that begins with `prefix`."""
        self.send(line)
        return self.until(prefix, seconds)

    def go(self, position, limits, seconds=TIMEOUT):
        """Searches `position` (the arguments of the command); returns the lines up to the answer."""
        self.send(f"position {position}")
        return self.ask(f"go {limits}", "bestmove", seconds)

    def new_game(self):
        """Sends the commands before a game."""
        self.send("ucinewgame")
        self.ready()

    def ready(self):
        """Waits until the engine is ready; any other output is an error."""
        output = self.ask("isready", "readyok")
        if len(output) > 1:
            raise Failure(f"stray output: {output[0]}")

    def silent(self):
        """Any output since the last answer is an error."""
        while self.fetch(0):
            pass
        if self.lines or self.rest:
            raise Failure(f"stray output: {[*self.lines, self.rest.decode()][0]}")

    def resident(self):
        """Memory in use, in KiB; 0 if the system does not report it."""
        try:
            pages = Path(f"/proc/{self.pid}/statm").read_text(encoding="ascii").split()[1]
        except OSError:
            return 0
        return int(pages) * os.sysconf("SC_PAGE_SIZE") // 1024

    def leave(self):
        """Sends `quit`; the engine must exit with success."""
        self.silent()
        self.send("quit")
        try:
            status = self.process.wait(TIMEOUT)
        except subprocess.TimeoutExpired as error:
            raise Failure("hang: the engine does not exit after quit") from error
        self.stderr.seek(0)
        said = self.stderr.read().decode(errors="replace")
        if status != 0 or said:
            raise Failure(f"crash: exit status {status}, standard error: {said[:200]!r}")

    def kill(self):
        self.process.kill()
        self.process.wait()
