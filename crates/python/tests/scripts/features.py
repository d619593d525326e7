"""Training data as a table."""

import csv
import hashlib

import chess
import chess.pgn

with open("games.pgn", encoding="utf-8") as file, open("rows.csv", "w", newline="") as out:
    rows = csv.writer(out)
    while game := chess.pgn.read_game(file):
        result = {"1-0": 1, "0-1": -1}.get(game.headers["Result"], 0)
        for node in game.mainline():
            board = node.parent.board()
            planes = [board.pieces_mask(kind, color) for color in chess.COLORS for kind in chess.PIECE_TYPES]
            score = node.eval()
            rows.writerow([
                *planes, board.turn, board.clean_castling_rights(), board.has_legal_en_passant(), board.is_check(),
                len(board.checkers()), node.move.from_square, node.move.to_square, node.move.promotion,
                board.is_capture(node.move), board.gives_check(node.move), node.clock(),
                score and score.white().score(mate_score=10_000), result,
            ])
with open("rows.csv", "rb") as file:
    text = file.read()
print(text.count(b"\n"), hashlib.sha256(text).hexdigest())
print(text.decode().splitlines()[100])
