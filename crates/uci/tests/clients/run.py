#!/usr/bin/env python3
"""Drives the real engine through python-chess, which is strict, and through whole games.

    run.py --engine PATH [--gnuchess PATH] [--only NAME] [--games N] [--strict]

How late an answer comes depends on what else the machine does, so an engine may be up to a second
late in a game, unless `--strict` says that the machine is idle. `reliability.py` is what counts
flags, and tells those that the machine is to blame for.

Every check prints a line; the last line is `N passed, N failed`. The exit status is 1 if any
failed. A check that needs something that is not there prints `skipped` and counts as neither.
"""

import argparse
import asyncio
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import chess
import chess.engine
import chess.syzygy

# By how much an answer may be late where the machine may be busy, in seconds.
LATE = 1.0

TABLES = Path(__file__).resolve().parents[4].parent / "shared" / "data" / "syzygy"


class Skip(Exception):
    """What the check needs is not there."""


class Context:
    def __init__(self, arguments):
        self.path = str(Path(arguments.engine).resolve())
        self.gnuchess = arguments.gnuchess
        self.games = arguments.games
        self.strict = arguments.strict
        self.stderr = tempfile.TemporaryFile()

    def clock(self, seconds, increment):
        return Clock(seconds, increment, 0.0 if self.strict else LATE)

    def open(self, **options):
        engine = chess.engine.SimpleEngine.popen_uci(self.path, stderr=self.stderr, timeout=60)
        if options:
            engine.configure(options)
        return engine

    def said_on_stderr(self):
        self.stderr.seek(0)
        return self.stderr.read().decode(errors="replace")


class Clock:
    """A game clock that notices when a flag falls, by more than `grace` seconds."""

    def __init__(self, seconds, increment, grace=0.0):
        self.left = [seconds, seconds]
        self.increment = increment
        self.grace = grace

    def limit(self):
        return chess.engine.Limit(
            white_clock=max(self.left[1], 0.001),
            black_clock=max(self.left[0], 0.001),
            white_inc=self.increment,
            black_inc=self.increment,
        )

    def spend(self, color, seconds):
        self.left[color] -= seconds
        assert self.left[color] > -self.grace, f"lost on time by {-self.left[color]:.3f} s"
        self.left[color] += self.increment


def play_game(players, board, clock=None, limit=None, slack=0.0):
    """Plays a game between {WHITE: engine, BLACK: engine}; python-chess refuses illegal moves.

    `slack` is given back to the clock for each move: what this machine takes, not the engine."""
    game = object()
    while not board.is_game_over(claim_draw=True) and board.ply() < 300:
        color = board.turn
        started = time.perf_counter()
        result = players[color].play(board, clock.limit() if clock else limit, game=game)
        spent = time.perf_counter() - started
        if clock:
            clock.spend(color, max(0.0, spent - slack))
        assert result.move in board.legal_moves, f"{result.move} is not legal in {board.fen()}"
        board.push(result.move)
    return board


def check_line(board, info):
    """The strict rules for a line: legal to its end, none beyond the end of the game, and mates
    as long as they say."""
    line = info.get("pv", [])
    after = board.copy()
    for number, move in enumerate(line):
        assert after.is_legal(move), f"{move} in {after.fen()}"
        after.push(move)
        over = after.is_checkmate() or after.is_stalemate() or after.is_insufficient_material()
        assert not over or number == len(line) - 1, f"the line goes on after {after.fen()}"
    score = info.get("score")
    bounded = info.get("lowerbound") or info.get("upperbound")
    if score is not None and score.is_mate() and not bounded and line:
        mate = score.relative.mate()
        plies = 2 * mate - 1 if mate > 0 else -2 * mate
        if after.is_checkmate():
            assert len(line) == plies, f"mate {mate} by {len(line)} plies in {board.fen()}"
        else:
            raise AssertionError(f"mate {mate} and the line ends without mate: {board.fen()}")


def self_play(context):
    for threads, hash_mb, chess960 in [(1, 16, False), (2, 1, False), (1, 1, True), (2, 16, True)]:
        with context.open(Threads=threads, Hash=hash_mb) as engine:
            board = chess.Board.from_chess960_pos(random.randrange(960)) if chess960 else chess.Board()
            play_game({True: engine, False: engine}, board, context.clock(1.5, 0.02), slack=0.03)
            assert board.ply() >= 300 or board.is_game_over(claim_draw=True), board.fen()


def against_gnuchess(context):
    if not context.gnuchess or not os.path.exists(context.gnuchess):
        raise Skip("no gnuchess")
    points = 0.0
    for number in range(context.games):
        own = number % 2 == 0
        opponent = chess.engine.SimpleEngine.popen_uci(
            [context.gnuchess, "-u"], stderr=subprocess.DEVNULL, timeout=60
        )
        with context.open() as engine, opponent:
            board = chess.Board()
            clock = context.clock(1.0, 0.01)
            game = object()
            theirs = Clock(60.0, 1.0)  # its flag is not what is tested here
            while not board.is_game_over(claim_draw=True) and board.ply() < 300:
                player = engine if board.turn == own else opponent
                started = time.perf_counter()
                result = player.play(board, clock.limit(), game=game)
                spent = time.perf_counter() - started
                if board.turn == own:
                    clock.spend(board.turn, max(0.0, spent - 0.03))
                else:
                    theirs.spend(board.turn, spent)
                if result.move is None:
                    break  # gnuchess resigns so
                board.push(result.move)
            outcome = board.outcome(claim_draw=True)
            if outcome is None or outcome.winner is None:
                points += 1.0 if outcome is None and board.turn != own else 0.5
            elif outcome.winner == own:
                points += 1.0
    print(f"    {points} points of {context.games} against gnuchess")
    assert points > context.games / 2, f"only {points} of {context.games}"


def analysis(context):
    positions = [
        chess.STARTING_FEN,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/8/8/8/8/4k3/4p3/4K3 b - - 0 1",
        "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1",
        "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
        "k7/8/1K6/8/8/8/8/7R w - - 99 90",
    ]
    for threads in (1, 2):
        with context.open(Threads=threads) as engine:
            for fen in positions:
                board = chess.Board(fen)
                with engine.analysis(board, chess.engine.Limit(time=0.3)) as lines:
                    last = {}
                    for info in lines:
                        check_line(board, info)
                        if "pv" in info:
                            last = info
                    best = lines.wait().move
                assert last and last["pv"][0] == best, f"{best} after {last} in {fen}"


def multi_pv(context):
    with context.open() as engine:
        board = chess.Board()
        infos = engine.analyse(board, chess.engine.Limit(depth=7), multipv=5)
        assert len(infos) == 5, infos
        assert len({info["pv"][0] for info in infos}) == 5
        scores = [info["score"].relative.score(mate_score=100000) for info in infos]
        assert scores == sorted(scores, reverse=True), scores
        for info in infos:
            check_line(board, info)
        # More lines than moves.
        board = chess.Board("7k/8/8/8/8/8/R7/6K1 b - - 0 1")
        infos = engine.analyse(board, chess.engine.Limit(depth=5), multipv=50)
        assert len(infos) == board.legal_moves.count(), infos


def search_moves(context):
    with context.open() as engine:
        board = chess.Board()
        only = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h4")]
        result = engine.play(board, chess.engine.Limit(depth=6), root_moves=only)
        assert result.move in only, result.move


def mates(context):
    with context.open() as engine:
        for fen, moves in [
            ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1),
            ("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 2),
            ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
        ]:
            board = chess.Board(fen)
            info = engine.analyse(board, chess.engine.Limit(mate=moves))
            assert info["score"].relative.mate() == moves, f"{fen}: {info}"
            check_line(board, info)


def pondering(context):
    """Ponder, hit and miss, over a whole game."""
    with context.open() as one, context.open() as two:
        board = chess.Board()
        clock = context.clock(3.0, 0.05)
        game = object()
        while not board.is_game_over(claim_draw=True) and board.ply() < 60:
            engine = one if board.turn else two
            started = time.perf_counter()
            result = engine.play(board, clock.limit(), game=game, ponder=True)
            clock.spend(board.turn, max(0.0, time.perf_counter() - started - 0.03))
            board.push(result.move)


def stopping(context):
    """Answers come soon after stop, and no answer comes unasked."""

    async def run():
        _, engine = await chess.engine.popen_uci(context.path, stderr=context.stderr)
        slowest = 0.0
        for _ in range(50):
            lines = await engine.analysis(chess.Board())
            await asyncio.sleep(random.random() * 0.02)
            started = time.perf_counter()
            lines.stop()
            await lines.wait()
            slowest = max(slowest, time.perf_counter() - started)
        await engine.quit()
        assert slowest < 2.0, f"{slowest:.3f} s from stop to the answer"

    asyncio.run(run())


def short_of_time(context):
    """1 ms for a move, 10 ms of clock, no increment: always a move, and with `--strict` in time: by
    the clock, and 5 ms for the way through the pipes."""
    boards = [
        chess.Board(),
        chess.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
        chess.Board("8/8/4k3/8/8/3QK3/8/8 w - - 0 1"),
    ]
    clock = {"white_inc": 0, "black_inc": 0}
    limits = [
        (0.001, chess.engine.Limit(time=0.001)),
        (0.010, chess.engine.Limit(white_clock=0.01, black_clock=0.01, **clock)),
        (0.001, chess.engine.Limit(white_clock=0.001, black_clock=0.001, **clock)),
        (0.1, chess.engine.Limit(white_clock=0.1, black_clock=0.1, remaining_moves=1)),
        (1.0, chess.engine.Limit(nodes=1)),
    ]
    for threads in (1, 2):
        with context.open(**{"Move Overhead": 0, "Threads": threads}) as engine:
            for allowed, limit in limits:
                times = []
                for number in range(30):
                    board = boards[number % len(boards)]
                    # A new game, and what goes with it, before the clock runs.
                    game = object()
                    engine.play(boards[0], chess.engine.Limit(nodes=1), game=game)
                    started = time.perf_counter()
                    result = engine.play(board, limit, game=game)
                    times.append(time.perf_counter() - started)
                    assert result.move in board.legal_moves
                most = max(times)
                print(
                    f"    {threads} threads, {1000 * allowed:g} ms: median "
                    f"{1000 * sorted(times)[len(times) // 2]:.1f} ms, longest {1000 * most:.1f} ms"
                )
                assert most < (allowed + 0.005 if context.strict else LATE), f"{limit}: {most:.3f} s"


def chess960(context):
    """Castling is written and read as king takes rook."""
    with context.open() as engine:
        # The only good move is to castle out of the pin's way: give it no other.
        board = chess.Board("4k3/8/8/8/8/8/8/RK5R w HA - 0 1", chess960=True)
        castle = next(move for move in board.legal_moves if board.is_castling(move))
        result = engine.play(board, chess.engine.Limit(depth=3), root_moves=[castle])
        assert result.move == castle, result.move
        board.push(castle)
        assert engine.play(board, chess.engine.Limit(depth=3)).move in board.legal_moves


def options(context):
    """What lichess-bot sends, and changes between searches."""
    with context.open() as engine:
        for name in ["Move Overhead", "Threads", "Hash", "UCI_ShowWDL", "SyzygyPath"]:
            assert name in engine.options, f"no option {name}"
        for threads, hash_mb in [(1, 1), (4, 8), (2, 64), (1, 16)]:
            engine.configure({"Threads": threads, "Hash": hash_mb})
            engine.play(chess.Board(), chess.engine.Limit(depth=6))


def win_draw_loss(context):
    with context.open() as engine:
        if "UCI_ShowWDL" not in engine.options:
            raise Skip("no UCI_ShowWDL")
        engine.configure({"UCI_ShowWDL": True})
        for fen, low, high in [
            (chess.STARTING_FEN, 0.4, 0.7),
            ("6k1/8/8/8/8/8/8/QQ4K1 w - - 0 1", 0.95, 1.0),
            ("6k1/8/8/8/8/8/8/QQ4K1 b - - 0 1", 0.0, 0.05),
        ]:
            wdl = engine.analyse(chess.Board(fen), chess.engine.Limit(depth=8))["wdl"].relative
            assert wdl.total() == 1000, wdl
            assert low <= wdl.expectation() <= high, f"{fen}: {wdl}"


def strength_limit(context):
    """The lowest level loses to full strength, and does not always play the same."""
    with context.open() as engine, context.open() as weak:
        if "UCI_LimitStrength" not in engine.options:
            raise Skip("no UCI_LimitStrength")
        lowest = weak.options["UCI_Elo"].min
        weak.configure({"UCI_LimitStrength": True, "UCI_Elo": lowest})
        board = play_game(
            {True: weak, False: engine}, chess.Board(), limit=chess.engine.Limit(nodes=2000)
        )
        outcome = board.outcome(claim_draw=True)
        assert outcome and outcome.winner is chess.BLACK, outcome


class Ending:
    """A won ending without pawns: who has what, in how many moves it is won, and a position in
    which it takes that long."""

    def __init__(self, pieces, moves, longest):
        self.pieces = pieces
        self.moves = moves
        self.longest = longest

    def positions(self, tables, count):
        """The longest, and so many random won ones; the strong side is White, and moves."""
        yield chess.Board(self.longest)
        rng = random.Random(2026)
        while count:
            board = chess.Board(None)
            squares = rng.sample(range(64), 2 + len(self.pieces))
            board.set_piece_at(squares[0], chess.Piece(chess.KING, chess.WHITE))
            board.set_piece_at(squares[1], chess.Piece(chess.KING, chess.BLACK))
            for square, piece in zip(squares[2:], self.pieces):
                board.set_piece_at(square, chess.Piece(piece, chess.WHITE))
            if board.is_valid() and board.legal_moves and tables.probe_wdl(board) == 2:
                count -= 1
                yield board


ENDINGS = [
    Ending([chess.QUEEN], 10, "8/8/3k4/8/8/8/6Q1/7K w - - 0 1"),
    Ending([chess.ROOK], 16, "7K/8/8/8/8/8/2k5/1R6 w - - 0 1"),
    Ending([chess.BISHOP, chess.KNIGHT], 33, "K2k4/3B4/8/8/8/8/6N1/8 w - - 0 1"),
]


def hardest_defence(tables, board):
    """A move that loses as late as possible, or does not lose."""

    def until_lost(move):
        board.push(move)
        wins = tables.probe_wdl(board) > 0
        distance = abs(tables.probe_dtz(board))
        board.pop()
        return distance if wins else 1000

    return max(board.legal_moves, key=until_lost)


def win(engine, tables, board, limit):
    """Lets the engine play White against the hardest defence; how many moves until mate."""
    game = object()
    while not (board.is_game_over() or board.is_repetition(3) or board.is_fifty_moves()):
        if board.turn:
            board.push(engine.play(board, limit, game=game).move)
        else:
            board.push(hardest_defence(tables, board))
    return (board.ply() + 1) // 2 if board.is_checkmate() else None


def tablebases(context):
    """Queen, rook, bishop and knight against the bare king: with tables mate comes within the
    moves that the ending takes at most, and the score says that it will."""
    if not TABLES.is_dir():
        raise Skip(f"no tables at {TABLES}")
    with context.open() as engine, chess.syzygy.open_tablebase(str(TABLES)) as tables:
        engine.configure({"SyzygyPath": str(TABLES)})
        for ending in ENDINGS:
            taken = []
            for board in ending.positions(tables, 8):
                start = board.fen()
                info = engine.analyse(board, chess.engine.Limit(depth=6))
                assert info["score"].relative.score(mate_score=100000) > 1000, info
                moves = win(engine, tables, board, chess.engine.Limit(nodes=5000))
                assert moves is not None, f"{start} ended as {board.fen()}"
                assert moves <= ending.moves, f"{start}: mate took {moves} moves"
                taken.append(moves)
            print(f"    {board.fen().split()[0]}: mates in {taken}, at most {ending.moves}")


def endings_without_tables(context):
    """The same endings are won without tables, within the fifty moves that the rules allow."""
    if not TABLES.is_dir():
        raise Skip(f"no tables at {TABLES}, which defend")
    with context.open() as engine, chess.syzygy.open_tablebase(str(TABLES)) as tables:
        for ending in ENDINGS:
            taken = []
            for board in ending.positions(tables, 3):
                start = board.fen()
                moves = win(engine, tables, board, chess.engine.Limit(nodes=50_000))
                assert moves is not None, f"{start} ended as {board.fen()}"
                taken.append(moves)
            print(f"    {board.fen().split()[0]}: mates in {taken}")


def testers_contract(context):
    """What distributed testers rely on: the same count from parallel runs, and its line."""
    runs = [
        subprocess.Popen([context.path, "bench", "6"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    lasts = []
    for run in runs:
        out, err = run.communicate(timeout=120)
        assert run.returncode == 0 and not err, err
        last = out.decode().strip().splitlines()[-1].split()
        assert len(last) == 4 and last[1] == "nodes" and last[3] == "nps", last
        lasts.append(int(last[0]))
    assert lasts[0] == lasts[1] > 0, lasts


def random_openings(context):
    """genfens, as distributed data generation calls it."""
    command = [context.path, "genfens 8 seed 7 book None", "quit"]
    outs = [subprocess.run(command, capture_output=True, timeout=120) for _ in range(2)]
    assert outs[0].stdout == outs[1].stdout and not outs[0].stderr
    prefix = "info string genfens "
    lines = outs[0].stdout.decode().splitlines()
    fens = [line[len(prefix):] for line in lines if line.startswith(prefix)]
    assert len(fens) == 8, lines
    assert all(chess.Board(fen).is_valid() for fen in fens)


CHECKS = [
    analysis,
    multi_pv,
    search_moves,
    mates,
    stopping,
    short_of_time,
    chess960,
    options,
    win_draw_loss,
    strength_limit,
    tablebases,
    endings_without_tables,
    testers_contract,
    random_openings,
    pondering,
    self_play,
    against_gnuchess,
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", required=True)
    parser.add_argument("--gnuchess")
    parser.add_argument("--games", type=int, default=4, help="games against gnuchess")
    parser.add_argument("--strict", action="store_true", help="the machine is idle: clocks count")
    parser.add_argument("--only", help="one check, by its name")
    arguments = parser.parse_args()
    context = Context(arguments)
    passed = failed = 0
    for check in CHECKS:
        name = check.__name__
        if arguments.only and name != arguments.only:
            continue
        started = time.perf_counter()
        try:
            check(context)
            said = context.said_on_stderr()
            assert not said, f"stderr: {said}"
        except Skip as reason:
            print(f"skipped {name}: {reason}", flush=True)
            continue
        except Exception as error:  # a failed check, whatever it was, must not hide the others
            failed += 1
            print(f"FAILED  {name}: {type(error).__name__}: {error}", flush=True)
            continue
        passed += 1
        print(f"passed  {name} ({time.perf_counter() - started:.1f} s)", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
