"""The commands that distributed testing frameworks use: bench on the command line, and genfens."""

import os
import re
import subprocess
import tempfile
from pathlib import Path

import chess

from checks.context import KIWIPETE, MIDDLEGAME
from openings import random_openings

# How long bench may take, in seconds.
BENCH = 60.0
# The times that the system counts for processes that have ended.
CHILDREN = ("children_user", "children_system")


def bench(context):
    """Two concurrent runs print the same node count, in time and in the form that the frameworks expect."""
    before = os.times()
    counts = []
    runs = [
        subprocess.Popen([context.path, "bench"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    for run in runs:
        out, err = run.communicate(timeout=10 * BENCH)
        assert run.returncode == 0 and not err, err
        last = out.decode().strip().splitlines()[-1]
        match = re.fullmatch(r"(\d+) nodes (\d+) nps", last)
        assert match and int(match[1]) > 0 and int(match[2]) > 0, last
        counts.append(int(match[1]))
    assert counts[0] == counts[1], counts
    after = os.times()
    # The CPU time of both, which other processes do not make longer.
    spent = sum(getattr(after, name) - getattr(before, name) for name in CHILDREN) / len(runs)
    print(f"    {counts[0]} nodes, {spent:.1f} s")
    assert spent < BENCH, f"{spent:.1f} s"


def genfens(context):
    """Openings are legal, equal for equal seeds, and different for different seeds; with a book too."""
    first = random_openings(context.path, 8, seed=7)
    assert first == random_openings(context.path, 8, seed=7)
    second = random_openings(context.path, 8, seed=8)
    assert not set(first) & set(second), "two seeds give the same openings"
    with tempfile.TemporaryDirectory() as folder:
        book = Path(folder, "book.epd")
        book.write_text(f"{MIDDLEGAME}\n{KIWIPETE}\n", encoding="ascii")
        from_book = random_openings(context.path, 8, seed=7, book=book)
        assert from_book == random_openings(context.path, 8, seed=7, book=book)
        assert from_book != random_openings(context.path, 8, seed=8, book=book)
    pieces = {chess.Board(fen).occupied.bit_count() for fen in (MIDDLEGAME, KIWIPETE)}
    for fen in first + second + from_book:
        assert chess.Board(fen).is_valid(), fen
    for fen in from_book:
        # The opening is a few moves after a position of the book, so at most a few pieces are captured.
        count = chess.Board(fen).occupied.bit_count()
        assert min(pieces) - 3 <= count <= max(pieces), fen
        assert fen.split()[0] not in (MIDDLEGAME.split()[0], KIWIPETE.split()[0]), fen
    missing = subprocess.run(
        [context.path, "genfens 2 seed 1 book /there/is/no.book", "quit"],
        capture_output=True,
        check=False,
    )
    assert missing.returncode != 0 and b"no.book" in missing.stdout, missing
