"""Memory stays flat: nothing leaks over a million boards and a thousand searches."""

import gc
import subprocess
import sys
from pathlib import Path

import psutil
import skewer
from conftest import data

#: Bytes by which the process may grow in a round: allocators keep some pages. A leak of one object
#: a board would be a hundred times as much.
ALLOWED = 4 << 20

#: The allocator may reserve an arena of several megabytes for a new thread, but not in every round;
#: a leak grows in each.
ROUNDS = 4


def resident():
    gc.collect()
    return psutil.Process().memory_info().rss


def check_flat(work, times, warm):
    for _ in range(warm):
        work()
    grown = []
    for _ in range(ROUNDS):
        before = resident()
        for _ in range(times):
            work()
        grown.append(resident() - before)
        if grown[-1] < ALLOWED:
            return
    sizes = ", ".join(f"{size / 2**20:.1f}" for size in grown)
    raise AssertionError(f"grew in every round, by {sizes} MiB")


def test_a_leak_is_seen():
    # In a process of its own, since memory that earlier tests free would hide what is kept here.
    code = "import test_memory; kept = []; test_memory.check_flat(lambda: kept.append(b'x' * (8 << 20)), 1, 0)"
    run = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parent, capture_output=True, text=True)
    assert "grew in every round" in run.stderr, run.stderr


def test_a_million_boards():
    fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

    def work():
        for _ in range(1_000):
            board = skewer.Board(fen)
            board.push(board.parse_san("O-O"))
            board.fen()
            board.copy().pop()

    check_flat(work, 1_000, 100)


def test_moves_texts_and_sets():
    board = skewer.Board()

    def work():
        for move in board.legal_moves:
            board.san(move)
            board.push(move)
            board.outcome(claim_draw=True)
            board.attackers(True, 30)
            board.piece_map()
            str(board)
            board.pop()
        board._repr_svg_()

    check_flat(work, 500, 50)


def test_a_thousand_searches():
    engine = skewer.Engine(hash=1)
    board = skewer.Board()

    def work():
        engine.analyse(board, nodes=500, callback=lambda info: None)

    check_flat(work, 1_000, 100)


def test_engines_and_open_analyses():
    def work():
        engine = skewer.Engine(hash=1)
        analysis = engine.analysis(skewer.Board())
        next(analysis)
        del analysis, engine

    check_flat(work, 60, 20)


def test_files_and_arrays():
    def work():
        for game in skewer.read_pgn(data("lichess.pgn")):
            game.headers, game.moves, str(game)
        positions = skewer.read_positions(data("lichess.pgn"))
        positions.planes()
        skewer.evaluate_many([positions.fen(0)] * 10)

    check_flat(work, 150, 30)


def test_analysed_games():
    def work():
        list(skewer.analyse_games(data("annotated.pgn"), depth=1, threads=1, hash=1))

    check_flat(work, 60, 10)
