#!/usr/bin/env python3
"""Makes docs/images/report.png, the picture of a report in the README: a game at a move that hangs a piece.

    picture.py --analyse PROGRAM [--page-engine skewer.wasm] [--chromium chromium] [--out FILE]

Analyses every eighth of the committed games at the default settings, and takes the first blunder from the tenth move on
that hangs a piece and has a label that is at least 90% likely to stay. The program should be a build of the release,
with the engine of the page in it; otherwise give the engine, which `make wasm` makes. Needs Chromium, and no Python
package.
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

GAMES = TESTS / "data/lichess-47.pgn.zst"
SHARD = "3/8"
# A window of a laptop. The picture has fewer pixels, for the width of a README.
WIDTH, HEIGHT, SCALE = 1366, 860, 0.81
FIRST_MOVE, SURE = 10, 0.9


def analyse(program, page_engine, folder):
    """The report, and the place of the move in it."""
    report, results = folder / "report.html", folder / "results.jsonl"
    command = [program, "games", GAMES, "--shard", SHARD, "--html", report, "--jsonl", results, "--quiet"]
    if page_engine:
        command += ["--page-engine", page_engine]
    subprocess.run(command, check=True)
    for game in map(json.loads, open(results, encoding="utf-8")):
        for ply, move in enumerate(game.get("moves", []), 1):
            hangs = any(motif["kind"] == "hung_piece" for motif in move.get("motifs", []))
            if hangs and move["label"] == "blunder" and move["number"] >= FIRST_MOVE and move["sure"] >= SURE:
                return report, f"{game['number']}.{ply}"
    sys.exit("no blunder of these games hangs a piece")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--analyse", required=True, help="the program skewer-analyse")
    parser.add_argument("--page-engine", help="skewer.wasm, if the program was built without it")
    parser.add_argument("--chromium", default="chromium")
    parser.add_argument("--out", type=Path, default=ROOT / "docs/images/report.png")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report, place = analyse(arguments.analyse, arguments.page_engine, Path(folder))
        browser = Browser(arguments.chromium, Path(folder) / "profile")
        try:
            browser.emulate(WIDTH, HEIGHT, "light")
            browser.call("Emulation.setDeviceMetricsOverride", width=WIDTH, height=HEIGHT, deviceScaleFactor=SCALE, mobile=False)
            browser.open(f"{report.as_uri()}#{place}")
            browser.wait("Boolean(view.game) && document.querySelectorAll('#lines li').length > 0")
            picture = browser.call("Page.captureScreenshot", format="png")
        finally:
            browser.close()
    arguments.out.write_bytes(base64.b64decode(picture["data"]))
    print(f"{arguments.out}: move {place}")


if __name__ == "__main__":
    main()
