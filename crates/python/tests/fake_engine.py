#!/usr/bin/env python3
"""An engine for tests that plays the first legal move, and says a little about it."""

import sys

import skewer.chess as chess


def answer(board):
    """The first legal move, and the first answer to it."""
    moves = [next(iter(board.legal_moves), None)]
    if moves[0]:
        after = board.copy()
        after.push(moves[0])
        moves.append(next(iter(after.legal_moves), None))
    return [move for move in moves if move]


def main():
    board, thinking = chess.Board(), False
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["uci"]:
            print("id name Fake\noption name Hash type spin default 16 min 1 max 64\nuciok")
        elif words[:1] == ["isready"]:
            print("readyok")
        elif words[:1] == ["position"]:
            at = words.index("moves") if "moves" in words else len(words)
            board = chess.Board(" ".join(words[2:at])) if words[1] == "fen" else chess.Board()
            for move in words[at + 1 :]:
                board.push_uci(move)
        elif words[:1] == ["go"]:
            line = answer(board)
            print("info depth 1 score cp 13 nodes 7 pv", *line)
            thinking = "infinite" in words or "ponder" in words
            if not thinking:
                print("bestmove", line[0], *(["ponder", line[1]] if len(line) > 1 else []))
        elif words[:1] in (["stop"], ["ponderhit"]) and thinking:
            print("bestmove", answer(board)[0])
            thinking = False
        elif words[:1] == ["quit"]:
            break
        sys.stdout.flush()


main()
