#!/usr/bin/env python3
"""Compares WDL and DTZ with python-chess's prober on random positions.

The positions are spread evenly over all tables of a directory; either side may be the stronger side, and if both have
pawns, some positions have a capture en passant. Exits non-zero at the first difference.
"""

import argparse
import random
import subprocess
import sys
from pathlib import Path

import chess
import chess.syzygy

CHUNK = 20_000


def place(rng, board, color, letters, squares):
    """Puts the pieces of one side on random squares that are left."""
    for letter in letters:
        piece = chess.Piece.from_symbol(letter)
        board.set_piece_at(squares.pop(rng.randrange(len(squares))), chess.Piece(piece.piece_type, color))


def random_position(rng, material):
    """A legal position with this material, such as KQvKP. If both sides have pawns, half of the positions have a
    capture en passant, unless it is illegal."""
    sides = material.split("v")
    en_passant = all("P" in side for side in sides) and rng.random() < 0.5
    colors = [chess.WHITE, chess.BLACK]
    rng.shuffle(colors)
    while True:
        board = chess.Board(None)
        board.turn = rng.choice(colors)
        squares = list(range(64))
        letters = dict(zip(colors, sides))
        if en_passant:
            file, rank = rng.randrange(7), 4 if board.turn else 3
            moved, captures = rng.sample([file, file + 1], 2)
            for color, file in [(not board.turn, moved), (board.turn, captures)]:
                square = chess.square(file, rank)
                squares.remove(square)
                board.set_piece_at(square, chess.Piece(chess.PAWN, color))
                letters[color] = letters[color].replace("P", "", 1)
            board.ep_square = chess.square(moved, 5 if board.turn else 2)
        for color in colors:
            place(rng, board, color, letters[color], squares)
        if board.is_valid():
            return board


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--probe", required=True, help="the example program `probe`")
    parser.add_argument("--tables", required=True, type=Path, help="directory with tables of both kinds")
    parser.add_argument("--positions", type=int, default=20_000, help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=2026, help="default: %(default)s")
    parser.add_argument("--wdl", metavar="MATERIAL", nargs="+", help="compare only outcomes, of these materials")
    options = parser.parse_args()

    both = [path.stem for path in sorted(options.tables.glob("*.rtbw")) if path.with_suffix(".rtbz").exists()]
    both = options.wdl or both
    if not both:
        sys.exit(f"{options.tables}: no material with tables of both kinds")
    rng = random.Random(options.seed)
    compared = en_passant = 0
    with chess.syzygy.open_tablebase(str(options.tables)) as tables:
        while compared < options.positions:
            count = min(CHUNK, options.positions - compared)
            boards = [random_position(rng, both[(compared + at) % len(both)]) for at in range(count)]
            fens = [board.fen() for board in boards]
            answers = subprocess.run(
                [options.probe, str(options.tables)] + (["--wdl"] if options.wdl else []),
                input="\n".join(fens), capture_output=True, text=True, check=True,
            ).stdout.splitlines()
            if len(answers) != len(fens):
                sys.exit(f"{len(fens)} positions, {len(answers)} answers")
            for board, fen, answer in zip(boards, fens, answers):
                expected = str(tables.probe_wdl(board))
                if not options.wdl:
                    expected += f" {tables.probe_dtz(board)}"
                if answer != expected:
                    sys.exit(f"{fen}: python-chess has {expected}, probe {answer}")
                en_passant += board.has_legal_en_passant()
            compared += count
    if en_passant == 0 and any(all("P" in side for side in name.split("v")) for name in both):
        sys.exit("no position had a capture en passant")
    print(f"{compared} positions of {len(both)} materials agree, {en_passant} with en passant")


if __name__ == "__main__":
    main()
