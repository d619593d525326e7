"""The engine under test, through python-chess or over bare pipes, and clocks and positions for checks."""

import tempfile
from pathlib import Path

import chess
import chess.engine

from pipe import Engine
from watch import Stopwatch

# How late an answer may be, in seconds, where the system has no clock of CPU time.
LATE = 1.0
# The time that pipes and python-chess take for each move, in seconds.
OVERHEAD = 0.03
# Longer games, in plies, are stopped.
LONGEST = 300

ROOT = Path(__file__).resolve().parents[5]
TABLES = ROOT / "crates" / "syzygy" / "tests" / "data"

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
# A middlegame without a forced result.
MIDDLEGAME = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8"


class Skip(Exception):
    """Something that the check needs is missing."""


class Context:
    """The engine under test, and how strictly time is checked."""

    def __init__(self, arguments):
        self.path = str(Path(arguments.engine).resolve())
        self.gnuchess = arguments.gnuchess
        self.games = arguments.games
        self.strict = arguments.strict
        self.stderr = tempfile.TemporaryFile()

    def clock(self, seconds, increment):
        return Clock(seconds, increment, self)

    def open(self, **options):
        """The engine through python-chess."""
        engine = chess.engine.SimpleEngine.popen_uci(self.path, stderr=self.stderr, timeout=60)
        if options:
            engine.configure(options)
        return engine

    def pipe(self, **options):
        """The engine over bare pipes. In names of options `_` stands for a blank, except in `UCI_`."""
        named = {
            name if name.startswith("UCI_") else name.replace("_", " "): value
            for name, value in options.items()
        }
        return Engine(self.path, named)

    def took(self, watch):
        """The engine's time in seconds: wall-clock time with `--strict`, else CPU time, which other
        processes do not make longer."""
        cpu_time = None if self.strict else watch.cpu_time()
        return watch.wall_time() if cpu_time is None else cpu_time

    def said_on_stderr(self):
        self.stderr.seek(0)
        return self.stderr.read().decode(errors="replace")


def stopwatch(engine, threads=1):
    """A stopwatch for an engine that python-chess has opened."""
    return Stopwatch(engine.transport.get_pid(), threads)


class Clock:
    """The clocks of a game. A side whose clock runs out fails the check."""

    def __init__(self, seconds, increment, context):
        self.left = {chess.WHITE: seconds, chess.BLACK: seconds}
        self.increment = increment
        self.context = context

    def limit(self):
        return chess.engine.Limit(
            white_clock=max(self.left[chess.WHITE], 0.001),
            black_clock=max(self.left[chess.BLACK], 0.001),
            white_inc=self.increment,
            black_inc=self.increment,
        )

    def spend(self, color, watch):
        """Subtracts the engine's time from its clock."""
        self.left[color] -= max(0.0, self.context.took(watch) - OVERHEAD)
        # Without a clock of CPU time, allow for a busy machine.
        grace = LATE if watch.before is None and not self.context.strict else 0.0
        assert self.left[color] > -grace, f"lost on time by {-self.left[color]:.3f} s"
        self.left[color] += self.increment


def is_over(board):
    """Whether the game has ended, is drawn by repetition or fifty moves, or has reached `LONGEST`."""
    return (
        board.ply() >= LONGEST
        or board.is_game_over()
        or board.is_repetition(3)
        or board.is_fifty_moves()
    )


def play_game(players, board, clock=None, limit=None, threads=1):
    """Plays a game between {WHITE: engine, BLACK: engine}; python-chess refuses illegal moves."""
    game = object()
    while not is_over(board):
        color = board.turn
        watch = stopwatch(players[color], threads)
        result = players[color].play(board, clock.limit() if clock else limit, game=game)
        if clock:
            clock.spend(color, watch)
        assert result.move in board.legal_moves, f"{result.move} is not legal in {board.fen()}"
        board.push(result.move)
    return board
