"""A game of Sunfish against itself to a fixed depth, through its own program for terminals."""

import asyncio
import contextlib
import io
import sys

import chess
import chess.engine
from sunfish_ui import fancy


async def main():
    engine = await fancy.load_engine_from_cmd(f"{sys.executable} -m sunfish")
    print(engine.id["name"])
    board = chess.Board("8/5k2/4p3/8/3K4/8/5PP1/8 w - - 90 60")
    while not board.is_game_over() and board.ply() < 140:
        # Sunfish prints times during the search, which differ from run to run.
        with contextlib.redirect_stdout(io.StringIO()):
            move = await fancy.get_engine_move(engine, board, chess.engine.Limit(depth=3), 1, 0)
        print(board.san(move))
        board.push(move)
        for side in (chess.WHITE, chess.BLACK):
            fancy.print_unicode_board(board, perspective=side)
    print(board.result(), board.fen())
    await engine.quit()


asyncio.run(main())
