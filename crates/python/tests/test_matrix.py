"""Every public function and method, with every kind of argument, answers as python-chess does, or says that it cannot.

An exception where python-chess has an answer, or the reverse, is not a silent fault; `test_lines.py` has the ones that
programs meet. Here two answers to the same call may not differ. What Python itself does with
objects, such as copies and pickles, has the same answer or the same exception.
"""

import copy
import dataclasses
import inspect
import io
import json
import pickle
import random
import re
import weakref

import chess
import chess.engine
import chess.pgn
import chess.polyglot
import chess.svg
import chess.syzygy
import numpy as np
import pytest
import skewer.chess
import skewer.chess.engine
import skewer.chess.pgn
import skewer.chess.polyglot
import skewer.chess.svg
import skewer.chess.syzygy

ARGUMENTS = """
0 1 3 12 28 63 64 -1 -65 100 True False None 'e4' 'e2e4' 'Nf3' 'x' '' 3.5 [] [1,2] (1,2) {1} {} b'e4' 'w'
chess.Move(12,28) chess.Move(12,60) chess.Move.null() chess.Move(48,56,5) chess.Move.from_uci('P@e4')
chess.Piece(1,True) chess.Piece(6,False) chess.SquareSet(7) np.int64(12) np.uint8(5) np.float64(3.0) np.bool_(True)
chess.Board() chess.Board(None) chess.BaseBoard() chess.STARTING_FEN (lambda*a:1) object()
""".split()
CAPTURES = "chess.Board('r3k2r/pPp1qpb1/bn2pnp1/2pPN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq c6 0 1')"
GAME = "chess.pgn.read_game(io.StringIO('1. e4 (1. d4) e5 {x} *'))"
TARGETS = {
    "board": "chess.Board()",
    "empty board": "chess.Board(None)",
    "board with captures": CAPTURES,
    "board that breaks rules": "chess.Board('4k3/8/8/8/8/8/PPPPPPPP/4K2R w KQkq - 0 1')",
    "base board": "chess.BaseBoard()",
    "squares": "chess.SquareSet(7)",
    "no squares": "chess.SquareSet(0)",
    "move": "chess.Move(12,28)",
    "piece": "chess.Piece(1,True)",
    "headers": "chess.pgn.Headers()",
    "game": GAME,
    "node": GAME + ".next()",
    "centipawns": "chess.engine.Cp(5)",
    "mate": "chess.engine.Mate(-2)",
    "score": "chess.engine.PovScore(chess.engine.Cp(5),True)",
    "chances": "chess.engine.Wdl(1,2,3)",
    "option": "chess.engine.Option('Hash','spin',1,0,9,[])",
    "options": "chess.engine.UciOptionMap({'a':1})",
    "chess": "chess",
    "polyglot": "chess.polyglot",
    "svg": "chess.svg",
    "pgn": "chess.pgn",
    "engine": "chess.engine",
}
# Names that are not called: they start programs, open files, never end, or are bases of classes.
LEFT_OUT = re.compile(r"open_|run_in|Engine|Protocol|Result|Reader|Transport|Visitor|carry_rippler|EventLoop|Command")
# Where two answers may differ: (function, arguments), and why.
DIFFERENT = [
    # Skewer has a win model of its own.
    (r"wdl", r"\(\)"),
    # Masks below 0 and NumPy integers, whose bits beyond 64 python-chess keeps, and colours that are no colours.
    (r"flip_\w+|shift_\w+|scan_reversed|square_knight_distance", r".*(-1|-65|np\.).*"),
    (r"has_\w*castling_rights", r"\((?!(True|False|0|1)\)).*"),
    (r"is_repetition", r".*np\..*"),
    # A score is written as a number.
    (r"Cp|Mate", r".*(True|False).*"),
    # The text of python-chess lacks a bracket.
    (r"BestMove", r".*"),
]


RECORDS = {
    "move": "chess.Move(12,28)",
    "null move": "chess.Move.null()",
    "piece": "chess.Piece(1,True)",
    "board": "chess.Board()",
    "base board": "chess.BaseBoard()",
    "squares": "chess.SquareSet(7)",
    "outcome": "chess.Outcome(chess.Termination.CHECKMATE,True)",
    "termination": "chess.Termination.CHECKMATE",
    "status": "chess.STATUS_EMPTY",
    "state": "chess._BoardState(chess.Board())",
    "headers": "chess.pgn.Headers()",
    "game": GAME,
    "node": GAME + ".next()",
    "main line": GAME + ".mainline_moves()",
    "time control": "chess.pgn.parse_time_control('40/60:5+3')",
    "centipawns": "chess.engine.Cp(5)",
    "mate": "chess.engine.Mate(-2)",
    "score": "chess.engine.PovScore(chess.engine.Cp(5),True)",
    "chances": "chess.engine.Wdl(1,2,3)",
    "chances of a side": "chess.engine.PovWdl(chess.engine.Wdl(1,2,3),True)",
    "limit": "chess.engine.Limit(time=1)",
    "option": "chess.engine.Option('Hash','spin',1,0,9,[])",
    "result": "chess.engine.PlayResult(chess.Move(1,2),None)",
    "opponent": "chess.engine.Opponent('a','GM',2500,True)",
    "options": "chess.engine.UciOptionMap({'a':1})",
    "info": "chess.engine.INFO_ALL",
    "arrow": "chess.svg.Arrow(1,2)",
    "entry": "chess.polyglot.Entry(1,2,3,4,chess.Move(1,2))",
}
OPERATIONS = {
    "text": str,
    "format": format,
    "truth": bool,
    "copy": lambda x: (copy.copy(x) == x, repr(copy.copy(x))),
    "deep copy": lambda x: (copy.deepcopy(x) == x, repr(copy.deepcopy(x))),
    "pickle": lambda x: (pickle.loads(pickle.dumps(x)) == x, repr(pickle.loads(pickle.dumps(x)))),
    "weak reference": lambda x: weakref.ref(x)() is x,
    "fields": lambda x: [field.name for field in dataclasses.fields(x)],
    "dictionary": dataclasses.asdict,
    "tuple": dataclasses.astuple,
    "replaced": dataclasses.replace,
    "attributes": lambda x: sorted(name for name in vars(x) if not name.startswith("_")),
    "new attribute": lambda x: (setattr(x, "note", 1), x.note),
    "json": json.dumps,
    "elements": lambda x: [repr(item) for item in x],
    "backwards": lambda x: [repr(item) for item in reversed(x)],
    "equal": lambda x: (x == x, x != x, x == 3, x is None, x == "x", x == ()),
    "less": lambda x: x < x,
    "sum": lambda x: x + 1,
    "class": lambda x: type(x).__name__,
    "subclass": lambda x: type("Sub", (type(x),), {}).__name__,
}
# A set of squares takes no attributes.
OTHER = {("squares", "attributes"), ("squares", "new attribute")}


def done_to(record, operation, library):
    found = eval(RECORDS[record], {"chess": library, "io": io})
    try:
        return shown(OPERATIONS[operation](found))
    except Exception as error:
        return type(error).__name__


@pytest.mark.parametrize("record", RECORDS)
def test_python_does_the_same_with_records(record):
    wrong = []
    for operation in OPERATIONS:
        ours, theirs = (done_to(record, operation, library) for library in (skewer.chess, chess))
        if ours != theirs and (record, operation) not in OTHER:
            wrong.append((operation, ours, theirs))
    assert not wrong


def shown(value):
    """A value as text; of an iterator the first elements."""
    if hasattr(value, "__next__") and not isinstance(value, io.IOBase):
        value = [repr(item) for _, item in zip(range(60), value)]
    if isinstance(value, str) and value.startswith("<svg"):
        value = "svg"
    return re.sub(r"0x[0-9a-f]{6,}", "0x", repr(value)).replace("skewer.", "")


def answer(target, name, arguments, library):
    """What a call returns and what it makes of its object; None if it raises an exception."""
    space = {"chess": library, "io": io, "np": np}
    found = eval(TARGETS[target], space)
    try:
        value = getattr(found, name)(*[eval(argument, space) for argument in arguments])
        return shown(value), "" if inspect.ismodule(found) else shown(found)
    except Exception:
        return None


def may_differ(name, arguments):
    text = f"({', '.join(arguments)})"
    return any(re.fullmatch(names, name) and re.fullmatch(these, text) for names, these in DIFFERENT)


def names_of(target):
    """The public functions or methods of python-chess."""
    found = eval(TARGETS[target], {"chess": chess, "io": io})
    for name in dir(found):
        member = getattr(found, name, None)
        if name.startswith("_") or LEFT_OUT.search(name) or not callable(member):
            continue
        if inspect.ismodule(found) and getattr(member, "__module__", "") != found.__name__:
            continue
        yield name


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("target", TARGETS)
def test_two_answers_to_a_call_are_the_same(target):
    draw = random.Random(target)
    wrong, both = [], 0
    for name in names_of(target):
        cases = [(), *((argument,) for argument in ARGUMENTS)]
        cases += [tuple(draw.choices(ARGUMENTS, k=count)) for count in (2, 3) for _ in range(8)]
        for arguments in cases:
            theirs = answer(target, name, arguments, chess)
            if theirs is None or may_differ(name, arguments):
                continue
            ours = answer(target, name, arguments, skewer.chess)
            both += ours is not None
            if ours not in (None, theirs):
                wrong.append((name, arguments, ours, theirs))
    assert not wrong
    assert both > 0
