#!/usr/bin/env python3
"""Opens pages of `skewer-lab tree` in headless Chromium and tests all their parts.

    browser.py --lab PATH [--only CHECK] [--chromium PATH] [--axe axe.min.js] [--screenshots FOLDER]

Every check prints a line; the last line is `N passed, N failed`, and the exit status is 1 if any
failed.
"""

import argparse
import json
import random
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

LESSONS = ["futility", "alpha-beta", "quiet-moves", "null-move", "pvs"]
ALGORITHMS = ["minimax", "alpha-beta", "alpha-beta-soft", "bratko", "scout", "negascout", "negascout-1983", "pvs", "pvs-hard",
              "mtd-f", "sss", "mt-sss"]  # fmt: skip

# The pages: what is searched, and by what.
PAGES = {
    "alpha-beta": ["--tree", TREE, "--recipe", "minimax", "--recipe", "alpha-beta"],
    "sss": ["--tree", TREE, "--recipe", "sss", "--recipe", "mtd-f"],
    "pvs": ["--tree", TREE, "--recipe", "pvs", "--recipe", "negascout-1983"],
    "null-move": ["--game", "zugzwang", "--at-least", "-300", "--recipe", "null-move", "--recipe", "verified-null-move"],
    "horizon": ["--fen", HORIZON, "--depth", "3", "--recipe", "null-move+buckets"],
    "mt-sss": ["--tree", TREE, "--recipe", "mt-sss", "--recipe", "alpha-beta-soft"],
    "futility": ["--depth", "2", "--recipe", "futility", "--recipe", "alpha-beta"],
    "every": ["--tree", TREE, *(part for algorithm in ALGORITHMS for part in ("--recipe", algorithm))],
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
        self.browser.wait("document.querySelectorAll('.panel').length > 0")

    def value(self, expression):
        return self.browser.value(expression)

    @property
    def is_lesson(self):
        return self.name.startswith("lesson-")

    def said(self, panel=0):
        return self.value(f"document.querySelectorAll('.say')[{panel}].textContent")


def counts(pages):
    """Replayed to the end, every search has the counts that the program prints for it."""
    for page in pages.values():
        page.open()
        page.value("stages.forEach(stage => stage.go(stage.steps))")
        runs = page.value("data.stages.flatMap(stage => stage.runs.map(run => run.answer))")
        replayed = page.value("stages.flatMap(stage => stage.panels.map(panel => panel.search.counts))")
        assert len(runs) == len(replayed) >= 1
        for number, (answer, seen) in enumerate(zip(runs, replayed)):
            name = f"{page.name}, {answer['recipe']}"
            visits = answer["visits"]
            assert seen["ends"] == visits["ends"], name
            assert [seen["nulls"], seen["wide"]] == [visits["null_windows"], visits["wide_windows"]], name
            assert seen["skipped"] == answer["skipped"], name
            said = page.said(number)
            if "asked" in answer:
                side = "at least" if answer["value"] >= answer["asked"] else "below"
                assert f"the value is {side} {answer['asked']}".replace("-", "−") in said, f"{name}: {said}"
            else:
                assert f"the value {answer['value']}".replace("-", "−") in said, f"{name}: {said}"
    page = pages["sss"]
    page.open()
    page.browser.press("End")
    assert page.value("stages[0].panels[0].search.longest === data.stages[0].runs[0].answer.stored"), "the longest OPEN list"
    assert page.value("stages[0].panels[1].search.passes.length === data.stages[0].runs[1].answer.passes"), "passes of MTD(f)"


def keys(pages):
    page = pages["alpha-beta"]
    browser = page.browser
    page.open()
    steps = page.value("stages[0].steps")
    for key, at in [
        ("ArrowLeft", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1),
        ("End", steps), ("ArrowRight", steps), ("Home", 0),
    ]:  # fmt: skip
        browser.press(key)
        assert page.value("stages[0].at") == at, f"{page.value('at')} after {key}"
    cuts = page.value("stages[0].panels.flatMap(panel => panel.search.cuts)")
    assert len(cuts) == 1 and page.value("stages[0].panels[0].search.cuts.length") == 0, "minimax has no cut-offs"
    for cut in sorted(cuts):
        browser.press("c")
        assert page.value("stages[0].at") == cut, f"c goes to {page.value('at')}"
        assert "Cut-off" in page.said(1), page.said(1)
    browser.press("Home")
    browser.value("document.querySelector('.speed').value = '50'")
    browser.press(" ")
    assert page.value("document.querySelector('.play').textContent") == "Pause"
    browser.wait("stages[0].at > 3")
    browser.press(" ")
    stopped = page.value("stages[0].at")
    time.sleep(0.2)
    assert page.value("[stages[0].at, document.querySelector('.play').textContent]") == [stopped, "Play"]
    browser.press(" ")
    browser.wait("stages[0].at === stages[0].steps && document.querySelector('.play').textContent === 'Play'")


def buttons(pages):
    page = pages["sss"]
    browser = page.browser
    page.open()
    for button, at in [("forward", 1), ("forward", 2), ("back", 1), ("last", page.value("stages[0].steps")), ("first", 0)]:
        browser.click("." + button)
        assert page.value("stages[0].at") == at, button
    browser.value("(e => { e.value = '7'; e.dispatchEvent(new Event('input')); })(document.querySelector('.step'))")
    assert page.value("stages[0].panels.map(panel => panel.search.at)") == [7, 7]
    unnamed = page.value("[...document.querySelectorAll('button')].filter(b => !(b.textContent.trim() || b.ariaLabel)).length")
    assert unnamed == 0, f"{unnamed} buttons without a name"


def states(pages):
    """A state does not depend on the way to it."""
    for page in pages.values():
        page.open()
        state = "document.querySelector('.runs').textContent"
        page.value("stages[0].go(25)")
        expected = page.value(state)
        page.browser.press("End")
        page.value("stages[0].go(25)")
        assert page.value(state) == expected, page.name


def drawings(pages):
    page = pages["alpha-beta"]
    page.open()
    shapes = "[...document.querySelectorAll('.tree')].map(tree => tree.querySelectorAll('.shape').length)"
    crosses = "[...document.querySelectorAll('.tree')].map(tree => tree.querySelectorAll('.cross').length)"
    places = page.value("data.stages[0].runs[0].places.length")
    assert page.value(shapes) == [places, places], "the whole tree is drawn from the beginning"
    page.browser.press("End")
    plain, cut = page.value(crosses)
    assert plain == 0 and cut >= 2, "crosses where moves are cut"
    page = pages["sss"]
    page.open()
    page.value("stages[0].go(6)")
    shown = page.value("document.querySelectorAll('.panel:first-of-type ol.chips li').length")
    assert shown == page.value("stages[0].panels[0].search.open.size") > 0, "OPEN"
    page.browser.press("End")
    passes = page.value("[...document.querySelectorAll('.panel:nth-of-type(2) ol.chips li')].map(e => e.textContent)")
    assert len(passes) > 1 and all("≥" in one or "≤" in one for one in passes), passes
    page = pages["horizon"]
    page.open()
    assert page.value("document.querySelectorAll('.board use').length") == 15, "pieces"
    page.browser.press("End")
    assert page.value("stages[0].panels[0].search.counts.ends[data.ends.indexOf('null-move')]") > 0, "cuts by null moves"
    page = pages["rows"]
    page.open()
    page.value("stages[0].go(5)")
    assert page.value("document.querySelectorAll('.board').length") == 0, "a board of noughts and crosses"
    assert page.value("document.querySelectorAll('.position ul.chips li').length") > 3, "moves"


def merits(pages):
    """SSS* shows the merit of every state, solved inner nodes, and a leaf's own value beside a lower merit."""
    page = pages["sss"]
    page.open()
    page.value("stages[0].edit('((3 5) (6 9) (1 2))', ['sss']); stages[0].go(stages[0].steps); 1")
    inside = "(n => stages[0].panels[0].search.inside(n))"
    assert page.value(inside + "(0)") == "6", "the root is solved"
    solved = page.value("[...stages[0].panels[0].search.nodes].filter(([n, s]) => s.solved && stages[0].panels[0].search.places[n].children.length).map(([n]) => n)")
    assert len(solved) == 2, "the root and the move 2 are solved"
    for n in solved:
        assert page.value(f"{inside}({n})") and page.value(f"stages[0].panels[0].search.below({n})").startswith("solved"), n
    lowered = page.value("[...stages[0].panels[0].search.nodes].filter(([n, s]) => { const p = stages[0].panels[0].search.places[n]; return s.solved && p.value !== null && p.value !== s.merit; }).map(([n]) => n)")
    assert lowered, "a leaf whose merit is less than its value"
    for n in lowered:
        own = page.value(f"number(stages[0].panels[0].search.places[{n}].value)")
        assert page.value(f"{inside}({n})") == own, "a leaf shows its own value"
    said = page.value("(() => { const said = []; for (let n = 0; n <= stages[0].steps; n += 1) { stages[0].go(n); said.push(document.querySelector('.say').textContent); } return said; })()")
    assert any("own value" in words for words in said), "the difference is said"


def windows(pages):
    """The drawing shows infinite ends of windows, also of null windows; the text says where fail-hard acts."""
    page = pages["mt-sss"]
    page.open()
    page.value("stages[0].go(1)")
    assert "null window (+∞ − 1, +∞)" in page.said(), page.said()
    page = pages["alpha-beta"]
    page.open()
    page.value("stages[0].go(2)")
    assert "(−∞, +∞)" in page.said(1), page.said(1)
    said = page.value("(() => { const said = []; for (let n = 0; n <= stages[0].steps; n += 1) { stages[0].go(n); said.push(document.querySelectorAll('.say')[1].textContent); } return said; })()")
    assert any("outside the window" in words and "fail-hard" in words for words in said), "fail-hard is said where it acts"
    texts = page.value("[...document.querySelectorAll('.panel details p')].map(p => p.textContent)")
    assert "Fail-hard" in texts[1], texts
    page = pages["pvs"]
    page.open()
    assert "As printed" in page.value("document.querySelector('.panel details p').textContent")


def small_example(pages):
    """The null-move example is small and begins where the idea acts."""
    page = pages["null-move"]
    page.open()
    assert page.value("stages[0].panels[0].search.run.steps.length") < 60
    page.value("stages[0].go(3)")
    assert page.said().startswith("Null move: the side passes"), page.said()


def pseudocode(pages):
    """At every step one line of the pseudocode is lit, or one of each kind that runs together."""
    for page in pages.values():
        if page.is_lesson:
            continue
        page.open()
        dark = page.value("(() => { const dark = []; for (let n = 1; n <= stages[0].steps; n += 1) { stages[0].go(n); stages[0].panels.forEach(panel => { if (n <= panel.search.run.steps.length && panel.code.querySelectorAll('.lit').length !== 1 && panel.search.run.answer.inner < 300) dark.push([n, panel.search.run.recipe, panel.search.tag]); }); if (n > 150) break; } return dark; })()")
        assert not dark, f"{page.name}: {dark[:5]}"
    page = pages["alpha-beta"]
    page.open()
    cut = page.value("stages[0].panels[1].search.cuts[0]")
    page.value(f"stages[0].go({cut})")
    assert "return β" in page.value("document.querySelectorAll('.panel')[1].querySelector('.lit').textContent")


def same_as_the_program(pages):
    """The page searches a typed tree by the steps of the program, by every algorithm."""
    page = pages["every"]
    page.open()
    differ = page.value("data.stages[0].runs.filter(run => JSON.stringify(recordSearch(run.places, run.recipe).steps) !== JSON.stringify(run.steps)).map(run => run.recipe)")
    assert not differ, f"other steps: {differ}"
    assert page.value("data.stages[0].runs.map(run => run.recipe)") == ALGORITHMS
    differ = page.value("data.stages[0].runs.filter(run => { const made = recordSearch(run.places, run.recipe).answer; return made.value !== run.answer.value || made.best !== run.answer.best; }).map(run => run.recipe)")
    assert not differ, f"other answers: {differ}"
    for tree in page.others:
        runs = page.value(f"(() => {{ const places = parseTree({tree['text']!r}); return data.stages[0].runs.map(run => recordSearch(places, run.recipe).steps); }})()")
        assert runs == tree["steps"], f"other steps for {tree['text']}"


def editing(pages):
    """A tree is typed or edited in the page; what is no tree is refused with a reason."""
    page = pages["alpha-beta"]
    browser = page.browser
    page.open()
    browser.value("document.querySelector('.edit').open = true")
    put = "(t => { document.querySelector('.edit textarea').value = t; document.querySelector('.edit .search').click(); })"
    error = "document.querySelector('.edit .error').textContent"
    for text in ["((3 5) (6 9)", "((3 5) x)", "(1 ())", "", "(1 2) 3", "(1 99999999)"]:
        browser.value(f"{put}({text!r})")
        assert page.value(error), f"{text!r} is taken"
    browser.value(f"{put}('((9 8) (1 7))')")
    assert not page.value(error)
    browser.press("End")
    assert "the value 8, the move 1" in page.said(), page.said()
    assert "tree1=" in page.value("location.hash")
    # A link to what is shown.
    address = page.value("location.href")
    browser.open(address)
    browser.wait("document.querySelectorAll('.panel').length > 0")
    assert page.value("[stages[0].at, document.querySelector('.edit textarea').value]") == [page.value("stages[0].steps"), "((9 8) (1 7))"]
    browser.value("[...document.querySelectorAll('.edit input')].forEach(box => { box.checked = box.value === 'sss'; }); document.querySelector('.edit .search').click()")
    assert page.value("stages[0].panels.map(panel => panel.search.run.recipe)") == ["sss"]


def address(pages):
    """The address has the step, and a link leads to it."""
    page = pages["sss"]
    page.open()
    page.value("stages[0].go(9)")
    assert page.value("location.hash") == "#step1=9"
    page.browser.open(page.url + "#step1=4")
    page.browser.wait("document.querySelectorAll('.panel').length > 0")
    assert page.value("stages[0].at") == 4
    page.value("location.hash = '#step1=6'; 1")
    page.browser.wait("stages[0].at === 6")


def guessing(pages):
    """The next step can be guessed, whatever it is."""
    for page in pages.values():
        if page.is_lesson:
            continue
        page.open()
        found = page.value("(() => { for (const stage of stages) for (let n = 0; n < Math.min(stage.steps, 60); n += 1) { stage.go(n); for (const { search } of stage.panels) { if (search.at >= search.run.steps.length) continue; const { right, all } = search.choices(); if (!all.includes(right) || new Set(all).size !== all.length || all.length > 4) return [n, right, all]; } } return null; })()")
        assert found is None, f"{page.name}: {found}"
    page = pages["alpha-beta"]
    browser = page.browser
    page.open()
    browser.press("g")
    choices = page.value("[...document.querySelectorAll('.choice')].map(b => b.textContent)")
    assert choices, "choices"
    right = page.value("stages[0].panels[0].search.choices().right")
    browser.value(f"[...document.querySelectorAll('.choice')].find(b => b.textContent === {right!r}).click()")
    assert page.value("document.querySelector('.question').textContent").startswith("Right. 1 of 1")
    assert page.value("stages[0].at") == 1
    browser.click(".forward")
    browser.wait("document.querySelectorAll('.choice').length > 1")
    right = page.value("stages[0].panels[0].search.choices().right")
    browser.value(f"[...document.querySelectorAll('.choice')].find(b => b.textContent !== {right!r}).click()")
    assert "No: " in page.value("document.querySelector('.question').textContent")


def pictures(pages):
    """A drawing is saved as an SVG file that needs nothing else."""
    for name in ("alpha-beta", "horizon"):
        page = pages[name]
        page.open()
        page.value(MIDDLE)
        text = page.value("standalone(document.querySelector('.panel:last-of-type .view svg, .panel:last-of-type .scroll svg'))")
        assert text.startswith("<svg") and "xmlns=" in text and "var(" not in text and "http:" not in text.replace("http://www.w3.org", "")
        assert "use" not in text or "<symbol" in text
        assert page.value(f"new DOMParser().parseFromString({text!r}, 'image/svg+xml').querySelectorAll('parsererror').length") == 0


def lessons(pages):
    """Each lesson has its parts, and its searches are its own."""
    for name in LESSONS:
        page = pages[f"lesson-{name}"]
        page.open()
        heads = page.value("[...document.querySelectorAll('h2')].map(h => h.textContent)")
        for part in ("The idea", "Step through it", "A question", "Where it errs", "The measurement"):
            assert part in heads, f"{name}: {heads}"
        words = len(page.value("[...document.querySelectorAll('.lesson')].map(e => e.textContent).join(' ')").split())
        assert 400 < words < 2000, f"{name}: {words} words"
        assert page.value("document.querySelectorAll('.measured tbody tr').length") > 5
        second = "stages[1].at"
        page.value("document.querySelectorAll('.forward')[1].click(); 1")
        assert page.value(f"[stages[0].at, {second}]") == [0, 1], "each stage has its own steps"
        page.value("document.querySelectorAll('.controls')[1].dispatchEvent(new Event('pointerdown', { bubbles: true })); 1")
        page.browser.press("End")
        assert page.value("stages[1].at === stages[1].steps && stages[0].at === 0"), "keys go to the stage that was touched"


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
MIDDLE = "stages.forEach(s => s.go((cuts => cuts[cuts.length >> 1] ?? s.steps >> 1)(s.panels.at(-1).search.cuts)))"


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


def trees(count):
    """Trees of every shape, as they are typed."""
    draw = random.Random(5)

    def node(plies):
        if plies == 0 or draw.random() < 0.2 * (plies < 4):
            return str(draw.randint(-9, 9))
        return "(" + " ".join(node(plies - 1) for _ in range(draw.randint(1, 4))) + ")"

    return [node(draw.randint(2, 4)) for _ in range(count)] + ["7", "(3)", "((2 2) (2 2))"]


def steps_of(lab, tree, recipes, folder):
    """The steps that the program records."""
    file = folder / "other.html"
    subprocess.run([lab, "tree", "--tree", tree, *recipes, "--html", file], stdout=subprocess.DEVNULL, check=True)
    text = file.read_text(encoding="utf-8").split('<script type="application/json" id="data">')[1].split("</script>")[0]
    return {"text": tree, "steps": [run["steps"] for run in json.loads(text)["stages"][0]["runs"]]}


def wording(pages):
    """What a page says of a step is true of that step."""
    for page in pages.values():
        page.open()
        rows = page.value(
            "(() => { const rows = []; stages.forEach(stage => { for (let n = 1; n <= stage.steps; n += 1) { stage.go(n); "
            "document.querySelectorAll('.position tbody tr td:nth-child(4)').forEach(cell => rows.push(cell.textContent)); "
            "if (n > 150) break; } }); return [...new Set(rows)]; })()"
        )
        for row in rows:
            searched = [int(part) for part in row.split(" of ")] if row != "–" else [0, 1]
            assert searched[0] <= searched[1] > 0, f"{page.name}: {row} moves searched"
    page = pages["lesson-alpha-beta"]
    page.open()
    cut = page.value("(() => { const at = stages[0].panels[1].search.cuts[0]; stages[0].go(at); return at; })()")
    assert cut and "is more than β" in page.said(1), f"Bratko's program cuts beyond a bound alone: {page.said(1)}"


CHECKS = [
    counts, keys, buttons, states, drawings, merits, windows, small_example, pseudocode, same_as_the_program, editing, address,
    guessing, pictures, lessons, wording, self_contained, appearance,
]  # fmt: skip
AXE = None


def main():
    global AXE
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lab", required=True, help="the program skewer-lab")
    parser.add_argument("--chromium", default="chromium")
    parser.add_argument("--axe", type=Path, help="axe.min.js of axe-core, for the accessibility check")
    parser.add_argument("--screenshots", type=Path, help="a folder for pictures of the pages")
    parser.add_argument("--only", help="the check of this name alone")
    arguments = parser.parse_args()
    path = shutil.which(arguments.chromium)
    if not path:
        sys.exit(f"{arguments.chromium} is not installed: install it, or name another with --chromium")
    checks = list(CHECKS)
    if arguments.axe:
        AXE = arguments.axe
        checks.append(accessible)
    if arguments.only:
        checks = [check for check in checks if check.__name__ == arguments.only]
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
            for name in LESSONS:
                file = folder / f"lesson-{name}.html"
                subprocess.run([arguments.lab, "lesson", name, "--html", file], stdout=subprocess.DEVNULL, check=True)
                pages[f"lesson-{name}"] = Page(browser, file, arguments.screenshots)
            every = [part for algorithm in ALGORITHMS for part in ("--recipe", algorithm)]
            pages["every"].others = [steps_of(arguments.lab, tree, every, folder) for tree in trees(12)]
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
