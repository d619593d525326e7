#!/usr/bin/env python3
"""Measures the analysis of games. The machine must be idle.

    measure_analysis.py --analyse PATH --engine PATH [--pgn FILE] [--quick] [WHAT ...]

WHAT is any of these; all if none is named (about seven minutes). `--quick` runs each on little data, to show that the
script works.

    scaling   nodes per second of two workers divided by nodes per second of one, and the same for
              two processes of one worker each, which is the most the machine allows; interleaved runs,
              median of the ratios
    engine    nodes per second of one worker, all its work included, divided by what the UCI engine
              reports for the same positions in the same order; the depths must be equal
    labels    nodes per second of processor time of `skewer-analyse positions` on one worker at 5000
              nodes, divided by the nodes per second of the UCI engine for the same positions;
              interleaved, so that the machine may be busy
    overhead  share of reading and writing in the whole time at the default node limit
    small     processor time per game at one node per position, on one worker
    loop      games per hour, and games per hour of a python-chess loop with one engine process
    memory    resident memory over a file of a million moves
    page      report of 10,000 games in headless Chromium: bytes and time until the list is shown

Prints each figure with the figure that is wanted, and fails only if a figure cannot be measured. Needs `zstd` for
the default games, the Python package `chess` for `engine`, `labels`, `loop` and `memory`, and `chromium` for
`page`.
"""

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TESTS = Path(__file__).resolve().parents[2] / "crates" / "analysis-cli" / "tests"
sys.path.insert(0, str(TESTS))

from devtools import Browser  # noqa: E402  the folder of the tests is not on the path before

GAMES = TESTS / "data" / "lichess-47.pgn.zst"


class Bench:
    """The paths and helper methods of all measurements."""

    def __init__(self, arguments, folder):
        self.analyse = str(Path(arguments.analyse).resolve())
        self.engine = str(Path(arguments.engine).resolve())
        self.quick = arguments.quick
        self.folder = folder
        self.games = split(text_of(Path(arguments.pgn)))

    def file(self, count, name="games.pgn"):
        """A file of the first `count` games, games of 30 moves or more first."""
        path = self.folder / name
        path.write_text("".join(self.games[:count]), encoding="latin-1")
        return path

    def command(self, path, nodes, threads, out, *more):
        return [
            self.analyse, "games", str(path), "--nodes", str(nodes), "--threads", str(threads),
            "--confidence", "none", "--quiet", "--jsonl", str(out), *more,
        ]  # fmt: skip

    def run(self, path, nodes, threads, processes=1, *more):
        """Nodes per second of `processes` processes that each analyse the whole file."""
        outs = [self.folder / f"out{number}.jsonl" for number in range(processes)]
        started = time.perf_counter()
        running = [
            subprocess.Popen(self.command(path, nodes, threads, out, *more)) for out in outs
        ]
        for process in running:
            assert process.wait() == 0
        return sum(map(nodes_of, outs)) / (time.perf_counter() - started)


def text_of(path):
    """The text of a PGN file."""
    if path.suffix != ".zst":
        return path.read_text(encoding="latin-1")
    unpacked = subprocess.run(["zstd", "-dcq", str(path)], check=True, stdout=subprocess.PIPE)
    return unpacked.stdout.decode("latin-1")


def split(text):
    """The games of a PGN file, games of thirty moves or more first."""
    games = ["[Event " + part for part in text.replace("\r", "").split("[Event ")[1:]]
    return sorted(games, key=lambda game: "\n30. " not in game and " 30. " not in game)


def nodes_of(path):
    """Sum of the nodes of all moves in a JSON Lines file. The start position belongs to no move."""
    total = 0
    for line in path.read_text().splitlines():
        game = json.loads(line)
        if game["kind"] == "game":
            total += sum(move["nodes"] for move in game["moves"])
    return total


def depths_of(path):
    """The depth of the search after each move; 0 at the end of a game."""
    for line in path.read_text().splitlines():
        game = json.loads(line)
        if game["kind"] == "game":
            yield from (move["depth"] for move in game["moves"])


def scaling(bench):
    path = bench.file(4 if bench.quick else 30)
    nodes, rounds = (500, 2) if bench.quick else (6000, 5)
    two, ceiling, of_ceiling = [], [], []
    for _ in range(rounds):
        one = bench.run(path, nodes, 1)
        workers = bench.run(path, nodes, 2)
        apart = bench.run(path, nodes, 1, 2)
        two.append(workers / one)
        ceiling.append(apart / one)
        of_ceiling.append(workers / apart)
        print(f"    1 worker {one:,.0f} nodes/s, 2 workers {workers:,.0f}, 2 processes {apart:,.0f}")
    print(
        f"scaling: two workers {statistics.median(two):.3f} times one; two processes "
        f"{statistics.median(ceiling):.3f} times one; two workers against two processes "
        f"{statistics.median(of_ceiling):.3f} (wanted: 1.9 times one)"
    )


class Engine:
    """A process of the UCI engine."""

    def __init__(self, path):
        self.process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.send("uci")
        self.until("uciok")

    def send(self, line):
        self.process.stdin.write(line + "\n")

    def until(self, prefix):
        last = ""
        for line in self.process.stdout:
            if line.startswith(prefix):
                return last
            last = line
        raise AssertionError(f"the engine ended before it sent {prefix}")

    def search(self, start, moves, nodes):
        """Nodes, seconds and depth of the last finished iteration, as the engine reports them."""
        self.send(f"position fen {start} moves {' '.join(moves)}")
        self.send(f"go nodes {nodes}")
        words = self.until("bestmove").split()
        names = ("nodes", "nps", "depth")
        nodes, speed, depth = (int(words[words.index(name) + 1]) for name in names)
        return nodes, nodes / speed, depth

    def close(self):
        self.send("quit")
        self.process.wait(60)


def main_lines(path):
    """Start and moves of each game."""
    import chess.pgn

    with path.open(encoding="latin-1") as file:
        while game := chess.pgn.read_game(file):
            yield game.board().fen(), [move.uci() for move in game.mainline_moves()]


def engine(bench):
    path = bench.file(1 if bench.quick else 2)
    nodes, rounds = (2000, 1) if bench.quick else (60_000, 3)
    ratios = []
    for _ in range(rounds):
        worker = bench.run(path, nodes, 1)
        total, seconds = 0, 0.0
        player = Engine(bench.engine)
        depths = []
        for start, moves in main_lines(path):
            player.send("ucinewgame")
            player.send("isready")
            player.until("readyok")
            reached = []
            for ply in range(len(moves), -1, -1):
                # A position without a legal move is not searched.
                if ply == len(moves) and is_over(start, moves):
                    continue
                searched, took, depth = player.search(start, moves[:ply], nodes)
                total, seconds = total + searched, seconds + took
                reached.append(depth)
            # Searched from the last position to the first. No move leads to the first.
            depths += reached[-2::-1]
        player.close()
        same = depths == [depth for depth in depths_of(bench.folder / "out0.jsonl") if depth]
        ratios.append(worker / (total / seconds))
        print(
            f"    a worker {worker:,.0f} nodes/s, the engine's own {total / seconds:,.0f}; "
            f"the depths are {'the same' if same else 'NOT the same'}"
        )
    print(
        f"engine: a worker has {100 * statistics.median(ratios):.1f} % of the engine's nodes per second "
        "(wanted: 97 %)"
    )


def processor_time(run):
    """Calls `run`. Returns the processor time of the processes that `run` has waited for, and its result."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = run()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, result


def labels(bench):
    count, rounds, nodes = (50, 1, 5000) if bench.quick else (2000, 5, 5000)
    path, out = bench.folder / "positions.fen", bench.folder / "labels.jsonl"
    command = [
        bench.analyse, "positions", str(path), "--threads", "1", "--quiet", "--jsonl", str(out),
    ]  # fmt: skip
    path.write_text("".join(f"{fen}\n" for fen in positions(bench.file(50), count)))

    def label():
        subprocess.run([*command, "--nodes", str(nodes)], check=True)
        return sum(json.loads(line).get("nodes", 0) for line in out.read_text().splitlines())

    def search():
        player = Engine(bench.engine)
        total = sum(player.search(fen.strip(), [], nodes)[0] for fen in path.open())
        player.close()
        return total

    ratios = []
    for _ in range(rounds):
        (seconds, labelled), (alone, searched) = processor_time(label), processor_time(search)
        ratios.append(labelled / seconds / (searched / alone))
        print(f"    labels {labelled / seconds:,.0f} nodes/s, the engine {searched / alone:,.0f}")
    print(f"labels: {100 * statistics.median(ratios):.1f} % of the engine's nodes per second (wanted: 97 %)")


def positions(path, count):
    """This many positions of games that are not over, each once."""
    import chess

    found = {}
    for start, moves in main_lines(path):
        board = chess.Board(start)
        for move in moves:
            found[board.fen()] = None
            board.push_uci(move)
    step = max(1, len(found) // count)
    return list(found)[::step][:count]


def is_over(start, moves):
    import chess

    board = chess.Board(start)
    for move in moves:
        board.push_uci(move)
    return not any(board.legal_moves)


def overhead(bench):
    path = bench.file(1 if bench.quick else 6)
    journal = bench.folder / "journal"
    nodes = 2000 if bench.quick else 100_000
    command = [
        bench.analyse, "games", str(path), "--nodes", str(nodes), "--threads", "1", "--quiet",
        "--confidence", "none",
    ]  # fmt: skip
    started = time.perf_counter()
    subprocess.run([*command, "--journal", str(journal)], check=True)
    searching = time.perf_counter() - started
    outputs = [
        word
        for kind in ("pgn", "jsonl", "csv", "html")
        for word in (f"--{kind}", str(bench.folder / f"merged.{kind}"))
    ]
    merge = [bench.analyse, "merge", str(path), "--from", str(journal), "--quiet", *outputs]
    times = []
    for _ in range(5):
        started = time.perf_counter()
        subprocess.run(merge, check=True)
        times.append(time.perf_counter() - started)
    share = 100 * statistics.median(times) / searching
    print(
        f"overhead: {searching:.1f} s of search; reading, judging and writing everything "
        f"{1000 * statistics.median(times):.0f} ms, {share:.2f} % (wanted: under 1 %)"
    )


def loop(bench):
    import chess
    import chess.engine

    count, nodes = (1, 2000) if bench.quick else (12, 20_000)
    path = bench.file(count)
    started = time.perf_counter()
    with chess.engine.SimpleEngine.popen_uci(bench.engine, timeout=60) as player:
        player.configure({"Threads": 1, "Hash": 16})
        limit = chess.engine.Limit(nodes=nodes)
        for start, moves in main_lines(path):
            board, game = chess.Board(start), object()
            for move in [*moves, None]:
                if any(board.legal_moves):
                    player.analyse(board, limit, game=game)
                if move:
                    board.push_uci(move)
    hours = (time.perf_counter() - started) / 3600
    print(f"loop: python-chess and one process: {count / hours:,.0f} games an hour")
    for threads in sorted({1, os.cpu_count() or 1}):
        started = time.perf_counter()
        bench.run(path, nodes, threads)
        hours = (time.perf_counter() - started) / 3600
        print(f"loop: skewer-analyse, {threads} workers: {count / hours:,.0f} games an hour")
    print(f"    ({count} games, {nodes} nodes a position)")


def memory(bench):
    moves = 20_000 if bench.quick else 1_000_000
    game = bench.games[0]
    plies = len(next(main_lines(bench.file(1)))[1])
    path = bench.folder / "million.pgn"
    copies = -(-moves // plies)
    with path.open("w", encoding="latin-1") as file:
        for _ in range(copies):
            file.write(game.rstrip() + "\n\n")
    kinds = ("pgn", "csv", "html-folder")
    outputs = [word for kind in kinds for word in (f"--{kind}", f"{bench.folder}/m.{kind}")]
    command = bench.command(path, 1, os.cpu_count() or 1, bench.folder / "m.jsonl", *outputs)
    process = subprocess.Popen([*command, "--hash", "1"])
    samples = []
    started = time.perf_counter()
    while process.poll() is None:
        try:
            pages = int(Path(f"/proc/{process.pid}/statm").read_text().split()[1])
            samples.append(pages * os.sysconf("SC_PAGE_SIZE") / 2**20)
        except (OSError, IndexError):
            # The process has ended in the meantime.
            pass
        time.sleep(0.02 if bench.quick else 0.2)
    assert process.returncode == 0
    seconds = time.perf_counter() - started
    fifth = max(1, len(samples) // 5)
    parts = [samples[n * fifth : (n + 1) * fifth] for n in range(5)]
    peaks = ", ".join(f"{max(part):.1f}" for part in parts if part)
    print(
        f"memory: {copies * plies:,} moves in {copies:,} games, {seconds:.0f} s; most in each fifth of "
        f"the time: {peaks} MiB (wanted: flat)"
    )
    for kind in ("pgn", "csv", "jsonl"):
        (bench.folder / f"m.{kind}").unlink()
    shutil.rmtree(bench.folder / "m.html-folder")


def small(bench):
    """The difference between two counts of games leaves the start of the program out."""
    few, many = (47, 94) if bench.quick else (470, 2350)
    copies = -(-many // len(bench.games))
    bench.games *= copies

    def seconds(count):
        path = bench.file(count)
        return processor_time(lambda: bench.run(path, 1, 1))[0]

    each = [1000 * (seconds(many) - seconds(few)) / (many - few) for _ in range(5)]
    print(
        f"small: {statistics.median(each):.2f} ms of processor time a game at one node per position, search and "
        f"JSON included (wanted: 0.3 beside these)"
    )


def page(bench):
    copies = 3 if bench.quick else 213
    report = bench.folder / "report"
    subprocess.run(
        [bench.analyse, "games", *[str(GAMES)] * copies, "--nodes", "1", "--confidence", "none", "--hash", "1", "--quiet", "--html-folder", str(report)],
        check=True,
    )  # fmt: skip
    first = sum((report / name).stat().st_size for name in ("index.html", "data/index.js"))
    chromium = shutil.which("chromium") or sys.exit("page needs chromium: install it")
    browser = Browser(chromium, bench.folder / "profile")
    times = []
    for _ in range(5):
        browser.open((report / "index.html").as_uri())
        # Milliseconds from the start of the navigation until the rows have been painted.
        times.append(browser.value(
            "new Promise(done => { const look = () => document.querySelectorAll('#rows tr').length === 100"
            " ? requestAnimationFrame(() => setTimeout(() => done(performance.now()))) : setTimeout(look, 5); look(); })"
        ))
    games = browser.value("skewer.rows.length")
    browser.close()
    print(
        f"page: {games:,} games, {first / 1e6:.2f} MB before a game is chosen (wanted: under 1), list shown after "
        f"{statistics.median(times):.0f} ms (wanted: 2000)"
    )


WHAT = {
    "scaling": scaling,
    "engine": engine,
    "labels": labels,
    "overhead": overhead,
    "small": small,
    "loop": loop,
    "memory": memory,
    "page": page,
}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", nargs="*", choices=[*WHAT, []], metavar="WHAT")
    parser.add_argument("--analyse", required=True, help="the program skewer-analyse")
    parser.add_argument("--engine", required=True, help="the program skewer")
    parser.add_argument("--pgn", default=str(GAMES), help="games to analyse")
    parser.add_argument("--quick", action="store_true", help="little data, to show that it works")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(arguments, Path(folder))
        for name in arguments.what or WHAT:
            WHAT[name](bench)
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
