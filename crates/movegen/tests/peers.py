#!/usr/bin/env python3
"""Compare skewer-movegen with python-chess, and its books with the books of the program polyglot.

    cargo build --release -p skewer-movegen --example peer
    crates/movegen/tests/peers.py target/release/examples/peer [POSITIONS]

Needs python-chess 1.11 and polyglot (Debian: /usr/games/polyglot).
"""

import pathlib
import random
import subprocess
import sys
import tempfile

import chess
import chess.pgn
import chess.polyglot

if len(sys.argv) < 2:
    sys.exit(__doc__.strip())
PEER = sys.argv[1]
POSITIONS = sys.argv[2] if len(sys.argv) > 2 else "10000"


def run(*args):
    return subprocess.run([PEER, *args], check=True, capture_output=True, text=True).stdout


def check(left, right, what):
    if left != right:
        sys.exit(f"{what}: {left!r} is not {right!r}")


def positions():
    """Compare legal moves, SAN and FEN (read and written) and ends of games."""
    ends = {
        "checkmate": chess.Board.is_checkmate,
        "stalemate": chess.Board.is_stalemate,
        "insufficient material": chess.Board.is_insufficient_material,
        "seventy-five-move rule": chess.Board.is_seventyfive_moves,
    }
    count = moves = 0
    for line in run("positions", POSITIONS).splitlines():
        fen, end, *ours = line.split("\t")
        board = chess.Board(fen, chess960=True)
        check(board.fen(shredder=True, en_passant="legal"), fen, fen)
        theirs = {f"{move.uci()} {board.san(move)}" for move in board.legal_moves}
        check(set(ours), theirs, fen)
        check(len(ours), len(theirs), fen)
        for text in ours:
            uci, san = text.split(" ")
            check(board.parse_san(san).uci(), uci, fen)
        # A FEN has no earlier positions, so python-chess cannot see repetitions.
        if end != "fivefold repetition":
            theirs = next((name for name, holds in ends.items() if holds(board)), "-")
            check(end, theirs, fen)
        count += 1
        moves += len(ours)
    check(str(count), POSITIONS, "positions")
    print(f"{count} positions, {moves} moves: python-chess agrees")


def our_book(folder):
    """Check that python-chess reads a book of ours."""
    path = str(folder / "ours.bin")
    lines = run("make-book", POSITIONS, path).splitlines()
    found = 0
    with chess.polyglot.open_reader(path) as book:
        for line in lines:
            fen, *ours = line.split("\t")
            board = chess.Board(fen, chess960=True)
            theirs = [f"{entry.move.uci()} {entry.weight}" for entry in book.find_all(board)]
            # Keys differ if a pin forbids an en passant capture; then python-chess finds nothing.
            if theirs or not board.has_pseudo_legal_en_passant():
                check(sorted(ours), sorted(theirs), fen)
                found += len(ours)
        entries = len(book)
    assert entries > 0 and found >= entries
    print(f"{entries} entries of a book of ours: read by python-chess")


def their_book(folder):
    """Check that a book by polyglot, made from random games, is read and written back unchanged."""
    rng = random.Random(2026)
    pgn = folder / "games.pgn"
    with pgn.open("w") as out:
        for _ in range(300):
            board = chess.Board()
            for _ in range(40):
                if board.is_game_over():
                    break
                board.push(rng.choice(list(board.legal_moves)))
            game = chess.pgn.Game.from_board(board)
            game.headers["Result"] = rng.choice(["1-0", "0-1", "1/2-1/2"])
            print(game, file=out, end="\n\n")
    theirs, copy = folder / "theirs.bin", folder / "copy.bin"
    subprocess.run(
        ["/usr/games/polyglot", "make-book", "-pgn", pgn, "-bin", theirs, "-min-game", "1"],
        check=True, stdout=subprocess.DEVNULL, cwd=folder,
    )
    entries = run("copy-book", theirs, copy).strip()
    assert theirs.stat().st_size > 16 * 100
    check(copy.read_bytes(), theirs.read_bytes(), "a book of polyglot")
    print(f"{entries} of a book by polyglot: written back byte for byte")


positions()
with tempfile.TemporaryDirectory() as name:
    our_book(pathlib.Path(name))
    their_book(pathlib.Path(name))
