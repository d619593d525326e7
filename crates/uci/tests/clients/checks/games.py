"""Whole games with clocks: of the engine against itself, and against another engine."""

import os
import random
import subprocess

import chess
import chess.engine

from checks.context import LONGEST, Clock, Skip, is_over, play_game, stopwatch


def self_play(context):
    """Whole games with one and two threads, small and larger hash tables, standard chess and Chess960."""
    for threads, hash_mb, chess960 in [(1, 16, False), (2, 1, False), (1, 1, True), (2, 16, True)]:
        with context.open(Threads=threads, Hash=hash_mb) as engine:
            start = random.randrange(960)
            board = chess.Board.from_chess960_pos(start) if chess960 else chess.Board()
            clock = context.clock(1.5, 0.02)
            play_game({True: engine, False: engine}, board, clock, threads=threads)
            least = min(clock.left.values())
            print(f"    {threads} threads: {board.ply()} moves, {least:.2f} s left on the clock")


def against_gnuchess(context):
    """The engine scores more than half of the points in short games."""
    if not context.gnuchess or not os.path.exists(context.gnuchess):
        raise Skip("no gnuchess")
    points = sum(game_with_gnuchess(context, own=number % 2 == 0) for number in range(context.games))
    print(f"    {points} points of {context.games} against gnuchess")
    assert points > context.games / 2, f"only {points} of {context.games}"


def game_with_gnuchess(context, own):
    """Plays a game in which the engine has the colour `own`. Returns the engine's points."""
    opponent = chess.engine.SimpleEngine.popen_uci(
        [context.gnuchess, "-u"], stderr=subprocess.DEVNULL, timeout=60
    )
    with context.open() as engine, opponent:
        board = chess.Board()
        clock = context.clock(1.0, 0.01)
        # Ample time, because the opponent's use of time is not tested.
        theirs = Clock(60.0, 1.0, context)
        game = object()
        while not is_over(board):
            player, watched = (engine, clock) if board.turn == own else (opponent, theirs)
            watch = stopwatch(player)
            result = player.play(board, clock.limit(), game=game)
            watched.spend(board.turn, watch)
            if result.move is None:
                return 1.0 if board.turn != own else 0.0  # That is how gnuchess resigns.
            board.push(result.move)
    if board.ply() >= LONGEST or not board.is_checkmate():
        return 0.5
    return 1.0 if board.turn != own else 0.0
