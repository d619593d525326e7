#!/usr/bin/env python3
"""Measure the error of a static evaluation on quiet positions that a strong engine has judged.

    static_error.py ENGINE [NETWORK...]           the errors of the engine's networks, in seconds
    static_error.py --judge ENGINE GAMES.pgn...   judge positions anew, in minutes; prints the CSV

The judge's chances to win and to draw (UCI_ShowWDL, 200,000 nodes) are expected points. An evaluation becomes expected
points by the logistic function, on the scale that suits it best, so that the scale of an evaluation is no error. The
error is the root of the mean squared difference; the 95% interval of a difference between two networks is by
bootstrap over the positions. ENGINE is skewer, or Stockfish with its own evaluation.

The positions, in benches/quiet.csv, come from the games in crates/analysis-cli/tests/data/lichess-47.pgn.zst: positions
from ply 16 on in which the side to move is not in check and the judge's best move is quiet. A network that learnt from
the judge would have an unfair advantage. --judge needs the Python package `chess`.
"""

import argparse
import csv
import math
import pathlib
import random
import re
import subprocess
import sys

POSITIONS = pathlib.Path(__file__).resolve().parents[2] / "benches/quiet.csv"
COLUMNS = ["fen", "win", "draw", "loss"]


def judge(engine, games, count, nodes):
    """Writes quiet positions of games, and what the judge says of them for the side to move, to standard output."""
    import chess.engine
    import chess.pgn
    fens = set()
    for path in games:
        with open(path, encoding="utf-8", errors="replace") as text:
            while (game := chess.pgn.read_game(text)) is not None:
                for node in game.mainline():
                    board = node.board()
                    if board.ply() >= 16 and not board.is_check() and not board.is_game_over():
                        fens.add(board.fen())
    order = sorted(fens)
    random.Random(1).shuffle(order)
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(COLUMNS)
    with chess.engine.SimpleEngine.popen_uci(engine) as uci:
        uci.configure({"UCI_ShowWDL": True, "Hash": 64})
        for fen in order:
            if count == 0:
                return
            board = chess.Board(fen)
            info = uci.analyse(board, chess.engine.Limit(nodes=nodes), game=object())
            best = info["pv"][0]
            if board.is_capture(best) or best.promotion:
                continue
            wdl = info["wdl"].relative
            out.writerow([fen, wdl.wins, wdl.draws, wdl.losses])
            sys.stdout.flush()
            count -= 1


def evaluations(engine, network, fens):
    """The static evaluation of each position for its side to move, in the engine's units."""
    option = f"setoption name EvalFile value {network}\n" if network else ""
    lines = "".join(f"position fen {fen}\neval\n" for fen in fens)
    done = subprocess.run([engine], input=f"{option}{lines}quit\n", capture_output=True, text=True, check=True)
    # An engine keeps its network when it cannot read another one.
    name = re.escape(pathlib.Path(network).name) if network else ".*"
    found = re.findall(rf"(?:^network (?:.*/)?{name}, for White: |^NNUE evaluation\s+)([+-]?[0-9.]+)", done.stdout, re.M)
    if len(found) != len(fens):
        what = network or "its network"
        sys.exit(f"{engine} evaluates {len(found)} of {len(fens)} positions with {what}: can it read the file?")
    return [float(value) * (1 if fen.split()[1] == "w" else -1) for value, fen in zip(found, fens)]


def squares(values, points, scale):
    """The squared differences between the expected points of the evaluations and the judge's."""
    return [(1 / (1 + math.exp(-max(-700, min(700, value / scale)))) - point) ** 2
            for value, point in zip(values, points)]


def best_scale(values, points):
    """The scale with the least error, by golden section over its logarithm."""
    spread = max(map(abs, values)) or 1.0
    low, high = math.log(spread / 1000), math.log(spread * 10)
    part = (math.sqrt(5) - 1) / 2
    for _ in range(60):
        left, right = high - part * (high - low), low + part * (high - low)
        if sum(squares(values, points, math.exp(left))) < sum(squares(values, points, math.exp(right))):
            high = right
        else:
            low = left
    return math.exp((low + high) / 2)


def interval(first, second):
    """The 95% interval of the difference of two root mean squares, by 1,000 resamplings of the positions."""
    generator, differences = random.Random(1), []
    for _ in range(1000):
        chosen = generator.choices(range(len(first)), k=len(first))
        roots = [math.sqrt(sum(values[at] for at in chosen) / len(chosen)) for values in (first, second)]
        differences.append(roots[1] - roots[0])
    differences.sort()
    return differences[24], differences[974]


def measure(engine, networks):
    with open(POSITIONS, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    points = [(int(row["win"]) + int(row["draw"]) / 2) / 1000 for row in rows]
    first = None
    print(f"{len(rows)} positions")
    for network in networks or [None]:
        values = evaluations(engine, network, [row["fen"] for row in rows])
        scale = best_scale(values, points)
        errors = squares(values, points, scale)
        root = math.sqrt(sum(errors) / len(errors))
        line = f"{network or 'default':<40} error {root:.4f}  mean square {root * root:.5f}  scale {scale:.4g}"
        if first is None:
            first = errors
        else:
            low, high = interval(first, errors)
            line += f"  against the first {low:+.4f} to {high:+.4f}"
        print(line)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", nargs="?", help="a UCI program with the command `eval`")
    parser.add_argument("files", nargs="*", help="networks, or with --judge games")
    parser.add_argument("--judge", metavar="ENGINE", help="judge positions of games by this engine")
    parser.add_argument("--count", type=int, default=500, help="positions to judge")
    parser.add_argument("--nodes", type=int, default=200_000, help="nodes for each")
    arguments = parser.parse_args()
    if arguments.judge:
        judge(arguments.judge, [arguments.engine, *arguments.files], arguments.count, arguments.nodes)
    elif arguments.engine:
        measure(arguments.engine, arguments.files)
    else:
        parser.error("an engine is wanted")


if __name__ == "__main__":
    main()
