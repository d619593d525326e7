"""Endgame tables."""

import chess
import chess.syzygy

with chess.syzygy.open_tablebase("tables") as tables:
    for fen in ("8/8/8/8/8/2k5/8/KR6 w - - 0 1", "8/2p5/8/8/8/8/1K6/3k4 b - - 0 1", "8/8/8/4k3/8/8/3KBN2/8 w - - 0 1"):
        board = chess.Board(fen)
        print(fen, tables.get_wdl(board), tables.get_dtz(board))
        while tables.get_dtz(board) and board.ply() < 8:
            def value(move):
                board.push(move)
                dtz = tables.probe_dtz(board) if not board.is_checkmate() else -1000
                board.pop()
                return -dtz, move.uci()
            best = max(board.legal_moves, key=lambda move: (value(move)[0] > 0, -abs(value(move)[0]), move.uci()))
            print(board.san(best), end=" ")
            board.push(best)
        print(board.fen())
    try:
        tables.probe_wdl(chess.Board())
    except KeyError as error:
        print(type(error).__name__)
with chess.syzygy.open_tablebase("tables", load_dtz=False) as outcomes:
    board = chess.Board("8/8/8/8/8/2k5/8/KR6 w - - 0 1")
    print(outcomes.get_wdl(board), outcomes.get_dtz(board))
