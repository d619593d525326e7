#!/usr/bin/env python3
"""Opens a report in headless Chromium, and presses its keys and clicks on its graph.

    browser.py --analyse PATH [--chromium PATH] [--screenshots FOLDER]

Speaks the DevTools protocol over a pipe, so nothing but Python and the browser is needed. Every
check prints a line; the last line is `N passed, N failed`, and the exit status is 1 if any failed.
Without a browser it says `skipped` and succeeds.
"""

import argparse
import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# Three games with weak moves on both sides, one of them Chess960, and one that cannot be read.
GAMES = """[Event "Trap"]
[White "A <b>bold</b> name that is rather long for a narrow screen"]
[Black "B"]
[Date "2026.01.02"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0

[Event "Bad"]
[White "C"]
[Black "D"]
[Result "*"]

1. e4 e5 2. Ke3 *

[Event "Clocks"]
[White "E"]
[Black "F"]
[Result "0-1"]

1. f3 { [%clk 0:05:00] } e5 { [%clk 0:04:59] } 2. g4 { [%clk 0:04:58] } Qh4# 0-1

[Event "Shuffled"]
[White "G"]
[Black "H"]
[Result "1/2-1/2"]
[SetUp "1"]
[Variant "Chess960"]
[FEN "nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w KQkq - 0 1"]

1. d4 d5 2. c3 Nb6 3. e4 dxe4 4. f3 exf3 5. gxf3 e5 6. Be3 exd4 7. cxd4 Bf5 8. Bxf5 1/2-1/2
"""

# Seconds that the browser may take for an answer, on a busy machine.
PATIENCE = 60


class Browser:
    """Chromium at the other end of two pipes."""

    def __init__(self, path, profile):
        to_child, self.write = os.pipe()
        self.read, from_child = os.pipe()
        # Chromium reads from descriptor 3 and writes to 4.
        command = (
            'exec 3<&"$1" 4>&"$2"; shift 2; exec "$@"'
        )
        options = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--hide-scrollbars", "--no-first-run", "--remote-debugging-pipe",
            f"--user-data-dir={profile}", "about:blank",
        ]  # fmt: skip
        self.process = subprocess.Popen(
            ["bash", "-c", command, "bash", str(to_child), str(from_child), path, *options],
            pass_fds=(to_child, from_child),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_child)
        os.close(from_child)
        self.rest = b""
        self.number = 0
        self.session = None
        self.events = []

    def message(self):
        """The next message."""
        deadline = time.monotonic() + PATIENCE
        while b"\0" not in self.rest:
            readable, _, _ = select.select([self.read], [], [], deadline - time.monotonic())
            data = os.read(self.read, 1 << 16) if readable else b""
            assert data, "the browser does not answer"
            self.rest += data
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        """Calls a method and waits for its result; events are kept."""
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.write, json.dumps(request).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]
            self.events.append(answer)

    def open(self, url):
        """Opens a page and waits until it is loaded."""
        if not self.session:
            target = self.call("Target.createTarget", url="about:blank")["targetId"]
            attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
            self.session = attached["sessionId"]
            for domain in ("Page", "Runtime", "Network", "Log"):
                self.call(f"{domain}.enable")
        self.events.clear()
        # A page that differs only behind # is not loaded again.
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=url)
        deadline = time.monotonic() + PATIENCE
        while self.value("document.readyState + location.protocol") != "completefile:":
            assert time.monotonic() < deadline, "the page is not loaded"
            time.sleep(0.02)

    def value(self, expression):
        """What an expression is worth on the page."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in result, f"{expression}: {result['exceptionDetails']}"
        return result["result"].get("value")

    def press(self, key):
        """Presses a key, as a person does."""
        text = {"text": key} if len(key) == 1 else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def click(self, selector, across=0.5, down=0.5):
        """Clicks on an element, that far across and down, after scrolling to it."""
        box = self.value(
            f"(e => {{ e.scrollIntoView({{block: 'center'}}); const b = e.getBoundingClientRect();"
            f" return [b.left, b.top, b.width, b.height]; }})(document.querySelector({selector!r}))"
        )
        at = {"x": box[0] + across * box[2], "y": box[1] + down * box[3]}
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **at)

    def look(self, width, height, scheme):
        """Makes the window so large, and the system light or dark."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", features=features)

    def picture(self, path):
        """Takes a picture of the whole page."""
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(data["data"]))

    def close(self):
        """Ends the browser."""
        try:
            self.session = None
            self.call("Browser.close")
            self.process.wait(PATIENCE)
        except (AssertionError, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()


class Page:
    """What the checks share."""

    def __init__(self, browser, path, screenshots):
        self.browser = browser
        self.url = path.as_uri()
        self.screenshots = screenshots

    def open(self, place=""):
        self.browser.open(self.url + place)

    def place(self):
        """Game and half-move that are shown, as the address says."""
        game, ply = self.browser.value("location.hash")[1:].split(".")
        return int(game), int(ply)

    def expect(self, game, ply, after):
        assert self.place() == (game, ply), f"{self.place()} in place of {(game, ply)} after {after}"
        marked = self.browser.value("[...document.querySelectorAll('#moves a.on')].map(a => a.dataset.ply)")
        assert marked == ([str(ply)] if ply else []), f"{marked} is marked after {after}"


def keys(page):
    browser = page.browser
    page.open()
    page.expect(1, 0, "opening")
    length = browser.value("game.moves.length")
    for key, ply in [
        ("ArrowLeft", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1),
        ("End", length), ("ArrowRight", length), ("Home", 0),
    ]:  # fmt: skip
        browser.press(key)
        page.expect(1, ply, key)
    weak = browser.value("game.moves.flatMap((mv, n) => mv.l ? [n + 1] : [])")
    assert len(weak) >= 2, f"weak moves: {weak}"
    for ply in weak:
        browser.press("n")
        page.expect(1, ply, "n")
    browser.press("p")
    page.expect(1, weak[-2], "p")
    # The bad game is passed over.
    for key, game in [("j", 3), ("j", 4), ("j", 4), ("k", 3), ("k", 1), ("k", 1)]:
        browser.press(key)
        assert page.place()[0] == game, f"{page.place()} after {key}"
    corner = "document.querySelector('#board text.coord').textContent"
    before = browser.value(corner)
    browser.press("f")
    assert browser.value(corner) != before, "f does not turn the board"


def clicks(page):
    browser = page.browser
    page.open()
    length = browser.value("game.moves.length")
    for across in (0.002, 0.25, 0.55, 0.8, 0.998):
        browser.click("#graph", across)
        page.expect(1, round(across * length), f"a click at {across} of the graph")
    browser.click("#moves a[data-ply='3']")
    page.expect(1, 3, "a click on a move")
    browser.click("#list tr:nth-child(4) td:nth-child(2)")
    page.expect(4, 0, "a click on a game")
    for button, ply in [("#b-next", 1), ("#b-last", None), ("#b-prev", None), ("#b-first", 0)]:
        browser.click(button)
        if ply is not None:
            page.expect(4, ply, button)
    browser.click("#b-weak")
    assert browser.value("game.moves[ply - 1].l") >= 1, "no weak move is shown"


def address(page):
    page.open("#4.3")
    page.expect(4, 3, "opening a link")
    page.open("#2.1")
    assert page.place()[0] == 1, "a link to a game that could not be read"
    page.open("#1.999")
    page.expect(1, page.browser.value("game.moves.length"), "a link beyond the end")


def content(page):
    """Names are text and not markup, the bad game has its reason, the men stand where they should."""
    browser = page.browser
    page.open("#1.13")
    assert browser.value("document.querySelector('#list b')") is None
    assert "<b>bold</b>" in browser.value("document.getElementById('list').textContent")
    assert "Ke3" in browser.value("document.querySelector('#list tr.bad').textContent")
    assert browser.value("document.querySelectorAll('#board text.man').length") == 29
    assert "mate" in browser.value("document.getElementById('say').textContent")


def alone(page):
    """Nothing is fetched, and nothing fails."""
    page.open()
    for key in ("End", "Home", "n", "j", "End"):
        page.browser.press(key)
    for event in page.browser.events:
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Network.requestWillBeSent":
            url = parameters["request"]["url"]
            assert url.split("#")[0] in (page.url, "about:blank"), f"{url} is asked for"
        assert method != "Runtime.exceptionThrown", parameters
        assert method != "Log.entryAdded", parameters


# The least contrast of text that people with weak eyes can read (WCAG 2).
CONTRAST = """(() => {
  const light = c => { const [r, g, b] = c.match(/[\\d.]+/g).slice(0, 3).map(v => {
    v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; });
    return .2126 * r + .7152 * g + .0722 * b; };
  const ground = e => { for (; e; e = e.parentElement) {
    const c = getComputedStyle(e).backgroundColor;
    if (c !== "rgba(0, 0, 0, 0)" && c !== "transparent") return c; } return "rgb(255,255,255)"; };
  let worst = [99, ""];
  for (const e of document.querySelectorAll("main *")) {
    if (e.closest("svg") || !e.offsetParent || ![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
    const a = light(getComputedStyle(e).color), b = light(ground(e));
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < worst[0]) worst = [ratio, e.tagName + "." + e.className + " " + e.textContent.slice(0, 30)];
  }
  return worst;
})()"""


def appearance(page):
    """Light and dark, wide and narrow: readable, and nothing sticks out."""
    browser = page.browser
    grounds = set()
    for scheme in ("light", "dark"):
        for width, height in ((1280, 900), (700, 900), (360, 740)):
            browser.look(width, height, scheme)
            page.open("#1.9")
            what = f"{scheme} {width}"
            if page.screenshots:
                browser.picture(page.screenshots / f"{scheme}-{width}.png")
            across = browser.value("document.documentElement.scrollWidth")
            assert across <= width, f"{what}: the page is {across} wide"
            ratio, where = browser.value(CONTRAST)
            assert ratio >= 4.5, f"{what}: contrast {ratio:.2f} of {where}"
            box = browser.value("(b => [b.width, b.height])(document.getElementById('board').getBoundingClientRect())")
            assert abs(box[0] - box[1]) < 2 and box[0] > 250, f"{what}: the board is {box}"
            out = browser.value(
                "[...document.querySelectorAll('button, #say, #moves, .player')].filter(e =>"
                " e.getBoundingClientRect().right > innerWidth + 1 || e.scrollWidth > e.clientWidth + 1)"
                ".map(e => e.id || e.className)"
            )
            assert not out, f"{what}: {out} stick out"
            hidden = browser.value(
                "(b => b.scrollWidth - b.clientWidth)(document.getElementById('listbox'))"
            )
            assert hidden <= 0, f"{what}: {hidden} pixels of the list of games are hidden"
            tall = browser.value("document.getElementById('boardbox').offsetHeight")
            assert tall < height, f"{what}: the board is taller than the window"
            grounds.add((scheme, browser.value("getComputedStyle(document.body).backgroundColor")))
    assert len(grounds) == 2, f"light and dark look alike: {grounds}"


CHECKS = [keys, clicks, address, content, alone, appearance]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--analyse", required=True, help="the program skewer-analyse")
    parser.add_argument("--chromium", default="chromium")
    parser.add_argument("--screenshots", help="a folder for pictures of the page")
    arguments = parser.parse_args()
    path = shutil.which(arguments.chromium)
    if not path:
        print(f"skipped: no {arguments.chromium}")
        print("0 passed, 0 failed")
        return 0
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / "games.pgn").write_text(GAMES)
        report = folder / "report.html"
        subprocess.run(
            [
                arguments.analyse, "games", str(folder / "games.pgn"), "--nodes", "20000",
                "--hash", "1", "--quiet", "--html", str(report),
            ],
            stderr=subprocess.DEVNULL,
            check=True,
        )  # fmt: skip
        screenshots = Path(arguments.screenshots) if arguments.screenshots else None
        if screenshots:
            screenshots.mkdir(parents=True, exist_ok=True)
        browser = Browser(path, folder / "profile")
        try:
            page = Page(browser, report, screenshots)
            for check in CHECKS:
                started = time.monotonic()
                try:
                    check(page)
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
