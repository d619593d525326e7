"""Runs every file in examples, every example in the docstrings and every block of the manual, and checks the output."""

import builtins
import doctest
import importlib.metadata
import inspect
import pathlib
import re
import shlex
import subprocess
import sys

import pytest
import skewer
import skewer.chess.engine
import skewer.chess.pgn
import skewer.chess.variant
import skewer.dask
from conftest import DATA

CRATE = pathlib.Path(__file__).parents[1]
ROOT = CRATE.parents[1]
RECIPES = {path.stem: path.read_text("utf-8") for path in (CRATE / "examples").glob("*.py")}
MANUAL = ROOT / "docs" / "python.md"
PAGES = [MANUAL, CRATE / "README.md"]


def blocks(page, language):
    """The blocks of code of a page."""
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text("utf-8"), flags=re.M | re.S)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_blocks_of_python_run_as_they_are_written(page, tmp_path):
    (tmp_path / "games.pgn").write_text((DATA / "lichess.pgn").read_text("utf-8"), "utf-8")
    # The file of games that the page names is compressed.
    import pyarrow

    with pyarrow.CompressedOutputStream(tmp_path / "games.pgn.zst", "zstd") as out:
        out.write((DATA / "lichess.pgn").read_bytes())
    found = blocks(page, "python")
    assert found
    for block in found:
        run = subprocess.run([sys.executable, "-c", block], cwd=tmp_path, capture_output=True, text=True, timeout=120)
        assert run.returncode == 0 and not run.stderr, run.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_of_installation_name_what_there_is(page):
    """The package and its extras, files of a release, and a target of make. `.ci/run` builds the wheel by the same
    commands."""
    extras = set(importlib.metadata.metadata("skewer-chess").get_all("Provides-Extra"))
    commands = 0
    for line in "".join(blocks(page, "sh")).splitlines():
        words = shlex.split(line, comments=True)
        if words[:2] == ["pip", "install"]:
            path, _, extra = words[2].rstrip("]").partition("[")
            # What `.ci/run dist` puts into a release.
            in_release = path in ("skewer_chess-VERSION-...whl", "skewer_chess-VERSION.tar.gz")
            assert (in_release or (ROOT / path / "pyproject.toml").is_file()) and {extra} - {""} <= extras, line
        else:
            assert words[0] == "make"
            subprocess.run(["make", "--dry-run", *words[1:]], cwd=ROOT, check=True, capture_output=True, timeout=300)
        commands += 1
    assert commands


# What a name before a dot stands for in the manual.
STANDS_FOR = {
    "skewer": [skewer],
    "chess": [skewer.chess],
    "board": [skewer.Board, skewer.chess.Board],
    "game": [skewer.Game],
    "positions": [skewer.Positions],
    "reader": [skewer.GameReader],
    "score": [skewer.chess.engine.PovScore],
}
# Where other names are looked for.
PLACES = [
    skewer, skewer.GameNode, skewer.Board, skewer.chess.Board, skewer.Analysis, skewer.AnalysedGames, skewer.Table,
    skewer.dask, skewer.chess, skewer.chess.engine, skewer.chess.variant, builtins,
]  # fmt: skip


def named(path):
    """What a name of the manual is, such as `board.perft` or `read_pgn`; None if nothing has the name."""
    first, *rest = path.strip(".").split(".")
    places, names = (STANDS_FOR[first], rest) if rest and first in STANDS_FOR else (PLACES, [first, *rest])
    for found in places:
        for name in names:
            found = getattr(found, name, None)
        if found is not None:
            return found
    return None


def test_calls_of_the_manual_exist_with_their_arguments():
    text = re.sub(r"^```.*?^```$", "", MANUAL.read_text("utf-8"), flags=re.M | re.S)
    calls = re.findall(r"`([\w.]+)\(([^`]*)\)`", text.replace("\n", " "))
    assert len(calls) > 40
    for path, arguments in calls:
        function = named(path)
        assert function is not None, path
        words = re.findall(r"(\w+)=", arguments)
        if words:
            unknown = set(words) - set(inspect.signature(function).parameters)
            assert not unknown, (path, unknown)


def test_figures_of_the_manual_are_those_of_the_tests():
    import test_lines
    import test_programs

    text = " ".join(MANUAL.read_text("utf-8").split())
    lines = test_lines.lines()
    differ = {title: found for title, found in lines.items() if title.startswith("differs:")}
    assert f"{len(test_programs.programs()):,} statements as programs have them" in text
    assert f"{sum(map(len, lines.values())):,} shorter ones" in text
    assert f"{len(test_programs.DOCUMENTED) + sum(map(len, differ.values())):,} of them differ" in text


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
