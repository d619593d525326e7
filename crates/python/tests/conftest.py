"""What the tests share: test data, and random positions that are the same on every run."""

import pathlib
import random

import chess
import pytest

DATA = pathlib.Path(__file__).parent / "data"

#: Start positions of a quarter of the random games: castling, en passant, promotions, pins, few
#: pieces, high counters.
START_FENS = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "8/P1k5/8/8/8/8/p1K5/8 b - - 0 1",
    "8/8/8/8/8/4k3/8/4KB2 w - - 96 80",
    "8/8/4k1b1/8/8/4B3/3K4/8 w - - 140 100",
    "4k3/8/8/8/8/8/4n3/4KN2 w - - 0 1",
    "8/8/8/2k5/3Pp3/8/8/3K4 b - d3 0 1",
    "7k/5Q2/8/8/8/8/8/K7 w - - 0 1",
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
]


def data(name):
    """The path of a file of test data."""
    return str(DATA / name)


def random_games(seed, count, plies=60):
    """`count` positions of random games, as python-chess boards with the moves that led to them."""
    rng = random.Random(seed)
    while count > 0:
        kind = rng.random()
        if kind < 0.5:
            board = chess.Board()
        elif kind < 0.75:
            board = chess.Board.from_chess960_pos(rng.randrange(960))
        else:
            board = chess.Board(rng.choice(START_FENS))
        # In some games, pieces mostly move back to where they came from, so that positions repeat.
        shuffles = rng.random() < 0.15
        for _ in range(rng.randrange(1, plies)):
            moves = sorted(board.legal_moves, key=chess.Move.uci)
            if not moves or board.halfmove_clock > 200:
                break
            back = None
            if shuffles and len(board.move_stack) > 1 and rng.random() < 0.8:
                last = board.move_stack[-2]
                back = chess.Move(last.to_square, last.from_square)
            board.push(back if back in moves else rng.choice(moves))
            if rng.random() < 0.4:
                yield board
                count -= 1
                if count == 0:
                    return


@pytest.fixture
def lichess():
    return data("lichess.pgn")
