#!/usr/bin/env python3
"""Opens pages of `skewer-lab tree` in headless Chromium and tests all their parts.

    browser.py --lab PATH [--chromium PATH] [--axe axe.min.js] [--screenshots FOLDER]

Every check prints a line; the last line is `N passed, N failed`, and the exit status is 1 if any
failed.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "crates" / "analysis-cli" / "tests"))
from devtools import Browser  # noqa: E402

TREE = "(((3 17) (2 12)) ((15 (25 0)) (2 5 -7)) ((3) (2 14)))"
HORIZON = "6k1/5pp1/7p/8/8/2N2p1q/PPP2P1P/R4RK1 w - - 0 1"

# The pages: what is searched, and by what.
PAGES = {
    "alpha-beta": ["--tree", TREE, "--recipe", "minimax", "--recipe", "alpha-beta"],
    "sss": ["--tree", TREE, "--recipe", "sss", "--recipe", "mtd-f"],
    "pvs": ["--tree", TREE, "--recipe", "pvs", "--recipe", "negascout-1983"],
    "null-move": ["--fen", HORIZON, "--depth", "3", "--recipe", "null-move+buckets"],
    "futility": ["--depth", "2", "--recipe", "futility", "--recipe", "alpha-beta"],
    "rows": ["--game", "rows3", "--depth", "3", "--recipe", "negascout"],
}


class Page:
    """A page in the browser."""

    def __init__(self, browser, path, screenshots):
        self.browser = browser
        self.url = path.as_uri()
        self.name = path.stem
        self.screenshots = screenshots

    def open(self):
        self.browser.open(self.url)
        self.browser.wait("document.querySelectorAll('#runs > section').length > 0")

    def value(self, expression):
        return self.browser.value(expression)

    def said(self, panel=0):
        return self.value(f"document.querySelectorAll('.say')[{panel}].textContent")


def counts(pages):
    """Replayed to the end, every search has the counts that the program prints for it."""
    for page in pages.values():
        page.open()
        page.browser.press("End")
        runs = page.value("data.runs.map(run => run.answer)")
        replayed = page.value("panels.map(panel => panel.search.counts)")
        assert len(runs) == len(replayed) >= 1
        for answer, seen in zip(runs, replayed):
            name = f"{page.name}, {answer['recipe']}"
            visits = answer["visits"]
            assert seen["ends"] == visits["ends"], name
            assert [seen["nulls"], seen["wide"]] == [visits["null_windows"], visits["wide_windows"]], name
            assert seen["skipped"] == answer["skipped"], name
            assert f"the value {answer['value']}".replace("-", "−") in page.said(runs.index(answer)), name
    page = pages["sss"]
    page.open()
    page.browser.press("End")
    assert page.value("panels[0].search.longest === data.runs[0].answer.stored"), "the longest OPEN list"
    assert page.value("panels[1].search.passes.length === data.runs[1].answer.passes"), "passes of MTD(f)"


def keys(pages):
    page = pages["alpha-beta"]
    browser = page.browser
    page.open()
    steps = page.value("steps")
    for key, at in [
        ("ArrowLeft", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1),
        ("End", steps), ("ArrowRight", steps), ("Home", 0),
    ]:  # fmt: skip
        browser.press(key)
        assert page.value("at") == at, f"{page.value('at')} after {key}"
    cuts = page.value("panels.flatMap(panel => panel.search.cuts)")
    assert len(cuts) == 1 and page.value("panels[0].search.cuts.length") == 0, "minimax has no cut-offs"
    for cut in sorted(cuts):
        browser.press("c")
        assert page.value("at") == cut, f"c goes to {page.value('at')}"
        assert "Cut-off" in page.said(1), page.said(1)
    browser.press("Home")
    browser.value("document.getElementById('speed').value = '50'")
    browser.press(" ")
    assert page.value("play.textContent") == "Pause"
    browser.wait("at > 3")
    browser.press(" ")
    stopped = page.value("at")
    time.sleep(0.2)
    assert page.value("[at, play.textContent]") == [stopped, "Play"]
    browser.press(" ")
    browser.wait("at === steps && play.textContent === 'Play'")


def buttons(pages):
    page = pages["sss"]
    browser = page.browser
    page.open()
    for button, at in [("forward", 1), ("forward", 2), ("back", 1), ("last", page.value("steps")), ("first", 0)]:
        browser.click("#" + button)
        assert page.value("at") == at, button
    browser.value("(e => { e.value = '7'; e.dispatchEvent(new Event('input')); })(document.getElementById('step'))")
    assert page.value("panels.map(panel => panel.search.at)") == [7, 7]
    unnamed = page.value("[...document.querySelectorAll('button')].filter(b => !(b.textContent.trim() || b.ariaLabel)).length")
    assert unnamed == 0, f"{unnamed} buttons without a name"


def states(pages):
    """A state does not depend on the way to it."""
    for page in pages.values():
        page.open()
        state = "document.getElementById('runs').textContent"
        page.value("go(25)")
        expected = page.value(state)
        page.browser.press("End")
        page.value("go(25)")
        assert page.value(state) == expected, page.name


def drawings(pages):
    page = pages["alpha-beta"]
    page.open()
    shapes = "[...document.querySelectorAll('.tree')].map(tree => tree.querySelectorAll('.shape').length)"
    crosses = "[...document.querySelectorAll('.tree')].map(tree => tree.querySelectorAll('.cross').length)"
    places = page.value("data.runs[0].places.length")
    assert page.value(shapes) == [places, places], "the whole tree is drawn from the beginning"
    page.browser.press("End")
    plain, cut = page.value(crosses)
    assert plain == 0 and cut >= 2, "crosses where moves are cut"
    page = pages["sss"]
    page.open()
    page.value("go(6)")
    shown = page.value("document.querySelectorAll('section:first-of-type ol.chips li').length")
    assert shown == page.value("panels[0].search.open.size") > 0, "OPEN"
    page.browser.press("End")
    passes = page.value("[...document.querySelectorAll('section:nth-of-type(2) ol.chips li')].map(e => e.textContent)")
    assert len(passes) > 1 and all("≥" in one or "≤" in one for one in passes), passes
    page = pages["null-move"]
    page.open()
    assert page.value("document.querySelectorAll('.board use').length") == 15, "pieces"
    page.browser.press("c")
    page.browser.wait("panels[0].search.said[1]")
    ends = page.value("panels[0].search.counts.ends[data.ends.indexOf('null-move')]")
    page.browser.press("End")
    assert page.value("panels[0].search.counts.ends[data.ends.indexOf('null-move')]") >= ends
    assert page.value("panels[0].search.counts.ends[data.ends.indexOf('null-move')]") > 0, "cuts by null moves"
    page = pages["rows"]
    page.open()
    page.value("go(5)")
    assert page.value("document.querySelectorAll('.board').length") == 0, "a board of noughts and crosses"
    assert page.value("document.querySelectorAll('.position ul.chips li').length") > 3, "moves"


def self_contained(pages):
    """The pages request nothing, and log no error."""
    for page in pages.values():
        page.open()
        for key in ("End", "Home", "c", "ArrowRight"):
            page.browser.press(key)
        for event in page.browser.events:
            method, parameters = event.get("method"), event.get("params", {})
            if method == "Network.requestWillBeSent":
                url = parameters["request"]["url"]
                assert url in (page.url, "about:blank"), f"{url} is requested"
            assert method not in ("Runtime.exceptionThrown", "Log.entryAdded"), parameters


SIZES = [(1366, 768), (390, 844)]
# To a cut-off of the last search, if it has one.
MIDDLE = "go((cuts => cuts[cuts.length >> 1] ?? steps >> 1)(panels.at(-1).search.cuts))"


def appearance(pages):
    """Light and dark, desk and phone: nothing overflows."""
    backgrounds = {}
    for page in pages.values():
        browser = page.browser
        for scheme in ("light", "dark"):
            for width, height in SIZES:
                browser.emulate(width, height, scheme)
                page.open()
                page.value(MIDDLE)
                if page.screenshots:
                    browser.picture(page.screenshots / f"{page.name}-{scheme}-{width}.png")
                across = page.value("document.documentElement.scrollWidth")
                assert across <= width, f"{page.name} {scheme} {width}: the page is {across} wide"
            backgrounds[scheme] = page.value("getComputedStyle(document.body).backgroundColor")
        browser.emulate(1366, 768, "light")
    assert backgrounds["light"] != backgrounds["dark"], f"light and dark look alike: {backgrounds}"


def accessible(pages):
    """axe-core finds no violation."""
    for page in pages.values():
        for scheme in ("light", "dark"):
            for width, height in SIZES:
                page.browser.emulate(width, height, scheme)
                page.open()
                page.value(MIDDLE)
                page.value(AXE.read_text(encoding="utf-8") + "; true")
                found = page.value("axe.run().then(r => r.violations.map(v => [v.impact, v.id, v.nodes[0].html.slice(0, 150)]))")
                assert not found, f"{page.name} {scheme} {width}: {found}"
        page.browser.emulate(1366, 768, "light")


CHECKS = [counts, keys, buttons, states, drawings, self_contained, appearance]
AXE = None


def main():
    global AXE
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lab", required=True, help="the program skewer-lab")
    parser.add_argument("--chromium", default="chromium")
    parser.add_argument("--axe", type=Path, help="axe.min.js of axe-core, for the accessibility check")
    parser.add_argument("--screenshots", type=Path, help="a folder for pictures of the pages")
    arguments = parser.parse_args()
    path = shutil.which(arguments.chromium)
    if not path:
        sys.exit(f"{arguments.chromium} is not installed: install it, or name another with --chromium")
    checks = list(CHECKS)
    if arguments.axe:
        AXE = arguments.axe
        checks.append(accessible)
    if arguments.screenshots:
        arguments.screenshots.mkdir(parents=True, exist_ok=True)
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        browser = Browser(path, folder / "profile")
        try:
            pages = {}
            for name, question in PAGES.items():
                file = folder / f"{name}.html"
                subprocess.run([arguments.lab, "tree", *question, "--html", file], stdout=subprocess.DEVNULL, check=True)
                pages[name] = Page(browser, file, arguments.screenshots)
            for check in checks:
                started = time.monotonic()
                try:
                    check(pages)
                except AssertionError as error:
                    failed += 1
                    print(f"FAILED  {check.__name__}: {error}", flush=True)
                    continue
                passed += 1
                print(f"passed  {check.__name__} ({time.monotonic() - started:.1f} s)", flush=True)
        finally:
            browser.close()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
