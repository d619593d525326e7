#!/usr/bin/env python3
"""Fits the curve from Skewer's centipawns to lichess's centipawns, for which lichess's formulas are made.

    fit_scale.py --analyse PROGRAM GAMES.pgn... [--reference /usr/games/stockfish] [--reference-nodes 100000]
                 [--work FOLDER] [--labels] [--write]

Analyses the games with Skewer's default settings, with which labels are made. The reference is the `[%eval]` after the
moves if a game has it after every move, else the reference engine. A mate of the reference counts as lichess's
formulas count it: without these positions the curve would be too low where a game is decided. The curve is straight
between points of Skewer's evaluation; their heights are fitted by least squares of win percentage to half of the games.
Prints, for the other half, how far win percentages are apart without the curve, with the curve, and with a curve that
the material on the board stretches. Then prints both evaluations of the even games side by side, and how often the
reference sees a mate, below the last point of the curve and beyond it. With --write the points that are fitted to all
games go into crates/analysis/src/scale/curve.rs.

With --labels, compares the labels of each file with its glyphs by three curves: a curve that was fitted to the other
half of the games, a curve that was fitted to the other files, and the curve of all games.

What was computed is kept in the folder, so that an interrupted run goes on. Needs nothing but Python, and rustfmt for
--write.
"""

import argparse
import collections
import json
import math
import subprocess
import sys
from pathlib import Path

from compare_glyphs import written

TARGET = Path(__file__).parents[2] / "crates/analysis/src/scale/curve.rs"
# Skewer's centipawns at the points of the curve.
POINTS = [0, 40, 80, 160, 240, 320, 480, 800, 1200, 1900, 3000]
CEILING = 1000
VALUES = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9}
# About half of the material of a game's start, 78.
MIDDLE = 40
# Queens, rooks, bishops and knights of an endgame, at most.
ENDGAME = 6


def result_of(arguments, path, name):
    return arguments.work / f"{path.stem}-{name}.jsonl"


def analysed(arguments, path, name, *options):
    """The evaluations and boards of a file by the number of the game and the ply."""
    out = result_of(arguments, path, name)
    if not out.exists():
        journal = [] if name == "given" else ["--journal", out.with_suffix(".journal"), "--threads", str(arguments.threads)]
        command = [arguments.analyse, "games", path, *options, *journal, "--jsonl", out, "--quiet"]
        # 1: a game could not be read, or has no evaluations.
        if subprocess.run(command).returncode not in (0, 1):
            sys.exit(f"{arguments.analyse} failed at {path}")
    games = (json.loads(line) for line in open(out, encoding="utf-8"))
    found = {}
    for game in games:
        moves = game["moves"] if game["kind"] == "game" else []
        for ply, (move, later) in enumerate(zip(moves, [*moves[1:], *moves[-1:]])):
            found[game["number"], ply] = move["eval"], later["fen"].split()[0].lower()
    return found


def mate_of(value):
    """The sign of a mate, as lichess's formulas count it; None without one, and for mate on the board."""
    return math.copysign(1, value["mate"]) if value.get("mate") else None


def material(board):
    return sum(VALUES.get(letter, 0) for letter in board)


def pairs_of(arguments):
    """(key of the game, Skewer's evaluation, the reference's, the board, whether the reference sees a mate) for every
    position in which Skewer sees no mate."""
    pairs, given_count = [], 0
    for path in arguments.games:
        own = analysed(arguments, path, "own")
        given = analysed(arguments, path, "given", "--pgn-evals", "use")
        rest = {game for game, _ in own} - {game for game, _ in given}
        engine = ("--engine", arguments.reference, "--nodes", str(arguments.reference_nodes))
        reference = analysed(arguments, path, f"reference-{arguments.reference_nodes}", *engine) if rest else {}
        for (game, ply), (value, board) in own.items():
            other, _ = (reference if game in rest else given).get((game, ply), ({}, None))
            mate = mate_of(other)
            cp, evaluation = value.get("cp"), other.get("cp", mate and mate * CEILING)
            if cp is not None and evaluation is not None:
                pairs.append((f"{path.name} {game}", cp, evaluation, board, mate is not None))
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


def stretch(factor, board):
    return 1 + factor * (material(board) - MIDDLE) / MIDDLE if factor else 1


def error(heights, pairs, factor=0):
    """The root of the mean square of the difference of win percentages."""
    return math.sqrt(sum((win(curve(heights, own) * stretch(factor, board)) - win(other)) ** 2 for _, own, other, board, _ in pairs) / len(pairs))


def fit(pairs, by_material=False):
    """The heights and the factor of the material with the least squares. Steps along one value at a time; halves the
    step when no value improves."""
    heights, factor, step = [float(point) for point in POINTS], 0.0, 64.0
    best = error(heights, pairs)
    while step >= 1:
        improved = False
        for at in range(0 if by_material else 1, len(heights)):
            for change in (step, -step):
                tried, other = [*heights], factor
                if at:
                    tried[at] += change
                else:
                    other += change / 200
                # The curve never falls.
                if any(left >= right for left, right in zip(tried, tried[1:])):
                    continue
                found = error(tried, pairs, other)
                if found < best - 1e-9:
                    heights, factor, best, improved = tried, other, found, True
        if not improved:
            step /= 2
    return [round(height) for height in heights], factor


def report(pairs):
    for odd in (True, False):
        train, test = ([pair for pair in pairs if is_odd(pair[0]) == which] for which in (odd, not odd))
        (heights, _), (stretched, factor) = fit(train), fit(train, by_material=True)
        print(f"fitted to the {'odd' if odd else 'even'} games, factor of the material {factor:.2f}:")
        endings = [pair for pair in test if sum(letter in "nbrq" for letter in pair[3]) <= ENDGAME]
        for name, part in (("all", test), ("endgames", endings)):
            print(f"    {name} of the others ({len(part)} positions): win percentages are {error(POINTS, part):.2f} points apart without the curve, "
                  f"{error(heights, part):.2f} with it, {error(stretched, part, factor):.2f} with the material")
        if odd:
            table(heights, test)
    last, end = POINTS[-2:]
    for low, high in ((last, end), (end, math.inf)):
        part = [pair for pair in pairs if low <= abs(pair[1]) < high]
        print(f"from {low} to {high}: the reference sees a mate in {sum(pair[4] for pair in part)} of {len(part)} positions")


def table(heights, test):
    print("| Skewer | positions | reference, mean | curve |\n|---|---|---|---|")
    for low, high in zip(POINTS, [*POINTS[1:], math.inf]):
        part = [(abs(own), other if own > 0 else -other) for _, own, other, _, _ in test if low < abs(own) <= high]
        if part:
            mean = sum(own for own, _ in part) / len(part)
            print(f"| {mean:.0f} | {len(part)} | {sum(max(-CEILING, min(CEILING, other)) for _, other in part) / len(part):.0f} | {curve(heights, mean):.0f} |")


def label(before, after, white):
    """lichess's label for the loss from one evaluation to another, each {"cp": ...} or {"mate": ...}."""
    sign = 1 if white else -1
    # Mate in 0 stands on the board: the mover has given it.
    mates = [sign * value["mate"] >= 0 if "mate" in value else None for value in (before, after)]
    own = [sign * value.get("cp", 0) for value in (before, after)]
    decided = lambda cp: "inaccuracy" if cp > 999 else "mistake" if cp > 700 else "blunder"
    if mates == [None, False]:
        return decided(-own[0])
    if mates[0] and not mates[1]:
        return decided(own[1])
    if mates != [None, None] or win(own[0]) - win(own[1]) < 5:
        return None
    lost = own[0] - own[1]
    return "blunder" if lost >= 300 else "mistake" if lost >= 100 else "inaccuracy"


def rated(heights, value):
    """Skewer's evaluation as lichess's formulas expect it."""
    cp = value.get("cp")
    if cp is None:
        return value
    return {"mate": cp} if abs(cp) >= POINTS[-1] else {"cp": round(curve(heights, cp))}


def labels(name, path, results, curve_of):
    """Compares the labels of results with the glyphs of the file, with a curve for each game."""
    counts, glyphs = collections.Counter(), list(written(path))
    for game in map(json.loads, open(results, encoding="utf-8")):
        moves = game["moves"] if game["kind"] == "game" else []
        heights = curve_of(game.get("number", 0))
        for move, glyph in zip(moves, glyphs[game.get("number", 1) - 1]):
            is_best = move["best"]["uci"][:1] == [move["uci"]]
            values = [rated(heights, move[field]) for field in ("best", "eval")]
            ours = None if is_best else label(*values, move["color"] == "white")
            if ours or glyph:
                counts["too many" if not glyph else "none" if not ours else "the same" if ours == glyph else "another"] += 1
    total = sum(counts.values()) - counts["too many"]
    print(f"labels of {path.name}, {name}: of {total} glyphs {counts['the same']} the same, {counts['another']} another one, {counts['none']} none; {counts['too many']} too many", flush=True)


def held_out(pairs, arguments):
    halves = {odd: fit([pair for pair in pairs if is_odd(pair[0]) != odd])[0] for odd in (True, False)}
    every, _ = fit(pairs)
    for path in arguments.games:
        others = [pair for pair in pairs if not pair[0].startswith(f"{path.name} ")]
        curves = [("curve of the other half", lambda game: halves[game % 2 == 1]), ("curve of all games", lambda _: every)]
        if others:
            heights, _ = fit(others)
            curves.append(("curve of the other files", lambda _: heights))
        for name, curve_of in curves:
            labels(name, path, result_of(arguments, path, "own"), curve_of)


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
    parser.add_argument("--reference", default="/usr/games/stockfish")
    parser.add_argument("--reference-nodes", type=int, default=100_000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--work", type=Path, default=Path("scale"), help="folder for what is computed")
    parser.add_argument("--labels", action="store_true", help="compare labels with the glyphs of the files")
    parser.add_argument("--write", action="store_true", help="write the points into the source")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    pairs = pairs_of(arguments)
    report(pairs)
    if arguments.labels:
        held_out(pairs, arguments)
    heights, _ = fit(pairs)
    print("points of all games:", ", ".join(f"{point} {height}" for point, height in zip(POINTS, heights)))
    if arguments.write:
        write(heights)


if __name__ == "__main__":
    main()
