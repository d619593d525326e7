"""Runs every file in examples and every example in the docstrings, and checks its output."""

import doctest
import pathlib
import re
import subprocess
import sys

import pytest
import skewer
from conftest import DATA

CRATE = pathlib.Path(__file__).parents[1]
RECIPES = {path.stem: path.read_text("utf-8") for path in (CRATE / "examples").glob("*.py")}
MANUAL = CRATE.parents[1] / "docs" / "python.md"


def test_the_manual_lists_the_six_recipes():
    listed = re.findall(r"crates/python/examples/(\w+)\.py", MANUAL.read_text("utf-8"))
    assert sorted(listed) == sorted(RECIPES) and len(RECIPES) == 6


@pytest.mark.parametrize("name", RECIPES)
def test_recipe(name, tmp_path):
    # Only three games, because the recipes analyse every position.
    games = (DATA / "lichess.pgn").read_text("utf-8").split("\n\n[Event ")
    (tmp_path / "games.pgn").write_text("\n\n[Event ".join(games[:3]) + "\n", "utf-8")
    script = tmp_path / "recipe.py"
    script.write_text(RECIPES[name], "utf-8")
    run = subprocess.run(
        [sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert run.returncode == 0, run.stderr
    expected = {
        "blunders": r"(game \d+, move \d+: \S+\? better .*\n)*\[.*\]\n",
        "arrays": "",
        "tree": r"(\S+ \d+ \d+%\n)+",
        "notebook": r"#\+1 4\. Qxf7#\n(.*\n)+\d+ characters of SVG\n",
        "parquet": r"\d\d+ positions\n",
        "cluster": r"White lost \d+\.\d centipawns a move\n(.*\n)+",
    }
    assert re.fullmatch(expected[name], run.stdout), run.stdout
    if name == "arrays":
        import numpy as np

        shard = np.load(tmp_path / "shard-0000.npz")
        assert shard["planes"].shape[1:] == (12, 8, 8) and len(shard["result"]) > 100


def public():
    """All public objects with a docstring: (name, docstring)."""
    seen = set()
    for owner_name in dir(skewer):
        owner = getattr(skewer, owner_name)
        module = getattr(owner, "__module__", "") or ""
        if owner_name.startswith("_") or not module.startswith(("skewer", "builtins")):
            continue
        members = [(owner_name, owner)]
        if isinstance(owner, type):
            members += [(f"{owner_name}.{name}", value) for name, value in vars(owner).items()]
        for name, value in members:
            if name not in seen and getattr(value, "__doc__", None):
                seen.add(name)
                yield name, value.__doc__


def test_docstrings():
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
    examples = 0
    for name, text in public():
        test = parser.get_doctest(text, {"skewer": skewer, **vars(skewer)}, name, None, 0)
        examples += len(test.examples)
        runner.run(test)
    assert runner.summarize(verbose=False).failed == 0
    assert examples >= 30


def test_everything_public_is_documented():
    for kind in (skewer.Board, skewer.Move, skewer.Piece, skewer.SquareSet, skewer.LegalMoves,
                 skewer.Game, skewer.GameNode, skewer.Engine, skewer.Analysis, skewer.Positions):
        # The columns of Positions are documented by comments, because fields have no docstrings.
        columns = getattr(kind, "__dataclass_fields__", {})
        for name in dir(kind):
            if not name.startswith("_") and name not in columns:
                assert getattr(kind, name).__doc__, f"{kind}.{name}"


def test_pictures():
    board = skewer.Board()
    board.push_san("e4")
    picture = board._repr_svg_()
    assert picture == board._repr_html_() and picture.startswith("<svg ")
    assert picture.count("<g transform=") == 32
    import xml.etree.ElementTree as tree

    for text in (
        picture,
        skewer.svg.board(),
        skewer.svg.board(
            board,
            orientation=skewer.BLACK,
            lastmove=board.peek(),
            check=skewer.E8,
            arrows=[board.peek(), (skewer.A1, skewer.A1), (skewer.B1, skewer.C3, "#c00")],
            fill={skewer.D4: "rgba(0, 0, 0, 0.4)"},
            squares=[skewer.H8],
            size=200,
            coordinates=False,
        ),
        skewer.svg.piece(skewer.Piece.from_symbol("n")),
        skewer.Piece.from_symbol("Q")._repr_svg_(),
        skewer.SquareSet([1, 2])._repr_svg_(),
    ):
        tree.fromstring(text)
