"""Reads an annotated PGN with python-chess and compares it with the JSON Lines of the same run:
games are read without an error, evaluations are equal, and moves with a label have its glyph.

    python read_back.py ANNOTATED.pgn GAMES.jsonl

Prints "N passed, N failed" and fails if anything differs.
"""

import json
import sys

import chess.pgn

NAGS = {"inaccuracy": 6, "mistake": 2, "blunder": 4}


def compare(game, expected):
    """The differences between a game that was read and its line of JSON."""
    if game.errors:
        yield f"errors: {game.errors}"
    nodes = list(game.mainline())
    if len(nodes) != len(expected["moves"]):
        yield f"{len(nodes)} moves, not {len(expected['moves'])}"
        return
    for node, move in zip(nodes, expected["moves"]):
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
            yield f"{move['san']}: no glyph for a {move['label']}"
        if "clock" in move and node.clock() != move["clock"]:
            yield f"{move['san']}: the clock is {node.clock()}, not {move['clock']}"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    passed = failed = 0
    with open(sys.argv[2], encoding="utf-8") as lines:
        records = [line for line in map(json.loads, lines) if line["kind"] == "game"]
    with open(sys.argv[1], encoding="utf-8") as pgn:
        for expected in records:
            game = chess.pgn.read_game(pgn)
            differences = ["no game"] if game is None else list(compare(game, expected))
            for difference in differences:
                print(f"game {expected['number']}: {difference}")
            passed, failed = passed + (not differences), failed + bool(differences)
        if chess.pgn.read_game(pgn) is not None:
            print("there are more games than lines")
            failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


sys.exit(main())
