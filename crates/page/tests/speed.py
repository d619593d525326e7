#!/usr/bin/env python3
"""Analyses files in the page and by skewer-analyse, on the same number of cores: bytes, seconds, memory of the browser.

    speed.py --page skewer.html --analyse PATH [--workers 2] [--nodes 10000] [--chromium PATH | --firefox PATH] FILE...

Each program has the machine for itself while it runs. Prints a row for each file, and exits with 1 if the lines of JSON
differ.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from browser import Page, start


def children(process):
    """A process and all that it has started."""
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    found = [int(word) for task in tasks for word in task.read_text().split()]
    return [process] + [one for child in found for one in children(child)]


class Memory(threading.Thread):
    """The greatest memory of a browser, in MB; memory that its processes share counts once."""

    def __init__(self, process):
        super().__init__(daemon=True)
        self.process, self.most, self.over = process, 0, threading.Event()

    def run(self):
        while not self.over.wait(0.5):
            self.most = max(self.most, sum(map(self.of, children(self.process))) / 1024)

    @staticmethod
    def of(process):
        try:
            rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
        except OSError:
            return 0
        return next((int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:")), 0)


def in_page(page, text, name, arguments):
    """The lines of JSON that the page saves, and the seconds that the analysis took."""
    page.fresh(nodes=str(arguments.nodes) if arguments.nodes else "")
    page.browser.value(
        "(() => { const data = new DataTransfer(); data.items.add(new File([" + json.dumps(text) + f"], {json.dumps(name)}));"
        " document.querySelector('#drop').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })); })()"
    )
    page.chosen(f"in {name}")
    page.browser.value(f"document.querySelector('#workers').value = {arguments.workers}; document.querySelector('#go').click()")
    begun = time.monotonic()
    while not page.browser.value("analysis.state === 'done'"):
        time.sleep(0.2)
    seconds = time.monotonic() - begun
    return page.saved("jsonl"), seconds


def native(arguments, text, name, folder):
    """The lines of JSON of skewer-analyse, and the seconds that the analysis took."""
    (folder / name).write_text(text)
    command = [arguments.analyse, "games", name, "--quiet", "--jsonl", "-", "--threads", str(arguments.workers)]
    if arguments.nodes:
        command += ["--nodes", str(arguments.nodes)]
    begun = time.monotonic()
    lines = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, check=False).stdout
    return lines, time.monotonic() - begun


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--page", type=Path, required=True)
    parser.add_argument("--analyse", required=True)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--nodes", type=int, default=10000, help="0 for the default settings")
    parser.add_argument("--chromium", default="chromium")
    parser.add_argument("--firefox")
    arguments = parser.parse_args()
    arguments.analyse = str(Path(arguments.analyse).resolve())
    differ = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        browser = start(arguments, folder / "profile")
        page = Page(browser, arguments.page.resolve(), arguments.analyse, None, folder)
        print(f"{'file':32} {'native s':>9} {'page s':>9} {'ratio':>6} {'MB':>6}  bytes", flush=True)
        for path in arguments.files:
            text = path.read_text(errors="surrogateescape").encode(errors="surrogateescape").decode(errors="replace")
            lines, own = native(arguments, text, path.name, folder)
            memory = Memory(browser.process.pid)
            memory.start()
            found, seconds = in_page(page, text, path.name, arguments)
            memory.over.set()
            memory.join()
            same = found == lines
            differ += not same
            print(
                f"{path.name:32} {own:9.1f} {seconds:9.1f} {seconds / own:6.2f} {memory.most:6.0f}  "
                + (f"the same {len(lines)}" if same else "DIFFERENT"),
                flush=True,
            )
        browser.close()
    return min(differ, 1)


if __name__ == "__main__":
    sys.exit(main())
