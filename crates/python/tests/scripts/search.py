"""A small engine: negamax on a board of its own class, and maps of attacks."""

import chess

VALUES = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}


class Counting(chess.Board):
    """Counts the moves that are played."""

    pushed = 0

    def push(self, move):
        type(self).pushed += 1
        super().push(move)


def material(board):
    return sum(
        value * (len(board.pieces(kind, board.turn)) - len(board.pieces(kind, not board.turn)))
        for kind, value in VALUES.items()
    )


def negamax(board, depth, alpha=-1000, beta=1000):
    if board.is_checkmate():
        return -100 - depth, None
    if depth == 0 or board.is_game_over():
        return material(board), None
    best = None
    for move in sorted(board.legal_moves, key=lambda move: (not board.is_capture(move), move.uci())):
        board.push(move)
        score = -negamax(board, depth - 1, -beta, -alpha)[0]
        board.pop()
        if score > alpha:
            alpha, best = score, move
        if alpha >= beta:
            break
    return alpha, best


for fen in ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1"):
    board = Counting(fen)
    score, move = negamax(board, 2)
    print(score, move, Counting.pushed)

board = Counting()
board.push_san("e4")
board.push_uci("e7e5")
board.push_xboard("g1f3")
print(Counting.pushed, board.copy().fen(), type(board.copy()).__name__, type(board.root()).__name__)

attacked = chess.SquareSet()
for square in chess.SquareSet(board.occupied_co[chess.WHITE]):
    attacked |= board.attacks(square)
print(attacked, len(attacked), int(attacked & chess.BB_CENTER), attacked - chess.SquareSet(~board.occupied))
print(sorted(chess.SquareSet(~board.occupied) & chess.BB_RANK_4), board.is_pinned(chess.WHITE, chess.D2))
squares = chess.SquareSet.between(chess.A1, chess.H8) | chess.SquareSet([chess.E2])
squares ^= squares.mirror()
squares.update(chess.BB_FILE_A, [chess.B1])
print(repr(squares), squares.pop(), list(reversed(squares))[:3], chess.E2 in squares, squares.isdisjoint([63]))
print([chess.square_name(s) for s in chess.SquareSet(chess.BB_A1 | chess.BB_H8)], chess.square_distance(0, 63))
