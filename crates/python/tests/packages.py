#!/usr/bin/env python3
"""Tests of other people's packages, run once with python-chess and once with `skewer.chess` in its place.

    packages.py [--small] [--wheel FILE] [NAME...]

Each package comes from the package index: its source distribution has the tests, and pip installs what it needs
into an environment of its own under `target/packages`. Nothing of it is part of this repository. A package whose
tests are not distributed, or do not run, is used by a program in `drivers` instead; each line that the program prints
counts as a test, which passes with python-chess, and passes with `skewer.chess` if the same line is printed. The table
at the end has the counts. The exit code is 1 if a test that passes with python-chess does not pass with
`skewer.chess`, unless it ends in the error that says that skewer does not have the rules of a variant.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import xml.etree.ElementTree as ET
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
TARGET = HERE.parents[2] / "target" / "packages"
# Games for the programs.
GAMES = HERE / "data" / "lichess.pgn"
PYTHON = TARGET / "venv" / "bin" / "python"

# Takes the place of `chess`, also in the programs that a test starts.
ALIAS = '''
import importlib, importlib.abc, importlib.util, sys

class Alias(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        if name == "chess" or name.startswith("chess."):
            return importlib.util.spec_from_loader(name, self)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        sys.modules[module.__name__] = importlib.import_module("skewer." + module.__name__)

sys.meta_path.insert(0, Alias())
'''


# What the error says that a test may end in.
VARIANT = "skewer has no rules of"


class Package:
    """A package of the index: its version, what its tests need, where they are and how they are run.

    Without tests, its program in `drivers` is run, with the package from its wheel.
    """

    def __init__(self, version, needs, tests=(), *, small=False, path=".", options=()):
        self.version, self.needs, self.tests, self.small = version, needs, tests, small
        self.path, self.options = path, options


PACKAGES = {
    "chess-features": Package("0.5.0", ["numpy"], ["test"], small=True),
    "chess-to-sqlite": Package("0.1.0", ["click", "sqlite-utils"], ["tests"], small=True),
    "chesstree": Package("2026.1", ["typing_extensions"], ["tests"], small=True, path="src"),
    "chess-game-analyzer": Package(
        "0.1.2", ["requests", "fastapi", "uvicorn", "httpx"], ["tests"], path="src"
    ),
    "chess-puzzler": Package("0.1.1", ["tqdm", "click"], ["tests"], path="src"),
    "cli-chess": Package(
        "1.8.0", ["berserk==0.14.0", "prompt-toolkit==3.0.53"], ["src/cli_chess/tests"], path="src"
    ),
    # Its other tests need files that the source distribution does not have.
    "pgn-postmortem": Package(
        "2.0.0", [], ["tests"], path="src", options=["--continue-on-collection-errors"]
    ),
    "chess-detect": Package("0.2.1", [], ["tests"]),
    "player-prepper": Package("0.1.2", ["requests", "fastapi", "uvicorn", "httpx"], ["tests"]),
    "repertoire-creator": Package("0.1.2", ["requests", "fastapi", "uvicorn", "httpx"], ["tests"]),
    "rookforge-ml": Package("0.1.1", ["numpy"], ["tests"], path="src"),
    "chess-utils": Package("0.1.19", ["pydantic", "lazy-loader", "haskellian"]),
    "gifpgn": Package("1.2.1", ["pillow"]),
    "gym-chess": Package("0.1.1", ["numpy", "gym==0.26.2"]),
    "pgn2data": Package("0.0.11", ["pandas"]),
    "reconchess": Package("1.6.9", ["requests"]),
    "sunfish": Package("2026.1", []),
    "pettingzoo": Package(
        "1.27.0", ["numpy", "gymnasium", "pygame"], ["pettingzoo/classic/chess/test_chess.py"]
    ),
}


def run(*command, **more):
    return subprocess.run([str(word) for word in command], check=True, **more)


def prepare(wheel):
    """The environment, with python-chess, pytest and skewer."""
    if not PYTHON.exists():
        run(sys.executable, "-m", "venv", TARGET / "venv")
        run(PYTHON, "-m", "pip", "install", "-q", "pytest", "chess==1.11.2", "numpy")
    if wheel:
        run(PYTHON, "-m", "pip", "install", "-q", "--force-reinstall", "--no-deps", wheel)
    alias = TARGET / "alias"
    alias.mkdir(parents=True, exist_ok=True)
    (alias / "sitecustomize.py").write_text(ALIAS)


def source(name, package):
    """The unpacked source distribution; of a package without tests, the unpacked wheel."""
    written = name.replace("-", "_")
    folders = [TARGET / f"{form}-{package.version}" for form in (name, written)]
    if not any(folder.is_dir() for folder in folders):
        kind = "--no-binary" if package.tests else "--only-binary"
        at = ["--dest", TARGET, kind, name, f"{name}=={package.version}"]
        run(PYTHON, "-m", "pip", "download", "-q", "--no-deps", *at)
        ending = ".tar.gz" if package.tests else "-*.whl"
        (archive,) = [path for form in {name, written} for path in TARGET.glob(f"{form}-{package.version}{ending}")]
        if package.tests:
            with tarfile.open(archive) as files:
                files.extractall(TARGET)
        else:
            with zipfile.ZipFile(archive) as files:
                files.extractall(folders[0])
    return next(folder for folder in folders if folder.is_dir())


def outcomes(name, package, place):
    """The result of each test, with python-chess or with skewer.chess in its place."""
    # A copy for each, since tests leave files.
    copy = TARGET / f"{name}-{place}"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(source(name, package), copy)
    path = [copy / package.path, *([TARGET / "alias"] if place == "skewer.chess" else [])]
    path += [os.environ["SKEWER_PATH"]] if "SKEWER_PATH" in os.environ else []
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path)), "CI": "", "GAMES": str(GAMES)}
    env.update(PYTHONDONTWRITEBYTECODE="1", PYTHONHASHSEED="0")
    try:
        return (tests if package.tests else printed)(name, package, place, copy, env)
    finally:
        shutil.rmtree(copy)


def tests(name, package, place, copy, env):
    """The outcome of each test of a package."""
    report, log = TARGET / f"{name}-{place}.xml", TARGET / f"{name}-{place}.log"
    report.unlink(missing_ok=True)
    command = [PYTHON, "-m", "pytest", "-q", "--tb=short", "-p", "no:cacheprovider", "-o", "addopts="]
    command += [f"--junitxml={report}", *package.options, *package.tests]
    with log.open("w") as out:
        subprocess.run(command, cwd=copy, env=env, stdout=out, stderr=out, timeout=1800)
    if not report.exists():
        sys.exit(f"{name} with {place}: no test ran, see {log}")
    found = {}
    for case in ET.parse(report).iter("testcase"):
        kind = "passed"
        for child in case:
            if child.tag in ("failure", "error", "skipped"):
                kind = VARIANT if VARIANT in (child.get("message") or "") else child.tag
        found[f"{case.get('classname')}.{case.get('name')}"] = kind
    return found


def printed(name, package, place, copy, env):
    """The lines that the program for a package prints; with skewer.chess, whether each is the same line."""
    program, log = HERE / "drivers" / f"use_{name.replace('-', '_')}.py", TARGET / f"{name}-{place}.log"
    with log.open("w") as out:
        done = subprocess.run([PYTHON, program], cwd=copy, env=env, stdout=out, stderr=subprocess.PIPE, timeout=1800)
    if done.returncode and place == "chess":
        sys.exit(f"{name} with {place}: {done.stderr.decode()}")
    lines = log.read_text().splitlines()
    theirs = lines if place == "chess" else (TARGET / f"{name}-chess.log").read_text().splitlines()
    same = [at < len(lines) and lines[at] == line for at, line in enumerate(theirs)]
    if done.returncode or len(lines) != len(theirs):
        same[-1] = False
    return {f"line {at + 1}": "passed" if equal else "failure" for at, equal in enumerate(same)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*", help="packages, by default all")
    parser.add_argument("--small", action="store_true", help="only packages that take seconds")
    parser.add_argument("--wheel", help="the wheel of skewer that is installed first")
    options = parser.parse_args()
    prepare(options.wheel)
    chosen = {
        name: package
        for name, package in PACKAGES.items()
        if (name in options.names or not options.names) and (package.small or not options.small)
    }
    lines, worse = [], []
    for name, package in chosen.items():
        run(PYTHON, "-m", "pip", "install", "-q", *package.needs) if package.needs else None
        theirs = outcomes(name, package, "chess")
        ours = outcomes(name, package, "skewer.chess")
        passed = [sum(kind == "passed" for kind in all.values()) for all in (theirs, ours)]
        other = {test for test in theirs if theirs[test] == "passed" != ours.get(test)}
        bad = {test: ours.get(test) for test in sorted(other) if ours.get(test) != VARIANT}
        worse += [f"{name}: {test}: {outcome}" for test, outcome in bad.items()]
        if not passed[0]:
            worse.append(f"{name}: no test passes with python-chess")
        variants = len(other) - len(bad)
        lines.append(f"| {name} {package.version} | {len(theirs)} | {passed[0]} | {passed[1]} | {variants} |")
        print(lines[-1], flush=True)
    print("\n| package | tests | pass with chess | pass with skewer.chess | need variants |\n|---|---|---|---|---|")
    print("\n".join(lines))
    print("\n".join(worse))
    return bool(worse)


if __name__ == "__main__":
    sys.exit(main())
