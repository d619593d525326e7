"""Positions that transpose, and the moves played there."""

import collections

import chess
import chess.pgn
import chess.polyglot

seen = collections.defaultdict(collections.Counter)
with open("games.pgn", encoding="utf-8") as file:
    while (game := chess.pgn.read_game(file)) is not None:
        board = game.board()
        for move in game.mainline_moves():
            if board.fullmove_number > 8:
                break
            seen[chess.polyglot.zobrist_hash(board)][board.san(move)] += 1
            board.push(move)

board = chess.Board()
for _ in range(6):
    replies = seen[chess.polyglot.zobrist_hash(board)]
    if not replies:
        break
    print(board.epd(), dict(sorted(replies.items())))
    board.push_san(min(replies, key=lambda san: (-replies[san], san)))
print(board.fen(), board.is_repetition(2))
