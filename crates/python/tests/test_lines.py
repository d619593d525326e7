"""Statements of one line, and the names and arguments of every function, are the same as in python-chess.

`lines.txt` has the statements. They stand below headings; a heading that begins with `differs:` gives the reason why
the statements below it may not have the same answer. A line that begins with `| ` goes on with the statement above it.
"""

import gc
import importlib
import inspect
import re
import typing
from pathlib import Path

import chess
import chess.engine
import chess.gaviota
import chess.pgn
import chess.polyglot
import chess.svg
import chess.syzygy
import chess.variant
import pytest
import skewer.chess
import skewer.chess.engine
import skewer.chess.gaviota
import skewer.chess.pgn
import skewer.chess.polyglot
import skewer.chess.svg
import skewer.chess.syzygy
import skewer.chess.variant
from test_programs import answer

MODULES = ["", ".pgn", ".engine", ".polyglot", ".svg", ".syzygy", ".variant"]

BEFORE = """
import asyncio, io, sys
import numpy as np
ENGINE = [sys.executable, {engine!r}]
""".format(engine=str(Path(__file__).with_name("data") / "uci_engine.py"))


def lines():
    """The statements by heading."""
    parts = re.split(r"^# (.*)\n", Path(__file__).with_name("lines.txt").read_text(encoding="utf-8"), flags=re.M)
    return {
        title: [line.replace("\n| ", "\n") for line in re.split(r"\n(?!\| )", text.strip())]
        for title, text in zip(parts[1::2], parts[2::2])
    }


def both(line):
    try:
        return answer(BEFORE + line, skewer.chess), answer(BEFORE + line, chess)
    finally:
        if "SimpleEngine" in line:
            close_engines()


def close_engines():
    """Ends the engines that statements have left when they failed: their threads keep Python from exiting."""
    for found in gc.get_objects():
        if type(found) in (chess.engine.SimpleEngine, skewer.chess.engine.SimpleEngine):
            found.close()


def parts():
    """The statements in parts of twenty, so that no test takes long."""
    for title, found in lines().items():
        for at in range(0, len(found), 20):
            yield pytest.param(title, found[at : at + 20], id=f"{title}, {at}")


@pytest.mark.parametrize("title, statements", list(parts()))
@pytest.mark.filterwarnings("ignore")
def test_a_line_has_the_same_answer(title, statements):
    for line in statements:
        ours, theirs = both(line)
        if title.startswith("differs:"):
            assert ours != theirs, f"the same now: move it to the other statements: {line}"
        else:
            assert ours == theirs, line


def test_there_are_many_lines():
    assert sum(len(found) for title, found in lines().items() if not title.startswith("differs:")) >= 750


# Functions that are missing or have other arguments: inner parts of engines and tables, XBoard and Crazyhouse, and
# operations of sets that take several sets.
OTHER = re.compile(
    r"""XBoard|Table\.|^Protocol\.|communicate|^BaseCommand|CommandState|override|Crazyhouse|Tablebase\.s?probe_(ab|capts)
    |offdiag|flipdiag|test45|binom|recalc_key|subfactor|PairsData|PawnFileData|SquareSet\.(symmetric_)?difference_update
    """,
    re.VERBOSE,
)
VARIANTS = {cls.__name__ for cls in chess.variant.VARIANTS} - {"Board"}


def arguments(function):
    """Each argument's name, kind (such as keyword-only) and default; None if Python does not know the arguments."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    # `self` is left out: whether Python lists it depends on how the method is made.
    return [(p.name, p.kind.name, shown(p.default)) for p in parameters if p.name != "self"]


def shown(default):
    """A default as text, in which an empty tuple is written as an empty list."""
    text = re.sub(r" at 0x[0-9a-f]+", "", repr(default).replace("skewer.", ""))
    return "[]" if text == "()" else text


def functions():
    """The public functions and methods of python-chess, each as both libraries have it."""
    for end in MODULES:
        ours_of, theirs_of = (importlib.import_module(f"{of}chess{end}") for of in ("skewer.", ""))
        for name, theirs in vars(theirs_of).items():
            if name.startswith("_") or getattr(theirs, "__module__", "") != f"chess{end}" or name in VARIANTS:
                continue
            ours = getattr(ours_of, name, None)
            if callable(theirs):
                yield name, ours, theirs
            if inspect.isclass(theirs):
                for method in vars(theirs):
                    if method[0] != "_" and callable(getattr(theirs, method)):
                        yield f"{name}.{method}", getattr(ours, method, None), getattr(theirs, method)


def test_functions_have_the_arguments_of_python_chess():
    wrong = [
        (name, ours and arguments(ours), arguments(theirs))
        for name, ours, theirs in functions()
        if not OTHER.search(name) and (ours is None or arguments(ours) != arguments(theirs))
    ]
    assert not wrong


def test_functions_and_methods_of_boards_have_the_names_of_python_chess():
    """Messages, pickles and `help` print them. They do not say in which file of the package a function is."""
    for name, ours, theirs in functions():
        cls, dot, _ = name.partition(".")
        # In python-chess `push_xboard` is another name of `push_san`.
        of_boards = not dot or cls in ("Board", "BaseBoard", "Move", "Piece", "SquareSet")
        if of_boards and inspect.isroutine(ours) and name != "Board.push_xboard":
            assert ours.__qualname__ == theirs.__qualname__
            assert "._" not in (getattr(ours, "__module__", None) or ""), (name, ours.__module__)


def test_methods_that_are_printed_as_methods_of_a_class_are_found_there():
    for name in dir(chess.Board):
        if not name.startswith("_") and name in vars(chess.Board):
            assert name in vars(skewer.chess.Board), name


def test_annotations_of_classes_can_be_evaluated():
    """Libraries that make dataclasses of JSON, or check types, ask for them."""
    wrong = []
    for name, ours, theirs in functions():
        if inspect.isclass(ours) and not name.endswith("Table"):
            try:
                lacks = set(typing.get_type_hints(theirs)) - set(typing.get_type_hints(ours))
            except NameError as error:
                lacks = error
            if lacks:
                wrong.append((name, lacks))
    assert not wrong


def test_a_method_of_a_move_cannot_be_replaced_in_vain():
    move, piece = skewer.chess.Move(12, 28), skewer.chess.Piece(1, True)
    for found, name in ((move, "uci"), (move, "from_uci"), (piece, "symbol")):
        with pytest.raises(AttributeError, match="a subclass may override it"):
            setattr(found, name, None)
    move.note = 3
    assert move.note == 3


def test_python_reads_names_of_the_module_without_a_hook():
    """With a function `__getattr__` of the module, every use of `chess.WHITE` takes longer."""
    assert "__getattr__" not in vars(skewer.chess)
