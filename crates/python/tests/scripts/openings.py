"""Statistics of the openings of a file."""

import collections

import chess
import chess.pgn

points = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
scores = collections.defaultdict(list)
with open("games.pgn", encoding="utf-8") as file:
    while game := chess.pgn.read_game(file):
        result = game.headers["Result"]
        if result in points:
            first = [node.san() for node in game.mainline()][:2]
            scores[game.headers.get("ECO", "?")[:1], *first].append(points[result])

for opening, results in sorted(scores.items(), key=lambda item: (-len(item[1]), item[0])):
    print(*opening, len(results), f"{100 * sum(results) / len(results):.1f}%")
