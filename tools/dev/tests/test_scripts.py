#!/usr/bin/env python3
"""Tests of screen.py and recount.py.

    python3 tools/dev/tests/test_scripts.py
"""
import csv
import json
import lzma
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent
JOURNALS = SCRIPTS.parents[1] / "benches" / "results" / "journals"
sys.path.insert(0, str(SCRIPTS))

import screen  # noqa: E402  the folder of the script is not on the path before

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


if __name__ == "__main__":
    unittest.main()
