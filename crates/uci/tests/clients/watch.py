"""Measures times, and whether the engine or the machine caused a delay.

A watcher on each core sleeps for a millisecond at a time and records when it wakes up late: the core
itself was stalled (as a rule, by other guests of the same host). A stopwatch measures the CPU time of an
engine's threads, which does not grow while other processes have the cores, and how long these threads
were ready to run while other processes had the cores.
"""

import multiprocessing
import os
import tempfile
import time
from pathlib import Path

# How long a watcher sleeps at a time, and the delay from which on it records a stall, in seconds: well
# above the time that the scheduler lets a process wait beside two busy processes.
NAP = 0.001
STALL = 0.015


def watch(core, path):
    """Records the stalls of `core`, a line each: begin and end."""
    if core is not None:
        os.sched_setaffinity(0, {core})
    with open(path, "w", buffering=1, encoding="ascii") as file:
        before = time.perf_counter()
        while True:
            time.sleep(NAP)
            now = time.perf_counter()
            if now - before > STALL:
                file.write(f"{before} {now}\n")
            before = now


class Watchers:
    """A watcher on each core during a run."""

    def __init__(self):
        pinned = hasattr(os, "sched_setaffinity")
        cores = sorted(os.sched_getaffinity(0)) if pinned else [None]
        self.folder = tempfile.TemporaryDirectory()
        self.paths = [str(Path(self.folder.name, f"core-{core}")) for core in cores]
        self.processes = [
            multiprocessing.Process(target=watch, args=pair, daemon=True)
            for pair in zip(cores, self.paths)
        ]

    def __enter__(self):
        for process in self.processes:
            process.start()
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.terminate()
            process.join()
        self.folder.cleanup()


def stall_time(paths, moves):
    """How long the machine was stalled during the search of these moves, in seconds, on the core with
    the longest stalls. A move is the pair of the times when its search began and ended."""
    # A watcher that was stalled writes with a delay.
    time.sleep(10 * NAP)
    longest = 0.0
    for path in paths:
        try:
            lines = Path(path).read_text(encoding="ascii").splitlines()
        except OSError:
            continue
        stalls = [tuple(map(float, line.split())) for line in lines]
        common = (
            min(end, ended) - max(begin, began) for begin, end in stalls for began, ended in moves
        )
        longest = max(longest, sum(length for length in common if length > 0))
    return longest


def cpu_time(pid):
    """The CPU time of all threads of a process so far, in seconds; None if the system has no such
    clock."""
    if not hasattr(time, "clock_gettime"):
        return None
    try:
        # How Linux numbers the processor-time clock of a process (CPUCLOCK_SCHED).
        return time.clock_gettime((~pid << 3) | 2)
    except OSError:
        return None


def waiting_times(pid):
    """How long each thread of a process was ready to run but had no core, in seconds, by the number of
    the thread. Empty if the system does not count it; Linux does."""
    waits = {}
    for file in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        try:
            waits[file.parent.name] = int(file.read_text(encoding="ascii").split()[1]) * 1e-9
        except OSError:
            # The thread has ended.
            continue
    return waits


class Stopwatch:
    """Measures from its creation the time of an engine process that searches with `threads` threads."""

    def __init__(self, pid, threads=1):
        self.pid = pid
        self.threads = threads
        self.before = cpu_time(pid)
        self.waits = waiting_times(pid)
        self.began = time.perf_counter()

    def wall_time(self):
        """Seconds by the wall clock."""
        return time.perf_counter() - self.began

    def cpu_time(self):
        """CPU time per thread, in seconds. An engine that checks the clock often enough never uses
        more than its limit, however busy the machine is. None if the system has no such clock."""
        if self.before is None:
            return None
        return (cpu_time(self.pid) - self.before) / self.threads

    def waiting_time(self):
        """How long the thread that waited longest was ready to run but had no core, in seconds."""
        waits = waiting_times(self.pid).items()
        return max((wait - self.waits.get(thread, 0.0) for thread, wait in waits), default=0.0)
