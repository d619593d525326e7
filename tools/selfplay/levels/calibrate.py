#!/usr/bin/env python3
"""Measure the rating differences between neighbouring levels of UCI_Elo.

    calibrate.py --engine PATH --out levels.json [--games 200] [--at-once 2]
                 [--reference readings.json] [--write]

Games are limited by nodes, so the machine may be busy. Each opening (random, balanced, made by the
engine) is played twice with colours changed. Finished games are kept in the file `--out`; the same
command resumes, and a greater `--games` adds games. Needs the Python package `chess`.

The levels are those of crates/uci/src/strength/scale.rs. The script prints the differences between
neighbours with 95 % confidence intervals from pairs of games, and the rating of each level that follows
from the rating of the highest. Differences between an engine and itself are larger than those between different engines, so
`--reference` takes what `reference.py` measured: levels within its range get the measured rating, the
others the difference to the nearest of them, scaled. `--write` writes the result into the scale, docs/levels.csv
and the manual. 200 games for each of nine pairs take an hour of one core.
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

from ratings import places, readings_of

# Never reached: the level limits the nodes.
LIMIT = chess.engine.Limit(nodes=100_000_000)
# Games of this many half-moves are drawn.
LONGEST = 300
# Levels closer than this, in Elo, are merged.
LEAST_STEP = 20
# As in crates/uci/src/strength.rs.
LEAST_NODES, NODES_PER_STEP = 40, 1.5

ROOT = Path(__file__).resolve().parents[3]
SCALE = ROOT / "crates" / "uci" / "src" / "strength" / "scale.rs"
MANUAL = ROOT / "docs" / "uci.md"
LEVELS = ROOT / "docs" / "levels.csv"
MEANING = (
    "The strength to play at with UCI_LimitStrength, measured in games between the levels and against "
    "an engine of known strength."
)


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
    rows = re.findall(r"\((\d+), ([\d.]+)\),", SCALE.read_text())
    return [(int(elo), float(step)) for elo, step in rows]


def write(standing, played, readings):
    """Writes the scale, the table of levels, and the option's row in the manual."""
    kept = []
    for elo, step in sorted(scale(), reverse=True):
        place = round(standing[elo] / 10) * 10
        if not kept or kept[-1][0] - place >= LEAST_STEP:
            kept.append((place, step))
    kept.reverse()
    # The leads of levels whose lower neighbour is kept too.
    steps = {step for _, step in kept}
    old = scale()
    leads = {}
    for (low, low_step), (high, high_step) in zip(old, old[1:]):
        if low_step in steps and high_step in steps:
            points = played[f"{low}-{high}"]
            place = next(place for place, step in kept if step == high_step)
            leads[place] = (*estimate(points), 2 * len(points))
    games = 2 * min(len(points) for points in played.values())
    rows = "".join(f"    ({place}, {step}),\n" for place, step in kept)
    text = SCALE.read_text()
    text = re.sub(r"(at least )\d+( games)", rf"\g<1>{games}\g<2>", text)
    text = re.sub(r"(?s)(&\[\n).*(\];)", rf"\g<1>{rows}\g<2>", text)
    SCALE.write_text(text)
    low, high = kept[0][0], kept[-1][0]
    row = f"| `UCI_Elo` | spin | {high} | {low} .. {high} | {MEANING} |"
    MANUAL.write_text(re.sub(r"(?m)^\| `UCI_Elo` \| spin .*$", row, MANUAL.read_text()))
    level_of = {step: elo for elo, step in old}
    with open(LEVELS, "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow("elo nodes lead lead_error games stockfish stockfish_error".split())
        for place, step in kept:
            lead, error, played_games = leads.get(place, (None, None, None))
            measured = readings.get(level_of[step], (None, None))
            figures = [None if x is None else round(x) for x in (lead, error, played_games, *measured)]
            table.writerow([place, int(LEAST_NODES * NODES_PER_STEP**step), *figures])


def on_scale_of(name, readings, own):
    """The ratings of all levels, from the measurements of `reference.py`."""
    result, factor = places(readings, own)
    print(f"rated by {name}; differences are {factor:.2f} of those above:")
    for level, at in sorted(result.items()):
        if level in readings:
            place, error = readings[level]
            print(f"{level:5}  {at:7.0f}  measured {place:.0f} +- {error:.0f}")
        else:
            print(f"{level:5}  {at:7.0f}")
    return result


def report(levels, played):
    """Prints the differences between the levels, and their ratings relative to the highest. Returns the
    ratings."""
    place = {levels[-1]: (float(levels[-1]), 0.0)}
    for low, high in reversed(list(zip(levels, levels[1:]))):
        points = played.get(f"{low}-{high}", [])
        if not points:
            break
        lead, error = estimate(points)
        above, uncertain = place[high]
        place[low] = (above - lead, math.hypot(uncertain, error))
        print(f"{high} over {low}: {lead:+6.0f} +- {error:3.0f} Elo in {2 * len(points)} games")
    print("level, rating, +-")
    for level in sorted(place):
        print(f"{level:5}  {place[level][0]:7.0f}  {place[level][1]:4.0f}")
    return {level: at for level, (at, _) in place.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", required=True)
    parser.add_argument("--out", required=True, help="JSON file of the results, to resume from")
    parser.add_argument("--games", type=int, default=200, help="for each pair of neighbours")
    parser.add_argument("--at-once", type=int, default=2, help="matches at a time")
    parser.add_argument("--seed", type=int, default=1, help="of the openings")
    parser.add_argument("--reference", help="what reference.py measured, as JSON")
    parser.add_argument("--write", action="store_true", help="write the scale and the manual")
    arguments = parser.parse_args()
    path = str(Path(arguments.engine).resolve())
    levels = [elo for elo, _ in scale()]
    with chess.engine.SimpleEngine.popen_uci(path, timeout=60) as engine:
        option = engine.options["UCI_Elo"]
    if (option.min, option.max) != (levels[0], levels[-1]):
        sys.exit(f"{path}: has another scale than {SCALE}; build the engine again")
    out = Path(arguments.out)
    played = json.loads(out.read_text()) if out.exists() else {}
    pairs = (arguments.games + 1) // 2
    fens = openings(path, pairs, arguments.seed)
    jobs = []
    # Lower levels first, because their games are quick.
    for low, high in zip(levels, levels[1:]):
        done = len(played.get(f"{low}-{high}", []))
        for start in range(done, pairs, 5):
            jobs.append((path, low, high, fens[start : min(start + 5, pairs)]))
    with multiprocessing.Pool(arguments.at_once) as pool:
        for job, points in zip(jobs, pool.imap(match, jobs)):
            played.setdefault(f"{job[1]}-{job[2]}", []).extend(points)
            out.write_text(json.dumps(played) + "\n")
    standing, readings = report(levels, played), {}
    if arguments.reference:
        name, readings = readings_of(arguments.reference)
        standing = on_scale_of(name, readings, standing)
    if arguments.write:
        write(standing, played, readings)
    return 0


if __name__ == "__main__":
    sys.exit(main())
