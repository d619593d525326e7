#!/usr/bin/env python3
"""Tests of screen.py, recount.py, words.py, compare-builds, release/contents, release/links, release/figures.py, the
Makefile and profiled-build.

    python3 tools/dev/tests/test_scripts.py
"""
import csv
import json
import lzma
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent
JOURNALS = SCRIPTS.parents[1] / "benches" / "results" / "journals"
sys.path[:0] = [str(SCRIPTS), str(SCRIPTS / "release")]

import figures  # noqa: E402  the folder of the script is not on the path before
import measurements  # noqa: E402  the folder of the script is not on the path before
import screen  # noqa: E402  the folder of the script is not on the path before
import words  # noqa: E402

# Takes the place of the match runner: records its arguments and a result, in which the side with "new" is
# 25 Elo stronger.
RUNNER = """#!/usr/bin/env python3
import json, pathlib, sys
out = pathlib.Path(sys.argv[sys.argv.index("--out") + 1])
pairs = [100, 200, 400, 300, 131]
if not any("with=new" in word and "name=first" in word for word in sys.argv):
    pairs.reverse()
out.with_suffix(".json").write_text(json.dumps({"pairs": pairs, "finished": True, "arguments": sys.argv}))
"""


class Figures(unittest.TestCase):
    """The documents print the figures that were measured, and those alone."""

    def record(self, bench="100", **fields):
        return {"bench": bench, "date": "2026-01-02", "machine": "a machine", "fields": fields}

    def wrong(self, text, signature=None, **known):
        return list(figures.differences({"page.md": text}, known, signature))

    def test_the_documents_say_what_was_measured(self):
        figures.check(None)
        printed = {name for path in figures.documents() for name, _, _ in figures.MARK.findall(path.read_text())}
        self.assertEqual(printed, set(figures.FIGURES), "every figure that can be measured is printed")

    def test_a_figure_that_is_changed_by_hand_is_found(self):
        speed = self.record(times="1.50")
        text = "It is <!--speed.times-->1.50<!--/--> times as fast (<!--speed.date-->2026-01-02<!--/-->)."
        self.assertEqual(self.wrong(text, speed=speed), [])
        self.assertRegex(self.wrong(text.replace("1.50", "1.60"), speed=speed)[0], "'1.60', measured was '1.50'")
        self.assertRegex(self.wrong(text.replace("speed.times", "speed.time"), speed=speed)[0], "speed.time has not been")
        self.assertRegex(self.wrong(text)[0], "speed.times has not been measured")
        self.assertRegex(self.wrong("nothing", speed=speed)[0], "no document prints it")

    def test_a_figure_of_another_build_is_found(self):
        text = "<!--speed.times-->1.50<!--/-->"
        self.assertEqual(self.wrong(text, signature="100", speed=self.record(times="1.50")), [])
        found = self.wrong(text, signature="101", speed=self.record(times="1.50"))
        self.assertEqual(found, ["speed is of bench 100, and this build is 101"])

    def test_figures_are_written_and_nothing_else(self):
        text = "| a | <!--speed.times-->1.50<!--/--> | <!-- a comment --> <!--speed.bench-->99<!--/--> |\n"
        new = figures.rewritten(text, {"speed": self.record(times="1.75")})
        self.assertEqual(new, text.replace("1.50", "1.75").replace("99", "100"))
        with self.assertRaisesRegex(figures.Failure, "has no times"):
            figures.rewritten(text, {"speed": self.record()})
        self.assertEqual(figures.rewritten(text, {}), text, "nothing is known of a figure that was not measured")

    def test_a_journal_never_replaces_the_journal_of_an_earlier_match(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for expected in "bench-1-against-x", "bench-1-against-x-2", "bench-1-against-x-3":
                self.assertEqual(measurements.unused("bench-1-against-x", folder), expected)
                (folder / f"{expected}.journal.xz").touch()

    def test_what_the_programs_print_is_read(self):
        match = {"games": [106, 151, 143], "elo": {"value": -32.2, "error": 24.9}}
        self.assertEqual(measurements.match_fields(match), {"score": "45.4%", "elo": "-32 ± 25 Elo", "games": "400"})
        self.assertEqual(measurements.bench_nodes("info string x: 3 nodes\n2324388 nodes 1700000 nps\n"), "2324388")
        solved = measurements.tactics_fields("278 of 300 solved, 5 nodes; to the solutions 3 nodes, 1.0 s\n")
        self.assertEqual(solved, {"solved": "278", "positions": "300"})
        threads = "threads   speed\n          depth 12: 2.30   8/8\n      2   2.276 (1.990 .. 2.620)\n     64   16.012 (11.912 .. 22.200)\n"
        speeds = {"speed_2": "2.28 (1.99 .. 2.62)", "speed_64": "16.0 (11.9 .. 22.2)"}
        self.assertEqual(measurements.lockstep_fields(threads), speeds)
        times = "      1   p50 0.05, p99 0.10, at most 0.2     p50 1.00, p99 3.00, at most 4.0\n"
        self.assertEqual(measurements.answer_fields(times), {"stop_1": "0.10"})
        names = ["skewer", "skewer, boards", "eschac 0.6.2 (no keys)", "cozy-chess 0.3.4", "chess 3.2", "shakmaty 0.30.1"]
        table = (
            "{}: million leaves a second (speed of skewer relative to it)\n\n" + " " * 14 + "{}\nstart {}\ngeometric mean {}\n\n"
        )
        means = "  ".join(f"({ratio})" for ratio in ("1.00", "4.00", "2.00", "5.00", "6.00", "8.00"))
        row = "".join(f"{name:>24}" for name in names)
        text = "".join(table.format(title, row, "700 (1.00)", means) for title in ("Counting", "Making every move"))
        found = measurements.perft_fields("native", text)
        self.assertEqual([found["counted_native_eschac"], found["made_native_eschac"]], ["2.00", "0.50"])
        self.assertEqual(found["made_native_cozy_chess"], "1.25")

    def test_two_threads_have_a_speed_by_nodes_and_to_a_depth(self):
        nodes = "threads   nodes/s relative to 1        one-thread engines, together\n"
        nodes += "      2   2.046 (1.930 .. 2.162)       1.951 (1.770 .. 2.151)\n"
        depth = "threads   speedup\n          depth 12: 2.30   8/8\n      2   1.593 (1.149 .. 2.152)\n"
        expected = {"nodes": "2.05 (1.93 .. 2.16)", "processes": "1.95 (1.77 .. 2.15)", "depth": "1.59 (1.15 .. 2.15)"}
        self.assertEqual(measurements.clock_fields(nodes, depth), expected)
        with self.assertRaises(figures.Failure):
            measurements.clock_fields(nodes, "threads   speedup\n")

    def test_the_table_of_loops_has_two_positions_and_the_means(self):
        def line(first, *cells):
            return f"{first:<14}" + "".join(f"{cell:>24}" for cell in cells) + "\n"

        names = line("", "skewer, moves()", "skewer, legal_moves()", "chess 3.2")
        text = "\nLoops over moves: million leaves a second (speed of skewer relative to it)\n\n" + names
        text += line("start", "482 (1.00)", "238 (2.03)", "264 (1.83)")
        text += line("Kiwipete", "862 (1.00)", "306 (2.82)", "345 (2.50)")
        text += line("endgame", "9 (1.00)", "9 (1.00)", "9 (1.00)")
        text += line("geometric mean", "(1.00)", "(2.38)", "(2.22)")
        self.assertEqual(
            measurements.loops_table("native build", text),
            "\n| native build | start | Kiwipete | `board.moves()` is this many times as fast |\n|---|---|---|---|\n"
            "| `for mv in board.moves()` | 482 | 862 |  |\n| `for mv in board.legal_moves()` | 238 | 306 | 2.38 |\n"
            "| chess 3.2 | 264 | 345 | 2.22 |\n",
        )

    def test_the_page_counts_only_if_its_results_are_those_of_the_program(self):
        text = "file   native s    page s  ratio     MB  bytes\ngames.pgn             22.7      42.6   1.88    654  {}\n"
        expected = {"native": "22.7", "page": "42.6", "times": "1.88", "memory": "654"}
        self.assertEqual(measurements.page_fields(text.format("the same 91234")), expected)
        with self.assertRaises(figures.Failure):
            measurements.page_fields(text.format("DIFFERENT"))

    def test_the_table_of_the_python_package_loses_its_aims(self):
        text = (
            "2026-01-02, AMD, 2 cores, Python 3.11.7, skewer 0.2.0, python-chess 1.11.2\n\n"
            "| work | skewer, a second | python-chess, a second | times | aim |\n|---|---|---|---|---|\n| push | 9 | 3 | 3.0 | 2 |\n"
        )
        table = "\n| work | skewer, a second | python-chess, a second | times |\n|---|---|---|---|\n| push | 9 | 3 | 3.0 |\n"
        found = measurements.python_fields(text)
        self.assertEqual(found, {"versions": "Python 3.11.7 and python-chess 1.11.2", "table": table})

    def test_the_comparison_of_the_npm_package_is_read_from_its_step(self):
        text = (
            "a/skewer.wasm 3000000 2270000\na/skewer-plain.wasm 3000000 2280000\nb/stockfish-19-lite-single.wasm 9 1190000\n"
            "| program | thousand nodes a second | times the first |\n|---|---|---|\n| Skewer | 2503 | 1.00 |\n"
            "| Skewer, wasm | 1368 | 0.55 |\n| Skewer, wasm without vectors | 548 | 0.22 |\n"
            "| Stockfish of Debian | 1130 | 0.45 |\n| stockfish.js lite | 951 | 0.38 |\n"
            "Games: 200, +20 =63 -117, 25.8%\nElo: -184.0 +/- 39.4 (95%), normalised -1 +/- 2\n"
        )
        found = measurements.npm_fields(text)
        expected = {
            "size": "2.27", "size_plain": "2.28", "size_peer": "1.19", "rate": "1,368", "rate_plain": "548",
            "rate_native": "2,503", "rate_peer": "951", "rate_stockfish": "1,130", "elo": "-184 ± 39 Elo",
            "games": "200 games, +20 =63 -117",
        }
        self.assertEqual(found, expected)
        with self.assertRaises(figures.Failure):
            measurements.npm_fields(text.replace("| stockfish.js lite | 951 | 0.38 |\n", ""))

    def test_an_output_without_the_figure_is_an_error(self):
        m = measurements
        readers = (m.npm_fields, m.python_fields, m.bench_nodes, m.tactics_fields, m.lockstep_fields, m.answer_fields)
        builds = (lambda text: m.perft_fields("native", text), lambda text: m.loops_table("native", text))
        two_texts = (lambda text: m.clock_fields(text, text),)
        for read in (*readers, m.analysis_fields, m.page_fields, *builds, *two_texts):
            with self.assertRaises(figures.Failure):
                read("something else")

    def test_a_machine_has_an_article(self):
        intel = measurements.machine("model name\t: Intel(R) Xeon(R) Processor @ 2.00GHz\nflags: avx2\n", 16, idle=True)
        self.assertEqual(intel, "16 idle cores of an Intel Xeon with AVX2")
        zen = measurements.machine("model name : Zen 4\nflags: avx2 avx512f", 2, idle=False)
        self.assertEqual(zen, "2 cores of a Zen 4 with AVX-512", "other programs may have run")


class Contents(unittest.TestCase):
    """Every file of a release has its own licence, and the licences of the third-party crates in it."""

    VERSION = re.search(r'^version = "(.*)"', (SCRIPTS.parents[1] / "Cargo.toml").read_text(), re.MULTILINE)[1]

    def said(self, name, *members, text=""):
        """What is said about a release of one file: an archive with these members, or a text."""
        with tempfile.TemporaryDirectory() as folder:
            # The names of wheels have the version as Python writes it.
            version = self.VERSION.replace("-dev", ".dev0") if name.startswith("skewer_chess") else self.VERSION
            path = pathlib.Path(folder, name.replace("VERSION", version))
            if name.endswith((".whl", ".zip")):
                with zipfile.ZipFile(path, "w") as archive:
                    for member in members:
                        archive.writestr(member, "")
            elif name.endswith(".html"):
                path.write_text(text)
            else:
                with tarfile.open(path, "w:gz") as archive:
                    for member in members:
                        archive.addfile(tarfile.TarInfo(member))
            return subprocess.run([SCRIPTS / "release" / "contents", folder], capture_output=True, text=True)

    def test_an_archive_without_licences_is_refused(self):
        for name, members in (
            ("skewer-VERSION-linux-x86-64.tar.gz", ["skewer", "LICENSE-MIT"]),
            ("skewer-VERSION-windows-x86-64.zip", ["skewer.exe", "LICENSE-MIT"]),
            ("skewer_chess-VERSION-cp39-abi3-linux_x86_64.whl", ["skewer/_skewer.so", "LICENSE-MIT"]),
            ("skewer-chess-VERSION.tgz", ["package/skewer.wasm", "package/LICENSE-MIT"]),
            ("skewer-tt-VERSION.crate", ["skewer-tt/src/lib.rs"]),
            ("skewer-page-VERSION.html", []),
        ):
            done = self.said(name, *members)
            self.assertEqual(done.returncode, 1, name)
            self.assertRegex(done.stderr, "has no (THIRD-PARTY|LICENSE-MIT)")

    def test_an_archive_with_licences_is_listed(self):
        for name, members, text in (
            ("skewer-VERSION-linux-x86-64.tar.gz", ["skewer", "THIRD-PARTY.md"], ""),
            ("skewer_chess-VERSION-cp39-abi3-linux_x86_64.whl", ["skewer_chess.dist-info/THIRD-PARTY.md"], ""),
            ("skewer_chess-VERSION.tar.gz", ["LICENSE-MIT"], ""),
            ("skewer-tt-VERSION.crate", ["skewer-tt/LICENSE-MIT"], ""),
            ("skewer-page-VERSION.html", [], "<!--\n# Licences of the crates that the programs link\n-->\n"),
        ):
            done = self.said(name, *members, text=text)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("| package | licence |", done.stdout)


class ArchiveLinks(unittest.TestCase):
    """The documents of an archive link only to files of the archive."""

    TEXT = """[kept](docs/uci.md#play), [a *page*](docs/gone.md), [`x` [0]](../up.md), ![picture](gone.png), \
[web](https://x.org/gone.md), [below](#start)
"""

    def test_links_to_missing_files_become_words_and_the_path(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name, "archive")
            (folder / "docs").mkdir(parents=True)
            (folder / "docs" / "uci.md").write_text("[up](../README.md), [crate](../crates/uci/README.md)\n")
            (folder.parent / "up.md").touch()
            (folder / "README.md").write_text(self.TEXT)
            subprocess.run([SCRIPTS / "release" / "links", folder], check=True)
            self.assertEqual((folder / "docs" / "uci.md").read_text(), "[up](../README.md), crate (`crates/uci/README.md`)\n")
            expected = self.TEXT.replace("[a *page*](docs/gone.md)", "a *page* (`docs/gone.md`)").replace("[`x` [0]](../up.md)", "`x` [0]")
            self.assertEqual((folder / "README.md").read_text(), expected)

    def test_the_first_page_of_an_archive_links_to_files_that_are_packed(self):
        root = SCRIPTS.parents[1]
        packed = (SCRIPTS / "release" / "pack").read_text()
        for target in re.findall(r"\]\(([^)#]+)", (SCRIPTS / "release" / "archive.md").read_text()):
            in_docs = target.startswith("docs/") and (root / target).exists()
            self.assertTrue(in_docs or target in packed, target)


class CompareBuilds(unittest.TestCase):
    """Builds are compared by processor time, and only if they search the same nodes."""

    def compare(self, *works):
        """Compares programs that do some work and say how many nodes they have searched."""
        with tempfile.TemporaryDirectory() as folder:
            programs = [pathlib.Path(folder, name) for name in "ab"]
            for program, (nodes, steps) in zip(programs, works):
                program.write_text(f"#!{sys.executable}\nsum(range({steps}))\nprint('{nodes} nodes 1 nps')\n")
                program.chmod(0o755)
            return subprocess.run([SCRIPTS / "compare-builds", *programs, "--series", "2", "--rounds", "2"],
                                  capture_output=True, text=True)

    def test_a_program_that_works_more_takes_longer(self):
        for works, slower in (((7, 10**7), (7, 1)), True), (((7, 1), (7, 10**7)), False):
            done = self.compare(*works)
            self.assertEqual(done.returncode, 0, done.stderr)
            ratio = float(done.stdout.splitlines()[-1].split(": ")[1].split()[0])
            self.assertEqual(ratio > 1, slower, done.stdout)

    def test_programs_that_search_different_nodes_are_refused(self):
        done = self.compare((7, 1), (8, 1))
        self.assertIn("different nodes: 7 and 8", done.stderr)
        self.assertEqual(done.returncode, 1)


class Screen(unittest.TestCase):
    def test_every_kind_of_switch_reaches_the_engine(self):
        text = screen.engine(["+new", "-old", "-older", "a=1", "b=2+c=3"], "first")
        self.assertEqual(text, "ours,hash=8,name=first,with=new,without=old+older,set.a=1,set.b=2,set.c=3")

    def test_a_round_gives_each_switch_to_one_side_of_every_match(self):
        with tempfile.TemporaryDirectory() as folder:
            runner = pathlib.Path(folder, "runner")
            runner.write_text(RUNNER)
            runner.chmod(0o755)
            out = pathlib.Path(folder, "screen")
            done = subprocess.run(
                [sys.executable, SCRIPTS / "screen.py", "--out", out, "--selfplay", runner, "+new", "a=1"],
                capture_output=True, text=True, check=True)
            rows = [row[:4] for row in csv.reader(done.stdout.splitlines())]
            self.assertEqual(rows[1:], [["+new", "36192", "+24.9", "2.8"], ["a=1", "36192", "+0.0", "2.8"]])
            matches = sorted(out.glob("round-1/*.json"))
            self.assertEqual(len(matches), 16)
            first = {"with=new": 0, "set.a=1": 0}
            for match in matches:
                arguments = json.loads(match.read_text())["arguments"]
                engines = [arguments[at + 1] for at, word in enumerate(arguments) if word == "--engine"]
                for option in first:
                    self.assertEqual([option in engine for engine in engines].count(True), 1)
                    first[option] += option in engines[0]
            self.assertEqual(first, {"with=new": 8, "set.a=1": 8})


class Recount(unittest.TestCase):
    def recount(self, *journals):
        return subprocess.run(
            [sys.executable, SCRIPTS / "recount.py", *journals], capture_output=True, text=True)

    def test_all_published_journals_are_whole(self):
        journals = sorted(JOURNALS.glob("*.xz"))
        done = self.recount(*journals)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("  pairs of "), len(journals))

    def test_the_published_result_is_counted_again(self):
        done = self.recount(JOURNALS / "skewer-6-against-5.journal.xz")
        self.assertIn("games 368: +163 =124 -81", done.stdout)
        self.assertIn("Elo +78.7 +/- 24.0", done.stdout)

    def test_a_journal_without_moves_counts_alike(self):
        journal = JOURNALS / "skewer-6-against-5.journal.xz"
        with tempfile.TemporaryDirectory() as folder:
            done = self.recount("--publish", folder, journal)
            self.assertEqual(done.returncode, 0, done.stderr)
            published = pathlib.Path(folder, journal.name)
            counted = [self.recount(path).stdout.split("\n", 1)[1] for path in (journal, published)]
            self.assertEqual(counted[0], counted[1])
            with lzma.open(published, "rt") as text:
                self.assertNotIn("1. ", text.read())

    def test_a_changed_result_is_refused(self):
        with lzma.open(JOURNALS / "skewer-6-against-5.journal.xz", "rt") as journal:
            text = journal.read()
        with tempfile.TemporaryDirectory() as folder:
            changed = pathlib.Path(folder, "changed.journal")
            changed.write_text(text.replace("1/2-1/2", "1-0", 1))
            self.assertEqual(self.recount(changed).returncode, 1)

    def test_a_file_of_another_kind_is_refused_in_one_line(self):
        with tempfile.TemporaryDirectory() as folder:
            other = pathlib.Path(folder, "other.journal")
            for text in ("[]\n[1]\n", "7\n", '"text"\n', "no JSON\n"):
                other.write_text(text)
                done = self.recount(other)
                self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1), done.stderr)


# Takes the place of cargo: writes its arguments and what it was told by the environment, and a program.
CARGO = """#!/usr/bin/env python3
import json, os, pathlib, sys
words, told = sys.argv[1:], os.environ
names = ("CARGO_ENCODED_RUSTFLAGS", "CARGO_TARGET_DIR", "SKEWER_EVALFILE")
with open(told["CARGO_LOG"], "a") as log:
    print(json.dumps([words, {name: told.get(name) for name in names}]), file=log)
value = lambda name: words[words.index(name) + 1] if name in words else None
folder = pathlib.Path(value("--target-dir") or told["CARGO_TARGET_DIR"], value("--target") or "", "release")
folder.mkdir(parents=True, exist_ok=True)
for at, word in enumerate(words):
    if word == "-p":
        program = folder / words[at + 1]
        program.write_text("#!/bin/sh\\nexit 0\\n")
        program.chmod(0o755)
"""

# Takes the place of rustc, which is asked for its host and for the folder of llvm-profdata.
RUSTC = """#!/bin/sh
case $1 in -vV) echo 'host: machine' ;; *) printf '%s\\n' "$TOOLS" ;; esac
"""


# Takes the place of install: writes its arguments.
INSTALL = """#!/usr/bin/env python3
import json, os, sys
with open(os.environ["INSTALL_LOG"], "a") as log:
    print(json.dumps(sys.argv[1:]), file=log)
"""


class Make(unittest.TestCase):
    """Names with blanks and quotes: of the folder, of the program and of the network."""

    # Characters that make, the shell or a program could take for more than a part of a name.
    NAMES = ("$HOME", "a$b", "$(shell touch touched)", "`touch touched`", "a#b", "a;touch touched", "it's a \"b\"", "a\\b",
             "s*r", "50%", "-dash", "a:b", "(a) & {b}", "a|b", "~a", "a!", "\u00e9 \u6f22", "trailing ", "a\nb", "a\udcffb")

    # One name of each kind.
    FEW_NAMES = ("-dash", "$(shell touch touched)", "it's a \"b\"", "a\nb")

    def test_names_are_taken_as_they_are_written(self):
        for name in self.NAMES:
            with self.subTest(name):
                folder, (call, *_) = self.make("PROFILE=no", f"EXE={name}", f"EVALFILE={name}")
                self.assertTrue((folder / name).is_file())
                self.assertEqual(call[1]["SKEWER_EVALFILE"], str(folder / name))
                folder, (call, *_) = self.make(EXE=name, EVALFILE=name, CARGO_TARGET_DIR=f"o{name}")
                self.assertTrue((folder / name).is_file())
                self.assertEqual(call[1]["SKEWER_EVALFILE"], str(folder / name))
                self.assertTrue((folder / f"o{name}" / "profiled").is_dir())
                self.assertEqual(list(folder.parent.rglob("touched")), [])

    def test_folders_for_results_of_any_name(self):
        for name in self.FEW_NAMES:
            for target in (["install", "PREFIX=/x"], ["selfplay"]):
                with self.subTest((target, name)):
                    folder, _ = self.make(*target, CARGO_TARGET_DIR=name)
                    self.assertTrue((folder / name).is_dir())
                    self.assertEqual(list(folder.parent.rglob("touched")), [])

    def test_a_page_of_any_name(self):
        for name in self.FEW_NAMES:
            with self.subTest(name):
                folder, calls = self.make("page", f"PAGE={name}")
                self.assertEqual(calls[-1][0][-1], name)
                self.assertEqual(list(folder.parent.rglob("touched")), [])

    def test_a_search_path_of_cd_changes_no_folder(self):
        for path in (".", "/tmp:."):
            with self.subTest(path):
                folder, (call, *_) = self.make("EXE=engine", CDPATH=path)
                self.assertEqual(call[0][-1], str(folder / "target/profiled"))

    def test_a_program_without_a_name_is_refused(self):
        with self.assertRaises(subprocess.CalledProcessError) as refused:
            self.make("PROFILE=no", "EXE=")
        self.assertIn(b"the name of the program is empty", refused.exception.stderr)

    def test_places_of_any_name_are_installed_to(self):
        cases = [{"DESTDIR": name, "PREFIX": f"/{name}"} for name in self.NAMES]
        for name in ("$(shell touch touched)", "-dash", "it's a \"b\""):
            cases += [{"PREFIX": name}, {"BINDIR": name, "DATADIR": name}]
        for places in cases:
            with self.subTest(places):
                folder, _ = self.make("install", *(f"{key}={value}" for key, value in places.items()))
                calls = [json.loads(line) for line in (folder.parent / "installed").read_text().splitlines()]
                place = places.get("DESTDIR", "") + places.get("PREFIX", "")
                bin, data = places.get("BINDIR", f"{place}/bin"), places.get("DATADIR", f"{place}/share")
                self.assertEqual(calls[0][:4], ["-d", "--", bin, f"{data}/man/man1"])
                # What comes after `--` is a name, also if it begins with a dash.
                self.assertTrue(all("--" in call[:3] for call in calls))
                self.assertEqual({call[-1].startswith((bin, data)) for call in calls[1:]}, {True})
                self.assertEqual(list(folder.parent.rglob("touched")), [])

    def test_a_folder_of_any_name(self):
        for name in self.NAMES:
            with self.subTest(name):
                folder, _ = self.make("EVALFILE=a.nnue", name=name)
                self.assertTrue((folder / "skewer").is_file())
                self.assertEqual(list(folder.parent.rglob("touched")), [])

    def make(self, *arguments, name="it's a \"folder\"", **environment):
        """Runs make in such a folder. Returns the folder and the calls of cargo."""
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        root = pathlib.Path(temporary.name).resolve()
        folder = root / name
        (folder / "tools/dev/release").mkdir(parents=True)
        licences = folder / "tools/dev/release/licences"
        for name in ("Makefile", "tools/dev/profiled-build"):
            (folder / name).write_bytes((SCRIPTS.parents[1] / name).read_bytes())
            (folder / name).chmod(0o755)
        tools = root / "tools"
        merge = tools / "lib/rustlib/machine/bin/llvm-profdata"
        scripts = {tools / "cargo": CARGO, tools / "rustc": RUSTC, tools / "install": INSTALL, merge: "#!/bin/sh\n",
                   licences: "#!/bin/sh\n"}
        for path, text in scripts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            path.chmod(0o755)
        log = root / "log"
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("CARGO", "MAKE", "SKEWER"))}
        path = f"{tools}:{os.environ['PATH']}"
        subprocess.run(["make", *arguments], cwd=folder, check=True, capture_output=True,
                       env={**clean, "PATH": path, "TOOLS": str(tools), "CARGO_LOG": str(log), "INSTALL_LOG": str(root / "installed"),
                            **environment})
        return folder, [json.loads(line) for line in log.read_text().splitlines()]

    def test_a_profile_and_a_program_with_blanks_and_quotes(self):
        folder, (first, second) = self.make("EXE=my 'own' engine", "EVALFILE=a b.nnue")
        self.assertTrue((folder / "my 'own' engine").is_file())
        flags = [call[1]["CARGO_ENCODED_RUSTFLAGS"].split("\x1f") for call in (first, second)]
        profiled = str(folder / "target/profiled")
        self.assertEqual(flags[0], ["-C", "target-cpu=native", "-C", f"profile-generate={profiled}/raw"])
        unseen = ["-C", "llvm-args=-pgso=false"]
        self.assertEqual(flags[1], ["-C", "target-cpu=native", *unseen, "-C", f"profile-use={profiled}/skewer.profdata"])
        self.assertEqual(first[1]["SKEWER_EVALFILE"], str(folder / "a b.nnue"))

    def test_without_a_profile_and_with_other_folders(self):
        with tempfile.TemporaryDirectory() as other:
            out = str(pathlib.Path(other, "o u't"))
            network = str(pathlib.Path(other, "a  b.nnue"))
            folder, (call,) = self.make("PROFILE=no", f"EVALFILE={network}", CARGO_TARGET_DIR=out)
            self.assertTrue((folder / "skewer").is_file())
            self.assertEqual((call[1]["CARGO_TARGET_DIR"], call[1]["SKEWER_EVALFILE"]), (out, network))
            self.assertIsNone(call[1]["CARGO_ENCODED_RUSTFLAGS"])

    def test_flags_without_a_processor(self):
        _, (first, _) = self.make("aarch64")
        self.assertEqual(len(first[1]["CARGO_ENCODED_RUSTFLAGS"].split("\x1f")), 2)


class Words(unittest.TestCase):
    def test_a_phrase_is_found_across_lines_and_marks_of_comments(self):
        for gap in (" ", "\n", "\n    ", "\n/// ", "\n//! ", "\n * ", "\n# ", " \\\n  "):
            self.assertEqual(list(words.find(f"one\nTwo, Those{gap}of three")), [(2, " ".join(["Those", "of"]))])

    def test_other_words_are_no_phrase(self):
        for text in ("that often", "those, of course", "thatch of", "all of those", "that.\n\nOf"):
            self.assertEqual(list(words.find(text)), [])


if __name__ == "__main__":
    unittest.main()
