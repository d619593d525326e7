#!/usr/bin/env python3
"""Tests the real engine through python-chess and over plain pipes, with strict checks, and in whole games.

    run.py --engine PATH [--gnuchess PATH] [--only NAME ..] [--games N] [--strict] [--complete]

Times are the engine's CPU time, because the machine may have other load. `--strict` is for an idle
machine and uses wall-clock time.
`reliability.py` plays many more games.

Every check prints a line; the last line is `N passed, N failed`. The exit status is 1 if a check
failed, or if none passed. A check that needs a program or file that the machine lacks prints `skipped` and counts as
neither. With `--complete` it counts as failed.
The checks are in `checks/`, by subject.
"""

import argparse
import sys
import time

from checks.analysis import analysis, ends_of_lines, mates, multi_pv, search_moves, win_draw_loss
from checks.context import Context, Skip
from checks.endings import endings_without_tables, fifty_move_rule, table_options, tablebases
from checks.games import against_gnuchess, self_play
from checks.information import long_search, no_flood, remarks, table_fills
from checks.levels import analyse_mode, strength_limit
from checks.settings import chess960, networks, options
from checks.testers import bench, genfens
from checks.times import last_iteration, nodestime, pondering, short_of_time, stopping

CHECKS = [
    analysis,
    ends_of_lines,
    multi_pv,
    search_moves,
    mates,
    win_draw_loss,
    table_fills,
    long_search,
    no_flood,
    remarks,
    stopping,
    last_iteration,
    short_of_time,
    nodestime,
    pondering,
    options,
    networks,
    chess960,
    analyse_mode,
    strength_limit,
    tablebases,
    table_options,
    fifty_move_rule,
    endings_without_tables,
    bench,
    genfens,
    self_play,
    against_gnuchess,
]


def run(check, context):
    """Runs one check and prints its line. Returns whether it passed, or None if it was skipped."""
    name = check.__name__
    started = time.perf_counter()
    try:
        check(context)
        said = context.said_on_stderr()
        assert not said, f"stderr: {said}"
    except Skip as reason:
        print(f"skipped {name}: {reason}", flush=True)
        return None
    except Exception as error:  # a failed check, whatever it was, must not hide the others
        print(f"FAILED  {name}: {type(error).__name__}: {error}", flush=True)
        return False
    print(f"passed  {name} ({time.perf_counter() - started:.1f} s)", flush=True)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", required=True)
    parser.add_argument("--gnuchess")
    parser.add_argument("--games", type=int, default=4, help="games against gnuchess")
    parser.add_argument("--strict", action="store_true", help="check wall-clock time; for an idle machine")
    parser.add_argument("--complete", action="store_true", help="count a skipped check as failed")
    names = [check.__name__ for check in CHECKS]
    parser.add_argument("--only", nargs="+", choices=names, metavar="NAME", help=", ".join(names))
    arguments = parser.parse_args()
    context = Context(arguments)
    wanted = [check for check in CHECKS if check.__name__ in (arguments.only or names)]
    results = [run(check, context) for check in wanted]
    passed, failed = results.count(True), results.count(False)
    if arguments.complete:
        failed += results.count(None)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
