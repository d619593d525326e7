"""Test positions in EPD."""

import chess

LINES = [
    '1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id "BK.01"; ce -12; acd 5;',
    "4k3/8/8/8/8/8/8/4K2R w K - bm O-O; pv O-O Kd7 Rf7+; c0 \"castles; and \\\"checks\\\"\"; hmvc 3; fmvn 9;",
    "8/8/8/2k5/3Pp3/8/8/3K4 b - d3 am exd3 Kd4; draw_offer;",
    "4k3/8/8/8/8/8/8/4K2R w K - - bm Kd1;",
]
for line in LINES:
    board, operations = chess.Board.from_epd(line)
    best = operations.get("bm") or operations.get("am")
    print(board.fen(), sorted(operations), [board.san(move) for move in best])
    print(board.epd(**operations))
    print(board.epd(hmvc=board.halfmove_clock, bm=best, id="again"))
board = chess.Board()
print(board.set_epd(LINES[0])["id"], board.turn, board.lan(board.parse_san("Qd1")))
for clocks in ("hmvc;", "hmvc -3;", "hmvc 1.5;", "fmvn 0;", "fmvn 7;"):
    try:
        print(chess.Board.from_epd("4k3/8/8/8/8/8/8/4K2R w K - " + clocks)[0].fen())
    except ValueError:
        print("refused:", clocks)
