#!/usr/bin/env python3
"""Checks that builds of the engine give the same answers to 60 searches, and play the same transcripts.

    check.py program NAME COMMAND...     a program that speaks UCI
    check.py browser NAME FOLDER         the npm package in FOLDER, in headless Chromium
    check.py wheel NAME                  the Python package `skewer`
    check.py rows NAME COMMAND...        a program that reads the searches and prints the rows with its answers
    check.py write COMMAND...            writes the answers of this program into the file, as the expected ones

Each check prints a line and adds it to `target/conformance/table.md`; the exit status is 1 if anything
differs. Expected are the best move, the score and the nodes of the last line.
"""

import argparse
import csv
import difflib
import functools
import http.server
import io
import json
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SEARCHES = HERE / "searches.csv"
TRANSCRIPTS = ROOT / "crates/uci/tests/transcripts"
TABLE = ROOT / "target/conformance/table.md"
ANSWER = ("best", "score", "searched")
DEFAULTS = {"Hash": 16, "MultiPV": 1, "Use Network": "true", "UCI_Chess960": "false"}


def read(text):
    return list(csv.DictReader(io.StringIO(text)))


def commands(search):
    """The commands for a search, each from a new game on."""
    values = (search[key] for key in ("hash", "lines", "network", "chess960"))
    yield "ucinewgame"
    yield from (f"setoption name {name} value {value}" for name, value in zip(DEFAULTS, values, strict=True))
    yield f"position fen {search['fen']}"
    yield f"go nodes {search['nodes']}"


def answer(lines):
    """Best move, score and nodes of the output of a search."""
    found = []
    for line in lines:
        if match := re.match(r"info (depth \d+) .* multipv 1 score (\w+ -?\d+) .*nodes (\d+) .*? pv (.*)", line):
            if "bound " not in line:
                depth, score, nodes, pv = match.groups()
                found.append(((depth, score, pv), score, nodes))
    return {"best": lines[-1].split()[1], **last(found)}


def last(found):
    """Score and nodes of the last exact line, when it was first reported: a search of more than three seconds also
    reports lines that leave their window, and repeats the best line after them."""
    _, score, nodes = next(line for line in found if line[0] == found[-1][0])
    return {"score": score, "searched": nodes}


class Program:
    """A program that speaks UCI."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, sent, end):
        """Sends commands; returns the output up to the line that begins with `end`."""
        self.process.stdin.write("".join(f"{line}\n" for line in sent))
        self.process.stdin.flush()
        lines = []
        while not lines or not lines[-1].startswith(end):
            line = self.process.stdout.readline()
            assert line, f"the program has ended after {lines[-3:]}"
            lines.append(line.rstrip("\r\n"))
        return lines

    def close(self):
        self.process.communicate("quit\n", timeout=60)


class Page:
    """The engine in a worker of a page, from a local server or, with one file, from disk."""

    ASK = """
        const engine = new Worker("skewer-chess.js"), said = [];
        let wake = () => {};
        engine.onmessage = ({ data }) => { said.push(data); wake(); };
    """ + (
        COMMON := """
        async function ask(sent, end) {
            for (const line of sent) engine.postMessage(line);
            for (let at = 0; ; at += 1) {
                while (at === said.length) await new Promise(resolve => { wake = resolve; });
                if (said[at].startsWith(end)) return said.splice(0, at + 1);
            }
        }
    """
    )
    FROM_FILE = """
        const said = [];
        let wake = () => {};
        const started = Skewer.start().then(engine => { engine.listen(line => { said.push(line ?? "ended"); wake(); }); return engine; });
        const engine = { postMessage: line => started.then(engine => engine.send(line)) };
    """ + COMMON

    def __init__(self, folder, way):
        sys.path.insert(0, str(ROOT / "crates/analysis-cli/tests"))
        from devtools import Browser

        self.folder = tempfile.TemporaryDirectory()
        self.server = None
        site = Path(self.folder.name)
        # As in browsers in which WebAssembly cannot wait for a promise. The start takes long, so that several commands
        # wait when it is over.
        deaf = """
            const create = URL.createObjectURL, before = `
                delete WebAssembly.Suspending;
                const { instantiate } = WebAssembly;
                WebAssembly.instantiate = async (...given) => {
                    await new Promise(resume => setTimeout(resume, 50));
                    return instantiate(...given);
                };
            `;
            URL.createObjectURL = blob => create.call(URL, new Blob([before, blob]));
        """
        scripts = {
            "worker": f"<script>{self.ASK}</script>",
            "file": f'<script src="skewer-chess-single.js"></script><script>{self.FROM_FILE}</script>',
            "deaf": f'<script>{deaf}</script><script src="skewer-chess-single.js"></script><script>{self.FROM_FILE}</script>',
        }
        (site / "index.html").write_text(f"<!doctype html><title>Skewer</title>{scripts[way]}")
        for file in Path(folder).glob("skewer*"):
            (site / file.name).symlink_to(file.resolve())
        self.browser = Browser("chromium", site / "profile")
        address = f"file://{site}/index.html"
        if way == "worker":
            handler = functools.partial(Quiet, directory=site)
            self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
            threading.Thread(target=self.server.serve_forever, daemon=True).start()
            address = f"http://127.0.0.1:{self.server.server_address[1]}/index.html"
        self.browser.call("Page.navigate", url=address)
        self.browser.wait("typeof ask === 'function'")

    def ask(self, sent, end):
        return self.browser.value(f"ask({json.dumps(list(sent))}, {json.dumps(end)})")

    def close(self):
        self.browser.close()
        if self.server:
            self.server.shutdown()
        self.folder.cleanup()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def differing(searches, answers):
    """How many answers differ; prints them."""
    count = 0
    for search, found in zip(searches, answers, strict=True):
        if wrong := [f"{key} {found[key]}, expected {search[key]}" for key in ANSWER if found[key] != search[key]]:
            count += 1
            print(f"  {search['fen']} ({search['lines']} lines): {'; '.join(wrong)}")
    return count


def play(engine):
    """Plays the transcripts; returns how many differ, and of how many."""
    files, wrong = sorted(TRANSCRIPTS.glob("*.txt")), 0
    for file in files:
        expected = file.read_text().splitlines()
        defaults = [f"setoption name {name} value {value}" for name, value in DEFAULTS.items()]
        engine.ask([*defaults, "ucinewgame", "debug off", "position startpos", "isready"], "readyok")
        played = []
        for command in (line for line in expected if line.startswith("> ")):
            played.append(command)
            if command.startswith("> go"):
                played += engine.ask([command[2:]], "bestmove ")
                played += engine.ask(["isready"], "readyok")[:-1]
            else:
                played += engine.ask([command[2:], "isready"], "readyok")[:-1]
        pattern = "\n".join(map(re.escape, expected)).replace(re.escape("[..]"), ".*")
        if not re.fullmatch(pattern, "\n".join(played)):
            wrong += 1
            print(f"  {file.name}:", *difflib.ndiff(expected, played), sep="\n    ")
    return wrong, len(files)


def stops(engine):
    """Milliseconds from a `stop` to the answer, at most, in five searches of half a second."""
    longest = 0
    for _ in range(5):
        engine.ask(["position startpos", "go infinite"], "info depth ")
        time.sleep(0.5)
        started = time.monotonic()
        engine.ask(["stop"], "bestmove ")
        longest = max(longest, time.monotonic() - started)
    return longest * 1000


def stops_after_ponderhit(engine):
    """Stops a search after `ponderhit`. In a browser in which a search cannot be interrupted, another worker searches
    after `ponderhit`, and the `stop` must reach that worker. An engine that overlooks the `stop` never answers."""
    engine.ask(["ucinewgame", "position startpos", "go ponder infinite"], "info depth ")
    engine.ask(["ponderhit", "stop"], "bestmove ")


def run(engine, searches):
    try:
        count = differing(searches, [answer(engine.ask(commands(search), "bestmove ")) for search in searches])
        longest = stops(engine)
        stops_after_ponderhit(engine)
        wrong, all_of_them = play(engine)
    finally:
        engine.close()
    return count + wrong, f"{all_of_them - wrong} of {all_of_them}", f"{longest:.0f} ms"


def wheel(searches):
    import skewer

    def answers():
        for search in searches:
            evaluation = "default" if search["network"] == "true" else "hce"
            engine = skewer.Engine(hash=int(search["hash"]), evaluation=evaluation)
            board = skewer.Board(search["fen"], chess960=search["chess960"] == "true")
            infos = []
            engine.analyse(board, nodes=int(search["nodes"]), multipv=int(search["lines"]), callback=infos.append)
            found = []
            for info in infos:
                if info["multipv"] == 1 and not info.keys() & {"lowerbound", "upperbound"}:
                    score = info["score"].relative
                    text = f"mate {score.mate()}" if score.is_mate() else f"cp {score.score()}"
                    found.append(((info["depth"], text, info["pv"]), text, str(info["nodes"])))
            yield {"best": board.uci(found[-1][0][2][0]), **last(found)}

    return differing(searches, answers()), "", ""


def rows(command, searches):
    output = subprocess.run(command, input=SEARCHES.read_text(), stdout=subprocess.PIPE, text=True, check=True).stdout
    return differing(searches, read(output)), "", ""


def write(command, searches):
    engine = Program(command)
    for search in searches:
        search.update(answer(engine.ask(commands(search), "bestmove ")))
    engine.close()
    with SEARCHES.open("w", newline="") as file:
        writer = csv.DictWriter(file, searches[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(searches)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=["program", "browser", "wheel", "rows", "write"])
    parser.add_argument("rest", nargs=argparse.REMAINDER, metavar="...")
    arguments = parser.parse_args()
    searches = read(SEARCHES.read_text())
    if arguments.kind == "write":
        return write(arguments.rest, searches)
    name, *command = arguments.rest
    started = time.monotonic()
    match arguments.kind:
        case "program":
            failures, transcripts, longest = run(Program(command), searches)
        case "browser":
            failures, transcripts, longest = run(Page(*command), searches)
        case "wheel":
            failures, transcripts, longest = wheel(searches)
        case "rows":
            failures, transcripts, longest = rows(command, searches)
    seconds = time.monotonic() - started
    verdict = "alike" if failures == 0 else f"{failures} DIFFER"
    line = f"| {name} | {len(searches)} searches | {verdict} | {transcripts} | {longest} | {seconds:.0f} s |"
    print(line, flush=True)
    TABLE.parent.mkdir(parents=True, exist_ok=True)
    with TABLE.open("a") as table:
        table.write(line + "\n")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
