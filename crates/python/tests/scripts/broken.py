"""Boards that break rules, counts of leaves, and symmetries."""

import chess


def leaves(board, depth):
    if depth == 0:
        return 1
    count = 0
    for move in board.legal_moves:
        board.push(move)
        count += leaves(board, depth - 1)
        board.pop()
    return count


print([leaves(chess.Board(), depth) for depth in range(4)])
print(leaves(chess.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"), 2))

board = chess.Board(None)
print(board.status(), board.is_valid(), board.fen())
for square, symbol in [("a8", "P"), ("e1", "K"), ("d4", "q"), ("h8", "r"), ("e7", "K")]:
    board.set_piece_at(chess.parse_square(square), chess.Piece.from_symbol(symbol))
print(board, repr(board.status()), board.legal_moves.count(), board.pseudo_legal_moves.count())
board.push(chess.Move.from_uci("d4d1"))
board.push_uci("e1d1") if chess.Move.from_uci("e1d1") in board.legal_moves else board.push(chess.Move.null())
print(board.fen(), [move.uci() for move in board.move_stack], board.pop(), board.fen())
print(chess.Board("4k3/8/8/8/8/8/8/4K3").fen(), chess.Board("4k3/8/8/8/8/8/8/4K3 b").fen())

board = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3")
for function in (chess.flip_vertical, chess.flip_horizontal, chess.flip_diagonal):
    print(board.transform(function).board_fen())
print(board.mirror().fen(), board == board.mirror().mirror())
board.castling_rights &= ~chess.BB_H1
board.turn = chess.WHITE
print(board.fen(), board.has_kingside_castling_rights(chess.WHITE), board.castling_xfen())
print(board.unicode(invert_color=True, borders=True))
for bad in ("", "x", "8/8/8/8/8/8/8 w - - 0 1", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - -1 1"):
    try:
        print(chess.Board(bad).fen())
    except ValueError as error:
        print("refused:", bad, type(error).__name__)
