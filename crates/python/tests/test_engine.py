"""The engine in process: results, limits, callbacks, threads, Ctrl-C."""

import pickle
import signal
import subprocess
import sys
import threading
import time

import pytest
import skewer

MATE = "6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1"


@pytest.fixture
def engine():
    with skewer.Engine(hash=4) as engine:
        yield engine


def test_analyse(engine):
    board = skewer.Board()
    info = engine.analyse(board, nodes=5_000)
    assert info["pv"][0] in board.legal_moves
    assert info["depth"] >= 3 and 0 < info["nodes"] <= 6_000 and info["time"] >= 0
    line = board.copy()
    for move in info["pv"]:
        line.push(move)
    assert abs(info["score"].white().score()) < 200
    assert info["score"].black() == -info["score"].white()
    assert sum(info["score"].wdl()) == 1000
    assert board == skewer.Board()


def test_equal_searches_give_equal_results():
    def search():
        with skewer.Engine(hash=4) as engine:
            info = engine.analyse(skewer.Board(), nodes=20_000)
            return info["score"], info["pv"], info["nodes"], info["depth"]

    assert search() == search()


def test_multipv(engine):
    infos = engine.analyse(skewer.Board(), depth=6, multipv=4)
    assert [info["multipv"] for info in infos] == [1, 2, 3, 4]
    assert len({info["pv"][0] for info in infos}) == 4
    scores = [info["score"].relative for info in infos]
    assert scores == sorted(scores, reverse=True)
    assert len(engine.analyse(skewer.Board(MATE), depth=3, multipv=1)) == 1


def test_mates(engine):
    info = engine.analyse(skewer.Board(MATE), depth=4)
    assert info["score"].relative == skewer.Mate(1) and info["score"].is_mate()
    assert info["score"].black() == skewer.Mate(-1)
    assert engine.analyse(skewer.Board(MATE), mate=1)["pv"][0].uci() == "e1e8"
    over = skewer.Board(MATE)
    over.push_uci("e1e8")
    assert engine.analyse(over, depth=4)["score"].white() == skewer.MateGiven
    assert engine.analyse(over, depth=4)["score"].relative == skewer.Mate(0)
    assert engine.play(over, depth=4).move is None
    stalemate = skewer.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    assert engine.analyse(stalemate, depth=4)["score"].relative == skewer.Cp(0)


def test_limits(engine):
    board = skewer.Board()
    assert engine.analyse(board, skewer.Limit(depth=4))["depth"] == 4
    assert engine.analyse(board, skewer.Limit(nodes=10**6), depth=3)["depth"] == 3
    start = time.monotonic()
    engine.analyse(board, time=0.2)
    # The search takes about the given time, and ends.
    assert 0.15 < time.monotonic() - start < 60
    result = engine.play(board, skewer.Limit(white_clock=20, black_clock=20, white_inc=0.01))
    assert result.move in board.legal_moves and result.info["depth"] > 1
    moves = [skewer.Move.from_uci("a2a3"), skewer.Move.from_uci("h2h3")]
    assert engine.play(board, nodes=2_000, root_moves=moves).move in moves


def test_repetitions_are_known(engine):
    # White is a queen down and can only move to and fro; a repeated position is a draw.
    fen = "8/8/8/8/8/k7/1q6/3K4 w - - 0 1"
    assert engine.analyse(skewer.Board(fen), depth=6)["score"].white() < skewer.Cp(-300)
    # Black to move in a position that occurred before. `c2b2` leads back to another earlier position, and so gives away
    # the win.
    board = skewer.Board(fen)
    for uci in ("d1e1", "b2c2", "e1f1", "c2b2", "f1e1", "b2c2", "e1f1"):
        board.push_uci(uci)
    repeating = board.parse_uci("c2b2")
    drawn = engine.analyse(board, depth=2, root_moves=[repeating])["score"].black()
    fresh = engine.analyse(board.copy(stack=False), depth=2, root_moves=[repeating])
    assert drawn.score() < 100 < fresh["score"].black().score(mate_score=10_000)


def test_callback_and_iterator(engine):
    seen = []
    info = engine.analyse(skewer.Board(), depth=6, callback=seen.append)
    assert [line["depth"] for line in seen] == sorted(line["depth"] for line in seen)
    assert seen[-1]["pv"] == info["pv"]

    class Enough(Exception):
        pass

    def stop(line):
        raise Enough

    with pytest.raises(Enough):
        engine.analyse(skewer.Board(), time=60, callback=stop)
    with engine.analysis(skewer.Board()) as analysis:
        for line in analysis:
            if line["depth"] >= 5:
                break
        assert analysis.info["depth"] >= 5 and analysis.multipv[0]["pv"]
    assert analysis.wait()["depth"] >= 5
    depths = [line["depth"] for line in engine.analysis(skewer.Board(), depth=4)]
    assert depths and depths[-1] == 4
    # A search that is left running ends when the next one begins.
    left = engine.analysis(skewer.Board())
    assert engine.analyse(skewer.Board(), depth=3)["depth"] == 3
    assert left.wait() is not None


def test_chess960(engine):
    board = skewer.Board("4k3/8/8/8/8/8/4PPPP/4RK1R w HE - 0 1", chess960=True)
    for _ in range(3):
        result = engine.play(board, nodes=3_000)
        assert result.move in board.legal_moves
        board.push(result.move)


def test_wrong_arguments(engine):
    board = skewer.Board()
    for wrong in (
        {"nodes": 0}, {"depth": 0}, {"depth": -1}, {"time": -1.0}, {"time": float("nan")},
        {"multipv": 0}, {"multipv": 1000}, {"nodes": 100, "root_moves": []},
        {"nodes": 100, "root_moves": [skewer.Move.from_uci("e2e5")]},
    ):
        with pytest.raises(ValueError):
            engine.analyse(board, **wrong)
    with pytest.raises(OverflowError):
        engine.analyse(board, nodes=-1)
    for wrong in ({"threads": 0}, {"hash": 0}, {"hash": -5}, {"evaluation": "no/such.nnue"},
                  {"syzygy": "no/such/folder"}):
        with pytest.raises(ValueError):
            skewer.Engine(**wrong)
    with pytest.raises(skewer.EngineError):
        skewer.Engine(threads=100_000)
    with pytest.raises(TypeError):
        engine.analyse("startpos", nodes=100)
    with pytest.raises(TypeError):
        engine.analyse(board, 0.1)
    engine.close()
    with pytest.raises(skewer.EngineError, match="closed"):
        engine.analyse(board, nodes=100)


def test_damaged_tables_are_refused(tmp_path):
    # A table can have this length, but not these contents.
    (tmp_path / "KQvK.rtbw").write_bytes(bytes(80))
    with pytest.raises(ValueError, match="KQvK.rtbw"):
        skewer.Engine(syzygy=str(tmp_path))


def test_ctrl_c():
    """SIGINT ends a search that would go on for an hour. The script installs the handler itself,
    because a shell lets the commands that it starts in the background ignore SIGINT."""
    script = (
        "import signal, skewer\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "engine = skewer.Engine()\n"
        "try:\n"
        "    line = lambda info: print('searching', flush=True)\n"
        "    engine.analyse(skewer.Board(), time=3600, callback=line)\n"
        "except KeyboardInterrupt:\n"
        "    print(engine.analyse(skewer.Board(), depth=2)['depth'])\n"
    )
    run = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert run.stdout.readline() == "searching\n"
    run.send_signal(signal.SIGINT)
    output, _ = run.communicate(timeout=60)
    assert output.split()[-1] == "2" and run.returncode == 0


def test_python_threads_run_during_a_search():
    """A search of an hour is ended by another thread of Python, which needs the GIL to get there."""
    script = (
        "import os, signal, skewer, threading\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "searching = threading.Event()\n"
        "def end():\n"
        "    searching.wait()\n"
        "    print(sum(range(1_000_000)), flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "threading.Thread(target=end).start()\n"
        "try:\n"
        "    line = lambda info: searching.set()\n"
        "    skewer.Engine().analyse(skewer.Board(), time=3600, callback=line)\n"
        "except KeyboardInterrupt:\n"
        "    print('ended')\n"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert run.stdout.split() == ["499999500000", "ended"] and run.returncode == 0, run.stderr


def test_searches_of_two_threads_go_on_at_once():
    """Two equal searches meet at each of their lines: if one waited for the other to end, they never
    would. How much time it saves is measured by benches/threads.py."""
    meeting = threading.Barrier(2, timeout=120)
    depths = []

    def search():
        with skewer.Engine(hash=4) as engine:
            info = engine.analyse(
                skewer.Board(), nodes=100_000, callback=lambda info: meeting.wait()
            )
            depths.append(info["depth"])

    threads = [threading.Thread(target=search) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(depths) == 2 and depths[0] == depths[1] > 5


def test_one_engine_serves_threads_in_turn(engine):
    results = []
    threads = [
        threading.Thread(target=lambda: results.append(engine.analyse(skewer.Board(), depth=4)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [info["depth"] for info in results] == [4] * 4


def test_scores():
    order = [
        skewer.Mate(0), skewer.Mate(-1), skewer.Mate(-5), skewer.Cp(-100), skewer.Cp(0),
        skewer.Cp(30), skewer.Mate(5), skewer.Mate(1), skewer.MateGiven,
    ]
    assert sorted(reversed(order)) == order
    assert skewer.Cp(30).score() == 30 and skewer.Mate(3).score() is None
    assert skewer.Mate(3).score(mate_score=1000) == 997
    assert skewer.Mate(-3).score(mate_score=1000) == -997
    assert tuple(skewer.Mate(1).wdl()) == (1000, 0, 0) and tuple(skewer.Mate(0).wdl()) == (0, 0, 1000)
    assert repr(skewer.PovScore(skewer.Cp(5), skewer.BLACK)) == "PovScore(Cp(+5), BLACK)"
    for score in order:
        assert pickle.loads(pickle.dumps(score)) == score
        assert -(-score) == score and abs(score) >= score


def test_scores_equal_the_scores_of_python_chess():
    import chess.engine

    values = [("Cp", n) for n in (-500, 0, 30)] + [("Mate", n) for n in (-3, 0, 1, 7)]
    for kind, value in values:
        mine, theirs = getattr(skewer, kind)(value), getattr(chess.engine, kind)(value)
        assert repr(mine) == repr(theirs) and str(mine) == str(theirs)
        assert repr(-mine) == repr(-theirs)
        assert mine.score(mate_score=10_000) == theirs.score(mate_score=10_000)
        assert mine.mate() == theirs.mate()
        for other_kind, other in values:
            pair = getattr(skewer, other_kind)(other), getattr(chess.engine, other_kind)(other)
            assert (mine < pair[0]) == (theirs < pair[1])
