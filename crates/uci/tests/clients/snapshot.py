#!/usr/bin/env python3
"""Measures how much time a saved hash table saves.

    snapshot.py --engine PATH [--seconds 60] [--hash 1024] [--threads 1] [--further]

An engine analyses a position for some time, saves its table and quits. Another process loads the table
and searches to the same depth, which must take under a tenth of the time. The entry of the position
alone would be enough for that. So a third process loads the table and searches the position after the
best move, some plies less deep, which must take under half of the nodes of a search without the table.
The exit status is 1 if either fails. With --further, also time the next depth, with the table and
without.
"""

import argparse
import sys
import tempfile
import threading
import time
from pathlib import Path

from pipe import TIMEOUT, Engine

# The search after the best move is this many plies less deep than the first analysis.
SHALLOWER = 4

# A middlegame without a forced result.
FEN = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8"


def depth_of(line):
    """The depth of a whole iteration's line; 0 for others."""
    words = line.split()
    if words[:2] != ["info", "depth"] or "pv" not in words:
        return 0
    return 0 if "lowerbound" in words or "upperbound" in words else int(words[2])


def times_to_depths(engine, last, limit):
    """Runs an infinite analysis and returns the seconds after which each depth was reached. The engine quits
    at depth `last`, or after `limit` seconds."""
    engine.send(f"position fen {FEN}")
    engine.ready()
    times = {}
    started = time.perf_counter()
    clock = threading.Timer(limit, engine.send, ["stop"])
    clock.start()
    engine.send("go infinite")
    for line in engine.read_until("bestmove", limit + TIMEOUT):
        times.setdefault(depth_of(line), time.perf_counter() - started)
        if depth_of(line) >= last:
            engine.send("stop")
    clock.cancel()
    engine.leave()
    return times


def load(path, options):
    """An engine that has loaded the table."""
    engine = Engine(path, options)
    started = time.perf_counter()
    said = engine.ask("setoption name Load Hash", "info string")[-1]
    print(f"{said} ({time.perf_counter() - started:.2f} s)")
    engine.send("ucinewgame")
    return engine


def nodes_to_depth(engine, move, depth):
    """The nodes that a search to this depth takes after a move; the engine leaves."""
    engine.send(f"position fen {FEN} moves {move}")
    nodes = 0
    engine.send(f"go depth {depth}")
    # There is no time limit, because the search may take hours without a table.
    for line in engine.read_until("bestmove", None):
        if depth_of(line):
            words = line.split()
            nodes = int(words[words.index("nodes") + 1])
    engine.leave()
    return nodes


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
        for line in first.read_until("bestmove", arguments.seconds + TIMEOUT):
            if depth_of(line) > depth:
                depth, reached = depth_of(line), time.perf_counter() - started
        best = line.split()[1]
        started = time.perf_counter()
        said = first.ask("setoption name Save Hash", "info string")[-1]
        saving = time.perf_counter() - started
        first.leave()
        print(f"depth {depth} after {reached:.2f} s of {arguments.seconds:g} s")
        print(f"{said} ({file.stat().st_size / 2**20:.0f} MiB in {saving:.2f} s)")

        limit = (4 if arguments.further else 1) * arguments.seconds
        last = depth + 1 if arguments.further else depth
        with_table = times_to_depths(load(path, options), last, limit)
        if arguments.further:
            without_table = times_to_depths(Engine(path, options), last, limit)
            for wanted in (depth, last):
                times = [first_at(times, wanted) for times in (with_table, without_table)]
                said = [f"{taken:.2f} s" if taken else "not reached" for taken in times]
                print(f"depth {wanted}: with the table {said[0]}, without {said[1]}")
        below = max(depth - SHALLOWER, 1)
        rest_with = nodes_to_depth(load(path, options), best, below)
        rest_without = nodes_to_depth(Engine(path, options), best, below)
    again = first_at(with_table, depth)
    if again is None:
        print(f"the loaded table did not lead to depth {depth} in {limit:g} s")
        return 1
    share = again / reached
    rest = rest_with / max(rest_without, 1)
    print(f"depth {depth} again in {again:.2f} s: {100 * share:.1f} % of the time")
    print(
        f"depth {below} after {best}: {rest_with} nodes with the table, {rest_without} without: "
        f"{100 * rest:.1f} %"
    )
    return 0 if share < 0.1 and rest < 0.5 else 1


if __name__ == "__main__":
    sys.exit(main())
