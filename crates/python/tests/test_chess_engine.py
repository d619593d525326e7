"""Engines in processes of their own, by `skewer.chess.engine`."""

import asyncio
import sys
from pathlib import Path

import pytest
import skewer.chess as chess
from skewer.chess import engine

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
