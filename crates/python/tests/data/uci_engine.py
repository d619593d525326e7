"""An engine that plays the alphabetically first legal move, and repeats what it was told.

It sends the commands since the last search as `info string`, so that tests can compare them.
"""

import sys

import chess

OPTIONS = """
option name Hash type spin default 16 min 1 max 1024
option name Threads type spin default 1 min 1 max 8
option name MultiPV type spin default 1 min 1 max 5
option name Ponder type check default false
option name UCI_Chess960 type check default false
option name UCI_AnalyseMode type check default false
option name UCI_Opponent type string default
option name Clear Hash type button
option name Style type combo default Normal var Solid var Normal var Risky
option name Book File type string default <empty>
"""


def say(text):
    print(text, flush=True)


def search(board, told, lines):
    """Three depths, with as many lines as wanted."""
    moves = sorted(move.uci() for move in board.legal_moves)
    say("info string " + " | ".join(told))
    for depth in (1, 2, 3):
        for line, move in enumerate(moves[:lines], 1):
            after = board.copy(stack=False)
            after.push_uci(move)
            reply = " ".join(sorted(m.uci() for m in after.legal_moves)[:1])
            score = f"cp {30 * depth - line}" if len(moves) > 3 else f"mate {4 - depth}"
            say(f"info depth {depth} seldepth {depth + 1} multipv {line} score {score} nodes {100 * depth} "
                f"nps 1000 hashfull 5 tbhits 0 time {10 * depth} pv {move} {reply}")
    say("info depth 3 currmove " + moves[0] + " currmovenumber 1" if moves else "info depth 0 score mate 0")
    return moves[0] if moves else "(none)"


def main():
    board, told, lines, best = chess.Board(), [], 1, None
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if words[0] == "uci":
            say("id name Repeater\nid author Nobody" + OPTIONS + "uciok")
        elif words[0] == "isready":
            say("readyok")
        elif words[0] == "quit":
            return
        elif words[0] == "position":
            moves = words[words.index("moves") + 1 :] if "moves" in words else []
            fen = " ".join(words[2:8]) if words[1] == "fen" else chess.STARTING_FEN
            board = chess.Board(fen)
            for move in moves:
                board.push_uci(move)
        elif words[0] == "setoption" and "MultiPV" in words:
            lines = int(words[-1])
        elif words[0] == "go" or words[0] == "stop":
            if words[0] == "go":
                best = search(board, [*told, " ".join(words)], lines)
                told = []
            if words[0] == "stop" or "infinite" not in words and "ponder" not in words:
                say(f"bestmove {best}")
            continue
        if words[0] not in ("isready", "uci"):
            told.append(" ".join(words))


main()
