"""Clocks, time spent, evaluations and glyphs of every move."""

import io

import chess
import chess.engine
import chess.pgn
import chess.svg

text = """
[White "a"]
[Black "b"]
[TimeControl "60+1"]

1. e4 { [%clk 0:01:00] [%eval 0.18,12] good } 1... e5 { [%clk 0:00:58.5] [%eval 0.25] } 2. Ke2 $6
{ [%clk 0:00:59] [%eval #-12] [%emt 0:00:02] [%csl Ge2,Re5][%cal Gg1f3] } 2... Nf6 $14 *
"""
game = chess.pgn.read_game(io.StringIO(text))
for node in game.mainline():
    score = node.eval()
    pov = score and (str(score.white()), str(score.relative), score.turn, score.is_mate())
    print(node.ply(), node.turn(), node.san(), node.uci(), node.clock(), node.emt(), pov, node.eval_depth())
    print(sorted(node.nags), [(arrow.pgn(), arrow.color) for arrow in node.arrows()], repr(node.comment))

node = game.end()
node.set_clock(12.25)
node.set_emt(3)
node.set_eval(chess.engine.PovScore(chess.engine.Cp(-40), chess.BLACK), depth=7)
node.set_arrows([chess.svg.Arrow(chess.E2, chess.E4, color="red")])
print(node.comment)

spent = {chess.WHITE: 0.0, chess.BLACK: 0.0}
games = 0
with open("games.pgn", encoding="utf-8") as file:
    while game := chess.pgn.read_game(file):
        games += 1
        left = {}
        for node in game.mainline():
            mover, clock = not node.turn(), node.clock()
            if clock is not None and mover in left:
                spent[mover] += left[mover] - clock
            left[mover] = clock if clock is not None else 0
print(games, spent)
board = chess.Board("4k1n1/8/8/8/8/8/8/4K1N1 w - - 253 200")
for move in ("Nf3", "Nf6", "Ng1", "Ng8"):
    board.push_san(move)
    print(board.halfmove_clock, board.fullmove_number)
