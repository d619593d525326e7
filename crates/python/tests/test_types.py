"""The type stubs agree with the package, and a typed script passes a strict check."""

import subprocess
import sys

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
"""


def run(*arguments, cwd=None):
    result = subprocess.run(
        [sys.executable, "-m", *arguments], capture_output=True, text=True, cwd=cwd, timeout=300
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_stubs_agree_with_the_module(tmp_path):
    # What PyO3 adds by itself.
    allowed = tmp_path / "allowed"
    allowed.write_text("skewer._skewer.__all__\nskewer._skewer.SquareSet.__r[lr]shift__\n")
    options = ["--concise", "--ignore-disjoint-bases", "--allowlist", str(allowed)]
    run("mypy.stubtest", "skewer._skewer", "skewer.svg", *options, cwd=tmp_path)


def test_a_typed_script(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    run("mypy", "--strict", "script.py", cwd=tmp_path)


def test_the_types_of_the_interface_of_python_chess(tmp_path):
    run("mypy", "--strict", "-p", "skewer.chess", cwd=tmp_path)
