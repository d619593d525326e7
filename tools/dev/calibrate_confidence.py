#!/usr/bin/env python3
"""Fit the chance that the label of a move stays the same with a hundred times the nodes.

    calibrate_confidence.py --analyse PROGRAM GAMES.pgn... [--nodes 100:60,1000:20,5000:12] [--threads 2] [--write]
    calibrate_confidence.py --analyse PROGRAM GAMES.pgn... --deep default --nodes 1000,4000,25000 [--as-is]
    calibrate_confidence.py --analyse PROGRAM GAMES.pgn... --confidence 90% --nodes 2000:30

The games, each once, are put in an order by their fingerprints. The first command analyses them (for `1000:20` the
first 20) with each number of nodes a position and with a hundred times as many, and fits a logistic regression of
"the label is the same" to every second game. On the games that were not used for the fit it compares the predicted
with the observed share of labels that stay the same, in ten bins, for all numbers of nodes together and for each. The
script fails if a bin is off by more than five points beyond its interval. With --write the weights go into
crates/analysis/src/confidence/calibration.rs, from which skewer-analyse is built.

The second command compares each number of nodes with the analysis that the program makes by default. That analysis
searches weak moves with up to 64 times 25,000 nodes, mostly 400,000, and uses fewer nodes for moves whose label is
sure. This command is cheaper than the first, and fits the weights at the numbers of nodes that reports have. With
--as-is, nothing is fitted: the script judges, on all games, the chances that the program itself gives (`sure`), for all
moves and for moves with a label.

The third command says what `--confidence` of a program with these weights saves compared with searching every position
with 64 times the nodes, and how many labels are the same, on the games that were not used for the fit.

Needs nothing but Python, zstd for games packed by it, and rustfmt for --write. The terms are as in `Doubt::terms` in
crates/analysis/src/confidence.rs.
"""

import argparse
import hashlib
import json
import math
import subprocess
import sys
from pathlib import Path

FACTOR = 100
DEEPEST = 64
TARGET = Path(__file__).parents[2] / "crates/analysis/src/confidence/calibration.rs"


def games_of(files):
    """The games of PGN files, each once, in an order that mixes the files."""
    games = {}
    for file in map(Path, files):
        packed = file.suffix == ".zst"
        data = subprocess.run(["zstd", "-dcq", file], check=True, stdout=subprocess.PIPE).stdout if packed else file.read_bytes()
        for part in data.replace(b"\r", b"").split(b"[Event ")[1:]:
            game = b"[Event " + part.strip() + b"\n\n"
            games[hashlib.sha256(game).digest()] = game
    return [games[key] for key in sorted(games)]


class Analyses:
    """Analyses games, and keeps what was computed in a folder, so that it goes on where it was interrupted."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.games = games_of(arguments.games)
        arguments.work.mkdir(parents=True, exist_ok=True)

    def by_default(self, count):
        """The first `count` games by number, analysed without options."""
        return self.run(count, None)

    def run(self, count, nodes, *more, unused=False):
        """The first `count` games by number, analysed with this many nodes a position. `unused` leaves out the games
        that are used for the fit."""
        games = self.games[:count][unused::1 + unused]
        name = f"{nodes or 'default'}-{len(games)}{'-unused' * unused}"
        work, program, threads = self.arguments.work, self.arguments.analyse, str(self.arguments.threads)
        source, journal, out = (work / f"{name}{''.join(more)}.{end}" for end in ("pgn", "journal", "jsonl"))
        if more or not out.exists():
            # With --confidence the result depends on the weights in the program.
            for old in (journal, out) if more else ():
                old.unlink(missing_ok=True)
            source.write_bytes(b"".join(games))
            limit = ("--nodes", str(nodes)) if nodes else ()
            once = () if more or not nodes else ("--confidence", "none")
            command = [program, "games", source, *limit, "--threads", threads, "--quiet", *once, *more]
            status = subprocess.run([*command, "--journal", journal, "--jsonl", out]).returncode
            # 1: a game could not be read.
            if status not in (0, 1):
                sys.exit(f"{program} ended with {status}")
        lines = map(json.loads, open(out, encoding="utf-8"))
        return {game["number"]: game for game in lines if game["kind"] == "game"}


def counts_of(text):
    """The numbers of nodes and of games that `--nodes` names."""
    for part in text.split(","):
        nodes, _, games = part.partition(":")
        yield int(nodes), int(games) if games else None


def terms(move):
    """The terms of a move's label, in the order of the weights."""
    margin = math.log(move["margin"] + 0.25)
    best = move["grade"] == "best" or (move["grade"] == "book" and move["best"]["uci"][:1] == [move["uci"]])
    mate = "mate" in move["eval"] or "mate" in move["best"]
    return [1.0, margin, margin * margin, math.log(max(1, move["low_nodes"])), math.log(min(move["swing"], 1000) + 1.0),
            float("label" in move), float(best), float(mate)]


def moves_of(low, high):
    """The moves of both analyses: number of the game, the move, whether the label is the same."""
    for number, game in low.items():
        before = None
        for move, deep in zip(game["moves"], high[number]["moves"]):
            known = [nodes for nodes in (before, move["nodes"]) if nodes]
            before = move["nodes"]
            if "margin" in move and known:
                move["low_nodes"] = min(known)
                yield number, move, move.get("label") == deep.get("label")


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
    for _ in range(12):
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


def report(data, title):
    """Prints ten bins of equal size of (predicted chance, whether the label is the same); returns by how many points the
    worst is outside its interval."""
    ranked = sorted(data)
    worst = 0.0
    print(f"{title}: {len(ranked)} moves\npredicted  observed  interval      moves")
    for bin in range(10):
        part = ranked[bin * len(ranked) // 10:(bin + 1) * len(ranked) // 10]
        predicted = sum(p for p, _ in part) / len(part)
        same = sum(same for _, same in part)
        low, high = interval(same, len(part))
        worst = max(worst, 100 * (low - predicted), 100 * (predicted - high))
        print(f"{predicted:9.3f}  {same / len(part):8.3f}  {low:.3f}-{high:.3f}  {len(part):6}")
    print(f"the worst bin is {worst:.1f} points beyond its interval")
    return worst


def calibrate(analyses, counts, write):
    """Fits, judges and, if it is asked for, writes the weights."""
    train, test, given = [], {}, []
    for nodes, games in counts:
        deep = analyses.by_default(games) if analyses.arguments.deep else analyses.run(games, nodes * FACTOR)
        for number, move, same in moves_of(analyses.run(games, nodes), deep):
            given.append((move["sure"], same, "label" in move, nodes))
            if number % 2:
                train.append((terms(move), same))
            else:
                test.setdefault(nodes, []).append((terms(move), same))
    if analyses.arguments.as_is:
        return as_is(given)
    weights = fit(train)
    print(f"{len(train)} moves for the fit, of which {sum(same for _, same in train)} keep their label")
    print("weights", [round(weight, 4) for weight in weights])
    judged = lambda data: [(chance(weights, row), same) for row, same in data]
    worst = report(judged(sum(test.values(), [])), "all that were not used for the fit")
    for nodes, data in test.items():
        worst = max(worst, report(judged(data), f"{nodes} nodes"))
    if write:
        numbers = ", ".join(f"{weight:.4f}" for weight in weights)
        TARGET.write_text(
            "//! Written by `tools/dev/calibrate_confidence.py`, which says how. Do not edit.\n\n"
            "/// The weights of the terms of [`Doubt`](super::Doubt).\n"
            f"pub(super) const WEIGHTS: [f64; {len(weights)}] = [\n    {numbers},\n];\n", encoding="utf-8")
        subprocess.run(["rustfmt", "--edition", "2024", TARGET], check=True)
    return int(worst > 5)


def as_is(given):
    """Judges the chances that the program gives."""
    worst = report([(sure, same) for sure, same, _, _ in given], "all")
    report([(sure, same) for sure, same, has_label, _ in given if has_label], "with a label")
    for nodes in sorted({nodes for *_, nodes in given}):
        worst = max(worst, report([(sure, same) for sure, same, _, at in given if at == nodes], f"{nodes} nodes"))
    return int(worst > 5)


def spent(move, nodes):
    """The nodes of all searches of a position. Each search has four times as many nodes as the search before."""
    times = max(0, round(math.log(max(1, move["nodes"]) / nodes, 4)))
    return move["nodes"] + sum(nodes * 4 ** before for before in range(times))


def judge(analyses, counts, confidence):
    """Compares labels and nodes of plain, confident and deep analyses."""
    for nodes, games in counts:
        plain, deep = (analyses.run(games, count, unused=True) for count in (nodes, nodes * DEEPEST))
        confident = analyses.run(games, nodes, "--confidence", confidence, unused=True)
        moves = lambda analysed: [move for game in analysed.values() for move in game["moves"]]
        wanted = moves(deep)
        weak = sum("label" in move for move in wanted)
        print(f"{nodes} nodes, {len(wanted)} moves, of which {weak} have a label with {nodes * DEEPEST} nodes")
        for name, found in (("plain", plain), (confidence, confident), ("deep", deep)):
            total = sum(spent(move, nodes if found is confident else move["nodes"] or 1) for move in moves(found))
            same = [move.get("label") == other.get("label") for move, other in zip(moves(found), wanted)]
            low, high = interval(sum(same), len(same))
            given = [is_same for is_same, move in zip(same, moves(found)) if "label" in move]
            share = total / sum(move["nodes"] for move in wanted)
            print(f"{name:6} {100 * share:5.1f}% of the nodes, {100 * sum(same) / len(same):5.1f}% ({100 * low:.1f}-{100 * high:.1f}) "
                  f"of the moves alike; {len(given)} have a label, which is the same for {sum(given)}")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--analyse", required=True, help="the program skewer-analyse")
    parser.add_argument("--nodes", default="100:60,1000:20,5000:12", help="nodes a position and, after a colon, games; separated by commas")
    parser.add_argument("--deep", choices=["default"], help="compare with the analysis by default")
    parser.add_argument("--as-is", action="store_true", help="fit nothing, and judge the chances that the program gives")
    parser.add_argument("--confidence", help="say what this confidence, such as 90%%, saves")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--work", type=Path, default=Path("calibration"), help="folder for what is computed")
    parser.add_argument("--write", action="store_true", help="write the weights into the source")
    parser.add_argument("games", nargs="+")
    arguments = parser.parse_args()
    analyses, counts = Analyses(arguments), list(counts_of(arguments.nodes))
    if arguments.confidence:
        return judge(analyses, counts, arguments.confidence)
    return calibrate(analyses, counts, arguments.write)


if __name__ == "__main__":
    sys.exit(main())
