#!/usr/bin/env python3
"""Makes docs/images/terminal.png, the picture of a terminal session in the README: the board, and a search.

    terminal_picture.py --engine PROGRAM [--chromium chromium] [--out FILE]

Runs the engine in a pseudo-terminal, types commands as a person would, and lets Chromium draw what the terminal shows.
Takes the session whose search was the fastest of several, because other processes slow a search down.
Needs Linux or macOS, and no Python package. The program should be a build of the release.
"""

import argparse
import base64
import fcntl
import html
import os
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "crates/analysis-cli/tests"))

from devtools import Browser  # noqa: E402

COLUMNS, LINE, WIDTH = 128, 19, 1170
# Each command, and the text with which its answer ends.
COMMANDS = [("d", "Checkers:"), ("go depth 9", "bestmove")]
LONGEST = 60
SESSIONS = 20


def session(engine):
    """What a terminal shows when the engine is started and the commands are typed."""
    own, other = pty.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 50, COLUMNS, 0, 0))
    process = subprocess.Popen([engine], stdin=other, stdout=other, stderr=other)
    os.close(other)
    text = ""

    def read_until(end):
        nonlocal text
        begun, deadline = len(text), time.monotonic() + LONGEST
        while end not in text[begun:] or not text.endswith("\n"):
            if not select.select([own], [], [], max(0, deadline - time.monotonic()))[0]:
                sys.exit(f"the engine did not print {end!r}")
            text += os.read(own, 4096).decode().replace("\r\n", "\n")

    read_until("quit")
    for command, end in COMMANDS:
        os.write(own, f"{command}\n".encode())
        read_until(end)
    os.write(own, b"quit\n")
    process.wait(LONGEST)
    os.close(own)
    return "$ skewer\n" + text


def search_time(text):
    """The time in milliseconds, from the start of the search to the end of its last iteration."""
    return int(re.findall(r" time (\d+) ", text)[-1])


def page(text):
    """The text as a page that looks like a terminal, and its height in pixels."""
    rows = [line[at : at + COLUMNS] for line in text.rstrip("\n").split("\n") for at in range(0, max(1, len(line)), COLUMNS)]
    style = (
        "body { margin: 0; padding: 9px; background: #1e1e1e; color: #e0e0e0; }"
        f"pre {{ margin: 0; font: 15px/{LINE}px 'DejaVu Sans Mono', monospace; }}"
        f"i {{ display: inline-block; width: 9px; height: {LINE - 2}px; background: #e0e0e0; }}"
    )
    body = html.escape("\n".join(rows))
    made = f"<!doctype html><meta charset='utf-8'><style>{style}</style><pre>{body}\n<i></i></pre>"
    return made, LINE * (len(rows) + 1) + 18


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--engine", required=True, help="the program skewer")
    parser.add_argument("--chromium", default="chromium")
    parser.add_argument("--out", type=Path, default=ROOT / "docs/images/terminal.png")
    arguments = parser.parse_args()
    made, height = page(min((session(arguments.engine) for _ in range(SESSIONS)), key=search_time))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "terminal.html"
        file.write_text(made, encoding="utf-8")
        browser = Browser(arguments.chromium, Path(folder) / "profile")
        try:
            browser.call("Emulation.setDeviceMetricsOverride", width=WIDTH, height=height, deviceScaleFactor=1, mobile=False)
            browser.open(file.as_uri())
            picture = browser.call("Page.captureScreenshot", format="png")
        finally:
            browser.close()
    arguments.out.write_bytes(base64.b64decode(picture["data"]))
    print(f"{arguments.out}: {WIDTH} x {height}")


if __name__ == "__main__":
    main()
