"""Pictures of games by gifpgn, as a hash of their bytes."""

import hashlib
import os

import chess.pgn
from gifpgn import CreateGifFromPGN

with open(os.environ["GAMES"], encoding="utf-8") as file:
    for _ in range(3):
        game = chess.pgn.read_game(file)
        for board in (100, 240):
            gif = CreateGifFromPGN(game)
            gif.board_size = board
            made = gif.generate()
            print(board, len(made.getvalue()), hashlib.md5(made.getvalue()).hexdigest())
