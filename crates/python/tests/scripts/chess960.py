"""Random games of Chess960."""

import random

import chess

print(sum(chess.Board.from_chess960_pos(number).legal_moves.count() for number in range(960)))
rng = random.Random(960)
castled = 0
for number in rng.sample(range(960), 8):
    board = chess.Board.from_chess960_pos(number)
    assert board.chess960_pos() == number
    while not board.is_game_over() and board.ply() < 80:
        moves = list(board.legal_moves)
        castling = [move for move in moves if board.is_castling(move)]
        move = castling[0] if castling else rng.choice(moves)
        if castling:
            castled += 1
            print(number, board.san(move), board.uci(move), board.is_kingside_castling(move))
        board.push(move)
    print(board.shredder_fen(), board.result(), board.fen(en_passant="xfen"))
print(castled)
board = chess.Board("nrk1brnb/pp1ppppp/8/2p5/3P4/1N1Q1N2/1PP1PPPP/qRK1BR1B w KQkq - 2 10", chess960=True)
print([(board.uci(move), board.san(move)) for move in board.generate_castling_moves()])
print(board.has_chess960_castling_rights(), repr(board))
