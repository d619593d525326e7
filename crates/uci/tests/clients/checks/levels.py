"""Strength levels: games vary, and levels differ in strength."""

import chess
import chess.engine

from checks.context import MIDDLEGAME, Skip, play_game
from lines import check_all
from openings import random_openings

# Far more than any level searches.
NO_LIMIT = chess.engine.Limit(nodes=100_000_000)
# The levels that play each other, as shares of the scale. In games against each other they are more than 600 Elo apart.
SHARES = (0, 0.5, 0.75)
# How many games two levels play, and the most points that the lower level may score. It scores one point in forty
# games, so three points happen less than once in a thousand runs.
GAMES = 8
MOST_POINTS = 2.5
# The nodes of each move at full strength, in the game against the lowest level.
FULL = 2000


def need_levels(engine):
    if "UCI_LimitStrength" not in engine.options:
        raise Skip("no UCI_LimitStrength")
    elo = engine.options["UCI_Elo"]
    return elo.min, elo.max


def at_level(context, elo):
    return context.open(UCI_LimitStrength=True, UCI_Elo=elo, Hash=4)


def points(board, color):
    """The points of a side in a finished game."""
    if not board.is_checkmate():
        return 0.5
    return 0.0 if board.turn == color else 1.0


def strength_limit(context):
    """Two games of one level differ; a low level loses clearly to a higher one, and the lowest to full
    strength."""
    with context.open() as full:
        lowest, highest = need_levels(full)
        with at_level(context, lowest) as weak:
            board = play_game(
                {True: weak, False: full}, chess.Board(), limit=chess.engine.Limit(nodes=FULL)
            )
            assert points(board, chess.WHITE) == 0.0, board.fen()
    steps = [lowest + round((highest - lowest) * share) for share in SHARES]
    for elo in steps:
        with at_level(context, elo) as one, at_level(context, elo) as two:
            games = {tuple(opening_moves(one, two)) for _ in range(2)}
            assert len(games) == 2, f"level {elo} plays the same again: {games}"
    for low, high in zip(steps, steps[1:]):
        scored = match(context, low, high)
        print(f"    level {low} scored {scored} of {GAMES} points against level {high}")
        assert scored <= MOST_POINTS, f"level {low} scored {scored} of {GAMES} points against {high}"


def opening_moves(one, two, plies=24):
    """The first plies of a game between two engines."""
    board = chess.Board()
    game = object()
    while board.ply() < plies and not board.is_game_over():
        board.push((one if board.turn else two).play(board, NO_LIMIT, game=game).move)
    return [move.uci() for move in board.move_stack]


def match(context, low, high):
    """The points of the lower level in games from random openings, each with both colours."""
    scored = 0.0
    with at_level(context, low) as weak, at_level(context, high) as strong:
        for fen in random_openings(context.path, GAMES // 2, seed=low):
            for color in chess.COLORS:
                players = {color: weak, not color: strong}
                scored += points(play_game(players, chess.Board(fen), limit=NO_LIMIT), color)
    return scored


def analyse_mode(context):
    """UCI_AnalyseMode removes the limit: the search is the same as at full strength."""
    limits = "nodes 30000"
    board = chess.Board(MIDDLEGAME)
    with context.open() as engine:
        lowest, _ = need_levels(engine)

    def search(engine, **options):
        engine.set(options)
        engine.new_game()
        output = engine.go(f"fen {MIDDLEGAME}", limits)
        last = check_all(board, output)[-1]
        return last.nodes, last.depth, last.pv

    with context.pipe() as engine:
        full = search(engine)
        limited = search(engine, UCI_LimitStrength=True, UCI_Elo=lowest)
        assert limited[0] < full[0] / 10, f"{limited} and {full}"
        assert search(engine, UCI_AnalyseMode=True) == full
        again = search(engine, UCI_AnalyseMode=False)
        assert again[0] < full[0] / 10, f"{again} and {full}"
        assert search(engine, UCI_LimitStrength=False) == full
