"""A game against an engine."""

import random
import sys

import chess
import chess.engine
import chess.pgn

rng = random.Random(3)
board = chess.Board()
with chess.engine.SimpleEngine.popen_uci(sys.argv[1:], timeout=60) as engine:
    engine.configure({"Hash": 32})
    print(engine.id["name"], sorted(engine.options), engine.options["Hash"].max)
    while not board.is_game_over(claim_draw=True) and board.ply() < 60:
        if board.turn == chess.WHITE:
            board.push(engine.play(board, chess.engine.Limit(nodes=1)).move)
        else:
            board.push(rng.choice(list(board.legal_moves)))

game = chess.pgn.Game.from_board(board)
game.headers["White"] = "the engine"
game.headers["Result"] = board.result(claim_draw=True)
print(game)
