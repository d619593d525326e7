#!/usr/bin/env python3
"""Measure how often each level of UCI_Elo takes a hanging queen and plays a mate in one.

    overlooked.py --engine PATH [--levels 800 900 ..] [--times 4] [--at-once 2]
    overlooked.py --engine PATH --make GAMES        write other positions, from games of the lowest levels

The positions are in overlooked.csv beside this script. A queen hangs if it can be taken and not retaken, unless it has
just captured on its square: everybody sees a recapture. By a search at full strength, every other move is at least three
pawns worse than taking the queen, or no other move leads to a mate. Each position is searched several times, as a new game,
because levels choose their moves at random. Prints a table, with 95 % intervals from the positions. Searches are limited by nodes, so the
machine may be busy. Needs the Python package `chess`.
"""

import argparse
import csv
import math
import multiprocessing
from pathlib import Path

import chess
import chess.engine

from calibrate import LIMIT, openings

POSITIONS = Path(__file__).with_name("overlooked.csv")
KINDS = ["queen", "mate"]
# Nodes a move of full strength.
FULL = chess.engine.Limit(nodes=20_000)
# The levels of the games that positions are taken from, and the plies of such a game.
PLAYED, LONGEST = [800, 900, 1000], 160
# Plies between two positions of one game and kind.
APART = 6
# The nodes of the search, and the hundredths of a pawn by which all other moves must be worse.
JUDGED, MARGIN = chess.engine.Limit(nodes=5_000), 300
# Positions of a kind, at most.
MOST = 120


def mates(board, move):
    """Whether a legal move gives mate."""
    if not board.gives_check(move):
        return False
    board.push(move)
    mate = board.is_checkmate()
    board.pop()
    return mate


def takes_queen(board, move):
    """Whether a legal move takes a queen for nothing."""
    if board.piece_type_at(move.to_square) != chess.QUEEN:
        return False
    if board.move_stack and board.peek().to_square == move.to_square:
        before = board.copy()
        if before.is_capture(before.pop()):
            return False
    board.push(move)
    retaken = any(answer.to_square == move.to_square for answer in board.legal_moves)
    board.pop()
    return not retaken


RIGHT = {"queen": takes_queen, "mate": mates}


def kind_of(board):
    """The kind of the position: whether the side to move can mate or take a queen; None for both or neither."""
    found = {kind for kind in KINDS for move in board.legal_moves if RIGHT[kind](board, move)}
    return found.pop() if len(found) == 1 else None


def set_level(engine, level):
    engine.configure({"UCI_LimitStrength": level is not None, "UCI_Elo": level or 1500, "Hash": 4})


def is_only(engine, board, kind):
    """Whether by a search at full strength nothing else is nearly as good."""
    right = [move for move in board.legal_moves if RIGHT[kind](board, move)]
    others = [move for move in board.legal_moves if move not in right]
    if not others:
        return False
    best, other = (engine.analyse(board, JUDGED, root_moves=moves)["score"].relative for moves in (right, others))
    if kind == "mate":
        return not (other.is_mate() and other.mate() > 0)
    return best.score(mate_score=5000) - other.score(mate_score=5000) >= MARGIN


def game(job):
    """The positions of a game of a level against itself: pairs of kind and FEN."""
    path, level, fen = job
    found, last = [], dict.fromkeys(KINDS, -APART)
    with chess.engine.SimpleEngine.popen_uci(path, timeout=60) as engine:
        with chess.engine.SimpleEngine.popen_uci(path, timeout=60) as judge:
            set_level(engine, level)
            board = chess.Board(fen)
            while not board.is_game_over() and len(board.move_stack) < LONGEST:
                kind = kind_of(board)
                if kind and len(board.move_stack) - last[kind] >= APART and is_only(judge, board, kind):
                    last[kind] = len(board.move_stack)
                    found.append((kind, board.fen()))
                board.push(engine.play(board, LIMIT).move)
    return found


def make(path, games, at_once):
    jobs = [(path, PLAYED[i % len(PLAYED)], fen) for i, fen in enumerate(openings(path, games, 5))]
    with multiprocessing.Pool(at_once) as pool:
        found = pool.map(game, jobs)
    with open(POSITIONS, "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["kind", "fen"])
        for kind in KINDS:
            fens = list({fen: None for one in found for other, fen in one if other == kind})[:MOST]
            table.writerows((kind, fen) for fen in fens)
            print(f"{kind}: {len(fens)} positions")


def measure(job):
    """For each position, the share of the searches in which the right move was played."""
    path, level, times, rows = job
    shares = []
    with chess.engine.SimpleEngine.popen_uci(path, timeout=60) as engine:
        set_level(engine, level)
        for kind, fen in rows:
            board = chess.Board(fen)
            moves = [engine.play(board, LIMIT if level else FULL, game=object()).move for _ in range(times)]
            shares.append((kind, sum(RIGHT[kind](board, move) for move in moves) / times))
    return level, shares


def shown(shares):
    mean = sum(shares) / len(shares)
    variance = sum((share - mean) ** 2 for share in shares) / (len(shares) - 1)
    return f"{100 * mean:.1f} ± {196 * math.sqrt(variance / len(shares)):.1f}%"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", required=True)
    parser.add_argument("--make", type=int, metavar="GAMES", help="write the positions of this many games")
    parser.add_argument("--levels", type=int, nargs="+", default=[800, 900, 1000, 1100, 1200, 1500])
    parser.add_argument("--times", type=int, default=4, help="searches of each position")
    parser.add_argument("--at-once", type=int, default=2)
    arguments = parser.parse_args()
    path = str(Path(arguments.engine).resolve())
    if arguments.make:
        make(path, arguments.make, arguments.at_once)
        return
    with open(POSITIONS, encoding="utf-8", newline="") as file:
        rows = [(row["kind"], row["fen"]) for row in csv.DictReader(file)]
    counts = [sum(kind == one for kind, _ in rows) for one in KINDS]
    print("| Level | Hanging queens taken (of {}) | Mates in one played (of {}) |\n|---|---|---|".format(*counts))
    with multiprocessing.Pool(arguments.at_once) as pool:
        jobs = [(path, level, arguments.times, rows) for level in [*arguments.levels, None]]
        for level, shares in pool.imap(measure, jobs):
            cells = [shown([share for kind, share in shares if kind == one]) for one in KINDS]
            print(f"| {level or 'full'} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
