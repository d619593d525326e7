"""Makes a Polyglot book of games, and plays from it."""

import collections
import random
import struct

import chess
import chess.pgn
import chess.polyglot

weights = collections.Counter()
with open("games.pgn", encoding="utf-8") as file:
    while game := chess.pgn.read_game(file):
        board = game.board()
        for move in list(game.mainline_moves())[:10]:
            raw = move.to_square | move.from_square << 6 | (move.promotion or 1) - 1 << 12
            weights[chess.polyglot.zobrist_hash(board), raw] += 1
            board.push(move)

with open("book.bin", "wb") as file:
    for (key, raw), weight in sorted(weights.items(), key=lambda item: (item[0][0], -item[1], item[0][1])):
        file.write(struct.pack(">QHHI", key, raw, weight, 0))

chooser = random.Random(7)
with chess.polyglot.open_reader("book.bin") as book:
    print(len(book), "entries")
    board = chess.Board()
    for entry in book.find_all(board):
        print(board.san(entry.move), entry.weight, entry.learn)
    while (entry := book.get(board)) is not None:
        move = book.weighted_choice(board, random=chooser).move
        print(board.ply(), board.san(move), book.find(board).move, move in board.legal_moves)
        board.push(move)
try:
    chess.polyglot.MemoryMappedReader("book.bin").find(chess.Board("4k3/8/8/8/8/8/8/4K3 w - - 0 1"))
except IndexError as error:
    print("no move:", type(error).__name__)
