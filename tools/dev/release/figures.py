#!/usr/bin/env python3
"""Measure the figures that README and manuals print, and write them where they stand.

    tools/dev/release/figures.py --list            the figures: build, date, time that each takes
    tools/dev/release/figures.py [NAME...]         measure and write these; without names all that are not of this build
    tools/dev/release/figures.py --quick [NAME...] measure on little data and print, to see that it works
    tools/dev/release/figures.py --write           write the known figures into documents that were edited
    tools/dev/release/figures.py --check           fail if a document says something else than was measured
    tools/dev/release/figures.py --check --release fail also if a figure is not of this build

Most figures are measured on an idle machine alone. `tactics` needs `--wac FILE`, the 300 positions of Win at Chess. Other programs that a
figure needs (Stockfish 15.1 of Debian, cargo, Python packages) are named where they are missing.

A figure stands in a document between two comments, `<!--NAME.FIELD-->` and `<!--/-->`. benches/results/figures.json has
the fields of every figure with the build, the date and the machine. A measurement replaces them all at once, in the
file and in the documents.
"""

import argparse
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
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
KNOWN = ROOT / "benches" / "results" / "figures.json"
JOURNALS = ROOT / "benches" / "results" / "journals"
EXPERIMENTS = ROOT / "benches" / "results" / "experiments.csv"
MARK = re.compile(r"<!--([a-z-]+)\.([a-z0-9_]+)-->(.*?)<!--/-->", re.DOTALL)


class Failure(Exception):
    """A figure that cannot be measured, or a document that cannot be written."""


class Bench:
    """The programs of this build, a folder for results, and whether little data is enough."""

    def __init__(self, folder, quick, wac):
        self.folder, self.quick, self.wac = folder, quick, wac
        self.bin = ROOT / "target" / "release"
        self.engine = ROOT / "target" / "figures" / "skewer"

    def build_engine(self):
        """Builds the engine as `make` does."""
        self.engine.parent.mkdir(parents=True, exist_ok=True)
        profile = ["PROFILE=no"] if self.quick else []
        self.run("make", "-s", f"EXE={self.engine}", "CARGO=cargo --quiet", *profile)

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
        name = f"bench-{self.signature()}-{name}"
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
    ends = (round(elo["value"] + sign * elo["error"], 1) for sign in (-1, 1))
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
        bench.bin / "skewer-analyse", "suite", bench.wac, "--time", milliseconds, "--threads", 2, "--at-least", 1,
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


def analysis(bench):
    quick = ["--quick"] if bench.quick else []
    text = bench.run(
        sys.executable, ROOT / "tools" / "dev" / "measure_analysis.py", "--analyse", bench.bin / "skewer-analyse",
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


# The programs of `crates/wasm/tests/speed.py` and the fields of their speed.
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
    "stockfish": (stockfish, 30),
    "ethereal": (ethereal, 25),
    "tactics": (tactics, 3),
    "two-threads": (two_threads, 50),
    "lockstep": (lockstep, 5),
    "answer": (answer, 1),
    "perft": (perft, 5),
    "analysis": (analysis, 10),
    "python": (python, 5),
    "npm": (npm, 100),
}

# Figures that do not depend on what else the machine does.
ANY_LOAD = {"lockstep"}


def documents():
    """The documents that print figures."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "crates" / "wasm" / "npm" / "README.md"]


def known():
    return json.loads(KNOWN.read_text()) if KNOWN.exists() else {}


def fields_of(record):
    """All that a document may print of a figure."""
    return {**record["fields"], "bench": record["bench"], "date": record["date"], "machine": record["machine"]}


def rewritten(text, figures):
    """The text of a document with every figure as it was measured."""

    def put(mark):
        name, field, _ = mark.groups()
        if name not in figures:
            raise Failure(f"the figure {name} has not been measured")
        fields = fields_of(figures[name])
        if field not in fields:
            raise Failure(f"the figure {name} has no {field}")
        return f"<!--{name}.{field}-->{fields[field]}<!--/-->"

    return MARK.sub(put, text)


def write():
    figures = known()
    for path in documents():
        text = path.read_text()
        new = rewritten(text, figures)
        if new != text:
            path.write_text(new)
            print(f"written: {path.relative_to(ROOT)}")


def differences(texts, figures, signature=None):
    """What is wrong with the documents: a figure that differs from the measured one or, if `signature` is given, is of
    another build, and a measured figure that no document prints."""
    printed = set()
    for name, text in texts.items():
        for figure, field, shown in MARK.findall(text):
            printed.add(figure)
            if figure not in figures or field not in fields_of(figures[figure]):
                yield f"{name}: {figure}.{field} has not been measured"
            elif shown != fields_of(figures[figure])[field]:
                yield f"{name}: {figure}.{field} is {shown!r}, measured was {fields_of(figures[figure])[field]!r}"
    for figure, record in figures.items():
        if figure not in printed:
            yield f"{figure} was measured, but no document prints it"
        if signature is not None and record["bench"] != signature:
            yield f"{figure} is of bench {record['bench']}, and this build is {signature}"


def check(signature):
    texts = {str(path.relative_to(ROOT)): path.read_text() for path in documents()}
    wrong = list(differences(texts, known(), signature))
    if wrong:
        raise Failure("\n".join(wrong))
    print(f"{len(known())} figures are as they were measured" + (", with this build" if signature else ""))


def measure(bench, names):
    bench.build_engine()
    bench.build_tools()
    signature, figures = bench.signature(), known()
    stale = [name for name in FIGURES if figures.get(name, {}).get("bench") != signature]
    failed = []
    for name in names or stale:
        print(f"{name}: about {FIGURES[name][1]} minutes" if not bench.quick else name, flush=True)
        try:
            idle = name not in ANY_LOAD and not bench.quick
            if idle and (share := busy_share(5)) > 0.05:
                raise Failure(f"the machine is not idle: {100 * share:.0f}% of its time is used")
            fields = FIGURES[name][0](bench)
        except Failure as failure:
            # The others are measured all the same.
            print(f"{name}: {failure}", file=sys.stderr)
            failed.append(name)
            continue
        print("\n".join(f"    {field}: {value}" for field, value in fields.items()), flush=True)
        if not bench.quick:
            figures[name] = {"bench": signature, "date": today(), "machine": processor(idle), "fields": fields}
            KNOWN.write_text(json.dumps(dict(sorted(figures.items())), indent=2, ensure_ascii=False) + "\n")
            write()
    if failed:
        raise Failure(f"not measured: {', '.join(failed)}")


def show():
    figures = known()
    for name, (_, minutes) in FIGURES.items():
        record = figures.get(name)
        of = f"bench {record['bench']}, {record['date']}, {record['machine']}" if record else "not measured"
        print(f"{name:<12} {minutes:>3} minutes   {of}")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="figures, from --list")
    parser.add_argument("--wac", type=pathlib.Path, help="the positions of Win at Chess (EPD)")
    for option, text in (
        ("list", "show the figures, their builds and the time that each takes"),
        ("quick", "measure on little data and print, keep nothing"),
        ("write", "write the known figures into the documents"),
        ("check", "compare the documents with the known figures"),
        ("release", "with --check: fail for a figure of another build"),
    ):
        parser.add_argument(f"--{option}", action="store_true", help=text)
    given = parser.parse_args()
    unknown = [name for name in given.names if name not in FIGURES]
    if unknown:
        parser.error(f"no figure is called {unknown[0]}; --list shows them")
    return given


def main():
    given = arguments()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(pathlib.Path(folder), given.quick, given.wac and given.wac.resolve())
        if given.list:
            show()
        elif given.write:
            write()
        elif given.check:
            if given.release:
                bench.build_engine()
            check(bench.signature() if given.release else None)
        else:
            measure(bench, given.names)


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"figures.py: {failure}")
