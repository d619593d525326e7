#!/usr/bin/env python3
"""Measure the levels of UCI_Elo in games against the levels of Stockfish.

    reference.py --engine PATH --reference /usr/games/stockfish --out readings.json [--rounds 4]
                 [--levels 1010 1260 ..]

Stockfish (11 to 15.1) states that its UCI_Elo was calibrated at 60 s + 0.6 s and anchored to the CCRL
40/4 list. Each of our levels plays rounds of pairs of games, every round against the level of Stockfish
that has about the same strength by the results so far. Finished pairs are saved in `--out`, and the same
command resumes. `calibrate.py --reference readings.json` computes the scale from them.

Our levels are limited by nodes and Stockfish's by depth, so the machine may be busy. Needs the Python
package `chess`.
"""

import argparse
import json
import multiprocessing
import sys
from pathlib import Path

import chess.engine

from calibrate import Player, of_pair, openings, scale
from ratings import reading, readings_of

# Pairs of games in a round.
PAIRS = 10
# The highest level of the reference that is used.
GREATEST = 2850


def limit(elo):
    """The depth of the reference: not less than the depth at which it chooses its move on this level."""
    return chess.engine.Limit(depth=4 + (elo - 1350) // 100)


def levels_of(path):
    """The engine's name, and the least and the greatest of its UCI_Elo."""
    with chess.engine.SimpleEngine.popen_uci(path, timeout=60) as engine:
        elo = engine.options["UCI_Elo"]
        return engine.id["name"], elo.min, min(elo.max, GREATEST)


def match(job):
    """Plays a pair of games. Returns our points."""
    ours, reference, level, at, fen = job
    with chess.engine.SimpleEngine.popen_uci(ours, timeout=60) as engine:
        with chess.engine.SimpleEngine.popen_uci(reference, timeout=60) as other:
            engine.configure({"UCI_LimitStrength": True, "UCI_Elo": level, "Hash": 4})
            other.configure({"UCI_LimitStrength": True, "UCI_Elo": at, "Hash": 4})
            return of_pair(Player(engine), Player(other, limit(at)), fen)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", required=True)
    parser.add_argument("--reference", required=True, help="Stockfish 11 to 15.1")
    parser.add_argument("--out", required=True, help="JSON file of the results, to resume from")
    parser.add_argument("--rounds", type=int, default=4, help=f"rounds of {2 * PAIRS} games for each level")
    parser.add_argument("--levels", type=int, nargs="+", help="levels to measure (default: all)")
    parser.add_argument("--at-once", type=int, default=2, help="games at a time")
    parser.add_argument("--seed", type=int, default=2, help="seed of the openings")
    arguments = parser.parse_args()
    ours = str(Path(arguments.engine).resolve())
    name, least, greatest = levels_of(arguments.reference)
    fens = openings(ours, PAIRS * arguments.rounds, arguments.seed)
    out = Path(arguments.out)
    played = json.loads(out.read_text()) if out.exists() else {"reference": name, "levels": {}}
    if played["reference"] != name:
        sys.exit(f"{out}: has games against {played['reference']}; give another --out")
    for number in range(arguments.rounds):
        jobs = []
        for level, step in scale():
            if arguments.levels and level not in arguments.levels:
                continue
            rounds = played["levels"].setdefault(str(step), [])
            if len(rounds) == number:
                place = reading(rounds)[0] if rounds else level
                rounds.append([round(max(least, min(greatest, place))), []])
            at, points = rounds[number]
            for fen in fens[PAIRS * number + len(points) : PAIRS * (number + 1)]:
                jobs.append((points, (ours, arguments.reference, level, at, fen)))
        with multiprocessing.Pool(arguments.at_once) as pool:
            for (points, _), scored in zip(jobs, pool.imap(match, [job for _, job in jobs])):
                points.append(scored)
                out.write_text(json.dumps(played) + "\n")
    for step, (place, error) in readings_of(out)[1].items():
        print(f"step {step}: as strong as {name} at {place:.0f} +- {error:.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
