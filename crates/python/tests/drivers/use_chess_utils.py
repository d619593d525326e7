"""What chess-utils computes of games."""

import os
import random

import chess
import chess.pgn
from chess_utils import boards, fens, notations
from chess_utils.pgns import export, read
from chess_utils.random import random as drawn

with open(os.environ["GAMES"], encoding="utf-8") as file:
    for game in read.read_pgns(file):
        sans = list(read.read_sans(game))
        ucis = list(notations.sans2ucis(sans))
        print(ucis, list(notations.ucis2sans(ucis)) == sans)
        print(list(notations.sans2fens(sans)), list(notations.ucis2fens(ucis, board_only=True)))
        print(read.follow_game(sans), read.read_game(sans), export.export_moves(sans))
        board = chess.Board()
        for move in game.mainline_moves():
            print(boards.unchecked_san(board, move), boards.fen_after(move, board), boards.captured_piece(board, move))
            board.push(move)
        print(fens.parse(board.fen()), fens.position_idx(board.fen()))
for seed in range(20):
    rng = random.Random(seed)
    board = chess.Board()
    while board.ply() < 80 and (move := drawn.move(board, rng)):
        board.push(move)
    print(board.fen())
