#!/usr/bin/env python3
"""Plays many fast games of the engine against itself and reports failures.

    reliability.py --engine PATH [--games 2000] [--tc 0.5+0.005] [--out FILE.json] [--busy]
                   [--threads 1 2] [--hash 1 16] [--variant standard chess960]

2,000 games at 0.5+0.005 take about half an hour on two cores that do nothing else: 0.7 s for each game
with 1 thread, because two of them are played at a time, and 1.2 s for each game with 2 threads. With
`--cores 6` more engines search at a time than two cores can run, and 10,000 games take 65 minutes.

The games are divided over 1 and 2 threads, 1 and 16 MiB of hash, standard chess and Chess960.
As many games are played at a time as there are cores for (on two cores, one game with 2 threads). Each engine
process lives through all its games, so that its memory can be watched. Every fourth game is played
to its end; the others are adjudicated when the scores of both sides have agreed for some moves on a
win or a draw. Counted as failures:

- a flag that falls: the clock runs from before `go` is written until `bestmove` has been read. A
  watcher on each core records when the core itself was stalled (as a rule, by other guests of the
  same host). A flag that falls by no more than the stalls of the core during the game, or than the
  time for which a thread of the engine was ready to run in that move while other processes had the
  cores, is counted apart. With `--busy`, for machines with other load, the clocks count the CPU time
  of the engine's threads, and every flag that falls is a failure;
- a move or a line of moves that is not legal (judged by python-chess), a line that does not begin
  with the move that is played, that goes on after the end of the game, or that announces a mate in
  another number of moves than the line has;
- an engine that dies, hangs, leaves with an error or writes to standard error;
- unexpected output: a second answer, output between searches, `info string` remarks;
- memory that grows from game to game.

The last line is `N games, F failures, S flags fell because of the machine`; the exit status is
1 if there was any failure, if no game was played, or if more than one game in a hundred was lost to
the machine, since such a run shows nothing.
"""

import argparse
import collections
import json
import math
import multiprocessing
import os
import sys
import time
from pathlib import Path

import chess

from game import Game, Stall
from openings import random_openings
from pipe import Engine, Failure
from watch import Watchers, cpu_time

# The greatest growth of an engine's memory from its first games to its last, in KiB.
GROWTH = 2048
# The run is not valid if more than one in this many games is lost because of the machine.
LOST_TO_MACHINE = 100
# The engine options of a setting.
OPTIONS = {"Threads": "threads", "Hash": "hash", "UCI_Chess960": "chess960"}


def work(job):
    """Plays some games with two engine processes; returns their results."""
    result = {
        "games": 0,
        "plies": 0,
        "results": {},
        "failures": [],
        "stalls": [],
        "least_clock": math.inf,
        "longest_move": 0.0,
        "memory": [[], []],
        "growth": 0,
    }
    options = {name: job[key] for name, key in OPTIONS.items()}
    players = []

    def stop():
        for player in players:
            try:
                player.leave()
            except Failure as failure:
                player.kill()
                result["failures"].append(str(failure))
        players.clear()

    for number, fen in enumerate(job["openings"]):
        game = Game(fen, job, whole=number % 4 == 0)
        try:
            while len(players) < 2:
                players.append(Engine(job["path"], options))
            white = number % 2
            ending = game.play({chess.WHITE: players[white], chess.BLACK: players[1 - white]})
        except Failure as failure:
            ending = "failed"
            kind = "stalls" if isinstance(failure, Stall) else "failures"
            result[kind].append(f"{failure} (game from {fen}, ply {len(game.moves)})")
            for player in players:
                player.kill()
            players.clear()
        for memory, player in zip(result["memory"], players):
            memory.append(player.resident())
        result["games"] += 1
        result["plies"] += len(game.moves)
        result["results"][ending] = result["results"].get(ending, 0) + 1
        result["least_clock"] = min(result["least_clock"], game.least)
        result["longest_move"] = max(result["longest_move"], game.longest)
    stop()
    for memory in result["memory"]:
        share = max(1, len(memory) // 4)
        if len(memory) >= 8:
            growth = max(memory[-share:]) - max(memory[:share])
            result["growth"] = max(result["growth"], growth)
            if growth > GROWTH:
                result["failures"].append(f"memory: {growth} KiB more in the last games: {memory}")
    return result


def configurations(arguments):
    for variant in arguments.variant:
        for threads in arguments.threads:
            for megabytes in arguments.hash:
                yield {"threads": threads, "hash": megabytes, "chess960": variant == "chess960"}


def shares(items, parts):
    """Splits `items` into parts of nearly the same length."""
    return [items[part::parts] for part in range(parts) if items[part::parts]]


def time_control(text):
    """Seconds and increment from `SECONDS+INCREMENT`."""
    seconds, _, increment = text.partition("+")
    return float(seconds), float(increment)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", required=True)
    parser.add_argument("--games", type=int, default=2000, help="over all settings together")
    parser.add_argument("--tc", type=time_control, default="0.5+0.005", help="SECONDS+INCREMENT")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2], help="of an engine")
    parser.add_argument("--hash", type=int, nargs="+", default=[1, 16], help="in MiB")
    variants = ["standard", "chess960"]
    parser.add_argument("--variant", nargs="+", choices=variants, default=variants)
    parser.add_argument("--cores", type=int, default=os.cpu_count(), help="cores to use")
    parser.add_argument("--seed", type=int, default=1, help="of the openings")
    parser.add_argument("--busy", action="store_true", help="clocks count the engines' CPU time")
    parser.add_argument("--out", help="a file for the figures, as JSON")
    arguments = parser.parse_args()
    if arguments.busy and cpu_time(os.getpid()) is None:
        parser.error("--busy: this system has no CPU-time clock of other processes; leave --busy out")
    return arguments


def play_setting(setting, fens, cores, common):
    """Plays the games of one setting and returns its figures."""
    at_once = max(1, cores // setting["threads"])
    jobs = [{**setting, **common, "openings": share} for share in shares(fens, at_once)]
    started = time.perf_counter()
    with multiprocessing.Pool(len(jobs)) as pool:
        results = pool.map(work, jobs, chunksize=1)
    endings = collections.Counter()
    for result in results:
        endings.update(result["results"])
    return {
        **setting,
        "at_once": len(jobs),
        "seconds": round(time.perf_counter() - started, 1),
        "games": sum(result["games"] for result in results),
        "plies": sum(result["plies"] for result in results),
        "results": dict(endings),
        "least_clock_ms": round(1000 * min(result["least_clock"] for result in results), 1),
        "longest_move_ms": round(1000 * max(result["longest_move"] for result in results), 1),
        "memory_kib": [
            [memory[0], max(memory), memory[-1]]
            for result in results
            for memory in result["memory"]
            if memory
        ],
        "growth_kib": max(result["growth"] for result in results),
        "failures": [failure for result in results for failure in result["failures"]],
        "stalls": [stall for result in results for stall in result["stalls"]],
    }


def show(row):
    """Prints the figures of one setting."""
    endings = ", ".join(f"{times} {ending}" for ending, times in sorted(row["results"].items()))
    print(
        f"{row['threads']} threads, hash {row['hash']:2}, "
        f"{'Chess960' if row['chess960'] else 'standard'}: {row['games']} games ({endings}), "
        f"{row['plies']} moves, least clock {row['least_clock_ms']} ms, longest move "
        f"{row['longest_move_ms']} ms, memory first/most/last KiB "
        f"{'; '.join('/'.join(map(str, memory)) for memory in row['memory_kib'])}, "
        f"{len(row['failures'])} failures, {len(row['stalls'])} lost to the machine, "
        f"{row['seconds']} s",
        flush=True,
    )
    for text in row["failures"] + row["stalls"]:
        print(f"    {text}", flush=True)


def main():
    arguments = parse()
    seconds, increment = arguments.tc
    common = {
        "path": str(Path(arguments.engine).resolve()),
        "seconds": seconds,
        "increment": increment,
        "busy": arguments.busy,
    }
    settings = list(configurations(arguments))
    figures, games = [], 0
    began = time.perf_counter()
    with Watchers() as watchers:
        common["watched"] = watchers.paths
        for number, setting in enumerate(settings):
            count = arguments.games * (number + 1) // len(settings) - games
            if count == 0:
                continue
            seed = arguments.seed + number
            fens = random_openings(common["path"], count, seed, setting["chess960"])
            figures.append(play_setting(setting, fens, arguments.cores, common))
            games += count
            show(figures[-1])
    failures = [failure for row in figures for failure in row["failures"]]
    stalls = sum(len(row["stalls"]) for row in figures)
    kinds = collections.Counter(failure.split(":")[0] for failure in failures)
    if kinds:
        print("failures by kind: " + ", ".join(f"{kinds[kind]} {kind}" for kind in sorted(kinds)))
    if arguments.out:
        report = {
            "tc": f"{seconds:g}+{increment:g}",
            "busy": arguments.busy,
            "games": games,
            "failures": len(failures),
            "lost_to_the_machine": stalls,
            "seconds": round(time.perf_counter() - began, 1),
            "configurations": figures,
        }
        Path(arguments.out).write_text(json.dumps(report, indent=1) + "\n")
    print(f"{games} games, {len(failures)} failures, {stalls} flags fell because of the machine")
    return 1 if failures or not games or stalls * LOST_TO_MACHINE > games else 0


if __name__ == "__main__":
    sys.exit(main())
