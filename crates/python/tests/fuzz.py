#!/usr/bin/env python3
"""Random sequences of calls on boards, sets of squares and readers of PGN. Whatever the arguments are,
a call returns or raises an Exception. A panic, which is not an Exception, or a call that hangs ends the run.

    fuzz.py [CALLS [SEED]]
"""

import faulthandler
import io
import random
import sys

import skewer

#: Longer than any call takes, in seconds.
PATIENCE = 60
TEXTS = [
    "", "e4", "e2e4", "O-O", "e8=Q", "0000", "-", "x" * 300, "é♞\0", "startpos", "xfen", "1-0",
    skewer.Board().fen(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "8/8/8/8/8/8/8/8 w - - 0 1",
    "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 99 200", "4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"x\";",
]
GAMES = [
    '[White "a"]\n\n1. e4 e5 2. Ke2 {[%clk 0:01:00] [%eval 0.3]} Ke7 (2... d5) $5 1/2-1/2\n\n',
    '[FEN "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"]\n\n1. a8=Q+ Kd7 0-1\n\n', "1. e5 *\n", "{", "[", "[A \"", "((((",
    '[Event "x"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[Event "y"]\n\n1. e4 *\n\n',
]
NUMBERS = [-(2**70), -1, 0, 1, 2, 3, 7, 63, 64, 255, 256, 2**31, 2**63, 2**64 - 1, 2**64, 2**200, 0.5]
PERFT = ("perft", "perft_divide")


class Meddler:
    """An argument that changes the objects of the run whenever it is looked at."""

    def __init__(self, run):
        self.run = run

    def meddle(self):
        if self.run.depth < 3:
            self.run.call()
        return self.run.draw.choice([0, 1, 63, 2**63])

    __index__ = __int__ = __hash__ = __len__ = meddle

    def __bool__(self):
        return bool(self.meddle())

    def __eq__(self, other):
        return bool(self.meddle())

    def __iter__(self):
        for _ in range(3):
            yield self.meddle()

    def read(self, size=-1):
        self.meddle()
        return self.run.draw.choice([*GAMES, "", b"1. d4 *", b"\xff", None, 5])


class Run:
    """A run: its objects, which calls use and make."""

    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.depth = 0
        self.raised = 0
        self.last = None
        self.objects = [skewer.Board(), skewer.SquareSet([1, 2]), skewer.parse_pgn(GAMES[0])]

    def reader(self):
        text = "".join(self.draw.choices(GAMES, k=self.draw.randrange(4)))
        source = self.draw.choice([io.StringIO(text), io.BytesIO(text.encode()), Meddler(self)])
        return skewer.read_pgn(source, threads=self.draw.choice([1, 2]))

    def fresh(self):
        """A new object."""
        kind = self.draw.randrange(6)
        if kind == 0:
            return skewer.Board(self.draw.choice([text for text in TEXTS if text.endswith(" 1")][:2]))
        if kind == 1:
            return skewer.Board.from_chess960_pos(self.draw.randrange(960))
        if kind == 2:
            return skewer.SquareSet(self.draw.getrandbits(64))
        if kind == 3:
            return self.reader()
        if kind == 4:
            return skewer.Board().legal_moves
        return skewer.parse_pgn(GAMES[0])

    def argument(self):
        kind = self.draw.randrange(9)
        if kind == 0:
            return self.draw.choice(NUMBERS)
        if kind == 1:
            return self.draw.choice(TEXTS)
        if kind == 2:
            return self.draw.choice([None, True, False, [], (), {}, b"", object(), dict.fromkeys(range(3))])
        if kind == 3:
            return self.draw.choice([skewer.WHITE, skewer.QUEEN, skewer.Piece(4, True), skewer.Move.null()])
        if kind == 4:
            return skewer.Move.from_int(self.draw.choice([2, 796, 3364, 28_000]))
        if kind == 5:
            return Meddler(self)
        if kind == 6:
            return [self.draw.choice(self.objects) for _ in range(2)]
        if kind == 7:
            return {self.draw.randrange(64): self.draw.choice([skewer.Piece(6, True), Meddler(self), 3])}
        return self.draw.choice(self.objects)

    def call(self):
        """Does something with an object; whatever fits becomes an object of the run."""
        self.depth += 1
        draw = self.draw
        try:
            target = draw.choice(self.objects)
            names = [name for name in dir(target) if not name.startswith("__") or name in OPERATORS]
            name = draw.choice(names)
            count = draw.choice([0, 0, 1, 1, 1, 2, 3])
            arguments = [draw.randrange(3)] if name in PERFT else [self.argument() for _ in range(count)]
            if self.depth == 1:
                self.last = f"{type(target).__name__}.{name}", [type(part).__name__ for part in arguments]
            if isinstance(getattr(type(target), name, None), type(skewer.Board.turn)) and draw.random() < 0.5:
                setattr(target, name, self.argument())
                return
            attribute = getattr(target, name)
            result = attribute(*arguments) if callable(attribute) else attribute
            if isinstance(result, KEPT):
                self.objects.append(result)
            if len(self.objects) > 12 or draw.random() < 0.05:
                self.objects[draw.randrange(len(self.objects))] = self.fresh()
                del self.objects[12:]
        except Exception:
            self.raised += 1
        finally:
            self.depth -= 1


KEPT = (skewer.Board, skewer.SquareSet, skewer.GameReader, skewer.Game, skewer.GameNode, skewer.LegalMoves)
OPERATORS = (
    "__or__", "__and__", "__sub__", "__xor__", "__ior__", "__iand__", "__isub__", "__ixor__", "__eq__",
    "__contains__", "__iter__", "__next__", "__len__", "__str__", "__repr__", "__invert__", "__lshift__",
    "__reduce__", "__copy__", "__enter__", "__exit__", "__bool__", "__reversed__", "__rshift__", "__ror__",
)


def run(calls, seed):
    """Makes `calls` calls, in runs of 500; returns how many raised an Exception."""
    raised = done = 0
    while done < calls:
        # A seed of its own, so that this run makes other calls than the runs before.
        current = Run(f"{seed}-{done}")
        faulthandler.dump_traceback_later(PATIENCE, exit=True)
        for _ in range(min(500, calls - done)):
            try:
                current.call()
            except BaseException:
                print(f"fuzz.py: seed {seed}, run at {done}: {current.last}", file=sys.stderr)
                raise
            done += 1
        raised += current.raised
    faulthandler.cancel_dump_traceback_later()
    return raised


if __name__ == "__main__":
    calls, seed = (int(sys.argv[1]) if len(sys.argv) > 1 else 100_000), "".join(sys.argv[2:]) or "1"
    print(f"{calls} calls, {run(calls, seed)} exceptions, no panic")
