"""Scripts written for python-chess print the same with `skewer.chess`; docs/python-scripts.md lists them."""

import pathlib
import re
import shutil
import subprocess
import sys

import pytest
from conftest import DATA

HERE = pathlib.Path(__file__).parent
PAGE = HERE.parents[2] / "docs" / "python-scripts.md"
TABLES = HERE.parents[1] / "syzygy" / "tests" / "data"
SCRIPTS = {path.stem: path.read_text("utf-8") for path in (HERE / "scripts").glob("*.py")}


def ported(script):
    """The script with its imports changed, and nothing else."""
    script = re.sub(r"(?m)^import chess\.(\w+)$", r"import skewer.chess.\1", script)
    return re.sub(r"(?m)^import chess$", "import skewer.chess as chess", script)


def test_the_page_lists_every_script():
    listed = re.findall(r"\(\.\./crates/python/tests/scripts/(\w+)\.py\)", PAGE.read_text("utf-8"))
    assert len(SCRIPTS) == 15 and sorted(listed) == sorted(SCRIPTS)


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_output_is_the_same(name, tmp_path):
    theirs, mine = SCRIPTS[name], ported(SCRIPTS[name])
    outputs = []
    for folder, script in (("mine", mine), ("theirs", theirs)):
        place = tmp_path / folder
        place.mkdir()
        shutil.copy(DATA / "lichess.pgn", place / "games.pgn")
        shutil.copy(DATA / "annotated.pgn", place)
        (place / "tables").symlink_to(TABLES)
        (place / "script.py").write_text(script, "utf-8")
        command = [sys.executable, "script.py", sys.executable, str(HERE / "fake_engine.py")]
        done = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        outputs.append(done.stdout)
    assert len(outputs[1]) > 50
    assert outputs[0] == outputs[1]
    assert "skewer" in mine and "skewer" not in theirs
