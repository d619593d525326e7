"""Blunders of a player, with what was better, and the openings in which they were played."""

import collections
import skewer

player = "GASPADAREK"
blunders: "collections.Counter[str]" = collections.Counter()
for game in skewer.analyse_games("games.pgn", nodes=20_000):
    color = "white" if game.white == player else "black" if game.black == player else None
    for move in game.moves:
        if move.color == color and move.label == "blunder":
            best = " ".join(move.best.moves[:4])
            print(f"game {game.number}, move {move.number}: {move.san}? better {best}")
            blunders[game.opening or "?"] += 1
print(blunders.most_common(10))
