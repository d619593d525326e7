#!/usr/bin/env python3
"""Fits the curve from Skewer's centipawns to those of lichess, for which lichess's formulas are made.

    fit_scale.py --analyse PROGRAM GAMES.pgn... [--nodes 25000] [--reference /usr/games/stockfish]
                 [--reference-nodes 100000] [--work FOLDER] [--write]

Analyses every position of the games with Skewer. The reference is the `[%eval]` behind the moves where a game has it
behind every move, else the reference engine. The curve is straight between points of Skewer's evaluation; their
heights are those of least squares of win percentage over the odd games. Prints, for the even games, how far win
percentages are apart without and with the curve, and both evaluations side by side. With --write the points, of all
games, go into crates/analysis/src/scale/curve.rs.

What was computed is kept in the folder, so that an interrupted run goes on. Needs nothing but Python, and rustfmt for
--write.
"""

import argparse
import json
import math
import subprocess
import sys
from pathlib import Path

TARGET = Path(__file__).parents[2] / "crates/analysis/src/scale/curve.rs"
# Skewer's centipawns at the points of the curve.
POINTS = [0, 25, 50, 100, 150, 200, 300, 500, 800, 1200]
CEILING = 1000


def analysed(arguments, path, name, *options):
    """The evaluations of a file by the number of the game and the half-move; None for mates."""
    out = arguments.work / f"{path.stem}-{name}.jsonl"
    if not out.exists():
        journal = [] if name == "given" else ["--journal", out.with_suffix(".journal"), "--threads", str(arguments.threads)]
        command = [arguments.analyse, "games", path, *options, *journal, "--jsonl", out, "--quiet"]
        # 1: a game could not be read, or has no evaluations.
        if subprocess.run(command).returncode not in (0, 1):
            sys.exit(f"{arguments.analyse} failed at {path}")
    games = (json.loads(line) for line in open(out, encoding="utf-8"))
    return {(game["number"], ply): move["eval"].get("cp") for game in games if game["kind"] == "game" for ply, move in enumerate(game["moves"])}


def pairs_of(arguments):
    """(key of the game, Skewer's evaluation, the reference's) for every position in which neither sees a mate."""
    pairs, given_count = [], 0
    for path in arguments.games:
        own = analysed(arguments, path, f"own-{arguments.nodes}", "--confidence", "none", "--nodes", str(arguments.nodes))
        given = analysed(arguments, path, "given", "--pgn-evals", "use")
        rest = {game for game, _ in own} - {game for game, _ in given}
        engine = ("--engine", arguments.reference, "--nodes", str(arguments.reference_nodes))
        reference = analysed(arguments, path, f"reference-{arguments.reference_nodes}", *engine) if rest else {}
        for (game, ply), cp in own.items():
            other = given.get((game, ply)) if game not in rest else reference.get((game, ply))
            if cp is not None and other is not None:
                pairs.append((f"{path.name} {game}", cp, other))
                given_count += game not in rest
    print(f"{len(pairs)} positions, of which {given_count} with the evaluation of the file")
    return pairs


def win(cp):
    """lichess's win percentage."""
    return 100 / (1 + math.exp(-0.00368208 * max(-CEILING, min(CEILING, cp))))


def curve(heights, cp):
    size = abs(cp)
    upper = next((at for at, point in enumerate(POINTS) if size < point), len(POINTS) - 1)
    (x0, x1), (y0, y1) = POINTS[upper - 1:upper + 1], heights[upper - 1:upper + 1]
    return math.copysign(y0 + (y1 - y0) * (size - x0) / (x1 - x0), cp)


def error(heights, pairs):
    """The root of the mean square of the difference of win percentages."""
    return math.sqrt(sum((win(curve(heights, own)) - win(other)) ** 2 for _, own, other in pairs) / len(pairs))


def fit(pairs):
    """The heights of least squares, by steps along one point at a time that halve when none of them helps."""
    heights, step = [float(point) for point in POINTS], 64.0
    best = error(heights, pairs)
    while step >= 1:
        improved = False
        for at in range(1, len(heights)):
            for change in (step, -step):
                tried = [*heights[:at], heights[at] + change, *heights[at + 1:]]
                # The curve never falls.
                if any(left >= right for left, right in zip(tried, tried[1:])):
                    continue
                found = error(tried, pairs)
                if found < best - 1e-9:
                    heights, best, improved = tried, found, True
        if not improved:
            step /= 2
    return [round(height) for height in heights]


def report(pairs):
    train, test = ([pair for pair in pairs if is_odd(pair[0]) == odd] for odd in (True, False))
    heights = fit(train)
    print(f"other games ({len(test)} positions): win percentages are {error(POINTS, test):.2f} points apart without the curve, {error(heights, test):.2f} with it")
    print("| Skewer | positions | reference, mean | curve |\n|---|---|---|---|")
    for low, high in zip(POINTS, [*POINTS[1:], math.inf]):
        part = [(abs(own), other if own > 0 else -other) for _, own, other in test if low < abs(own) <= high]
        if part:
            mean = sum(own for own, _ in part) / len(part)
            print(f"| {mean:.0f} | {len(part)} | {sum(max(-CEILING, min(CEILING, other)) for _, other in part) / len(part):.0f} | {curve(heights, mean):.0f} |")


def is_odd(game):
    return int(game.rsplit(" ", 1)[1]) % 2 == 1


def write(heights):
    TARGET.parent.mkdir(exist_ok=True)
    points = ", ".join(f"[{point}.0, {height}.0]" for point, height in zip(POINTS, heights))
    TARGET.write_text(
        "//! Written by `tools/dev/fit_scale.py`, which says how. Do not edit.\n\n"
        "/// Centipawns of this engine, and lichess's centipawns that go with them.\n"
        f"pub(super) const POINTS: [[f64; 2]; {len(POINTS)}] = [{points}];\n", encoding="utf-8")
    subprocess.run(["rustfmt", "--edition", "2024", TARGET], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("games", nargs="+", type=Path)
    parser.add_argument("--analyse", required=True, help="the program skewer-analyse")
    parser.add_argument("--nodes", type=int, default=25_000)
    parser.add_argument("--reference", default="/usr/games/stockfish")
    parser.add_argument("--reference-nodes", type=int, default=100_000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--work", type=Path, default=Path("scale"), help="folder for what is computed")
    parser.add_argument("--write", action="store_true", help="write the points into the source")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    pairs = pairs_of(arguments)
    report(pairs)
    heights = fit(pairs)
    print("points of all games:", ", ".join(f"{point} {height}" for point, height in zip(POINTS, heights)))
    if arguments.write:
        write(heights)


if __name__ == "__main__":
    main()
