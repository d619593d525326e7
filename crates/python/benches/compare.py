#!/usr/bin/env python3
"""Compares the speed of skewer and python-chess at the same work, in one run.

    pip install chess==1.11.2 . && benches/compare.py [--pgn FILE] [--repeat N]

Each row is timed in turns, ours and theirs, by the processor time of this one process, so that other
work of the machine does not count. The best time of each is taken. Every row first checks that both give
the same result. With --check, the exit code says whether all aims of the package are reached.
"""

import argparse
import datetime
import io
import os
import pathlib
import pickle
import platform
import random
import sys
import time

import chess
import chess.pgn
import numpy as np
import skewer
import skewer.chess.pgn

DATA = pathlib.Path(__file__).parent.parent / "tests" / "data" / "lichess.pgn"


def games_of(path):
    """The games of a file: python-chess's, with their boards before each move."""
    with open(path, encoding="utf-8", errors="replace") as file:
        while game := chess.pgn.read_game(file):
            yield game


def positions_of(path, count):
    """Up to `count` positions with the moves that were played, drawn from the games."""
    found = []
    for game in games_of(path):
        board = game.board()
        for move in game.mainline_moves():
            found.append((board.fen(), board.san(move), move.uci()))
            board.push(move)
    return random.Random(1).sample(found, min(count, len(found)))


class Row:
    """A task: its name, the aimed ratio, and its implementation by each library."""

    def __init__(self, name, aim, amount, ours, theirs, same):
        self.name, self.aim, self.amount = name, aim, amount
        self.ours, self.theirs, self.same = ours, theirs, same


def board_rows(library, prefix, positions):
    """Tasks of single boards; `library` is skewer or skewer.chess."""
    fens = [fen for fen, _, _ in positions]
    ours = [library.Board(fen) for fen in fens]
    theirs = [chess.Board(fen) for fen in fens]
    n = len(fens)

    yield Row(
        prefix + "legal moves, as a list of Move", 20, n,
        lambda: [list(board.legal_moves) for board in ours],
        lambda: [list(board.legal_moves) for board in theirs],
        lambda a, b: [sorted(m.uci() for m in x) for x in a] == [sorted(m.uci() for m in x) for x in b],
    )

    def push_pop(boards, moves):
        for board, move in zip(boards, moves):
            for _ in range(10):
                board.push(move)
                board.pop()
        return [board.fen() for board in boards]

    our_moves = [library.Move.from_uci(uci) for _, _, uci in positions]
    their_moves = [chess.Move.from_uci(uci) for _, _, uci in positions]

    def just_push_pop(boards, moves):
        for board, move in zip(boards, moves):
            push, pop = board.push, board.pop
            for _ in range(10):
                push(move)
                pop()

    yield Row(
        prefix + "push and pop", 10, 10 * n,
        lambda: just_push_pop(ours, our_moves),
        lambda: just_push_pop(theirs, their_moves),
        lambda a, b: push_pop(ours, our_moves) == push_pop(theirs, their_moves),
    )
    sans = [san for _, san, _ in positions]
    yield Row(
        prefix + "parse SAN", 25, n,
        lambda: [board.parse_san(san) for board, san in zip(ours, sans)],
        lambda: [board.parse_san(san) for board, san in zip(theirs, sans)],
        lambda a, b: [m.uci() for m in a] == [m.uci() for m in b],
    )
    yield Row(
        prefix + "write SAN", None, n,
        lambda: [board.san(move) for board, move in zip(ours, our_moves)],
        lambda: [board.san(move) for board, move in zip(theirs, their_moves)],
        lambda a, b: a == b,
    )
    yield Row(
        prefix + "FEN to board", 20, n,
        lambda: [library.Board(fen) for fen in fens],
        lambda: [chess.Board(fen) for fen in fens],
        lambda a, b: [x.fen() for x in a] == [x.fen() for x in b],
    )
    yield Row(
        prefix + "board to FEN", 20, n,
        lambda: [board.fen() for board in ours],
        lambda: [board.fen() for board in theirs],
        lambda a, b: a == b,
    )
    yield Row(
        prefix + "str(move)", None, n,
        lambda: [str(move) for move in our_moves],
        lambda: [str(move) for move in their_moves],
        lambda a, b: a == b,
    )
    yield Row(
        prefix + "outcome, draws claimed", None, n,
        lambda: [board.outcome(claim_draw=True) for board in ours],
        lambda: [board.outcome(claim_draw=True) for board in theirs],
        lambda a, b: [x and x.result() for x in a] == [x and x.result() for x in b],
    )


def attributes(library, boards):
    """The masks of each board."""
    return [b.pawns ^ b.knights ^ b.bishops ^ b.rooks ^ b.queens ^ b.kings ^ b.occupied for b in boards]


def state(library, boards):
    return [(b.turn, b.castling_rights, b.ep_square, b.halfmove_clock, b.fullmove_number) for b in boards]


def sides(library, boards):
    return [b.occupied_co[library.WHITE] ^ b.occupied_co[library.BLACK] for b in boards]


def evaluation(library, boards):
    """Material, and how far pawns have come."""
    found = []
    for board in boards:
        white, black = board.occupied_co[True], board.occupied_co[False]
        score = 0
        masks = (board.pawns, board.knights, board.bishops, board.rooks, board.queens)
        for worth, mask in zip((1, 3, 3, 5, 9), masks):
            score += worth * (library.popcount(mask & white) - library.popcount(mask & black))
        for square in library.scan_forward(board.pawns & white):
            score += library.square_rank(square)
        found.append(score)
    return found


def pieces(library, boards):
    return [list(b.pieces(kind, color)) for b in boards for kind in range(1, 7) for color in (True, False)]


def piece_at(library, boards):
    return [str(board.piece_at(square)) for board in boards for square in range(0, 64, 5)]


def piece_type_at(library, boards):
    return [board.piece_type_at(square) for board in boards for square in range(0, 64, 5)]


def operations(library, boards):
    """Sets: operators, membership, length, squares one by one."""
    found = []
    for board in boards:
        own, pawns = library.SquareSet(board.occupied_co[True]), library.SquareSet(board.pawns)
        both = (own & pawns | library.BB_RANK_1) ^ pawns
        both -= own
        found.append((int(both), len(own), 12 in pawns, list(both)))
    return found


def pickled(library, boards):
    return [pickle.loads(pickle.dumps(board)).board_fen() for board in boards]


def copies(library, boards):
    return [board.copy().turn for board in boards]


def edited(library, boards):
    """A piece is taken off and put back, and the legal moves are counted."""
    found = []
    for board in boards:
        board.set_piece_at(0, board.remove_piece_at(0))
        found.append(len(list(board.legal_moves)))
    return found


def kingless(library, boards):
    return [len(list(board.pseudo_legal_moves)) for board in boards]


def without_kings(library, fens):
    boards = [library.Board(fen) for fen in fens]
    for board in boards:
        for color in (True, False):
            board.remove_piece_at(board.king(color))
    return boards


def from_uci(library, ucis):
    return [library.Move.from_uci(uci).to_square for uci in ucis]


def fields(library, moves):
    return [(move.from_square, move.to_square, move.promotion) for move in moves]


def program_rows(positions):
    """Operations that other people's programs use most, the same for both libraries."""
    fens, _, ucis = zip(*positions)

    def boards(library):
        return [library.Board(fen) for fen in fens]

    def moves(library):
        return [library.Move.from_uci(uci) for uci in ucis]

    rows = [
        ("masks as attributes", attributes, boards), ("masks by side", sides, boards),
        ("turn, rights and clocks", state, boards), ("an evaluation by masks", evaluation, boards),
        ("pieces()", pieces, boards), ("piece_at()", piece_at, boards),
        ("piece_type_at()", piece_type_at, boards), ("SquareSet", operations, boards),
        ("pickle", pickled, boards), ("copy()", copies, boards),
        ("edit and legal moves", edited, boards), ("pseudo-legal moves", kingless, boards),
        ("moves without kings", kingless, lambda library: without_kings(library, fens)),
        ("Move.from_uci()", from_uci, lambda library: ucis), ("fields of moves", fields, moves),
    ]
    for name, work, inputs in rows:
        ours, theirs = inputs(skewer.chess), inputs(chess)
        yield Row(
            "`skewer.chess`: " + name, None, len(fens),
            lambda work=work, ours=ours: work(skewer.chess, ours),
            lambda work=work, theirs=theirs: work(chess, theirs),
            lambda a, b: a == b,
        )


def rows(path, count):
    positions = positions_of(path, count)
    yield from program_rows(positions)
    yield from board_rows(skewer, "", positions)
    for row in board_rows(skewer.chess, "`skewer.chess`: ", positions):
        row.aim = None
        yield row
    fens = [fen for fen, _, _ in positions]
    ours = [skewer.Board(fen) for fen in fens]
    theirs = [chess.Board(fen) for fen in fens]
    n = len(fens)
    text = open(path, encoding="utf-8", errors="replace").read()
    moves = sum(1 for game in games_of(path) for _ in game.mainline_moves())
    yield Row(
        "PGN to lists of Move", 50, moves,
        lambda: [game.moves for game in skewer.read_pgn(path)],
        lambda: [list(game.mainline_moves()) for game in read_all(text)],
        lambda a, b: [[m.uci() for m in x] for x in a] == [[m.uci() for m in x] for x in b],
    )
    yield Row(
        "`skewer.chess`: PGN to trees and back", None, moves,
        lambda: [str(game) for game in read_all(text, skewer.chess.pgn)],
        lambda: [str(game) for game in read_all(text)],
        lambda a, b: a == b,
    )
    yield Row(
        "PGN to arrays (planes, moves)", 100, moves,
        lambda: our_arrays(path),
        lambda: their_arrays(text),
        lambda a, b: all(np.array_equal(x, y) for x, y in zip(a, b)),
    )
    yield Row(
        "boards to planes", 100, n,
        lambda: skewer.to_arrays(ours).planes(),
        lambda: np.stack([planes_of(board) for board in theirs]),
        np.array_equal,
    )
    yield Row(
        "legal moves of all, in bulk", None, n,
        lambda: skewer.legal_moves_of(ours),
        lambda: [list(board.legal_moves) for board in theirs],
        lambda a, b: np.diff(a[1]).tolist() == [len(x) for x in b],
    )


def package_rows(path, count):
    """Work that other packages written in Rust do as well. A row is its name, its amount, and a function
    for each package, by the package's name. All functions of a row return the same."""
    import pyarrow
    import rust_chess
    import rust_pgn_reader_python_binding as reader

    positions = positions_of(path, count)
    fens, sans, ucis = zip(*positions)
    n = len(fens)
    boards = {"skewer": [skewer.Board(fen) for fen in fens],
              "rust-chess": [rust_chess.Board.from_fen(fen) for fen in fens]}
    moves = {"skewer": [skewer.Move.from_uci(uci) for uci in ucis],
             "rust-chess": [rust_chess.Move.from_uci(uci) for uci in ucis]}

    def legal(board):
        board.reset_move_generator()
        return list(board.generate_legal_moves())

    yield "legal moves, as a list of Move", n, {
        "skewer": lambda: [len(list(board.legal_moves)) for board in boards["skewer"]],
        "rust-chess": lambda: [len(legal(board)) for board in boards["rust-chess"]],
    }
    yield "parse SAN", n, {
        "skewer": lambda: [str(b.parse_san(san)) for b, san in zip(boards["skewer"], sans)],
        "rust-chess": lambda: [str(b.get_move_from_san(san)) for b, san in zip(boards["rust-chess"], sans)],
    }
    yield "str(move)", n, {name: lambda own=own: [str(move) for move in own] for name, own in moves.items()}
    yield "FEN to board", n, {
        "skewer": lambda: len([skewer.Board(fen) for fen in fens]),
        "rust-chess": lambda: len([rust_chess.Board.from_fen(fen) for fen in fens]),
    }
    yield "board to FEN", n, {
        "skewer": lambda: [board.fen(en_passant="fen").split()[0] for board in boards["skewer"]],
        "rust-chess": lambda: [board.get_fen().split()[0] for board in boards["rust-chess"]],
    }
    # From memory, as rust_pgn_reader_python_binding does it, and on files that take a while.
    with open(path, encoding="utf-8", errors="replace") as file:
        games = ("\n" + file.read()).split("\n[Event ")[1:] * 200
    games = ["[Event " + game for game in games]
    data = "\n".join(games).encode()
    table = pyarrow.chunked_array([pyarrow.array(games)])
    for threads in (1, os.cpu_count()):
        yield f"PGN to arrays with clocks and evaluations, {threads} threads", len(data) / 1e6, {
            "skewer": lambda: len(skewer.read_positions(io.BytesIO(data), clocks=True, threads=threads)),
            "rust_pgn_reader": lambda: reader.parse_games(table, num_threads=threads).num_moves,
        }


def compare_packages(arguments):
    """Prints a table of the packages: amounts a second by the clock, because some of them use threads."""
    for name, amount, works in package_rows(arguments.pgn, arguments.positions):
        answers = {package: work() for package, work in works.items()}
        if any(answer != answers["skewer"] for answer in answers.values()):
            sys.exit(f"{name}: the results differ")
        seconds = dict.fromkeys(works, float("inf"))
        for _ in range(arguments.repeat):
            for package, work in works.items():
                start = time.perf_counter()
                work()
                seconds[package] = min(seconds[package], time.perf_counter() - start)
        ours = amount / seconds.pop("skewer")
        for package, taken in seconds.items():
            print(f"| {name} | {ours:,.0f} | {package} {amount / taken:,.0f} | {ours * taken / amount:.1f} |")


def read_all(text, pgn=chess.pgn):
    file = io.StringIO(text)
    while game := pgn.read_game(file):
        yield game


def planes_of(board):
    """One-hot planes from the bitboards of python-chess, as is usual with NumPy."""
    masks = [board.pieces_mask(kind, color) for color in (True, False) for kind in chess.PIECE_TYPES]
    bits = np.unpackbits(np.array(masks, "<u8").view(np.uint8).reshape(12, 8), axis=1, bitorder="little")
    return bits.reshape(12, 8, 8)


def our_arrays(path):
    positions = skewer.read_positions(path)
    return positions.planes(), positions.moves


def their_arrays(text):
    planes, moves = [], []
    for game in read_all(text):
        board = game.board()
        for move in game.mainline_moves():
            planes.append(planes_of(board))
            moves.append(move.from_square | move.to_square << 6 | (move.promotion or 0) << 12)
            board.push(move)
    return np.stack(planes), np.array(moves, np.uint16)


def best(work, seconds):
    start = time.process_time()
    work()
    return min(seconds, time.process_time() - start)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pgn", default=str(DATA), help="games to work on")
    parser.add_argument("--positions", type=int, default=800, help="positions drawn from them")
    parser.add_argument("--repeat", type=int, default=5, help="turns; the best time counts")
    parser.add_argument("--check", action="store_true", help="fail if an aim is missed")
    parser.add_argument("--packages", action="store_true",
                        help="compare with rust-chess and rust_pgn_reader_python_binding instead, which are installed by pip")
    arguments = parser.parse_args()
    if arguments.packages:
        return compare_packages(arguments)

    print(f"{datetime.date.today()}, {cpu()}, Python {platform.python_version()}, "
          f"skewer {skewer.__version__}, python-chess {chess.__version__}\n")
    print("| work | skewer, a second | python-chess, a second | times | aim |")
    print("|---|---|---|---|---|")
    missed = []
    for row in rows(arguments.pgn, arguments.positions):
        if not row.same(row.ours(), row.theirs()):
            sys.exit(f"{row.name}: the results differ")
        ours = theirs = float("inf")
        for _ in range(arguments.repeat):
            ours = best(row.ours, best(row.ours, ours))
            theirs = best(row.theirs, theirs)
        ratio = theirs / ours
        if row.aim and ratio < row.aim:
            missed.append(row.name)
        print(f"| {row.name} | {row.amount / ours:,.0f} | {row.amount / theirs:,.0f} "
              f"| {ratio:.{0 if ratio >= 10 else 1}f} | {row.aim or ''} |", flush=True)
    if missed and arguments.check:
        sys.exit("missed: " + ", ".join(missed))


def cpu():
    """The processor's name and the number of its cores."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            name = next(line.split(":")[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        name = platform.processor() or platform.machine()
    return f"{name}, {os.cpu_count()} cores"


if __name__ == "__main__":
    main()
