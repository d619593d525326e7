#!/usr/bin/env python3
"""Measures what a saved hash table is worth.

    snapshot.py --engine PATH [--seconds 60] [--hash 1024] [--threads 1] [--further]

An engine analyses a position for so long, saves its table and leaves. Another process loads it, and
is timed until it has reached the same depth. The claim is that this takes under a tenth of the time;
the exit status is 1 if it does not. With --further both it and a third process, which has no table,
are timed to the depth after it as well, since what matters is that the analysis goes on.
"""

import argparse
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

# A middlegame in which there is always more to find.
FEN = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8"


class Engine:
    """The engine at the other end of pipes."""

    def __init__(self, path, options):
        self.process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        for name, value in options.items():
            self.send(f"setoption name {name} value {value}")
        self.ask("isready", "readyok")

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def lines(self, until):
        """The lines that come, up to the one that begins with `until`."""
        for line in self.process.stdout:
            yield line.strip()
            if line.startswith(until):
                return
        sys.exit("the engine has gone")

    def ask(self, line, until):
        self.send(line)
        return list(self.lines(until))

    def leave(self):
        self.send("quit")
        self.process.wait(60)


def depth_of(line):
    """The depth of a whole iteration's line; 0 for others."""
    words = line.split()
    if words[:2] != ["info", "depth"] or "pv" not in words:
        return 0
    return 0 if "lowerbound" in words or "upperbound" in words else int(words[2])


def times_to_depths(engine, last, limit):
    """Analyses without end; the seconds after which each depth was reached. The engine leaves when
    it has reached depth `last`, or after `limit` seconds."""
    engine.send(f"position fen {FEN}")
    engine.ask("isready", "readyok")
    times = {}
    started = time.perf_counter()
    clock = threading.Timer(limit, engine.send, ["stop"])
    clock.start()
    engine.send("go infinite")
    for line in engine.lines("bestmove"):
        times.setdefault(depth_of(line), time.perf_counter() - started)
        if depth_of(line) >= last:
            engine.send("stop")
    clock.cancel()
    engine.leave()
    return times


def first_at(times, wanted):
    """The first time at which `wanted` or more was reached, if it was."""
    return min((time for depth, time in times.items() if depth >= wanted), default=None)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", required=True)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--hash", type=int, default=1024, help="MiB")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--further", action="store_true", help="time the next depth as well")
    arguments = parser.parse_args()
    path = str(Path(arguments.engine).resolve())
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "table"
        options = {"Threads": arguments.threads, "Hash": arguments.hash, "Hash File": file}

        first = Engine(path, options)
        first.send(f"position fen {FEN}")
        depth, reached = 0, 0.0
        started = time.perf_counter()
        threading.Timer(arguments.seconds, first.send, ["stop"]).start()
        first.send("go infinite")
        for line in first.lines("bestmove"):
            if depth_of(line) > depth:
                depth, reached = depth_of(line), time.perf_counter() - started
        started = time.perf_counter()
        first.send("setoption name Save Hash")
        said = list(first.lines("info string"))[-1]
        saving = time.perf_counter() - started
        first.leave()
        print(f"depth {depth} after {reached:.2f} s of {arguments.seconds:g} s")
        print(f"{said} ({file.stat().st_size / 2**20:.0f} MiB in {saving:.2f} s)")

        second = Engine(path, options)
        started = time.perf_counter()
        second.send("setoption name Load Hash")
        said = list(second.lines("info string"))[-1]
        loading = time.perf_counter() - started
        print(f"{said} ({loading:.2f} s)")
        second.send("ucinewgame")
        limit = (4 if arguments.further else 1) * arguments.seconds
        last = depth + 1 if arguments.further else depth
        with_table = times_to_depths(second, last, limit)
        if arguments.further:
            without_table = times_to_depths(Engine(path, options), last, limit)
            for wanted in (depth, last):
                times = [first_at(times, wanted) for times in (with_table, without_table)]
                said = [f"{taken:.2f} s" if taken else "not reached" for taken in times]
                print(f"depth {wanted}: with the table {said[0]}, without {said[1]}")
    again = first_at(with_table, depth)
    if again is None:
        print(f"the loaded table did not lead to depth {depth} in {limit:g} s")
        return 1
    share = again / reached
    print(f"depth {depth} again in {again:.2f} s: {100 * share:.1f} % of the time")
    return 1 if share >= 0.1 else 0


if __name__ == "__main__":
    sys.exit(main())
