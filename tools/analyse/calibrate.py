#!/usr/bin/env python3
"""How sure a label is: fits the chance that it survives a hundred times the nodes.

    calibrate.py --analyse PROGRAM GAMES.pgn... [--nodes 500,2000] [--threads 2] [--write]

Analyses the games with each number of nodes a position and with a hundred times as many, and fits a logistic
regression of "the label is the same" to every other game. On the games that were not used for the fit it
compares predicted and observed survival in ten bins. With --write the weights go into
crates/analysis/src/confidence/calibration.rs, where skewer-analyse takes them from.

Needs nothing but Python. The terms are those of `Doubt::terms` in crates/analysis/src/confidence.rs.
"""

import argparse
import json
import math
import subprocess
import sys
from pathlib import Path

FACTOR = 100
TARGET = Path(__file__).parents[2] / "crates/analysis/src/confidence/calibration.rs"


def analyse(program, files, nodes, threads, work):
    """The games by number, as they are with this many nodes a position. Goes on where it was interrupted."""
    out = work / f"{nodes}.jsonl"
    if not out.exists():
        command = [program, "games", *files, "--nodes", str(nodes), "--threads", str(threads), "--quiet"]
        subprocess.run([*command, "--journal", work / f"{nodes}.journal", "--jsonl", out], check=True)
    lines = map(json.loads, open(out, encoding="utf-8"))
    return {game["number"]: game for game in lines if game["kind"] == "game"}


def terms(move):
    """The terms of a move's label, in the order of the weights."""
    margin = math.log(move["margin"] + 0.25)
    best = move["grade"] == "best" or (move["grade"] == "book" and move["best"]["uci"][:1] == [move["uci"]])
    mate = "mate" in move["eval"] or "mate" in move["best"]
    return [1.0, margin, margin * margin, math.log(max(1, move["low_nodes"])), math.log(min(move["swing"], 1000) + 1.0),
            float("label" in move), float(best), float(mate)]


def moves_of(low, high):
    """The moves of both analyses: number of the game, terms, whether the label is the same."""
    for number, game in low.items():
        before = None
        for move, deep in zip(game["moves"], high[number]["moves"]):
            known = [nodes for nodes in (before, move["nodes"]) if nodes]
            before = move["nodes"]
            if "margin" in move and known:
                move["low_nodes"] = min(known)
                yield number, terms(move), move.get("label") == deep.get("label")


def chance(weights, row):
    return 1 / (1 + math.exp(-sum(weight * term for weight, term in zip(weights, row))))


def solve(matrix, values):
    """Solves linear equations by elimination."""
    rows = [list(row) + [value] for row, value in zip(matrix, values)]
    size = len(rows)
    for column in range(size):
        pivot = max(range(column, size), key=lambda at: abs(rows[at][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for at in range(size):
            if at != column:
                factor = rows[at][column] / rows[column][column]
                rows[at] = [left - factor * right for left, right in zip(rows[at], rows[column])]
    return [rows[at][size] / rows[at][at] for at in range(size)]


def fit(data):
    """The weights of greatest likelihood, by Newton's method, with a slight pull to zero."""
    size = len(data[0][0])
    weights = [0.0] * size
    for _ in range(30):
        gradient = [-0.01 * weight for weight in weights]
        hessian = [[0.01 * (a == b) for b in range(size)] for a in range(size)]
        for row, same in data:
            predicted = chance(weights, row)
            for a in range(size):
                gradient[a] += row[a] * (same - predicted)
                for b in range(size):
                    hessian[a][b] += row[a] * row[b] * predicted * (1 - predicted)
        step = solve(hessian, gradient)
        weights = [weight + change for weight, change in zip(weights, step)]
    return weights


def interval(same, count):
    """The interval in which the true share lies with 95% (Wilson, 1927)."""
    z, share = 1.96, same / count
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return middle - half, middle + half


def report(weights, data):
    """Prints ten bins of equal size; returns by how many points the worst is outside its interval."""
    ranked = sorted((chance(weights, row), same) for row, same in data)
    worst = 0.0
    print(f"{len(ranked)} moves that were not used for the fit\npredicted  observed  interval      moves")
    for bin in range(10):
        part = ranked[bin * len(ranked) // 10:(bin + 1) * len(ranked) // 10]
        predicted = sum(p for p, _ in part) / len(part)
        same = sum(same for _, same in part)
        low, high = interval(same, len(part))
        worst = max(worst, 100 * (low - predicted), 100 * (predicted - high))
        print(f"{predicted:9.3f}  {same / len(part):8.3f}  {low:.3f}-{high:.3f}  {len(part):6}")
    print(f"the worst bin is {worst:.1f} points beyond its interval")
    return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--analyse", required=True, help="the program skewer-analyse")
    parser.add_argument("--nodes", default="500,2000", help="nodes a position, separated by commas")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--work", type=Path, default=Path("calibration"), help="folder for what is computed")
    parser.add_argument("--write", action="store_true", help="write the weights into the source")
    parser.add_argument("games", nargs="+")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    run = lambda nodes: analyse(arguments.analyse, arguments.games, nodes, arguments.threads, arguments.work)
    data = []
    for nodes in map(int, arguments.nodes.split(",")):
        data += moves_of(run(nodes), run(nodes * FACTOR))
    if "," not in arguments.nodes:
        # Nothing is known about other numbers of nodes.
        data = [(number, [*row[:3], 0.0, *row[4:]], same) for number, row, same in data]
    train = [(row, same) for number, row, same in data if number % 2]
    test = [(row, same) for number, row, same in data if number % 2 == 0]
    weights = fit(train)
    print(f"{len(train)} moves for the fit, of which {sum(same for _, same in train)} keep their label")
    print("weights", [round(weight, 4) for weight in weights])
    worst = report(weights, test)
    if arguments.write:
        numbers = ", ".join(f"{weight:.4f}" for weight in weights)
        TARGET.write_text(
            "//! Written by `tools/analyse/calibrate.py`, which says how. Do not edit.\n\n"
            "/// The weights of the terms of [`Doubt`](super::Doubt).\n"
            f"pub(super) const WEIGHTS: [f64; {len(weights)}] = [\n    {numbers},\n];\n", encoding="utf-8")
    return int(worst > 5)


if __name__ == "__main__":
    sys.exit(main())
