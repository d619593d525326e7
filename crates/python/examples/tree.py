"""An opening tree."""

import collections
import skewer

# By position, so that different orders of moves to one position share a node.
tree: "collections.defaultdict[int, collections.Counter[skewer.Move]]" = collections.defaultdict(collections.Counter)
points = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
score: "collections.defaultdict[tuple[int, skewer.Move], float]" = collections.defaultdict(float)
for game in skewer.read_pgn("games.pgn"):
    board = game.board()
    for move in game.moves[:12]:
        key = board.zobrist_key()
        tree[key][move] += 1
        score[key, move] += points.get(game.result, 0.5)
        board.push(move)

board = skewer.Board()
for move, count in tree[board.zobrist_key()].most_common(5):
    print(board.san(move), count, f"{100 * score[board.zobrist_key(), move] / count:.0f}%")
