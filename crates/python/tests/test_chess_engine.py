"""Engines in processes of their own, by `skewer.chess.engine`."""

import asyncio
import sys
from pathlib import Path

import pytest
import skewer.chess as chess
from skewer.chess import engine
from skewer.chess.engine._info import parse_info

COMMAND = [sys.executable, str(Path(__file__).with_name("fake_engine.py"))]


def test_a_game_an_analysis_and_the_end():
    with engine.SimpleEngine.popen_uci(COMMAND, timeout=60) as fake:
        assert fake.id["name"] == "Fake" and fake.options["hash"].max == 64
        fake.configure({"Hash": 32})
        with pytest.raises(engine.EngineError):
            fake.configure({"Hash": 65})
        board = chess.Board()
        for _ in range(6):
            result = fake.play(board, engine.Limit(nodes=1), ponder=True, info=engine.INFO_ALL)
            assert board.is_legal(result.move) and result.info["pv"][0] == result.move
            board.push(result.move)
        info = fake.analyse(board, engine.Limit(depth=1))
        assert info["score"].white() == engine.Cp(13) and info["nodes"] == 7
        with fake.analysis(board) as analysis:
            assert next(analysis)["depth"] == 1
        assert analysis.wait().move == info["pv"][0] and analysis.next() is None
        fake.quit()
    with pytest.raises(engine.EngineTerminatedError):
        fake.ping()


def test_asyncio():
    async def main():
        _, fake = await engine.popen_uci(COMMAND)
        board = chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
        with await fake.analysis(board, engine.Limit(depth=1)) as analysis:
            infos = [info async for info in analysis]
        best = (await fake.play(board, engine.Limit(time=0.1))).move
        await fake.quit()
        return infos, best

    infos, best = asyncio.run(main())
    assert len(infos) == 1 and infos[0]["pv"][0] == best


def test_a_program_that_is_not_there():
    with pytest.raises(FileNotFoundError):
        engine.SimpleEngine.popen_uci("/no/such/engine")


def scripted(on_go):
    """The command of an engine that answers `go` by these statements."""
    script = f"""
import sys
def say(text):
    print(text, flush=True)
for line in sys.stdin:
    word = line.split()[0]
    if word == "uci":
        say("id name Scripted\\nuciok")
    elif word == "isready":
        say("readyok")
    elif word == "go":
        {on_go}
    elif word == "quit":
        break
"""
    return [sys.executable, "-c", script]


@pytest.mark.parametrize(
    "on_go",
    [
        "say('info string ' + 'x' * 10_000_000)",
        "sys.stdout.write('bestmove ' + 'e2e4 ' * 2_000_000); sys.stdout.flush(); sys.stdin.read()",
        "say('bestmove e2e4' + ' ' * (engine_limit - 12))".replace("engine_limit", str(1 << 16)),
    ],
    ids=["with an end", "without an end", "a byte too many"],
)
def test_lines_have_a_greatest_length(on_go):
    """A longer line is an error and ends the engine: it does not fill the memory."""
    with engine.SimpleEngine.popen_uci(scripted(on_go), timeout=60) as hostile:
        with pytest.raises(engine.EngineError, match="line of more than 65536 bytes"):
            hostile.play(chess.Board(), engine.Limit(time=60))
        with pytest.raises(engine.EngineTerminatedError):
            hostile.ping()
        assert isinstance(hostile.returncode.result(timeout=60), int)


def test_a_line_may_be_as_long_as_the_limit():
    on_go = "say('bestmove e2e4' + ' ' * (65536 - 14))"
    with engine.SimpleEngine.popen_uci(scripted(on_go), timeout=60) as fake:
        assert fake.play(chess.Board(), engine.Limit(time=60)).move == chess.Move.from_uci("e2e4")


def test_a_flood_of_lines_ends_the_engine():
    """Without a limit, an engine that never answers would fill the memory."""
    on_go = "[say('info string ' + 'x' * 60_000) for _ in iter(int, 1)]"
    with engine.SimpleEngine.popen_uci(scripted(on_go), timeout=60) as hostile:
        with pytest.raises(engine.EngineError, match="more than 4 MiB a second"):
            hostile.play(chess.Board(), engine.Limit(nodes=1))


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), "1\nquit", "x", [1]])
def test_a_limit_that_is_no_number_is_an_error_before_the_search(value):
    """The engine is as ready for the next question as before."""
    with engine.SimpleEngine.popen_uci(COMMAND, timeout=60) as fake:
        for name in ("time", "depth", "nodes", "mate", "white_clock", "black_inc"):
            for ask in (fake.play, fake.analyse, fake.analysis):
                with pytest.raises((ValueError, OverflowError, TypeError)):
                    ask(chess.Board(), engine.Limit(**{name: value}))
        assert fake.play(chess.Board(), engine.Limit(depth=1)).move


def test_root_moves_that_are_no_moves_are_an_error_before_the_search():
    with engine.SimpleEngine.popen_uci(COMMAND, timeout=60) as fake:
        with pytest.raises((TypeError, ValueError, AttributeError)):
            fake.play(chess.Board(), engine.Limit(depth=1), root_moves=["e2e4\nquit", 3])
        assert fake.play(chess.Board(), engine.Limit(depth=1)).move


@pytest.mark.parametrize(
    "item", ["depth nan", "depth inf", "nodes 1e5", "time " + "9" * 400, "seldepth " + "9" * 5000,
             "score cp nan", "score cp 9999999999999999999999", "score mate -inf", "wdl nan 1 1",
             "wdl 99999999999999999999 0 0", "currline " + "9" * 400 + " d2d4", "pv e2e5"]
)  # fmt: skip
def test_a_number_that_is_impossible_is_passed_over(item):
    """The rest of the line counts, and the search goes on to its answer."""
    info = parse_info(f"{item} tbhits 7", chess.Board())
    assert info == {"tbhits": 7}
    on_go = f"say('info {item} tbhits 7'); say('bestmove e2e4')"
    with engine.SimpleEngine.popen_uci(scripted(on_go), timeout=60) as hostile:
        assert hostile.analyse(chess.Board(), engine.Limit(time=60)) == {"tbhits": 7}


def test_a_number_of_lines_that_no_position_has_is_refused(caplog):
    """A list of so many lines would fill the memory."""
    on_go = "say('info multipv 999999999999 depth 1'); say('info multipv 2 depth 3'); say('bestmove e2e4')"
    with engine.SimpleEngine.popen_uci(scripted(on_go), timeout=60) as hostile:
        with hostile.analysis(chess.Board(), engine.Limit(time=60)) as analysis:
            analysis.wait()
            assert analysis.multipv == [{}, {"multipv": 2, "depth": 3}]
    assert "no search has so many lines" in caplog.text


def test_a_line_that_cannot_be_handled_ends_the_engine():
    """The caller would wait for an answer that was lost."""

    class Faulty(engine.UciProtocol):
        def line_received(self, line):
            if line.startswith("bestmove"):
                raise ZeroDivisionError("by a test")
            super().line_received(line)

    with engine.SimpleEngine.popen(Faulty, scripted("say('bestmove e2e4')"), timeout=60) as faulty:
        with pytest.raises(engine.EngineError, match="cannot handle the line"):
            faulty.play(chess.Board(), engine.Limit(nodes=1))


def test_the_standard_error_of_an_engine_cannot_control_the_terminal(caplog):
    """Without a handler, `logging` prints to the terminal. A line without an end is logged in pieces."""
    on_go = (
        "print('\\x1b[31m', 'x' * 1_000_000, end='', file=sys.stderr, flush=True); "
        "print('\\n\\u202ered', file=sys.stderr, flush=True); say('bestmove e2e4')"
    )
    with engine.SimpleEngine.popen_uci(scripted(on_go), timeout=60) as fake:
        fake.play(chess.Board(), engine.Limit(time=60))
        fake.quit()
    assert r"\x1b[31m" in caplog.text and r"\u202ered" in caplog.text
    assert not set("\x1b\u202e") & set(caplog.text)
    assert 1_000_000 <= caplog.text.count("x") and len(caplog.records) > 2
