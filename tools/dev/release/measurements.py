"""The measurements of the figures that README and manuals print, for `figures.py`.

Each figure has a function that runs programs. Another function reads the fields of the figure from what they print.
"""

import csv
import datetime
import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
JOURNALS = ROOT / "benches" / "results" / "journals"
EXPERIMENTS = ROOT / "benches" / "results" / "experiments.csv"


class Failure(Exception):
    """A figure that cannot be measured, or a document that cannot be written."""


class Bench:
    """The programs of this build, a folder for results, and whether little data is enough."""

    def __init__(self, folder, quick, wac):
        self.folder, self.quick, self.wac = folder, quick, wac
        self.bin = ROOT / "target" / "release"
        self.engine = ROOT / "target" / "figures" / "skewer"
        self.analyse = ROOT / "target" / "figures" / "skewer-analyse"

    def build_engine(self):
        """Builds the engine as `make` does."""
        self.engine.parent.mkdir(parents=True, exist_ok=True)
        profile = ["PROFILE=no"] if self.quick else []
        self.run("make", "-s", f"EXE={self.engine}", "CARGO=cargo --quiet", *profile)

    @functools.cache
    def build_analyse(self):
        """Builds skewer-analyse as `make analyse` does; its path."""
        profile = ["PROFILE=no"] if self.quick else []
        self.run("make", "-s", "analyse", "CARGO=cargo --quiet", *profile)
        return (ROOT / "skewer-analyse").replace(self.analyse)

    def build_tools(self):
        tools = ["-p", "skewer-selfplay", "-p", "skewer-analyse", "-p", "skewer-benches"]
        self.run("cargo", "build", "--release", "--locked", "--quiet", *tools)

    def run(self, *command, **environment):
        """Runs a command in the root of the repository; what it prints."""
        words = [str(word) for word in command]
        try:
            done = subprocess.run(
                words, cwd=ROOT, env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True, check=True
            )
        except FileNotFoundError as error:
            raise Failure(f"{words[0]} is missing") from error
        except subprocess.CalledProcessError as error:
            raise Failure(f"`{' '.join(words)}` ended with status {error.returncode}") from error
        return done.stdout

    def match(self, name, first, second, games, *options):
        """Plays a match by the clock, and returns its fields. Keeps its journal, and a row of experiments.csv."""
        games = 4 if self.quick else games
        name = unused(f"bench-{self.signature()}-{name}", JOURNALS)
        out = self.folder / name
        self.run(
            self.bin / "skewer-selfplay", "match", "--engine", first, "--engine", second, "--tc", "1+0.01",
            "--games", games, "--resign", "4:600", "--draw", "35:6:8", "--out", out, *options,
        )  # fmt: skip
        result = json.loads(pathlib.Path(f"{out}.json").read_text())
        journal = f"{name}.journal.xz"
        if not self.quick:
            self.run(ROOT / "tools" / "dev" / "recount.py", "--publish", JOURNALS, f"{out}.journal")
            keep_row(self.signature(), result, journal)
        link = f"[journal](../benches/results/journals/{journal})"
        return {**match_fields(result), "journal": link}

    @functools.cache
    def signature(self):
        """The nodes of `bench`, which name the build."""
        return bench_nodes(self.run(self.engine, "bench"))


def unused(name, folder):
    """The name, with a number at its end if the folder has a journal of that name, which an earlier row names."""
    names = (f"{name}{suffix}" for suffix in ("", *(f"-{number}" for number in range(2, 100))))
    return next(name for name in names if not (folder / f"{name}.journal.xz").exists())


def bench_nodes(text):
    found = re.search(r"(\d+) nodes (?:\d+ nps)?$", text.strip())
    if not found:
        raise Failure("`bench` prints no nodes")
    return found[1]


def today():
    return datetime.datetime.now(datetime.timezone.utc).date().isoformat()


def machine(text, cores, idle):
    """The processor, as the documents name it, from the text of /proc/cpuinfo. `idle` says that nothing else ran."""
    model = re.search(r"model name\s*: (.*)", text)
    name = re.sub(r"\((R|TM)\)| (Processor|CPU).*", "", model[1]).strip() if model else "unknown processor"
    vectors = next((label for flag, label in (("avx512f", "AVX-512"), ("avx2", "AVX2")) if flag in text), None)
    article = "an" if name[0] in "AEIOUu" else "a"
    return f"{cores} {'idle ' if idle else ''}cores of {article} {name}" + (f" with {vectors}" if vectors else "")


def processor(idle):
    return machine(pathlib.Path("/proc/cpuinfo").read_text(), os.cpu_count(), idle)


def busy_share(seconds):
    """The share of the processor time that is used by others."""

    def times():
        fields = [int(word) for word in pathlib.Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]]
        return sum(fields[3:5]), sum(fields)

    (idle, total), _ = times(), time.sleep(seconds)
    later_idle, later_total = times()
    return 1 - (later_idle - idle) / (later_total - total)


def keep_row(signature, result, journal):
    """Adds a match to the table of experiments."""
    first, second = result["names"]
    network = (ROOT / "crates" / "eval" / "nets" / "default").read_text().strip().removesuffix(".nnue")
    elo = result["elo"]
    # The interval of the rounded figures, so that `check_experiments.py` finds the same error in the journal.
    ends = (round(round(elo["value"], 1) + sign * round(elo["error"], 1), 1) for sign in (-1, 1))
    row = [
        today(), "strength", f"{first}, {network}", signature, second, "1+0.01", sum(result["games"]), *result["games"],
        round(elo["value"], 1), *ends, "elo", "measured", journal, "tools/dev/release/figures.py; " + processor(idle=True),
    ]  # fmt: skip
    with EXPERIMENTS.open("a", newline="") as file:
        csv.writer(file, lineterminator="\n").writerow(row)


def signed(value):
    return f"{value:+.0f}" if abs(value) >= 0.5 else "0"


def match_fields(result):
    """The score, Elo and games of a match from its JSON."""
    won, drawn, lost = result["games"]
    total = won + drawn + lost
    elo = result["elo"]
    enough = elo["value"] is not None and elo["error"] is not None
    return {
        "score": f"{100 * (won + drawn / 2) / total:.1f}%",
        "elo": f"{signed(elo['value'])} ± {elo['error']:.0f} Elo" if enough else "too few games for Elo",
        "games": str(total),
    }


def stockfish(bench):
    peer = shutil.which("stockfish", path="/usr/games:" + os.environ.get("PATH", ""))
    if not peer:
        raise Failure("Stockfish is missing: install Debian's package")
    said = subprocess.run([peer, "quit"], capture_output=True, text=True, check=False).stdout
    if not said.startswith("Stockfish 15.1"):
        raise Failure(f"{peer} is not Stockfish 15.1 but says: {said.strip()}")
    return against(bench, "against-stockfish-15.1", f"{peer},option.Hash=16,name=stockfish")


def ethereal(bench):
    peer = shutil.which("ethereal-chess", path="/usr/games:" + os.environ.get("PATH", ""))
    if not peer:
        raise Failure("Ethereal is missing: install Debian's package ethereal-chess")
    return against(bench, "against-ethereal-12", f"{peer},option.Hash=16,option.MoveOverhead=20,name=ethereal")


def against(bench, name, peer):
    """A match against another engine from balanced openings."""
    book = bench.folder / "book.epd"
    count = 8 if bench.quick else 1000
    bench.run(bench.bin / "skewer-selfplay", "book", "--count", count, "--out", book)
    first = f"{bench.engine},option.Hash=16,name=skewer"
    return bench.match(name, first, peer, 400, "--openings", book, "--margin", 100)


def tactics(bench):
    if not bench.wac:
        raise Failure("it needs --wac FILE")
    milliseconds = 10 if bench.quick else 1000
    text = bench.run(
        bench.bin / "skewer-analyse", "suite", bench.wac, "--engine", bench.engine, "--time", milliseconds, "--threads", 2, "--at-least", 1,
        "--quiet",
    )  # fmt: skip
    return tactics_fields(text)


def tactics_fields(text):
    found = re.search(r"(\d+) of (\d+)", text)
    if not found:
        raise Failure(f"the suite prints no count: {text[-200:]!r}")
    return {"solved": found[1], "positions": found[2]}


def two_threads(bench):
    return bench.match(
        "two-threads-against-one", f"{bench.engine},option.Threads=2,option.Hash=16,name=two",
        f"{bench.engine},option.Hash=16,name=one", 600, "--threads", 1, "--seed", 79,
    )  # fmt: skip


def threads(bench, *options):
    return bench.run(bench.bin / "threads", "--engine", bench.engine, *options)


def rows(text):
    """The lines of `threads` that begin with a number of threads."""
    return re.findall(r"^ {1,6}(\d+)   (.*)$", text, re.MULTILINE)


def clock(bench):
    """Two threads, which every machine has the cores for."""
    nodes = ["--millis", 100, "--rounds", 1] if bench.quick else ["--millis", 800, "--rounds", 3]
    depth = ["--millis", 50, "--rounds", 1] if bench.quick else ["--millis", 1000, "--rounds", 2]
    options = ["--threads", 2, "--hash", 256, "--file", "benches/unseen.fen", "--positions", 3 if bench.quick else 20]
    return clock_fields(threads(bench, *options, "nodes", *nodes), threads(bench, *options, "depth", *depth))


def clock_fields(nodes, depth):
    """The speed by nodes of two threads and of two processes, and the speed to a depth."""
    speed = r"[\d.]+ \([\d.]+ \.\. [\d.]+\)"
    found = [text for table in (nodes, depth) for _, line in rows(table) for text in re.findall(speed, line)]
    if len(found) != 3:
        raise Failure("`threads` prints no speed of two threads")
    names = ("nodes", "processes", "depth")
    return {name: re.sub(r"[\d.]*\d", short, text) for name, text in zip(names, found, strict=True)}


def lockstep(bench):
    """Needs no idle machine, because the nodes are the same on every run."""
    file = ["--file", "benches/unseen.fen"]
    counts, few = ("2", "4") if bench.quick else ("2,4,8", "16,64")
    short = ["--positions", 2] if bench.quick else []
    depth = ["depth", "--lockstep"]
    text = threads(bench, "--threads", counts, *file, *short, *depth)
    text += threads(bench, "--threads", few, *file, "--positions", 2 if bench.quick else 20, *depth)
    return lockstep_fields(text)


def lockstep_fields(text):
    found = {f"speed_{count}": re.sub(r"[\d.]*\d", short, speed.strip()) for count, speed in rows(text)}
    if not found:
        raise Failure("`threads depth` prints no speed")
    return found


def short(number):
    """Three digits are enough."""
    return f"{float(number[0]):.{2 if float(number[0]) < 10 else 1}f}"


def answer(bench):
    """The median of three runs, because another program can delay one of a hundred searches."""
    runs = [answer_fields(threads(bench, "--threads", "2,64", "answer")) for _ in range(3)]
    return {field: sorted((run[field] for run in runs), key=float)[1] for field in runs[0]}


def answer_fields(text):
    found = {f"stop_{count}": times for count, line in rows(text) for times in re.findall(r"p99 ([\d.]+)", line)[:1]}
    if not found:
        raise Failure("`threads answer` prints no times")
    return found


PEERS = ("eschac", "cozy-chess", "chess", "shakmaty")


def perft(bench):
    quick = ["--quick"] if bench.quick else []
    fields = {}
    for build, flags in (("native", "-C target-cpu=native"), ("plain", "-C target-cpu=x86-64")):
        text = bench.run(
            "cargo", "bench", "--quiet", "--locked", "--manifest-path", "benches/peers/Cargo.toml", "--bench", "perft",
            "--", "counting", "making", *quick, RUSTFLAGS=flags,
        )  # fmt: skip
        fields |= perft_fields(build, text)
    return fields


def perft_fields(build, text):
    """How many times as fast as each crate, from the geometric means of the two tables. The tables compare with the
    fastest way to count; moves are made by boards, as in the other crates."""
    fields = {}
    for title, names, means in re.findall(
        r"^(\w+)[^\n]*: million leaves a second[^\n]*\n\n([^\n]*)\n.*?^geometric mean([^\n]*)$", text, re.M | re.S
    ):
        columns = re.split(r"\s{2,}", names.strip())
        ratios = re.findall(r"\(([\d.]+)\)", means)
        speeds = {column: float(ratio) for column, ratio in zip(columns, ratios, strict=True)}
        kind, own = ("counted", "skewer") if title == "Counting" else ("made", "skewer, boards")
        for column, ratio in speeds.items():
            peer = column.split()[0]
            if peer in PEERS:
                fields[f"{kind}_{build}_{peer.replace('-', '_')}"] = f"{ratio / speeds[own]:.2f}"
    if len(fields) != 2 * len(PEERS):
        raise Failure(f"the bench prints {len(fields)} ratios and not {2 * len(PEERS)}")
    return fields


# Loops over moves as a user writes them: the name in the bench, and the row of the table.
LOOPS = {
    "skewer, moves()": "`for mv in board.moves()`",
    "skewer, legal_moves()": "`for mv in board.legal_moves()`",
}


def loops(bench):
    quick = ["--quick"] if bench.quick else []
    fields = {}
    for field, build, flags in (
        ("native", "native build", "-C target-cpu=native"),
        ("v2", "`x86-64-v2`", "-C target-cpu=x86-64-v2"),
    ):
        text = bench.run(
            "cargo", "bench", "--quiet", "--locked", "--manifest-path", "benches/peers/Cargo.toml", "--bench", "perft",
            "--", "loops", *quick, RUSTFLAGS=flags,
        )  # fmt: skip
        fields[field] = loops_table(build, text)
    return fields


def loops_table(build, text):
    """The table of the manual: millions of leaves a second of two positions, and the means of the ratios."""
    lines = {line.split("  ")[0]: re.split(r"\s{2,}", line.strip()) for line in text.splitlines() if line.strip()}
    shown = ("start", "Kiwipete", "geometric mean")
    if not {"", *shown} <= set(lines):
        raise Failure("the bench prints no table of loops")
    names, (start, kiwipete, means) = lines[""], (lines[row][1:] for row in shown)
    table = [f"| {build} | start | Kiwipete | `board.moves()` is this many times as fast |", "|---|---|---|---|"]
    for name, first, second, mean in zip(names, start, kiwipete, means, strict=True):
        ratio = "" if name == names[0] else mean.strip("()")
        table.append(f"| {LOOPS.get(name, name)} | {first.split()[0]} | {second.split()[0]} | {ratio} |")
    return "\n" + "\n".join(table) + "\n"


def page(bench):
    """The page and `skewer-analyse` on the games of the tests."""
    games = bench.folder / "games.pgn"
    games.write_text(bench.run("zstd", "-dc", ROOT / "crates/analysis-cli/tests/data/lichess-47.pgn.zst"))
    file = bench.folder / "skewer.html"
    bench.run("make", "-s", "page", f"PAGE={file}", "CARGO=cargo --quiet")
    text = bench.run(
        sys.executable, ROOT / "crates/page/tests/speed.py", "--page", file, "--analyse", bench.bin / "skewer-analyse",
        "--nodes", 100 if bench.quick else 10_000, games,
    )  # fmt: skip
    return page_fields(text)


def page_fields(text):
    found = re.search(r"^games\.pgn +([\d.]+) +([\d.]+) +([\d.]+) +(\d+)  the same", text, re.MULTILINE)
    if not found:
        raise Failure("speed.py prints no row with the same lines")
    return dict(zip(("native", "page", "times", "memory"), found.groups(), strict=True))


def analysis(bench):
    quick = ["--quick"] if bench.quick else []
    text = bench.run(
        sys.executable, ROOT / "tools" / "dev" / "measure_analysis.py", "--analyse", bench.build_analyse(),
        "--engine", bench.engine, *quick, "scaling", "engine", "labels", "overhead", "loop", "memory", "page",
    )  # fmt: skip
    return analysis_fields(text)


ANALYSIS = {
    "two_workers": r"^scaling: two workers ([\d.]+) times one",
    "of_engine": r"^engine: a worker has ([\d.]+) %",
    "labels": r"^labels: ([\d.]+) %",
    "overhead": r"^overhead: .* ([\d.]+) % \(wanted",
    "games_loop": r"^loop: python-chess and one process: ([\d,]+) games",
    "games_one": r"^loop: skewer-analyse, 1 workers: ([\d,]+) games",
    "games_two": r"^loop: skewer-analyse, 2 workers: ([\d,]+) games",
    "moves": r"^memory: ([\d,]+) moves",
    "memory": r"most in each fifth of the time: (.*) MiB",
    "report_games": r"^page: ([\d,]+) games",
    "report_size": r"^page: .* games, ([\d.]+) MB",
    "report_time": r"list shown after (\d+) ms",
}


def analysis_fields(text):
    fields = {}
    for name, pattern in ANALYSIS.items():
        found = re.search(pattern, text, re.MULTILINE)
        if not found:
            raise Failure(f"measure_analysis.py prints no {name}")
        fields[name] = found[1]
    fields["two_workers"] = f"{float(fields['two_workers']):.2f}"
    fields["memory"] = max(fields["memory"].split(", "), key=float)
    fields["labels"] = f"{float(fields['labels']) / 100:.2f}"
    fields["report_time"] = f"{int(fields['report_time']) / 1000:.2f}"
    return fields


def python(bench):
    """The package must be installed in the Python that runs this script, as `make wheel` builds it."""
    short = ["--repeat", 1, "--positions", 20] if bench.quick else ["--repeat", 8, "--positions", 400]
    return python_fields(bench.run(sys.executable, ROOT / "crates" / "python" / "benches" / "compare.py", *short))


def python_fields(text):
    versions = re.search(r"Python ([\d.]+), skewer [^,]*, python-chess ([\d.]+)", text)
    # Without the last column, which has the aims.
    table = [line.rsplit("|", 2)[0] + "|" for line in text.splitlines() if line.startswith("|")]
    if not versions or len(table) < 3:
        raise Failure("compare.py prints no table")
    names = f"Python {versions[1]} and python-chess {versions[2]}"
    return {"versions": names, "table": "\n" + "\n".join(table) + "\n"}


def npm(bench):
    if bench.quick:
        raise Failure("it has no quick form: `.ci/run deep_speed` plays 200 games")
    return npm_fields(bench.run(".ci/run", "deep_speed"))


# The programs of `tools/dev/speed.py` and the fields of their speed.
NPM_PROGRAMS = {
    "Skewer, wasm": "rate",
    "Skewer, wasm without vectors": "rate_plain",
    "Skewer": "rate_native",
    "stockfish.js lite": "rate_peer",
    "Stockfish of Debian": "rate_stockfish",
}


def npm_fields(text):
    fields = {}
    files = {"skewer.wasm": "size", "skewer-plain.wasm": "size_plain", "stockfish-19-lite-single.wasm": "size_peer"}
    for path, packed in re.findall(r"^(\S+\.wasm) \d+ (\d+)$", text, re.MULTILINE):
        fields[files[pathlib.PurePath(path).name]] = f"{int(packed) / 1e6:.2f}"
    for name, rate in re.findall(r"^\| (.*?) \| (\d+) \| [\d.]+ \|$", text, re.MULTILINE):
        # The step has another table, of a check with short searches.
        if name in NPM_PROGRAMS:
            fields[NPM_PROGRAMS[name]] = f"{int(rate):,}"
    games = re.search(r"^Games: (\d+), (\+\d+ =\d+ -\d+)", text, re.MULTILINE)
    elo = re.search(r"^Elo: ([-+\d.]+) \+/- ([\d.]+)", text, re.MULTILINE)
    if not games or not elo or set(fields) != {*files.values(), *NPM_PROGRAMS.values()}:
        raise Failure("`.ci/run deep_speed` does not print all sizes, speeds and games")
    fields["elo"] = f"{signed(float(elo[1]))} ± {float(elo[2]):.0f} Elo"
    fields["games"] = f"{games[1]} games, {games[2]}"
    return fields


# Each figure: the function that measures it, and about how many minutes that takes.
FIGURES = {
    "stockfish": (stockfish, 10),
    "ethereal": (ethereal, 9),
    "tactics": (tactics, 3),
    "two-threads": (two_threads, 28),
    "clock": (clock, 5),
    "lockstep": (lockstep, 5),
    "answer": (answer, 1),
    "perft": (perft, 5),
    "loops": (loops, 4),
    "analysis": (analysis, 12),
    "page": (page, 4),
    "python": (python, 3),
    "npm": (npm, 20),
}

# Figures that do not depend on what else the machine does.
ANY_LOAD = {"lockstep"}
