#!/usr/bin/env python3
"""Measures the levels of UCI_Elo against another engine whose levels are known: Stockfish.

    yardstick.py --engine PATH --yardstick /usr/games/stockfish --out readings.json [--rounds 4]

Stockfish (11 to 15.1) states that its UCI_Elo was calibrated at 60 s + 0.6 s and anchored to the CCRL 40/4
list, so that its levels say where our scale begins, and how much wider differences between an engine and
itself are than those between strangers. Each of our levels plays rounds of pairs of games, every round
against the level of the yardstick that it seems to be equal to; what has been played is in `--out`, and
the same command goes on from there. `calibrate.py --yardstick readings.json` draws the scale from it.

Our levels are limited by nodes and the yardstick's by depth (its levels look no further than that), so
a busy machine changes nothing but the time that it takes. Needs the Python package `chess`.
"""

import argparse
import json
import math
import multiprocessing
import sys
from pathlib import Path

import chess.engine

from calibrate import Player, of_pair, openings, scale

# Pairs of games in a round.
PAIRS = 10
# The greatest level of the yardstick that is asked for: greater ones look deep, and take long.
GREATEST = 2500
# A level that seems to be further than this from every level of the yardstick that it met was not
# measured.
REACH = 100
# An Elo is so much in logarithms of odds.
UNIT = math.log(10) / 400


def limit(elo):
    """How deep the yardstick looks: no less than where it chooses its move on this level. It would go
    on for nothing if it were not told."""
    return chess.engine.Limit(depth=3 + (elo - 1350) // 100)


def options(path):
    """The engine's name, and the least and the greatest of its UCI_Elo."""
    with chess.engine.SimpleEngine.popen_uci(path, timeout=60) as engine:
        elo = engine.options["UCI_Elo"]
        return engine.id["name"], elo.min, min(elo.max, GREATEST)


def match(job):
    """A round; our points of each of its pairs."""
    ours, yardstick, level, at, fens = job
    with chess.engine.SimpleEngine.popen_uci(ours, timeout=60) as engine:
        with chess.engine.SimpleEngine.popen_uci(yardstick, timeout=60) as other:
            engine.configure({"UCI_LimitStrength": True, "UCI_Elo": level, "Hash": 4})
            other.configure({"UCI_LimitStrength": True, "UCI_Elo": at, "Hash": 4})
            rival = Player(other, limit(at))
            points = [of_pair(Player(engine), rival, fen) for fen in fens]
    return points


def reading(rounds):
    """Where a level stands by its rounds [[yardstick's Elo, points of pairs], ..], the likeliest by a
    logistic curve, and half of its 95 % interval."""
    # A drawn pair more than were played, at each end of what was met: no result is beyond doubt.
    met = [at for at, _ in rounds]
    games = [(at, pair / 2) for at, points in rounds for pair in points]
    games += [(min(met), 0.5), (max(met), 0.5)]
    place = sum(met) / len(met)
    for _ in range(100):
        shares = [1 / (1 + math.exp(UNIT * (at - place))) for at, _ in games]
        slope = UNIT * sum(points - share for (_, points), share in zip(games, shares))
        curve = UNIT**2 * sum(share * (1 - share) for share in shares)
        place += max(-200.0, min(200.0, slope / curve))
    # The spread of pairs, not of games: the two games of a pair are not independent.
    spread = UNIT**2 * sum((points - share) ** 2 for (_, points), share in zip(games, shares))
    return place, 1.96 * math.sqrt(spread) / curve


def line(readings, own):
    """Offset and slope that take places by games between our own levels to those by the yardstick:
    the least squares, each reading with the weight of its error."""
    weights = {level: 1 / error**2 for level, (_, error) in readings.items()}
    total = sum(weights.values())
    mean = sum(weight * own[level] for level, weight in weights.items()) / total
    height = sum(weight * readings[level][0] for level, weight in weights.items()) / total
    wide = sum(weight * (own[level] - mean) ** 2 for level, weight in weights.items())
    both = sum(
        weight * (own[level] - mean) * (readings[level][0] - height)
        for level, weight in weights.items()
    )
    slope = both / wide
    return height - slope * mean, slope


def read(path):
    """The yardstick's name and the readings of a file that this script wrote, without the levels that
    are beyond its reach."""
    played = json.loads(Path(path).read_text())
    readings = {}
    for level, rounds in played["levels"].items():
        place, error = reading(rounds)
        met = [at for at, _ in rounds]
        if min(met) - REACH <= place <= max(met) + REACH:
            readings[int(level)] = place, error
    return played["yardstick"], readings


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", required=True)
    parser.add_argument("--yardstick", required=True, help="Stockfish 11 to 15.1")
    parser.add_argument("--out", required=True, help="what has been played, as JSON")
    parser.add_argument("--rounds", type=int, default=4, help=f"of {2 * PAIRS} games, for each level")
    parser.add_argument("--at-once", type=int, default=2, help="matches at a time")
    parser.add_argument("--seed", type=int, default=2, help="of the openings")
    arguments = parser.parse_args()
    ours = str(Path(arguments.engine).resolve())
    name, least, greatest = options(arguments.yardstick)
    fens = openings(ours, PAIRS * arguments.rounds, arguments.seed)
    out = Path(arguments.out)
    played = json.loads(out.read_text()) if out.exists() else {"yardstick": name, "levels": {}}
    assert played["yardstick"] == name, f"the file is of games with {played['yardstick']}"
    for number in range(arguments.rounds):
        jobs = []
        for level, _ in scale():
            rounds = played["levels"].setdefault(str(level), [])
            if len(rounds) > number:
                continue
            place = reading(rounds)[0] if rounds else level
            at = round(max(least, min(greatest, place)))
            mine = fens[PAIRS * number : PAIRS * (number + 1)]
            jobs.append((ours, arguments.yardstick, level, at, mine))
        with multiprocessing.Pool(arguments.at_once) as pool:
            for job, points in zip(jobs, pool.imap(match, jobs)):
                played["levels"][str(job[2])].append([job[3], points])
                out.write_text(json.dumps(played) + "\n")
    for level, (place, error) in read(out)[1].items():
        print(f"{level}: as strong as {name} at {place:.0f} +- {error:.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
