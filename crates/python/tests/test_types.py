"""The type stubs agree with the package, and a typed script passes a strict check."""

import subprocess
import sys

import pytest
from test_docs import RECIPES

SCRIPT = """
import skewer

board = skewer.Board(skewer.STARTING_FEN, chess960=False)
move: skewer.Move = board.parse_san("e4")
square: int = move.to_square + skewer.E4
piece = board.piece_at(skewer.E2)
if piece is not None:
    symbol: str = piece.symbol()
outcome = board.outcome(claim_draw=True)
if outcome is not None:
    winner = outcome.winner
for game in skewer.read_pgn("games.pgn"):
    name: str = game.headers["White"]
    for node in game.mainline():
        clock = node.clock()
info = skewer.Engine(threads=1).analyse(board, nodes=100)
lines = skewer.Engine().analyse(board, skewer.Limit(depth=3), multipv=2)
first = lines[0]
for record in skewer.analyse_games("games.pgn", nodes=100):
    label = record.moves[0].label

import skewer.chess as chess
import skewer.chess.engine
import skewer.chess.pgn

tree = chess.pgn.read_game(open("games.pgn"))
with chess.engine.SimpleEngine.popen_uci(["engine"]) as other:
    depth: int = other.analyse(chess.Board(), chess.engine.Limit(time=1)).get("depth", 0)
    best = other.analyse(chess.Board(), chess.engine.Limit(time=1), multipv=2)[0].get("pv")
    if tree is not None:
        reply = other.play(tree.board(), limit=chess.engine.Limit(nodes=1), ponder=True).move
"""


def run(*arguments, cwd=None):
    result = subprocess.run(
        [sys.executable, "-m", *arguments], capture_output=True, text=True, cwd=cwd, timeout=300
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_stubs_agree_with_the_module(tmp_path):
    # What PyO3 adds by itself, and a module that stubs can only write as a class.
    allowed = tmp_path / "allowed"
    allowed.write_text("skewer._skewer.__all__\nskewer._skewer.SquareSet.__r[lr]shift__\nskewer._skewer.loose\n")
    options = ["--concise", "--ignore-disjoint-bases", "--allowlist", str(allowed)]
    run("mypy.stubtest", "skewer._skewer", "skewer.svg", *options, cwd=tmp_path)


def test_a_typed_script(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    run("mypy", "--strict", "script.py", cwd=tmp_path)
    run("pyright", "--pythonpath", sys.executable, "script.py", cwd=tmp_path)


@pytest.mark.parametrize("name", RECIPES)
def test_recipes_are_typed(name, tmp_path):
    (tmp_path / "recipe.py").write_text(RECIPES[name], "utf-8")
    (tmp_path / "pyrightconfig.json").write_text('{"reportMissingImports": "none"}')
    # Types of Dask's own are missing or wrong.
    dask = "dask" in RECIPES[name]
    options = ["--allow-untyped-calls"] if dask else []
    run("mypy", "--strict", "--ignore-missing-imports", *options, "recipe.py", cwd=tmp_path)
    if not dask:
        run("pyright", "--pythonpath", sys.executable, "recipe.py", cwd=tmp_path)


def test_the_types_of_the_interface_of_python_chess(tmp_path):
    run("mypy", "--strict", "-p", "skewer.chess", cwd=tmp_path)
