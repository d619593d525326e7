#!/usr/bin/env python3
"""Opens `skewer.html` in a headless browser and tests it: files, text, names, pause, closing, saving, hostile games,
and games against the engine.

    browser.py --page skewer.html --analyse PATH --axe axe.min.js [--chromium PATH | --firefox PATH] [--screenshots FOLDER]

Every check prints a line; the last line is `N passed, N failed`, and the exit status is 1 if any failed.
"""

import argparse
import base64
import json
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "analysis-cli" / "tests"))
import play  # noqa: E402
from devtools import Browser  # noqa: E402
from server import Sites, game  # noqa: E402

HOSTILE = """[Event "</script><img src=x onerror=document.title='injected'>"]
[White "<b>Eve</b>"]
[Black "=HYPERLINK(1)"]
[Result "0-1"]

1. f3 { <script>document.title='injected'</script> } e5 2. g4 Qh4# 0-1

[Event "Bad"]
[White "C"]
[Black "D"]
[Result "*"]

1. e4 e5 2. Ke3 *

"""
GAMES = "".join(game(f"Game {n}") for n in range(4)) + HOSTILE


class Page:
    """The page in the browser."""

    def __init__(self, browser, path, analyse, sites, folder):
        self.browser, self.url, self.analyse, self.sites, self.folder = browser, path.as_uri(), analyse, sites, folder

    def open(self):
        """Opens the page as on another day: data that the browser has stored is kept."""
        self.browser.open(self.url)

    def fresh(self, nodes="10000"):
        """Opens the page, empties the storage, and chooses the nodes per position for games that are opened afterwards.

        Adds a choice of this number when the page has none, since a list that lacks a value keeps its default in silence.
        """
        self.open()
        self.browser.click("#empty")
        self.browser.wait("document.querySelector('#kept').textContent.startsWith('Nothing is kept')")
        chosen = self.browser.value(
            f"(() => {{ const list = document.querySelector('#nodes'), value = {json.dumps(nodes)};"
            " if (![...list.options].some(option => option.value === value)) list.add(new Option(value));"
            " return list.value = value, list.value; })()"
        )
        if chosen != nodes:
            raise AssertionError(f"the page searches {chosen!r} nodes a position, not {nodes!r}")

    def text(self, selector):
        return self.browser.value(f"document.querySelector({json.dumps(selector)}).textContent")

    def paste(self, text):
        self.browser.value(f"document.querySelector('#paste').value = {json.dumps(text)}")
        self.browser.value("document.querySelector('#paste-add').click()")

    def chosen(self, words):
        self.browser.wait(f"document.querySelector('#chosen').textContent.includes({json.dumps(words)})")

    def run(self, workers=2):
        self.browser.value(f"document.querySelector('#workers').value = {workers}")
        self.browser.click("#go")

    def done(self):
        self.browser.wait("analysis.state === 'done' && skewer.rows.length + (skewer.info.bad || []).length === analysis.run.total")

    def saved(self, form):
        """What would be saved, as bytes."""
        length = self.browser.value(
            f"analysis.save({json.dumps(form)}).then(bytes => (globalThis.testBytes = new Uint8Array(bytes)).length)"
        )
        # In parts, so that the copy of a large file is no part of the memory that is measured.
        part = 3 << 20
        text = "btoa(Array.from(testBytes.subarray({0}, {0} + " + str(part) + "), byte => String.fromCharCode(byte)).join(''))"
        parts = [base64.b64decode(self.browser.value(text.replace("{0}", str(at)))) for at in range(0, length, part)]
        self.browser.value("delete globalThis.testBytes")
        return b"".join(parts)

    def native(self, text, name):
        """The lines of JSON of skewer-analyse."""
        path = self.folder / name
        path.write_text(text)
        command = [self.analyse, "games", name, "--quiet", "--jsonl", "-"]
        return subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, check=False).stdout


    def axe_finds_nothing(self):
        self.browser.value(self.axe.read_text() + "; true")
        found = self.browser.value("axe.run().then(r => r.violations.map(v => v.id + ': ' + v.nodes.map(n => n.html).join(' ')))")
        assert not found, found


def pasted_games_are_analysed(page):
    page.fresh()
    page.paste(GAMES)
    page.chosen("6 games in pasted.pgn")
    page.run()
    page.done()
    assert page.browser.value("document.title") != "injected"
    assert page.text("#progress").startswith("6 of 6 games, done; 1 could not be read."), page.text("#progress")
    settings = page.text("#settings")
    assert settings.startswith("5 games, analysed by Skewer") and "1 game could not be read." in settings, settings
    assert "Ke3" in page.text("#notes"), page.text("#notes")
    page.browser.click("#tab-games")
    page.browser.wait("document.querySelectorAll('#rows tr').length === 5")
    page.browser.click("#rows tr button")
    page.browser.wait("Boolean(view.game)")
    assert page.text("#rows").count("<b>Eve</b>") == 1


def the_games_of_earlier_files_leave_the_report(page):
    """Before a game is done, the header claims nothing, and Games opens an empty list that says so."""
    page.fresh()
    page.browser.value("location.hash = '#start'")
    for title in (None, "Another"):
        if title:
            page.paste(game(title))
            page.chosen("1 game")
        assert page.text("#settings") == "", page.text("#settings")
        page.browser.click("#tab-games")
        page.browser.wait("location.hash === '#games' && !document.querySelector('#part-games').hidden")
        shown = page.browser.value("document.querySelector('#part-games').innerText.trim()")
        assert shown == "No game has been analysed.", shown
        page.browser.click("#tab-start")
        page.browser.wait("!document.querySelector('#part-start').hidden")
    page.run()
    page.done()
    page.browser.click("#tab-games")
    page.browser.click("#rows tr button")
    page.browser.wait("Boolean(view.game)")
    page.browser.click("#tab-start")
    # Other settings begin a new analysis.
    page.browser.value("document.querySelector('#nodes').value = ''")
    page.browser.value("document.querySelector('#nodes').dispatchEvent(new Event('change'))")
    page.browser.wait("analysis.state === 'ready' && !skewer.rows.length")
    assert page.text("#settings") == "", page.text("#settings")
    page.browser.click("#tab-games")
    page.browser.wait("location.hash === '#games' && !document.querySelector('#part-games').hidden")
    shown = page.browser.value("document.querySelector('#part-games').innerText.trim()")
    assert shown == "No game has been analysed.", shown


def the_lines_of_json_equal_the_lines_of_the_program(page):
    page.fresh(nodes="")
    page.paste(GAMES)
    page.chosen("6 games")
    page.browser.click("#go")
    page.done()
    assert page.saved("jsonl") == page.native(GAMES, "pasted.pgn")


def a_dropped_file_is_read(page):
    page.fresh()
    page.browser.value(
        "(() => { const data = new DataTransfer(); data.items.add(new File([" + json.dumps(GAMES) + "], 'my games.pgn'));"
        " document.querySelector('#drop').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })); })()"
    )
    page.chosen("6 games in my games.pgn")


def what_is_no_game_is_said(page):
    page.fresh()
    page.paste("this is no game")
    page.browser.wait("document.querySelector('#problem').textContent.length > 5")
    assert page.browser.value("document.querySelector('#go').disabled")


def games_come_by_name(page):
    page.fresh()
    page.browser.value("document.querySelector('#by-name').open = true")
    page.browser.value(f"document.querySelector('#address').value = {json.dumps(page.sites.address)}; document.querySelector('#player').value = 'ann'")
    before = len(page.sites.asked)
    page.browser.click("#fetch")
    page.chosen("3 games in lichess-ann.pgn")
    (path, query, headers) = page.sites.asked[before]
    assert (path, query["max"]) == ("/api/games/user/ann", "50"), (path, query)
    assert "Cookie" not in headers and "Referer" not in headers, headers
    page.browser.value("document.querySelector('#player').value = 'nobody'")
    page.browser.click("#fetch")
    page.browser.wait("document.querySelector('#problem').textContent.includes('has no player nobody')")


def a_closed_page_goes_on(page):
    page.fresh()
    page.paste(GAMES)
    page.chosen("6 games")
    page.run(1)
    page.browser.wait("analysis.done >= 2")
    page.browser.click("#stop")
    page.browser.wait("analysis.state === 'paused'")
    page.open()
    page.browser.wait("document.querySelector('#chosen').textContent.includes('is kept')")
    kept = page.browser.value("analysis.done")
    assert 2 <= kept, kept
    if kept < 6:
        page.browser.click("#go")
    page.done()
    lines = page.saved("jsonl").decode().splitlines()
    assert [json.loads(line).get("number") for line in lines[1:]] == [1, 2, 3, 4, 5, 6]
    page.browser.click("#empty")
    page.browser.wait("document.querySelector('#kept').textContent.startsWith('Nothing is kept')")
    page.open()
    assert page.browser.value("storage.read()") is None


def a_pause_ends_after_the_games_at_hand(page):
    page.fresh()
    page.paste("".join(game(f"Game {n}") for n in range(40)))
    page.chosen("40 games")
    page.run(2)
    page.browser.wait("analysis.done >= 1")
    page.browser.value("analysis.pause()")
    page.browser.wait("analysis.state === 'paused' || analysis.state === 'done'")
    assert page.browser.value("analysis.state === 'done' || document.querySelector('#go').textContent === 'Go on'")


def a_game_whose_result_is_stored_after_the_stop_is_in_the_report_once(page):
    page.fresh()
    page.paste(GAMES)
    page.chosen("6 games")
    # The browser's storage takes its time, until `stored` is called.
    page.browser.value("(storage.ours = storage.add, storage.add = () => new Promise(then => { globalThis.stored = then; }), 0)")
    page.run(1)
    page.browser.wait("Boolean(globalThis.stored)")
    page.browser.click("#stop")
    page.browser.wait("analysis.state === 'paused'")
    page.browser.value("(storage.add = storage.ours, stored(), new Promise(then => setTimeout(then, 200)))")
    assert page.browser.value("analysis.done") == 0
    page.browser.click("#go")
    page.done()


def a_tab_in_the_background_goes_on(page):
    page.fresh()
    page.paste("".join(game(f"Game {n}") for n in range(4)))
    page.chosen("4 games")
    page.run(1)
    page.browser.wait("analysis.done >= 1")
    show = page.browser.hide()
    page.browser.wait("document.visibilityState === 'hidden'")
    assert page.browser.value("analysis.state") == "running"
    page.done()
    assert page.browser.value("document.visibilityState") == "hidden"
    show()


def the_saved_report_is_a_report(page):
    page.fresh()
    page.paste(GAMES)
    page.chosen("6 games")
    page.run()
    page.done()
    path = page.folder / "saved.html"
    path.write_bytes(page.saved("html"))
    assert page.saved("pgn").count(b"[%eval") >= 15
    assert page.saved("csv").startswith(b"game,file,line,white")
    page.browser.open(path.as_uri())
    page.browser.wait("Boolean(view.game)")
    assert page.browser.value("document.querySelector('#part-start') === null && skewer.rows.length === 5 && skewer.info.engine")


def only_own_scripts_run(page):
    page.fresh()
    page.browser.value("(() => { const own = document.createElement('script'); own.textContent = 'document.title = `injected`'; document.body.append(own); })()")
    assert page.browser.value("document.title") != "injected"


def no_width_needs_scrolling(page):
    for width, height in [(360, 740), (740, 360), (1366, 768), (1920, 1080)]:
        for scheme in ["light", "dark"]:
            page.browser.emulate(width, height, scheme)
            page.fresh()
            page.browser.value("document.querySelectorAll('#part-start details').forEach(one => { one.open = true; })")
            over = page.browser.value("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            if page.screenshots:
                page.browser.picture(page.screenshots / f"page-{width}-{scheme}.png")
            assert over <= 0, f"{over} px too wide at {width}"
    page.browser.emulate(1280, 800, "light")


def keyboard_reaches_everything(page):
    page.fresh()
    seen = set()
    for _ in range(40):
        page.browser.press("Tab")
        seen.add(page.browser.value("document.activeElement.id || document.activeElement.className"))
    missing = {"files", "nodes", "workers", "empty", "tab-start"} - seen
    assert not missing, missing


def axe_finds_nothing(page):
    page.fresh()
    page.browser.value("document.querySelectorAll('#part-start details').forEach(one => { one.open = true; })")
    page.axe_finds_nothing()


CHECKS = [
    pasted_games_are_analysed, the_games_of_earlier_files_leave_the_report,
    the_lines_of_json_equal_the_lines_of_the_program, a_dropped_file_is_read, what_is_no_game_is_said,
    games_come_by_name, a_closed_page_goes_on, a_pause_ends_after_the_games_at_hand,
    a_game_whose_result_is_stored_after_the_stop_is_in_the_report_once, a_tab_in_the_background_goes_on,
    the_saved_report_is_a_report,
    only_own_scripts_run, no_width_needs_scrolling, keyboard_reaches_everything, axe_finds_nothing,
    *play.CHECKS,
]  # fmt: skip


def start(arguments, profile):
    """The browser that was asked for."""
    if not arguments.firefox:
        return Browser(arguments.chromium, profile)
    from bidi import Firefox

    return Firefox(arguments.firefox, profile)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--page", type=Path, required=True)
    parser.add_argument("--analyse", required=True)
    parser.add_argument("--chromium", default="chromium")
    parser.add_argument("--firefox", help="test in Firefox, which needs the package websocket-client")
    parser.add_argument("--axe", type=Path, required=True)
    parser.add_argument("--screenshots", type=Path)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    failed = passed = 0
    with tempfile.TemporaryDirectory() as folder:
        sites = Sites()
        browser = start(arguments, Path(folder) / "profile")
        page = Page(browser, arguments.page.resolve(), str(Path(arguments.analyse).resolve()), sites, Path(folder))
        page.axe, page.screenshots = arguments.axe, arguments.screenshots
        if page.screenshots:
            page.screenshots.mkdir(parents=True, exist_ok=True)
        browser.emulate(1280, 800, "light")
        for check in CHECKS:
            name = check.__name__.replace("_", " ")
            if arguments.only not in name:
                continue
            try:
                check(page)
                passed += 1
                print(f"ok      {name}", flush=True)
            except Exception:
                failed += 1
                print(f"FAILED  {name}", flush=True)
                traceback.print_exc()
        browser.close()
    print(f"{passed} passed, {failed} failed")
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
