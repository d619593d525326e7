#!/usr/bin/env python3
"""Measure the rating differences between neighbouring levels of UCI_Elo.

    calibrate.py --engine PATH --out levels.json [--games 200] [--at-once 2]
                 [--reference readings.json] [--write]

Games are limited by nodes, so the machine may be busy. Each opening (random, balanced, made by the
engine) is played twice with colours changed. Finished games are kept in the file `--out`; the same
command resumes, and a greater `--games` adds games. Needs the Python packages `chess` and `numpy`.

The levels are the levels in crates/uci/src/strength/scale.rs. The script prints the differences between
neighbours with 95 % confidence intervals from pairs of games. Rating differences are larger in games of an engine
against itself than in games against another engine. So `--reference` takes the ratings that `reference.py` measured,
and the differences of the other levels are scaled by the same factor. `--write` writes the ratings into
benches/results/levels.csv, and a scale with a level every 100 Elo. Levels from 250,000 nodes a move on play a third of
the games. 80 games for each of twelve pairs take half an hour of one core.
"""

import argparse
import csv
import json
import math
import multiprocessing
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import chess
import chess.engine
import numpy

from ratings import places, readings_of

# Never reached: the level limits the nodes.
LIMIT = chess.engine.Limit(nodes=100_000_000)
# Games of this many plies are drawn.
LONGEST = 300
# The distance between levels of the scale, in Elo.
APART = 100
# From this number of nodes a move on, a third of the games are played.
MANY_NODES = 250_000
# As in crates/uci/src/strength.rs.
LEAST_NODES, NODES_PER_STEP = 40, 1.5

ROOT = Path(__file__).resolve().parents[3]
SCALE = ROOT / "crates" / "uci" / "src" / "strength" / "scale.rs"
LEVELS = ROOT / "benches" / "results" / "levels.csv"


def openings(path, count, seed):
    """Random balanced openings, from the engine itself."""
    words = [f"genfens {count} seed {seed} book None", "quit"]
    said = subprocess.run([path, *words], capture_output=True, text=True, check=True).stdout
    prefix = "info string genfens "
    return [line[len(prefix) :] for line in said.splitlines() if line.startswith(prefix)]


class Player(NamedTuple):
    """An engine and its limit for a move."""

    engine: chess.engine.SimpleEngine
    limit: chess.engine.Limit = LIMIT


def play(white, black, fen):
    """A game between two players; White's points."""
    board = chess.Board(fen)
    game = object()
    while not (board.is_game_over() or board.is_repetition(3) or board.is_fifty_moves()):
        if len(board.move_stack) >= LONGEST:
            break
        player = white if board.turn else black
        board.push(player.engine.play(board, player.limit, game=game).move)
    if board.is_checkmate():
        return 0.0 if board.turn else 1.0
    return 0.5


def of_pair(player, other, fen):
    """The player's points of two games from a position, with colours changed."""
    return play(player, other, fen) + 1.0 - play(other, player, fen)


def match(job):
    """Some pairs of games; the lower level's points of each pair."""
    path, low, high, fens = job
    with chess.engine.SimpleEngine.popen_uci(path, timeout=60) as weak:
        with chess.engine.SimpleEngine.popen_uci(path, timeout=60) as strong:
            for engine, elo in ((weak, low), (strong, high)):
                engine.configure({"UCI_LimitStrength": True, "UCI_Elo": elo, "Hash": 4})
            points = [of_pair(Player(weak), Player(strong), fen) for fen in fens]
    return points


def elo(share):
    """The difference that makes this share of the points."""
    share = min(max(share, 1e-4), 1 - 1e-4)
    return 400 * math.log10(share / (1 - share))


def estimate(points):
    """The higher level's lead over the lower, in Elo, and half of its 95 % interval."""
    # One more drawn pair keeps the interval above 0 when all pairs have the same result.
    pairs = [*(pair / 2 for pair in points), 0.5]
    count = len(pairs)
    mean = sum(pairs) / count
    variance = sum((pair - mean) ** 2 for pair in pairs) / (count - 1)
    slope = 400 / math.log(10) / (mean * (1 - mean))
    return -elo(mean), 1.96 * math.sqrt(variance / count) * slope


def scale():
    """The rows of the scale: Elo and step."""
    rows = re.findall(r"\((\d+), (-?[\d.]+)\),", SCALE.read_text())
    return [(int(elo), float(step)) for elo, step in rows]


def nodes_of(step):
    """The nodes a move of a step."""
    return max(1, int(LEAST_NODES * NODES_PER_STEP**step))


def write(standing, leads, readings, played):
    """Writes the scale and the table of levels."""
    steps, elos = zip(*sorted(standing.items()))
    if list(elos) != sorted(elos):
        sys.exit("the ratings do not rise from step to step: play more games")
    least, greatest = -(-elos[0] // APART) * APART, elos[-1] // APART * APART
    even = range(int(least), int(greatest) + 1, APART)
    rows = "".join(f"    ({elo}, {numpy.interp(elo, elos, steps):.2f}),\n" for elo in even)
    SCALE.write_text(re.sub(r"(?s)(&\[\n).*(\];)", rf"\g<1>{rows}\g<2>", SCALE.read_text()))
    with open(LEVELS, "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow("elo nodes lead lead_error games stockfish stockfish_error".split())
        for below, step in zip([None, *steps], steps):
            lead = leads.get(step, (None, None))
            games = 2 * len(played[pair(below, step)]) if step in leads else None
            figures = [*lead, games, *readings.get(step, (None, None))]
            figures = [None if figure is None else round(figure) for figure in figures]
            table.writerow([round(standing[step]), nodes_of(step), *figures])


def report(steps, played):
    """Prints the lead of each level over the level below. Returns the leads with their errors, and the ratings that
    the leads make, relative to the lowest level."""
    leads, own = {}, {steps[0]: 0.0}
    for below, step in zip(steps, steps[1:]):
        points = played[pair(below, step)]
        leads[step] = estimate(points)
        own[step] = own[below] + leads[step][0]
        lead, error = leads[step]
        print(f"step {step} over {below}: {lead:+6.0f} +- {error:3.0f} Elo in {2 * len(points)} games")
    return leads, own


def pair(below, step):
    """The key of two levels in the file of results."""
    return f"{below} to {step}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", required=True)
    parser.add_argument("--out", required=True, help="JSON file of the results, to resume from")
    parser.add_argument("--games", type=int, default=200, help="games for each pair of neighbours")
    parser.add_argument("--at-once", type=int, default=2, help="matches at a time")
    parser.add_argument("--seed", type=int, default=1, help="seed of the openings")
    parser.add_argument("--reference", help="what reference.py measured, as JSON")
    parser.add_argument("--write", action="store_true", help="write the scale and benches/results/levels.csv")
    arguments = parser.parse_args()
    path = str(Path(arguments.engine).resolve())
    levels = scale()
    with chess.engine.SimpleEngine.popen_uci(path, timeout=60) as engine:
        option = engine.options["UCI_Elo"]
    if (option.min, option.max) != (levels[0][0], levels[-1][0]):
        sys.exit(f"{path}: has another scale than {SCALE}; build the engine again")
    if arguments.write and not arguments.reference:
        parser.error("--write: needs --reference")
    out = Path(arguments.out)
    played = json.loads(out.read_text()) if out.exists() else {}
    pairs = (arguments.games + 1) // 2
    fens = openings(path, pairs, arguments.seed)
    jobs = []
    # Lower levels first, because their games are quick.
    for (low, below), (high, step) in zip(levels, levels[1:]):
        wanted = -(-pairs // 3) if nodes_of(step) >= MANY_NODES else pairs
        done = played.setdefault(pair(below, step), [])
        for start in range(len(done), wanted, 5):
            jobs.append((done, (path, low, high, fens[start : min(start + 5, wanted)])))
    with multiprocessing.Pool(arguments.at_once) as pool:
        for (done, _), points in zip(jobs, pool.imap(match, [job for _, job in jobs])):
            done.extend(points)
            out.write_text(json.dumps(played) + "\n")
    leads, own = report([step for _, step in levels], played)
    if arguments.reference:
        name, readings = readings_of(arguments.reference)
        standing, factor = places(readings, own, leads)
        print(f"rated by {name}; differences are {factor:.2f} times the differences above:")
        for step, at in standing.items():
            measured = "  measured {:.0f} +- {:.0f}".format(*readings[step]) if step in readings else ""
            print(f"step {step:5}: {at:5.0f}{measured}")
        if arguments.write:
            write(standing, leads, readings, played)
    return 0


if __name__ == "__main__":
    sys.exit(main())
