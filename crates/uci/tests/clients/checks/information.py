"""Information besides the lines: hashfull, the current move and bounds; and limits on the output."""

import collections
import re

import chess

from checks.context import KIWIPETE, MIDDLEGAME
from lines import CURRENT, check_all, read

# From docs/uci.md: the deepest iteration, and the seconds before current moves and bounds are printed.
DEEPEST = 240
QUIET = 3.0
# A long search prints the current move at most once a second, and few bounds. This leaves room for the
# lines of an iteration that ends.
MOST_A_SECOND = 10
# The longest wait for a bound, in seconds.
UNTIL_BOUND = 120


def table_fills(context):
    """`hashfull` rises with the nodes and falls when the table is emptied."""
    with context.pipe(Hash=1) as engine:
        for command in ("ucinewgame", "setoption name Clear Hash"):
            lines = read(engine.go(f"fen {MIDDLEGAME}", "nodes 400000"))
            full = [line.hashfull for line in lines]
            assert full == sorted(full), full
            assert full[0] < 50 and full[-1] > 700, full
            engine.send(command)
            engine.ready()
    # Entries of deeper searches make the first iterations quicker, unless the table has been emptied.
    with context.pipe(Hash=4) as engine:
        first, second = nodes_of_seven_iterations(engine, 12), nodes_of_seven_iterations(engine, 10)
        assert second < first / 2, (first, second)
        engine.new_game()
        assert nodes_of_seven_iterations(engine, 12) == first


def nodes_of_seven_iterations(engine, depth):
    """The nodes that the first seven iterations of two searches to `depth` took: iterations nearly as deep as the
    iterations that filled the table take fewer nodes or more by chance."""
    searches = [read(engine.go(f"fen {fen}", f"depth {depth}")) for fen in (MIDDLEGAME, KIWIPETE)]
    return sum([line.nodes for line in lines if line.depth <= 7][-1] for lines in searches)


def long_search(context):
    """After three seconds the engine prints the current move, and bounds when a search leaves its window.
    Lines finished before are not repeated."""
    board = chess.Board("8/pp2r1k1/2p1p3/3pP2p/1P1P1P1P/P5KR/8/8 w - - 0 1")
    with context.pipe(Hash=1) as engine:
        engine.send(f"position fen {board.fen()}")
        engine.send("go infinite")
        output, stopped = [], False
        for text in engine.read_until("bestmove", UNTIL_BOUND):
            output.append(text)
            has_move = any(CURRENT.fullmatch(line) for line in output)
            if "bound" in text and has_move and not stopped:
                engine.send("stop")
                stopped = True
    lines = check_all(board, output)
    currents = [CURRENT.fullmatch(text) for text in output if text.startswith("info currmove")]
    moves = list(board.legal_moves)
    for current in currents:
        assert chess.Move.from_uci(current["move"]) in moves, current[0]
        assert 1 <= int(current["number"]) <= len(moves), current[0]
    before = output[: output.index(currents[0][0])]
    slowest = max(line.time for line in lines) / 1000
    assert all(line.time >= 1000 * QUIET for line in lines if line.bound), "a bound too early"
    assert not any(line.bound and line.mate is not None for line in lines)
    assert not before or read([*before, ""])[-1].time / 1000 < slowest + 1
    late = [line for line in lines if line.time >= 1000 * QUIET]
    most = MOST_A_SECOND * (1 + slowest - QUIET)
    assert len(late) + len(currents) <= most, f"{len(late)} lines in {slowest - QUIET:.1f} s"
    assert len(currents) <= slowest - QUIET + 2, f"{len(currents)} current moves"


def no_flood(context):
    """One line for each iteration, and one more if the answer differs from the last of these lines; never more
    lines than depths, even in trivial positions."""
    cases = [
        (MIDDLEGAME, "movetime 500", 1),
        (KIWIPETE, "nodes 100000", 1),
        (KIWIPETE, "nodes 100000", 4),
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "movetime 300", 1),
        ("8/8/4k3/8/8/4K3/4N3/8 w - - 0 1", "movetime 300", 1),
        # One legal move.
        ("k7/8/1K6/8/8/8/8/1R6 b - - 0 1", "movetime 300", 1),
    ]
    for threads in (1, 2):
        with context.pipe(Threads=threads) as engine:
            for fen, limits, lines in cases:
                engine.set({"MultiPV": lines})
                output = engine.go(f"fen {fen}", limits)
                printed = read(output)
                assert not any(line.bound for line in printed), "a bound in a short search"
                times = collections.Counter((line.depth, line.multipv) for line in printed)
                # Only the line of the answer may be printed again.
                (_, most), *others = [*times.most_common(2), ((0, 0), 0)]
                assert most <= 2 and others[0][1] <= 1, f"{fen}, {limits}: {times}"
                assert len(printed) <= lines * (DEEPEST + 1), f"{fen}, {limits}: {len(printed)} lines"


def remarks(context):
    """`debug on` brings more remarks, `debug off` takes them away; `isready` is answered in a search."""
    with context.pipe() as engine:
        engine.silent()
        engine.send("stop")
        engine.ready()
        engine.send("debug on")
        engine.send("stop")
        assert re.match("info string .*nothing", engine.until("info string")[-1])
        engine.send("debug off")
        engine.send("stop")
        engine.ready()
        engine.send(f"position fen {MIDDLEGAME}")
        engine.send("go infinite")
        for _ in range(20):
            assert not any(line.startswith("bestmove") for line in engine.ask("isready", "readyok"))
        engine.ask("stop", "bestmove")
