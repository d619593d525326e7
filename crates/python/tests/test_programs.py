"""Statements as other people's programs have them do the same with `skewer.chess` as with python-chess.

`programs.txt` has them as text, each below a line that says what it is about. A statement is run twice, the second
time with the imports of `skewer.chess`; what it prints, the value of its last expression and the class of an
exception have to be the same.
"""

import ast
import contextlib
import io
import re
import sys
import types
from pathlib import Path

import chess
import pytest
import skewer.chess

PROGRAMS = Path(__file__).with_name("programs.txt")

# Statements that do not have the same answer, with the reason that the manual gives.
DOCUMENTED = {
    "turn assigned from a comparison of NumPy": "more is taken",
    "sets in arithmetic with integers": "more is taken",
    "updates with several arguments": "more is taken",
    "masks given as SquareSet": "more is taken",
    "scores as text and parts": "more is taken",
    "errors by kind of what is no text": "an argument of a wrong type raises TypeError",
    "svg by notebook": "pictures",
    "svg of None and baseboards": "pictures",
    "classes of squares in svg": "pictures",
    "visitor counting moves": "words that are no moves",
}


def programs():
    """The statements by title."""
    parts = re.split(r"^# (.*)\n", PROGRAMS.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2]))


def for_skewer(text):
    """A program with its imports of python-chess changed."""
    module = re.compile(r"\bchess\b(?=\.\w)")
    text = re.sub(r"^ *import .*$", lambda m: module.sub("skewer.chess", m[0]), text, flags=re.MULTILINE)
    return re.sub(r"^( *)from chess\b", r"\1from skewer.chess", text, flags=re.MULTILINE)


def answer(text, library):
    """What a program prints, and its last value or the class of its exception."""
    tree, printed = ast.parse(text), io.StringIO()
    space = {"__name__": "program", "chess": library}
    last = ast.Expression(tree.body.pop().value) if isinstance(tree.body[-1], ast.Expr) else None
    # Pickles find classes by the name of their module.
    sys.modules["program"] = types.ModuleType("program")
    with contextlib.redirect_stdout(printed):
        try:
            exec(compile(tree, "program", "exec"), space)
            value = repr(last and eval(compile(last, "program", "eval"), space))
        except Exception as error:
            value = type(error).__name__
    said = (printed.getvalue() + value).replace("skewer.chess", "chess")
    # Addresses of objects.
    return re.sub(r"0x[0-9a-f]{8,}", "0x", said)


def both(text):
    return answer(for_skewer(text), skewer.chess), answer(text, chess)


def is_for_this_python(text):
    """Whether this Python can read a program: `match` came with 3.10."""
    return sys.version_info >= (3, 10) or not re.search(r"^ *match .*:$", text, re.MULTILINE)


@pytest.mark.parametrize(
    "title",
    [title for title, text in programs().items() if title not in DOCUMENTED and is_for_this_python(text)],
)
def test_a_statement_does_the_same_as_with_python_chess(title):
    ours, theirs = both(programs()[title])
    assert ours == theirs


@pytest.mark.parametrize("title", DOCUMENTED)
def test_a_documented_difference_is_still_one(title):
    ours, theirs = both(programs()[title])
    assert ours != theirs, "the same now: take it off the list and out of the manual"


def test_there_are_statements_of_every_kind():
    found = programs()
    assert len(found) >= 300
    for part in ("pgn", "engine", "svg", "polyglot", "syzygy", "variant", "gaviota"):
        assert any(f"chess.{part}" in text for text in found.values()), part
