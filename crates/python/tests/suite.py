#!/usr/bin/env python3
"""python-chess's own test suite, run on `skewer.chess`, with `chess` not importable.

The suite is under the GPL and no part of this repository: it is fetched with pip from the source
distribution, once, into the build folder, and its imports are rewritten in a temporary folder.

    suite.py [NAME...]    runs all tests, or those whose `Class.test` contains a name, with tracebacks
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

VERSION = "1.11.2"
CACHE = Path(__file__).resolve().parents[3] / "target" / "python-chess"
# Modules of python-chess that `skewer.chess` does not implement.
MISSING = ("gaviota", "variant")

RUN = """
import importlib.abc, json, sys, unittest

class Blocked(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == "chess" or name.startswith("chess."):
            raise ImportError(f"{name} is blocked")

sys.meta_path.insert(0, Blocked())
import suite

class Result(unittest.TextTestResult):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.outcomes = {}
    def note(self, test, outcome):
        name = f"{type(test).__name__}.{test._testMethodName}"
        self.outcomes[name] = outcome
    def addSuccess(self, test):
        super().addSuccess(test)
        self.note(test, "passed")
    def addFailure(self, test, error):
        super().addFailure(test, error)
        self.note(test, f"{error[0].__name__}: {error[1]}")
    addError = addFailure
    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.note(test, f"skipped: {reason}")

wanted, report = sys.argv[2:], sys.argv[1]
tests = unittest.TestSuite()
def collect(group):
    for test in group:
        if isinstance(test, unittest.TestSuite):
            collect(test)
        elif not wanted or any(name in f"{type(test).__name__}.{test._testMethodName}" for name in wanted):
            tests.addTest(test)
collect(unittest.defaultTestLoader.loadTestsFromModule(suite))
result = unittest.TextTestRunner(resultclass=Result).run(tests)
json.dump(result.outcomes, open(report, "w"))
"""


def source() -> Path:
    """The unpacked source distribution."""
    folder = CACHE / f"chess-{VERSION}"
    if not (folder / "test.py").exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        archive = CACHE / f"chess-{VERSION}.tar.gz"
        if not archive.exists():
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
            command += ["--no-binary", ":all:", "--dest", str(CACHE), f"chess=={VERSION}"]
            subprocess.run(command, check=True)
        with tarfile.open(archive) as files:
            files.extractall(CACHE)
    return folder


def run(names=(), quiet=True):
    """The outcome of each test by `Class.test`: "passed", or why not."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text = (source() / "test.py").read_text(encoding="utf-8")
        # Decorators name an exception of the missing modules. Stand-ins for the modules have that exception alone.
        absent = r'chess.\1 = type("absent", (), {"MissingTableError": type("None_", (Exception,), {})})'
        text = re.sub(rf"(?m)^import chess\.({'|'.join(MISSING)})$", absent, text)
        text = re.sub(r"(?m)^import chess\.(\w+)$", r"import skewer.chess.\1", text)
        text = re.sub(r"(?m)^import chess$", "import skewer.chess as chess", text)
        (folder / "suite.py").write_text(text, encoding="utf-8")
        (folder / "run.py").write_text(RUN, encoding="utf-8")
        shutil.copytree(source() / "data", folder / "data")
        output = subprocess.PIPE if quiet else None
        command = [sys.executable, "run.py", "report.json", *names]
        done = subprocess.run(command, cwd=folder, stdout=output, stderr=output, text=True)
        report = folder / "report.json"
        if not report.exists():
            raise RuntimeError(f"the suite does not run:\n{done.stderr or ''}")
        return json.loads(report.read_text())


if __name__ == "__main__":
    os.environ.setdefault("PYTHONWARNINGS", "default")
    outcomes = run(sys.argv[1:], quiet=False)
    classes = {}
    for test, outcome in outcomes.items():
        count = classes.setdefault(test.split(".")[0], [0, 0])
        count[0] += outcome == "passed"
        count[1] += 1
    for name, (passed, all_of_them) in classes.items():
        print(f"{name:30} {passed:3} of {all_of_them:3}")
    print(f"{'all':30} {sum(c[0] for c in classes.values()):3} of {len(outcomes):3}")
