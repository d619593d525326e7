"""Reads an annotated PGN with python-chess and compares it with the JSON Lines of the same run:
every game without an error, every evaluation the same, every mark where the label is.

    python read_back.py ANNOTATED.pgn GAMES.jsonl

Prints "N passed, N failed" and fails if anything differs.
"""

import json
import sys

import chess.pgn

NAGS = {"inaccuracy": 6, "mistake": 2, "blunder": 4}


def compare(game, said):
    """What differs between a game that was read and the line of JSON about it."""
    if game.errors:
        yield f"errors: {game.errors}"
    nodes = list(game.mainline())
    if len(nodes) != len(said["moves"]):
        yield f"{len(nodes)} moves, not {len(said['moves'])}"
        return
    for node, move in zip(nodes, said["moves"]):
        if node.parent.board().san(node.move) != move["san"] and move["san"] != "--":
            yield f"{node.san()} is not {move['san']}"
        score = node.eval()
        if score is None:
            yield f"no evaluation after {move['san']}"
            continue
        if "cp" in move["eval"]:
            if score.white().score() != move["eval"]["cp"]:
                yield f"{move['san']}: {score} is not {move['eval']}"
        elif move["eval"]["mate"] and score.white().mate() != move["eval"]["mate"]:
            yield f"{move['san']}: {score} is not {move['eval']}"
        if "label" in move and NAGS[move["label"]] not in node.nags:
            yield f"{move['san']}: no mark for a {move['label']}"
        if "clock" in move and node.clock() != move["clock"]:
            yield f"{move['san']}: the clock is {node.clock()}, not {move['clock']}"


def main():
    passed = failed = 0
    with open(sys.argv[2], encoding="utf-8") as lines:
        said = [line for line in map(json.loads, lines) if line["kind"] == "game"]
    with open(sys.argv[1], encoding="utf-8") as pgn:
        for expected in said:
            game = chess.pgn.read_game(pgn)
            wrong = ["no game"] if game is None else list(compare(game, expected))
            for what in wrong:
                print(f"game {expected['number']}: {what}")
            passed, failed = passed + (not wrong), failed + bool(wrong)
        if chess.pgn.read_game(pgn) is not None:
            print("there are more games than lines")
            failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


sys.exit(main())
