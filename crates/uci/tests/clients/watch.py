"""Measures times, and whether the engine or the machine caused a delay.

A watcher on each core, which does nothing but sleep for a millisecond at a time, knows when the core
itself stood still (other guests of the same host, as a rule). A stopwatch knows what the threads of an
engine computed, which does not grow while other processes have the cores.
"""

import multiprocessing
import os
import tempfile
import time
from pathlib import Path

# What a watcher sleeps at a time, and from what delay on it says that its core stood still, in seconds.
# Well above what a process that has just slept waits for its turn beside two busy ones.
NAP = 0.001
STOOD_STILL = 0.015


def watch(core, path):
    """Records the stalls of `core`, a line each: begin and end."""
    if core is not None:
        os.sched_setaffinity(0, {core})
    with open(path, "w", buffering=1, encoding="ascii") as file:
        before = time.perf_counter()
        while True:
            time.sleep(NAP)
            now = time.perf_counter()
            if now - before > STOOD_STILL:
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


def stood_still(paths, moves):
    """For how long the machine stood still while these moves were thought about, in seconds: the
    longest of its cores. A move is when it began and when it ended."""
    # A watcher that was stalled itself writes a little later.
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


def computed(pid):
    """What all threads of a process have computed so far, in seconds; None where the system does not
    say so."""
    if not hasattr(time, "clock_gettime"):
        return None
    try:
        # How Linux numbers the processor-time clock of a process (CPUCLOCK_SCHED).
        return time.clock_gettime((~pid << 3) | 2)
    except OSError:
        return None


class Stopwatch:
    """Measures from its creation the time of an engine process that searches with `threads` threads."""

    def __init__(self, pid, threads=1):
        self.pid = pid
        self.threads = threads
        self.before = computed(pid)
        self.began = time.perf_counter()

    def by_the_clock(self):
        """Seconds by the wall clock."""
        return time.perf_counter() - self.began

    def computed(self):
        """Seconds that a thread computed, on average. Who looks at the clock often enough never
        computes for longer than allowed, however busy the machine is. None where the system does
        not say."""
        if self.before is None:
            return None
        return (computed(self.pid) - self.before) / self.threads
