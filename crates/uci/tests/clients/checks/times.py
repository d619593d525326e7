"""Time: after stop, with almost no time left, on a node clock, and while pondering."""

import asyncio
import random
import re
import time
from statistics import mean

import chess
import chess.engine

from checks.context import KIWIPETE, MIDDLEGAME, stopwatch
from game import go_words
from lines import check_all, check_search, positions, read
from watch import Stopwatch

# The longest time from stop to bestmove, in seconds.
SOON = 0.2
# How often a search is stopped, each time a little later.
STOPS = 100
# How much longer than allowed a move may take, in seconds: for the pipes on an idle machine; and in
# CPU time, for work other than the search.
PIPES = 0.005
BESIDE = 0.02
# In a game with pondering: the least share of results with a move to ponder on, the fewest ponder hits,
# and the least time of a move after a hit, as a share of the usual time.
PROPOSED = 0.9
LEAST_HITS = 3
LEAST_SHARE = 0.2


def stopping(context):
    """bestmove comes soon after stop, and not without it."""

    async def run():
        transport, engine = await chess.engine.popen_uci(context.path, stderr=context.stderr)
        slowest = 0.0
        for _ in range(50):
            lines = await engine.analysis(chess.Board())
            await asyncio.sleep(random.random() * 0.02)
            watch = Stopwatch(transport.get_pid())
            lines.stop()
            await lines.wait()
            slowest = max(slowest, context.took(watch))
        await engine.quit()
        print(f"    {1000 * slowest:.1f} ms from stop to the answer, at most")
        assert slowest < SOON, f"{slowest:.3f} s from stop to the answer"

    asyncio.run(run())


def last_iteration(context):
    """The result of a stopped search is of the last iteration that it printed, or a later one."""
    with context.pipe() as engine:
        for number in range(STOPS):
            engine.new_game()
            engine.send("position startpos moves e2e4 e7e5")
            engine.send("go infinite")
            time.sleep(0.0005 * number)
            output = engine.ask("stop", "bestmove")
            depths = [line.depth for line in read(output)]
            assert depths == sorted(depths), f"{depths}, and then {output[-1]}"


def short_of_time(context):
    """With 1 ms for a move, or 10 ms of clock and no increment, there is always a move in time: by the
    wall clock with `--strict`, else by CPU time."""
    boards = [chess.Board(), chess.Board(KIWIPETE), chess.Board("8/8/4k3/8/8/3QK3/8/8 w - - 0 1")]
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
                times = sorted(times_of(context, engine, threads, boards, limit))
                print(
                    f"    {threads} threads, {1000 * allowed:g} ms: median "
                    f"{1000 * times[len(times) // 2]:.1f} ms, longest {1000 * times[-1]:.1f} ms"
                )
                most = allowed + (PIPES if context.strict else BESIDE)
                assert times[-1] < most, f"{limit}: {times[-1]:.3f} s"


def times_of(context, engine, threads, boards, limit):
    """The times of thirty moves."""
    for number in range(30):
        board = boards[number % len(boards)]
        # A new game, and the work that it causes, before the clock runs.
        game = object()
        engine.play(boards[0], chess.engine.Limit(nodes=1), game=game)
        watch = stopwatch(engine, threads)
        result = engine.play(board, limit, game=game)
        yield context.took(watch)
        assert result.move in board.legal_moves


def without_times(output):
    """The lines without the values that depend on the wall clock."""
    return [re.sub(r" (nps|time) \d+", "", line) for line in output]


def nodestime(context):
    """Clocks that count nodes: a timed game can be repeated move for move, and ends when the nodes
    are used up, however much time that takes."""
    with context.pipe(nodestime=100) as engine:
        games = [[], []]
        for game in games:
            engine.new_game()
            moves = []
            for _ in range(30):
                position = "startpos" + (f" moves {' '.join(moves)}" if moves else "")
                output = engine.go(position, "wtime 2000 btime 2000 winc 20 binc 20")
                moves.append(output[-1].split()[1])
                game.append(without_times(output))
        assert games[0] == games[1], "two games differ"
    millis = 10_000
    last = {}
    for rate in (1, 10):
        with context.pipe(nodestime=rate, Move_Overhead=0) as engine:
            watch = Stopwatch(engine.pid)
            lines = read(engine.go(f"fen {MIDDLEGAME}", f"movetime {millis}"))
            spent = context.took(watch)
            last[rate] = lines[-1].nodes
            assert last[rate] <= 1.1 * rate * millis, f"{last[rate]} nodes in {millis} ms"
            assert spent < millis / 2000, f"{spent:.1f} s for {rate * millis} nodes"
    assert last[10] > 2 * last[1] > 0, last
    # The engine uses real time again.
    with context.pipe(nodestime=1) as engine:
        engine.set({"nodestime": 0})
        assert read(engine.go(f"fen {MIDDLEGAME}", "movetime 500"))[-1].nodes > 500


class Ponderer:
    """An engine that ponders."""

    def __init__(self, engine, board, left, increment):
        self.engine = engine
        self.board = board
        self.left = left
        self.increment = increment
        self.expected = None
        self.proposed = 0
        # The times of searches in seconds: after a ponder hit, and after a miss or at the start.
        self.spent = {True: [], False: []}

    def position(self, *more):
        moves = [*(move.uci() for move in self.board.move_stack), *more]
        return "startpos" + (f" moves {' '.join(moves)}" if moves else "")

    def answer(self, context):
        """The move of the engine for the position on the board, after a ponder hit, a miss or neither. Subtracts the
        time from its clock."""
        go = f"go {go_words(self.left, self.increment)}"
        hit = self.expected is not None and self.board.peek().uci() == self.expected
        if self.expected:
            self.engine.fetch(0)
            early = [line for line in self.engine.lines if line.startswith("bestmove")]
            assert not early, f"{early[0]} while it ponders"
        if hit:
            watch = Stopwatch(self.engine.pid)
            self.engine.send("ponderhit")
        else:
            if self.expected:
                self.engine.ask("stop", "bestmove")
            self.engine.send(f"position {self.position()}")
            watch = Stopwatch(self.engine.pid)
            self.engine.send(go)
        output = self.engine.until("bestmove")
        spent = context.took(watch)
        self.spent[hit].append(spent)
        color = self.board.turn
        self.left[color] += self.increment - spent
        assert self.left[color] > 0, f"lost on time after {'a hit' if hit else go}: {spent:.3f} s"
        move, _ = check_search(self.board, positions(self.board), output)
        if hit:
            depths = [line.depth for line in read(output)]
            falls = [one - two for one, two in zip(depths, depths[1:])]
            # The last line may be of the iteration before.
            assert max(falls, default=0) <= 1, f"the search started over after the hit: {depths}"
        return move, output[-1].split()[3:4]

    def ponder(self, ponder):
        """Starts to ponder after its move, if it named a move to ponder on."""
        self.expected = ponder[0] if ponder else None
        if ponder:
            self.proposed += 1
            self.engine.send(f"position {self.position(*ponder)}")
            self.engine.send(f"go ponder {go_words(self.left, self.increment)}")


def pondering(context):
    """A game with pondering: the engine names moves to ponder on, and answers in time and legally after
    hits and misses; before a hit or stop there is no answer, with any limits; and python-chess can ponder
    with the engine."""
    board = chess.Board()
    left = {chess.WHITE: 3.0, chess.BLACK: 3.0}
    with context.pipe(Ponder=True) as one, context.pipe(Ponder=True) as two:
        players = [Ponderer(engine, board, left, 0.05) for engine in (two, one)]
        while not board.is_game_over(claim_draw=True) and board.ply() < 60:
            player = players[board.turn]
            move, ponder = player.answer(context)
            board.push(move)
            player.ponder(ponder)
        for player in players:
            if player.expected:
                player.engine.ask("stop", "bestmove")
    check_pondering(players, board.ply())
    held_back(context)
    with context.open() as one, context.open() as two:
        board = chess.Board()
        game = object()
        unanswered = 0
        while board.ply() < 16:
            engine = one if board.turn else two
            limit = chess.engine.Limit(white_clock=5, black_clock=5, white_inc=0.1, black_inc=0.1)
            result = engine.play(board, limit, game=game, ponder=True)
            unanswered += result.ponder is None
            board.push(result.move)
        # A search that is stopped right after a new best move may have no move to ponder on.
        assert unanswered <= 1, f"{unanswered} moves of 16 without a move to ponder on"


def check_pondering(players, plies):
    """There were enough moves to ponder on, hits and misses, and searches after hits took their time."""
    proposed = sum(player.proposed for player in players)
    hits, others = (sum((player.spent[hit] for player in players), []) for hit in (True, False))
    # At the last two moves there may be nothing to ponder on.
    assert proposed > PROPOSED * plies - 2, f"{proposed} proposed in {plies} moves"
    assert len(hits) >= LEAST_HITS and len(others) > 2, f"{len(hits)} hits, {len(others)} others"
    share = mean(hits) / mean(others)
    print(f"    {proposed} moves to ponder on in {plies}, {len(hits)} hits, {share:.2f} of the time")
    assert share > LEAST_SHARE, f"after a hit it thinks for {share:.2f} of the usual time"


def held_back(context):
    """A ponder search that has reached its limit answers only after ponderhit or stop."""
    with context.pipe() as engine:
        for ending in ("ponderhit", "stop"):
            for limits in ("depth 3", "nodes 1000", "movetime 10", "wtime 10 btime 10"):
                engine.send(f"position fen {MIDDLEGAME}")
                engine.send(f"go ponder {limits}")
                # Long enough for the search to reach its limit.
                engine.fetch(0.1)
                engine.send("isready")
                early = engine.until("readyok")
                assert not any(line.startswith("bestmove") for line in early), f"{limits}: {early}"
                output = early[:-1] + engine.ask(ending, "bestmove")
                check_all(chess.Board(MIDDLEGAME), output)
