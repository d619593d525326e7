#!/usr/bin/env python3
"""Compare the centipawns of an engine with Stockfish's on positions of people's games, by material.

    compare_scale.py ENGINE [--rows FILE]        compare, in minutes
    compare_scale.py --judge ENGINE GAMES.pgn... judge positions anew, in an hour; prints the CSV

The engine searches each position with 50,000 nodes and an empty hash table. The table has the geometric mean of the
engine's centipawns divided by Stockfish's, with its 95% interval, for positions that Stockfish judges at 100 to 400
centipawns and the engine for the same side; and how many positions the engine judges for the other side or level.
Material is in pawns (knight and bishop 3, rook 5, queen 9), of both sides. --rows writes both evaluations of each
position.

The positions, in benches/scale.csv.xz, come from CC0 games of lichess (`benches/lichess_db_1000k.pgn` of the crate
pgn-reader 0.29.0): 5,000 of the positions after 10, 12, 14 and more plies. Stockfish 15.1 judged them with 50,000 nodes, for
White; a mate has no centipawns. Needs the Python package `chess`.
"""

import argparse
import csv
import lzma
import math
import pathlib
import random
import statistics
import sys

import chess
import chess.engine
import chess.pgn

POSITIONS = pathlib.Path(__file__).resolve().parents[2] / "benches/scale.csv.xz"
NODES = 50_000
FIRST_PLY = 8
VALUES = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}
# Centipawns of Stockfish between which the scales are compared.
LOW, HIGH = 100, 400
MATERIALS = [(65, 78), (50, 64), (35, 49), (20, 34), (0, 19)]


def positions(paths, count):
    """At most `count` positions, in an order that depends on the games alone."""
    fens = set()
    for path in paths:
        with open(path, encoding="utf-8", errors="replace") as text:
            while game := chess.pgn.read_game(text):
                board = game.board()
                for ply, move in enumerate(game.mainline_moves()):
                    board.push(move)
                    if ply >= FIRST_PLY and ply % 2 and not board.is_game_over():
                        fens.add(board.fen())
    order = sorted(fens)
    random.Random(1).shuffle(order)
    return order[:count]


def centipawns(uci, fen):
    """The evaluation for White; None for a mate. A new game clears the hash table."""
    found = uci.analyse(chess.Board(fen), chess.engine.Limit(nodes=NODES), game=object())
    return found["score"].white().score()


def judge(engine, games, count):
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["fen", "centipawns"])
    with chess.engine.SimpleEngine.popen_uci(engine) as uci:
        for fen in positions(games, count):
            out.writerow([fen, centipawns(uci, fen)])
            sys.stdout.flush()


def material(fen):
    return sum(VALUES.get(piece.piece_type, 0) for piece in chess.Board(fen).piece_map().values())


def compared(engine):
    """(position, material, the engine's centipawns, Stockfish's) of each position in which neither sees a mate."""
    with lzma.open(POSITIONS, "rt", newline="", encoding="utf-8") as file:
        judged = list(csv.DictReader(file))
    rows = []
    with chess.engine.SimpleEngine.popen_uci(engine) as uci:
        for row in judged:
            own = centipawns(uci, row["fen"]) if row["centipawns"] else None
            if own is not None:
                rows.append((row["fen"], material(row["fen"]), own, int(row["centipawns"])))
    print(f"{len(judged)} positions, {len(rows)} without a mate")
    return rows


def line(name, rows):
    """The line of the table for these positions."""
    logs = [math.log(own / other) for _, _, own, other in rows if own * other > 0]
    if len(logs) < 2:
        return f"| {name} | {len(logs)} | | {len(rows) - len(logs)} |"
    half = 1.96 * statistics.stdev(logs) / math.sqrt(len(logs))
    mean = statistics.fmean(logs)
    interval = f"{math.exp(mean - half):.2f} to {math.exp(mean + half):.2f}"
    return f"| {name} | {len(logs)} | {math.exp(mean):.3f} ({interval}) | {len(rows) - len(logs)} |"


def report(rows):
    print("| positions | compared | engine / Stockfish | other side |\n|---|---|---|---|")
    between = [row for row in rows if LOW <= abs(row[3]) < HIGH]
    print(line(f"{LOW} to {HIGH}", between))
    for low, high in MATERIALS:
        print(line(f"material {low} to {high}", [row for row in between if low <= row[1] <= high]))
    for low, high in ((50, 100), (100, 200), (200, 400), (400, 800)):
        print(line(f"{low} to {high}, all material", [row for row in rows if low <= abs(row[3]) < high]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", nargs="?", help="a UCI program")
    parser.add_argument("games", nargs="*", help="with --judge: games in PGN")
    parser.add_argument("--judge", action="store_true", help="judge positions of games by the engine")
    parser.add_argument("--count", type=int, default=5000, help="positions to judge")
    parser.add_argument("--rows", type=pathlib.Path, help="write the evaluations to this file")
    arguments = parser.parse_args()
    if not arguments.engine:
        parser.error("an engine is wanted")
    if arguments.judge:
        judge(arguments.engine, arguments.games, arguments.count)
        return
    rows = compared(arguments.engine)
    report(rows)
    if arguments.rows:
        with open(arguments.rows, "w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows([("fen", "material", "engine", "stockfish"), *rows])


if __name__ == "__main__":
    main()
