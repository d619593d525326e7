"""Hostile use raises exceptions, without panics or hangs: objects used inside their own calls, engines after a fork,
tags and files without an end."""

import io
import os
import pathlib
import subprocess
import sys
import textwrap
import time

import pytest
import skewer
from conftest import data

SETS = ("update", "intersection_update", "difference_update", "symmetric_difference_update")
IN_PLACE = ("__ior__", "__iand__", "__isub__", "__ixor__")


def script(text, *arguments, timeout=60, **options):
    """Runs a script of its own; a hang fails."""
    command = [sys.executable, "-c", textwrap.dedent(text), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout, **options)


@pytest.mark.parametrize("name", SETS + IN_PLACE)
def test_a_set_is_its_own_argument(name):
    squares = skewer.SquareSet([1, 9])
    getattr(squares, name)(squares)
    same = name in ("update", "intersection_update", "__ior__", "__iand__")
    assert set(squares) == ({1, 9} if same else set())


def test_arguments_that_change_what_they_are_given_to():
    squares = skewer.SquareSet([1])
    squares.update(squares.add(n) or n for n in (2, 3))
    assert list(squares) == [1, 2, 3]
    board = skewer.Board()
    board.push_all(move for move in [board.parse_san("e4"), "e5"])
    assert len(board.move_stack) == 2

    class Index:
        def __index__(self):
            board.clear_stack()
            assert board == board
            return skewer.E1

    kings = {Index(): skewer.Piece.from_symbol("K"), skewer.E8: skewer.Piece.from_symbol("k")}
    board.set_piece_map(kings)
    board.castling_rights = (square for square in [Index()])
    assert len(board.piece_map()) == 2


def test_calls_in_any_order():
    """Makes 100,000 calls at random, in a process of their own. `fuzz.py` makes any number of calls."""
    fuzz = pathlib.Path(__file__).with_name("fuzz.py")
    command = [sys.executable, str(fuzz), "100000", "ci"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("100000 calls") and done.stdout.endswith("no panic\n")


def test_an_engine_in_its_own_callback():
    engine, board = skewer.Engine(), skewer.Board()
    for use in (lambda _: engine.analyse(board, nodes=10), lambda _: engine.close(),
                lambda _: engine.threads, lambda _: engine.analysis(board)):
        with pytest.raises(RuntimeError, match="wait for itself"):
            engine.analyse(board, nodes=20_000, callback=use)
    assert engine.play(board, nodes=100).move in board.legal_moves


@pytest.mark.parametrize("open_reader", [skewer.read_pgn, skewer.iter_positions])
def test_a_file_object_that_calls_its_reader(open_reader):
    class File:
        reader = None

        def read(self, size):
            if self.reader is None:
                return "1. e4 *\n"
            return next(self.reader) and ""

    file = File()
    reader = open_reader(file)
    if open_reader is skewer.iter_positions:
        # Python itself refuses a generator that is used inside its own call.
        file.reader = reader
        with pytest.raises((RuntimeError, ValueError), match="itself|already executing"):
            next(reader)
        return
    file.reader = reader
    with pytest.raises(RuntimeError, match="wait for itself"):
        next(reader)


FORKED = """
    import os, sys, skewer
    board = skewer.Board()
    engine = skewer.Engine(threads=2)
    search = engine.analysis(board)
    next(search)
    reader = skewer.read_pgn(sys.argv[1])
    games = skewer.analyse_games(sys.argv[1], nodes=10)
    next(games)
    assert skewer.perft(board, 3) == 8902
    child = os.fork()
    if child == 0:
        for use in (lambda: engine.analyse(board, nodes=10), engine.close, lambda: next(reader),
                    lambda: next(search), search.stop, lambda: next(games)):
            try:
                use()
            except RuntimeError as error:
                assert "forked" in str(error), error
            else:
                os._exit(3)
        del engine, search, reader, games, use
        assert skewer.perft(board, 4) == 197281
        assert len(skewer.evaluate_many([board] * 1000)) == 1000
        assert sum(1 for _ in skewer.read_pgn(sys.argv[1], threads=2)) == 16
        with skewer.Engine() as own:
            assert own.play(board, nodes=1000).move
        os._exit(7)
    _, status = os.waitpid(child, 0)
    search.stop()
    assert engine.analyse(board, nodes=100)["nodes"]
    print(os.waitstatus_to_exitcode(status))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_forked_process(lichess):
    done = script(FORKED, lichess)
    assert (done.stdout, done.stderr) == ("7\n", ""), done.stderr


PIPE = """
    import os, signal, sys, threading, skewer
    # A process that a shell starts in the background ignores the signal.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    try:
        eval(sys.argv[2])(sys.argv[1])
    except KeyboardInterrupt:
        print("interrupted")
"""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
@pytest.mark.parametrize("use", [
    "skewer.read_pgn", "skewer.count_games", "skewer.read_positions",
    "lambda path: skewer.read_pgn(path, threads=2)",
    "lambda path: next(skewer.read_pgn(path)) and skewer.count_games(path)",
    "lambda path: next(skewer.iter_positions(path))",
    "lambda path: next(skewer.analyse_games(path, nodes=1))",
])
def test_ctrl_c_while_a_pipe_has_no_writer(tmp_path, use):
    os.mkfifo(tmp_path / "pipe")
    start = time.monotonic()
    assert script(PIPE, tmp_path / "pipe", use, timeout=30).stdout == "interrupted\n"
    assert time.monotonic() - start < 20


WRITER = """
    import sys, threading, skewer
    def write():
        with open(sys.argv[1], "w") as pipe:
            pipe.write("1. e4 e5 *\\n\\n" * 3)
    threading.Thread(target=write).start()
    print([len(game) for game in skewer.read_pgn(sys.argv[1])])
"""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_a_pipe_is_read(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert script(WRITER, tmp_path / "pipe", timeout=30).stdout == "[2, 2, 2]\n"


def test_tags_without_end_are_refused_in_linear_time():
    tags = "".join(f'[Tag{n} "x"]\n' for n in range(400_000))
    start = time.process_time()
    (game,) = skewer.read_pgn(io.StringIO(tags + "\n1. e4 *\n"))
    assert time.process_time() - start < 20
    (error,) = game.errors
    assert error.endswith(": there are too many tags, and some were passed over")
    assert len(game) == 1 and len(game.headers) == 256 + 7
    start = time.process_time()
    str(game)
    assert time.process_time() - start < 5


def test_long_games_take_linear_time(tmp_path):
    """Four times the moves take about four times as long."""

    def seconds(rounds):
        moves = ["Nf3", "Nf6", "Ng1", "Ng8"] * rounds
        path = tmp_path / f"{rounds}.pgn"
        path.write_text(" ".join(moves) + " *\n")
        start = time.process_time()
        (game,) = skewer.analyse_games(path, nodes=1, threads=1)
        assert len(game.moves) == 4 * rounds
        (game,) = skewer.read_pgn(path)
        assert [node.san() for node in game.mainline()] == moves
        return time.process_time() - start

    seconds(100)
    short, long = (min(seconds(rounds) for _ in range(2)) for rounds in (1_000, 4_000))
    assert long < 9 * short


@pytest.mark.parametrize("limit", ["nodes", "depth", "mate"])
def test_limits_of_nothing_are_refused(limit):
    board = skewer.Board()
    with skewer.Engine() as engine:
        for call in (engine.analyse, engine.analysis, engine.play):
            for given in ({limit: 0}, {"limit": skewer.Limit(**{limit: 0})}):
                with pytest.raises(ValueError, match=f"{limit} 0 is not positive"):
                    call(board, **given)
