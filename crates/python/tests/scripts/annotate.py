"""A game with the evaluations and lines of an engine."""

import sys

import chess
import chess.engine
import chess.pgn

with open("games.pgn", encoding="utf-8") as file:
    game = chess.pgn.read_game(file)
with chess.engine.SimpleEngine.popen_uci(sys.argv[1:], timeout=60) as engine:
    for node in list(game.mainline())[:12]:
        info = engine.analyse(node.board(), chess.engine.Limit(depth=1), game=game)
        node.set_eval(info["score"], info["depth"])
        line = node.board().variation_san(info["pv"])
        if node.board().gives_check(info["pv"][0]):
            node.nags.add(chess.pgn.NAG_FORCED_MOVE)
        node.comment += f" {line}; {info['score'].white().score(mate_score=10_000)}"
        node.add_variation(info["pv"][0])
    with engine.analysis(chess.Board(), chess.engine.Limit(depth=1)) as analysis:
        for info in analysis:
            print(info["depth"], info["score"], info["nodes"], [move.uci() for move in info["pv"]])
print(game)
