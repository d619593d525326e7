#!/usr/bin/env python3
"""Makes two pictures of the README: docs/images/report.png, a report at a move that hangs a piece, and
docs/images/tree.png, a page of the laboratory in the middle of a search.

    picture.py [--analyse PROGRAM [--page-engine skewer.wasm]] [--lab PROGRAM] [--chromium chromium]

For the report, analyses every eighth of the committed games at the default settings, and takes the first blunder from
the tenth move on that hangs a piece and has a label that is at least 90% likely to stay. The program should be a build
of the release, with the engine of the page in it; otherwise give the engine, which `make wasm` makes. The programs are
skewer-analyse and skewer-lab. Needs Chromium, and no Python package.
"""

import argparse
import base64
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "crates/analysis-cli/tests"
sys.path.append(str(TESTS))

from devtools import Browser  # noqa: E402

IMAGES = ROOT / "docs/images"
GAMES = TESTS / "data/lichess-47.pgn.zst"
SHARD = "3/8"
FIRST_MOVE, SURE = 10, 0.9
# Alpha-beta beside minimax, at a step after the first cut-offs.
SEARCH = ["--tree", "(((3 17) (2 12)) ((15 (25 0)) (2 5 -7)) ((3) (2 14)))", "--recipe", "minimax", "--recipe", "alpha-beta"]
STEP = 38
# A window of a laptop. The pictures have fewer pixels, for the width of a README.
WIDTH, HEIGHT, SCALE = 1366, 860, 0.81


def report(program, page_engine, folder):
    """The address of a report at the move, and a condition that the page fulfils when it is shown."""
    page, results = folder / "report.html", folder / "results.jsonl"
    command = [program, "games", GAMES, "--shard", SHARD, "--html", page, "--jsonl", results, "--quiet"]
    if page_engine:
        command += ["--page-engine", page_engine]
    subprocess.run(command, check=True)
    for game in map(json.loads, open(results, encoding="utf-8")):
        for ply, move in enumerate(game.get("moves", []), 1):
            hangs = any(motif["kind"] == "hung_piece" for motif in move.get("motifs", []))
            if hangs and move["label"] == "blunder" and move["number"] >= FIRST_MOVE and move["sure"] >= SURE:
                shown = "Boolean(view.game) && document.querySelectorAll('#lines li').length > 0"
                return f"{page.as_uri()}#{game['number']}.{ply}", shown
    sys.exit("no blunder of these games hangs a piece")


def tree(program, folder):
    """The address of a page of the laboratory at the step, and a condition that the page fulfils when it is shown."""
    page = folder / "tree.html"
    subprocess.run([program, "tree", *SEARCH, "--html", page], check=True)
    return f"{page.as_uri()}#step1={STEP}", "document.querySelectorAll('.panel').length > 0"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--analyse", help="the program skewer-analyse, for the report")
    parser.add_argument("--page-engine", help="skewer.wasm, if skewer-analyse was built without it")
    parser.add_argument("--lab", help="the program skewer-lab, for the tree")
    parser.add_argument("--chromium", default="chromium")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        pages = {}
        if arguments.analyse:
            pages["report.png"] = report(arguments.analyse, arguments.page_engine, folder)
        if arguments.lab:
            pages["tree.png"] = tree(arguments.lab, folder)
        if not pages:
            parser.error("--analyse or --lab names the program of a picture")
        browser = Browser(arguments.chromium, folder / "profile")
        try:
            browser.emulate(WIDTH, HEIGHT, "light")
            browser.call("Emulation.setDeviceMetricsOverride", width=WIDTH, height=HEIGHT, deviceScaleFactor=SCALE, mobile=False)
            for name, (address, shown) in pages.items():
                browser.open(address)
                browser.wait(shown)
                picture = browser.call("Page.captureScreenshot", format="png")
                (IMAGES / name).write_bytes(base64.b64decode(picture["data"]))
                print(IMAGES / name)
        finally:
            browser.close()


if __name__ == "__main__":
    main()
