#!/usr/bin/env python3
"""Opens reports in headless Chromium and tests all their parts: list, moves, lines, board, insights.

    browser.py --analyse PATH [--chromium PATH] [--axe axe.min.js] [--screenshots FOLDER]

Makes a small report in one file and a folder of more than a thousand games. Every check prints a
line; the last line is `N passed, N failed`, and the exit status is 1 if a check failed, or if none passed.
Needs the Python package `chess`.
"""

import argparse
import io
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import unquote, urlsplit

import chess.pgn
from devtools import Browser

# Three games with weak moves on both sides, one of them Chess960, and one that cannot be read.
GAMES = """[Event "Trap"]
[White "A <b>bold</b> name that is rather long for a narrow screen"]
[Black "B"]
[Date "2026.01.02"]
[Result "1-0"]

{ A famous trap } 1. e4 { Best by test } e5 (1... c5 $5 { Sicilian } 2. Nf3 (2. c3)) 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0

[Event "Bad"]
[White "C"]
[Black "D"]
[Result "*"]

1. e4 e5 2. Ke3 *

[Event "Clocks </script><img src=x onerror=document.title='injected'>"]
[White "E"]
[Black "F"]
[Result "0-1"]
[TimeControl "300+0"]

1. f3 { [%clk 0:05:00] } e5 { [%clk 0:04:59] } 2. g4 { [%clk 0:04:58] } Qh4# { [%clk 0:04:50] } 0-1

[Event "Shuffled"]
[White "G"]
[Black "H"]
[Result "1/2-1/2"]
[SetUp "1"]
[Variant "Chess960"]
[FEN "nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w KQkq - 0 21"]

21. d4 d5 22. c3 Nb6 23. e4 dxe4 24. f3 exf3 25. gxf3 e5 26. Be3 exd4 27. cxd4 Bf5 28. Bxf5 1/2-1/2
"""

# A game with an evaluation after every move.
EVALS = """[White "I"]
[Black "J"]
[Result "0-1"]

1. f3 { [%eval -0.6] } e5 { [%eval -0.5] } 2. g4 { [%eval #-1] } Qh4# { [%eval #0] } 0-1
"""

# Two exercises. A queen gives stalemate where a rook mates in two. A queen is lost where Qd2 would bring the position after
# it for the third time.
RULES = """[White "K"]
[Black "L"]
[Result "1/2-1/2"]
[SetUp "1"]
[FEN "8/5P1k/5K2/8/8/8/8/8 w - - 0 1"]

1. f8=Q 1/2-1/2

[White "M"]
[Black "N"]
[Result "0-1"]
[SetUp "1"]
[FEN "r5k1/p4ppp/8/8/8/8/5PPP/4Q1K1 w - - 0 1"]

1. Qd2 Kh8 2. Qd1 Kg8 3. Qd2 Kh8 4. Qd1 Kg8 5. Qd8+ Rxd8 0-1
"""

DATA = Path(__file__).parent / "data" / "lichess-47.pgn.zst"
# How many copies of the 47 games are analysed: 1,034 games.
COPIES = 22


class Page:
    """A report in the browser."""

    def __init__(self, browser, path, screenshots):
        self.browser = browser
        self.url = path.as_uri()
        self.screenshots = screenshots

    def open(self, place=""):
        self.browser.open(self.url + place)
        if place.startswith("#") and place[1:2].isdigit():
            self.browser.wait("Boolean(view.game)")

    def value(self, expression):
        return self.browser.value(expression)

    def text(self, selector):
        return self.value(f"document.querySelector({json.dumps(selector)}).textContent")

    def place(self):
        """Game and ply that are shown, as the address says."""
        game, ply = self.value("location.hash")[1:].split(".")
        return int(game), int(ply)

    def expect(self, game, ply, after):
        self.browser.wait(f"location.hash === '#{game}.{ply}'")
        marked = self.value("[...document.querySelectorAll('.move.on')].map(b => b.dataset.ply)")
        assert marked == ([str(ply)] if ply else []), f"{marked} is marked after {after}"

    def rows(self):
        return self.value("[...document.querySelectorAll('#rows tr')].map(r => r.textContent)")

    def fill(self, selector, text):
        self.value(f"(e => {{ e.value = ''; e.focus(); }})(document.querySelector({json.dumps(selector)}))")
        self.browser.type(text)


def keys(small, _large):
    page, browser = small, small.browser
    page.open()
    browser.wait("Boolean(view.game)")
    page.expect(1, 0, "opening")
    length = page.value("view.game.moves.length")
    for key, ply in [
        ("ArrowLeft", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1),
        ("End", length), ("ArrowRight", length), ("Home", 0),
    ]:  # fmt: skip
        browser.press(key)
        page.expect(1, ply, key)
    weak = page.value("view.game.moves.flatMap((mv, n) => mv.g >= 4 ? [n + 1] : [])")
    # Black takes the queen and is mated; which other moves are weak depends on the engine.
    assert 10 in weak, f"weak moves: {weak}"
    for ply in weak:
        browser.press("n")
        page.expect(1, ply, "n")
    browser.press("End")
    page.expect(1, length, "End")
    for ply in reversed(weak):
        browser.press("p")
        page.expect(1, ply, "p")
    # The keys skip the bad game.
    for key, game in [("j", 3), ("j", 4), ("j", 4), ("k", 3), ("k", 1), ("k", 1)]:
        browser.press(key)
        browser.wait(f"location.hash.startsWith('#{game}.')")
    corner = "document.querySelector('#board text.coord').textContent"
    before = page.value(corner)
    browser.press("f")
    assert page.value(corner) != before, "f does not turn the board"


def clicks(small, _large):
    page, browser = small, small.browser
    page.open("#1.0")
    length = page.value("view.game.moves.length")
    for ply in (0, 4, 9, length):
        browser.click("#graph", (34 + 560 * ply / length) / 600)
        page.expect(1, ply, f"a click on the graph at {ply}")
    browser.click(".move[data-ply='3']")
    page.expect(1, 3, "a click on a move")
    browser.click("#rows tr:nth-child(3) td:nth-child(3)")
    page.expect(4, 0, "a click on a game")
    numbers = page.value("[...document.querySelectorAll('#graph .middle')].map(tick => tick.textContent)")
    assert numbers == [str(number) for number in range(21, 28)], f"move numbers of the graph: {numbers}"
    for button, ply in [("forward", 1), ("last", 15), ("back", 14), ("first", 0)]:
        browser.click("#" + button)
        page.expect(4, ply, button)


def lines(small, _large):
    """Every move of every line is a button; lines can be stepped and left."""
    page, browser = small, small.browser
    page.open("#1.9")
    found = page.value("[...document.querySelectorAll('#lines ul')].map(l => l.children.length)")
    assert found and max(found) == 3, f"lines with --multipv 3: {found}"
    browser.click("#lines ul:last-of-type li:nth-child(2) .step:nth-of-type(3)")
    assert page.value("view.step") == 3, "a click on a line's third move"
    shown = page.value("chess.fen(view.current())")
    for key, step in [("ArrowLeft", 2), ("ArrowRight", 3), ("ArrowRight", 4)]:
        browser.press(key)
        assert page.value("view.step") == step, f"{key} in a line"
    browser.press("ArrowLeft")
    assert page.value("chess.fen(view.current())") == shown
    browser.press("Escape")
    page.expect(1, 9, "Escape")
    assert page.value("view.line") is None


def square(name, flipped=False):
    """Where the middle of a square lies on the board."""
    across, down = (ord(name[0]) - 97 + 0.5) / 8, (8.5 - int(name[1])) / 8
    return (1 - across, 1 - down) if flipped else (across, down)


def board_input(small, _large):
    """Pieces can be moved by clicks, by dragging and by typing; illegal moves are refused."""
    page, browser = small, small.browser
    page.open("#1.0")
    browser.click("#board", *square("d2"))
    assert page.value("document.querySelectorAll('#board .target').length") == 2
    browser.click("#board", *square("d4"))
    assert page.value("view.line") == ["d2d4"], page.value("view.line")
    browser.drag("#board", square("g8"), square("f6"))
    assert page.value("view.line") == ["d2d4", "g8f6"], page.value("view.line")
    browser.drag("#board", square("e1"), square("e3"))
    assert page.value("view.line.length") == 2, "an illegal move"
    page.fill("#try", "c4")
    browser.press("Enter")
    assert page.value("view.line") == ["d2d4", "g8f6", "c2c4"]
    page.fill("#try", "Ke3")
    browser.press("Enter")
    assert "not a legal move" in page.text("#status")
    browser.press("Escape")
    browser.press("Escape")
    page.expect(1, 0, "leaving the line")
    # The move of the game is a step in the game.
    page.fill("#try", "e4")
    browser.press("Enter")
    page.expect(1, 1, "the move of the game")
    # White's knight on e5 attacks a bishop.
    page.open("#1.9")
    for shown in (True, False):
        browser.click("#threats")
        count = page.value("document.querySelectorAll('#board .arrow.threat').length")
        assert (count > 0) == shown, f"{count} threats"


def exercise(page, game, ply):
    """Opens the exercise from a position of a game, however sure its label is."""
    page.open("#exercises")
    page.browser.wait("document.getElementById('exercise-count').textContent !== ''")
    page.value("Promise.all(skewer.rows.map(row => skewer.game(row.place))).then(games => {"
               " for (const { moves } of games) for (const move of moves) move.c = 100; return exercises.open(); })")
    is_it = f"(({{ game, i }}) => game.n === {game} && i === {ply})"
    assert page.value(f"exercises.tasks.some({is_it})"), f"no exercise from {game}.{ply}"
    page.value(f"(() => {{ while (!{is_it}(exercises.task)) document.getElementById('exercise-next').click(); }})()")


def asked(page, board, flipped=False):
    """Waits until the page asks to what the pawn on f7 promotes: the queen has the focus and lies on f8, and all pieces lie
    on the board."""
    page.browser.wait("document.querySelector('dialog[open]') !== null")
    names, focused, away, inside = page.value(
        "(([board, dialog, ...buttons], [across, down]) => { const [box, column, queen] = [board, dialog, buttons[0]].map(e => e.getBoundingClientRect()), size = box.width / 8;"
        " return [buttons.map(button => button.ariaLabel), document.activeElement === buttons[0],"
        " Math.hypot(queen.left - box.left - across * size, queen.top - box.top - down * size, queen.width - size, queen.height - size),"
        " column.top > box.top - 1 && column.bottom < box.bottom + 1 && Math.abs(column.height - 4 * size) < 1]; })"
        f"(document.querySelectorAll('{board}, dialog, dialog button'), {[2, 7] if flipped else [5, 0]})"
    )
    assert names == ["queen", "rook", "bishop", "knight"] and focused, f"{names}, focus: {focused}"
    assert away < 2 and inside, f"{board}: the queen is {away} from its square"


def unasked(page, board, flipped=False):
    """Waits until the page asks nothing, and finds the pawn on f7 of a board without targets."""
    page.browser.wait("document.querySelector('dialog') === null")
    pawn = page.value(f"(e => [e.x.baseVal.value, e.y.baseVal.value])(document.querySelector('{board} [data-square=f7]'))")
    assert pawn == ([100, 300] if flipped else [250, 50]), pawn
    assert page.value(f"document.querySelectorAll('{board} .target').length") == 0


def promotion(_small, _large):
    """A pawn that reaches the last rank asks for the piece, on every board, by two clicks, by dragging and by typing. Escape
    or a click beside makes no move. An exercise that only a rook solves is solved by the rook alone."""
    page, browser = RULED, RULED.browser
    page.open("#1.0")
    for flipped in (False, True):
        if flipped:
            browser.press("f")
        start, end = square("f7", flipped), square("f8", flipped)
        for at in (start, end):
            browser.click("#board", *at)
        asked(page, "#board", flipped)
        # The keys of the page wait.
        browser.press("ArrowRight")
        asked(page, "#board", flipped)
        browser.press("Escape")
        unasked(page, "#board", flipped)
        browser.drag("#board", start, end)
        asked(page, "#board", flipped)
        for kind in ("mousePressed", "mouseReleased"):
            browser.call("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, x=3, y=3)
        unasked(page, "#board", flipped)
        assert page.value("[view.line, view.ply]") == [None, 0], page.value("[view.line, view.ply]")
    browser.drag("#board", start, end)
    asked(page, "#board", flipped)
    # Another part of the page asks nothing.
    page.value("location.hash = '#tree'")
    browser.wait("document.querySelector('dialog') === null && document.getElementById('part-games').hidden")
    page.value("location.hash = '#1.0'")
    browser.wait("!document.getElementById('part-games').hidden")
    browser.drag("#board", start, end)
    asked(page, "#board", flipped)
    browser.click("dialog [value=f7f8n]")
    assert page.value("view.line") == ["f7f8n"], page.value("view.line")
    page.open("#1.0")
    page.fill("#try", "f8")
    browser.press("Enter")
    asked(page, "#board")
    browser.press("Tab")
    browser.press("Enter")
    assert page.value("view.line") == ["f7f8r"], page.value("view.line")
    # White's pawn on b7 can take on a8 and c8, and a bishop on e6 on c8.
    for text, moves in [
        ("bxa8", ["b7a8q", "b7a8r", "b7a8b", "b7a8n"]), ("b7a8", ["b7a8q", "b7a8r", "b7a8b", "b7a8n"]), ("bxa8=N", ["b7a8n"]), ("bxa8r", ["b7a8r"]),
        ("B7A8Q", ["b7a8q"]), ("Bxc8", ["e6c8"]), ("bxc8", ["b7c8q", "b7c8r", "b7c8b", "b7c8n"]), ("ke2", ["e1e2"]), ("b8", []), ("", []),
    ]:  # fmt: skip
        found = page.value(f"chess.read(chess.parse('rnb1k3/1P6/4B3/8/8/8/8/4K3 w - - 0 1'), {json.dumps(text)})")
        assert found == moves, f"{text}: {found}"
    exercise(page, 1, 0)
    for piece, said, solved in (("q", "f8=Q is what was played", False), ("r", "Right: f8=R", True)):
        browser.drag("#exercise-board", square("f7"), square("f8"))
        asked(page, "#exercise-board")
        browser.click(f"dialog [value=f7f8{piece}]")
        assert page.text("#exercise-answer").startswith(said) and page.value("exercises.solved") == solved, page.text("#exercise-answer")
        if not solved:
            unasked(page, "#exercise-board")
    # A solved exercise has no further move.
    browser.drag("#exercise-board", square("h7"), square("h6"))
    assert page.text("#exercise-answer").startswith("Right: f8=R"), page.text("#exercise-answer")
    page.open("#tree")
    browser.wait("document.querySelectorAll('#tree-moves tr').length > 0")
    for piece, path in (("r", []), ("q", ["f8=Q"])):
        browser.drag("#tree-board", square("f7"), square("f8"))
        asked(page, "#tree-board")
        browser.click(f"dialog [value=f7f8{piece}]")
        assert page.value("tree.path") == path, page.value("tree.path")
        if not path:
            unasked(page, "#tree-board")


def by_the_rules(_small, _large):
    """The engine judges a move with the moves before it: the third occurrence of a position is a draw, and so is the fiftieth
    move of both sides without a capture or a move of a pawn."""
    page, browser = RULED, RULED.browser
    exercise(page, 2, 8)
    page.value("exercises.answer('d1d2')")
    assert page.text("#exercise-answer").startswith("Qd2 (0.00) is not good enough"), page.text("#exercise-answer")
    score = page.value("engine.judge(chess.past(chess.fen(exercises.position()), []), 'd1d2')")
    assert score != 0, "without the moves before it, Qd2 is a draw as well"
    for move, is_draw in (("d1d2", True), ("h2h3", False)):
        score = page.value(f"engine.judge(chess.past('r5k1/p4ppp/8/8/8/8/5PPP/3Q2K1 w - - 99 90', []), '{move}')")
        assert (score == 0) == is_draw, f"{move}: {score}"
    # The analysis that a judgement has stopped goes on when its position is shown again.
    page.open("#2.0")
    browser.press("e")
    browser.wait("engine.searching")
    page.value("engine.judge(chess.past(view.game.fen, []), 'h2h3')")
    page.value("view.show(0)")
    browser.wait("engine.searching")
    browser.press("e")
    # A null move ends what UCI can tell.
    past = page.value("chess.past(undefined, ['e2e4', '', 'g1f3', 'g8f6'])")
    assert past == {"fen": "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2", "moves": ["g1f3", "g8f6"]}, past


def engine(small, large):
    """The engine in the page: lines appear, follow the position, can be chosen, and it stops."""
    for page, place in ((small, "#1.0"), (large, "#1.20")):
        browser = page.browser
        page.open(place)
        assert page.value("[document.getElementById('engine').hidden, engine.searching]") == [False, False], "before"
        browser.press("e")
        browser.wait("engine.found.length === 3 && engine.best.depth >= 6")
        deeper = page.value("engine.best.depth") + 1
        browser.wait(f"engine.best.depth >= {deeper}")
        browser.wait("document.querySelectorAll('#engine-lines li').length === 3")
        legal = (
            "engine.found.every(one => { let at = view.current(); return one.moves.split(' ').every(move => {"
            " const is = chess.moves(at).includes(move); at = chess.play(at, move); return is; }); })"
        )
        assert page.value(legal), "a line with an illegal move"
        status = page.text("#engine-status")
        assert "nodes" in status, status
        # Its first move is the arrow on the board.
        arrows = page.value("document.querySelectorAll('#board .arrow.best').length")
        assert arrows == 1, f"{arrows} arrows"
        # A line is followed to its third move, from where the engine goes on.
        browser.click("#engine-lines li:nth-child(2) .step:nth-of-type(3)")
        line = page.value("view.line")
        assert line and len(line) == 3, f"a click on the third move of a line gives {line}"
        browser.wait("engine.best !== undefined && engine.best.depth >= 4")
        assert page.value(legal), "a line of another position"
        browser.press("Escape")
        browser.press("ArrowRight")
        browser.wait("engine.best !== undefined && engine.searching")
        page.value("(e => { e.value = '1'; e.dispatchEvent(new Event('change')); })(document.getElementById('engine-count'))")
        browser.wait("engine.best !== undefined && document.querySelectorAll('#engine-lines li').length === 1")
        browser.press("e")
        assert page.value("[engine.searching, engine.best === undefined]") == [False, True], "the engine still searches"
        assert page.value("document.getElementById('engine-on').ariaPressed") == "false", "the button is pressed"
    # A tried move is evaluated though the engine was not switched on.
    page, browser = small, small.browser
    page.open("#1.4")
    page.fill("#try", "h3")
    browser.press("Enter")
    browser.wait("/^[+-]?\\d/.test(document.getElementById('value').textContent)")
    # A move of an exercise that is in no line of the report is judged.
    page.open("#exercises")
    browser.wait("!document.getElementById('exercise').hidden")
    page.value("(({ game, i }) => { game.lines[i] = [[exercises.position().white ? -900 : 900, chess.moves(exercises.position())[0], exercises.position().white ? 4 : 96]]; game.moves[i].w = exercises.position().white ? 0 : 100;"
               " window.other = chess.moves(exercises.position()).find(move => move !== game.moves[i].u && move !== game.lines[i][0][1]); })(exercises.task)")
    page.value("exercises.answer(window.other)")
    assert "engine" not in page.text("#exercise-answer") and "(" in page.text("#exercise-answer"), page.text("#exercise-answer")
    # Mates, the end of a game, and Chess960.
    page, browser = small, small.browser
    page.open("#1.12")
    browser.press("e")
    browser.wait("engine.best !== undefined && engine.best.score === '#1'")
    browser.press("End")
    browser.wait("document.getElementById('engine-status').textContent === 'checkmate'")
    page.open("#4.3")
    browser.press("e")
    browser.wait("engine.best !== undefined && engine.best.depth >= 6")
    browser.press("e")


def copies(small, _large):
    page, browser = small, small.browser
    page.open("#3.4")
    page.value("navigator.clipboard.writeText = async text => { window.copied = text; }")
    browser.click("#copy-fen")
    browser.wait("window.copied !== undefined")
    assert page.value("window.copied") == page.value("chess.fen(view.current())")
    browser.click("#copy-link")
    browser.wait("window.copied.startsWith('file:')")
    browser.click("#copy-pgn")
    browser.wait("window.copied.includes('[%clk')")
    pgn = page.value("window.copied")
    words = " ".join(pgn.split())  # Where lines break depends on the variations.
    assert "2. g4 $4 { [%eval #-1] [%clk 0:04:58]" in words and words.endswith("0-1"), pgn
    game = chess.pgn.read_game(io.StringIO(pgn))
    assert not game.errors and len(list(game.mainline())) == 4, game.errors


def address(small, _large):
    page = small
    page.open("#4.3")
    page.expect(4, 3, "opening a link")
    page.open("#1.999")
    page.expect(1, page.value("view.game.moves.length"), "a link beyond the end")


def content(small, _large):
    """Names are text and not markup, the bad game has its error, and the position is described right."""
    page = small
    page.open("#1.13")
    assert page.value("document.querySelector('#rows b, #title b')") is None
    assert "<b>bold</b>" in page.text("#rows") and "<b>bold</b>" in page.text("#title")
    assert "Ke3" in page.text("#bad")
    assert page.text("#settings").endswith(" 1 game could not be read."), page.text("#settings")
    assert page.value("document.querySelectorAll('#board use.piece').length") == 29
    assert "mate" in page.text("#say")
    assert "knight" in page.text("#words") and "Check." in page.text("#words")
    page.open("#3.1")
    assert page.value("document.title") == "Game analysis", "a name was run as a script"
    assert page.value("document.querySelectorAll('img').length") == 0
    assert page.value("document.querySelectorAll('#time rect').length") == 4, "the time of each move"


def self_contained(small, large):
    """The page requests nothing from other places, and logs no error."""
    for page, own in ((small, False), (large, True)):
        page.open("#1.0")
        for key in ("End", "Home", "n", "j", "End"):
            page.browser.press(key)
        page.browser.click("#tab-insights")
        page.browser.wait("document.querySelectorAll('#figures .group').length > 3")
        folder = page.url.rsplit("/", 1)[0]
        for event in page.browser.events:
            method, parameters = event.get("method"), event.get("params", {})
            if method == "Network.requestWillBeSent":
                url = parameters["request"]["url"].split("#")[0]
                allowed = url.startswith(folder) if own else url in (page.url, "about:blank")
                assert allowed or url == "about:blank", f"{url} is requested"
            assert method != "Runtime.exceptionThrown", parameters
            assert method != "Log.entryAdded", parameters


def policy(small, large):
    """Scripts that stand in the page, beside it or on the network do not run; the report does all the same."""
    planted = (
        "<script>window.planted = 'a script';</script><script src='planted.js'></script>"
        "<img src='x' onerror=\"window.planted = 'an attribute'\">"
    )
    for page in (small, large):
        path = Path(unquote(urlsplit(page.url).path))
        (path.parent / "planted.js").write_text("window.planted = 'a file';")
        (path.parent / "planted.html").write_text(path.read_text().replace("<header>", planted + "<header>", 1))
        browser = page.browser
        browser.open(page.url.replace(path.name, "planted.html") + "#1.1")
        browser.wait("Boolean(view.game)")
        assert page.value("window.planted") is None, page.value("window.planted")
        browser.events.clear()
        load = (
            "new Promise(done => { const script = document.createElement('script'); script.onload = script.onerror = done;"
            " script.src = 'http://127.0.0.1:9/planted.js'; document.head.append(script); }).then(() => true)"
        )
        assert page.value(load)
        browser.wait("true")
        refused = [event["params"]["entry"]["text"] for event in browser.events if event.get("method") == "Log.entryAdded"]
        assert any("Content Security Policy" in text for text in refused), f"a script is asked from the network: {refused}"


def search(_small, large):
    """A list of over a thousand games can be searched, filtered, sorted and paged through."""
    page, browser = large, large.browser
    started = time.monotonic()
    page.open()
    browser.wait("document.querySelectorAll('#rows tr').length === 100")
    assert time.monotonic() - started < 10
    games = page.value("skewer.rows.length")
    assert games == 47 * COPIES
    assert page.value("[...document.scripts].filter(s => /data.\\d/.test(s.src)).length") == 0, "no game before one is chosen"
    page.fill("#search", "meridyan")
    browser.wait(f"list.shown.length === {COPIES}")
    assert all("Meridyan" in row for row in page.rows())
    browser.click("#clear")
    browser.wait(f"list.shown.length === {games}")
    for column, key in [("date", "row.date"), ("blunders", "row.marks[0][2] + row.marks[1][2]"), ("white", "row.white.toLowerCase()")]:
        for _ in range(2):
            browser.click(f"[data-sort='{column}']")
            order = page.value(f"document.querySelector(\"[data-sort='{column}']\").parentNode.ariaSort")
            values = page.value(f"list.shown.map(row => {key})")
            assert values == sorted(values, reverse=order == "descending"), f"{column} {order}"
    browser.click("#filters summary")
    for field, value, check in [
        ("#f-result", "1-0", "row.result === '1-0'"), ("#f-speed", "blitz", "row.speed === 'blitz'"),
        ("#f-eco", "B", "row.opening.startsWith('B')"),
    ]:  # fmt: skip
        page.value(f"(e => {{ e.value = '{value}'; e.dispatchEvent(new Event('change')); }})(document.querySelector('{field}'))")
        kept, right = page.value(f"[list.shown.length, list.shown.every(row => {check})]")
        assert 0 < kept < games and right, field
        browser.click("#clear")
    browser.click("[data-sort='number']")
    browser.click("#page-forward")
    assert page.value("document.querySelector('#rows tr td').textContent") == "101"
    browser.click("#rows tr:nth-child(50) .open")
    page.expect(150, 0, "a game of the second page")
    asked = page.value("[...document.scripts].map(s => s.src.split('/').pop())")
    assert "1.js" in asked and "0.js" not in asked, asked


def insight(small, large):
    """The figures of Insights, and links to moves by the numbers that score sheets have, also in a game from a position."""
    for page in (small, large):
        page.open("#insights")
        page.value("choices.set('unsure', 'counted')")
        page.browser.wait("document.querySelectorAll('#figures td a').length > 2")
        moves = page.value(
            "Promise.all([...document.querySelectorAll('#figures td a')].map(async link => {"
            " const [number, ply] = link.hash.slice(1).split('.').map(Number);"
            " const game = await skewer.game(skewer.rows.find(row => row.number === number).place);"
            " const position = chess.line(game.fen, game.moves.map(move => move.u))[ply - 1];"
            " return [link.textContent, `game ${number}, move ${notation.number(position).replace(/[.]$/, '')}`]; }))"
        )
        assert all(shown == wanted for shown, wanted in moves), moves
        if page is small:
            assert any(shown.startswith("game 4, move 2") for shown, _ in moves), f"no move of the game from move 21: {moves}"
        page.value("choices.set('unsure', '')")
    page, browser = large, large.browser
    page.open("#insights")
    browser.wait("document.querySelectorAll('#figures .group').length > 8")
    for dimension in ("player", "color", "opening", "phase", "piece", "position", "time_left", "rating_difference"):
        assert page.value(f"document.querySelectorAll('#group-{dimension} tbody tr').length") >= 2, dimension
    browser.click("#figures a")
    browser.wait("!document.getElementById('view').hidden && !document.getElementById('part-games').hidden")
    game, ply = page.place()
    assert game >= 1 and ply >= 1


def keyboard(_small, large):
    """The page works without a mouse: tab to a game, open it, step through it, press a button."""
    page, browser = large, large.browser
    page.open()
    browser.wait("document.querySelectorAll('#rows tr').length === 100")
    for _ in range(30):
        browser.press("Tab")
        if page.value("document.activeElement.className") == "open":
            break
    browser.press("Enter")
    page.expect(1, 0, "Enter on a game")
    browser.press("ArrowRight")
    page.expect(1, 1, "the right arrow")
    browser.press("m")
    assert page.value("document.activeElement.id") == "try"
    browser.press("Escape")
    browser.press("/")
    assert page.value("document.activeElement.id") == "search"
    unnamed = page.value("[...document.querySelectorAll('button')].filter(b => !(b.textContent.trim() || b.ariaLabel)).length")
    assert unnamed == 0, f"{unnamed} buttons without a name"


def tried(small, _large):
    """No evaluation is shown for a tried move without one; messages disappear; tried lines are kept; errors are sentences."""
    page, browser = small, small.browser
    page.open("#1.4")
    # An engine that was switched off by hand does not start by itself.
    browser.press("e")
    browser.press("e")
    known = page.text("#value")
    assert known not in ("", "?"), known
    page.fill("#try", "Ke2")
    browser.press("Enter")
    assert page.text("#value") == "?" and page.value("document.getElementById('bar').classList.contains('unknown')")
    page.fill("#try", "Ka8")
    browser.press("Enter")
    assert "not a legal move" in page.text("#status")
    browser.press("Escape")
    browser.press("Escape")
    page.expect(1, 4, "leaving the line")
    assert page.text("#status") == "" and page.text("#value") == known
    assert "Ke2" in page.text("#tried")
    page.open("#1.10")
    sentence = page.text("#say .sentence")
    assert "Bxd1" in page.text("#say") and "llows mate" in sentence and "chance to lose rises" in sentence and "Better is" in sentence, sentence
    # Grades of both sides, which lead to their moves.
    counts = page.value("[...document.querySelectorAll('#grades tbody tr')].slice(1).map(row => [...row.cells].slice(1).map(cell => cell.textContent.split(' + ').reduce((sum, part) => sum + parseInt(part), 0)))")
    grades = page.value("[0, 1, 2, 3, 4, 5, 6].map(grade => [0, 1].map(side => view.game.moves.filter((move, i) => move.g === grade && i % 2 === side).length))")
    assert counts == grades, f"{counts} are not {grades}"
    browser.click("#grades tbody tr:last-child td:last-child button")
    page.expect(1, page.value("view.game.moves.findIndex((move, i) => move.g === 6 && i % 2) + 1"), "a grade of the summary")


def studies(small, _large):
    """Exercises are solved by the engine's move alone; the repertoire leads to games."""
    page, browser = small, small.browser
    page.open("#exercises")
    browser.wait("!document.getElementById('exercise').hidden")
    # Labels of any certainty, since few of these games have two that are sure.
    page.value("window.sureFrom = skewer.info.exerciseFrom, skewer.info.exerciseFrom = 1, exercises.open()")
    browser.wait("exercises.tasks.length > 1")
    played, best = page.value("(({ game, i }) => [game.moves[i].u, game.lines[i][0][1].split(' ')[0]])(exercises.task)")
    for move, solved in ((played, False), (best, True)):
        page.fill("#exercise-move", move)
        browser.press("Enter")
        assert page.value("exercises.solved") == solved, f"{move}: {page.text('#exercise-answer')}"
    first = page.text("#exercise-task")
    browser.click("#exercise-next")
    assert page.text("#exercise-task") != first
    page.value("skewer.info.exerciseFrom = window.sureFrom, exercises.open()")
    page.open("#repertoire")
    browser.wait("document.querySelectorAll('#repertoire-lines details').length > 0")
    browser.click("#repertoire-lines a")
    browser.wait("!document.getElementById('part-games').hidden && Boolean(view.game)")


def unscrolled(small, large):
    """A part that is opened by its address shows its beginning: the browser would scroll to an element of the same name."""
    for page in (small, large):
        page.open()
        parts = page.value("[...document.querySelectorAll('nav [id^=tab-]')].map(tab => tab.id.slice(4))")
        assert len(parts) > 4, parts
        for part in parts:
            page.open("#" + part)
            page.browser.wait("document.querySelectorAll('nav [aria-pressed=true]').length === 1")
            page.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")
            top = page.value("document.querySelector('nav').getBoundingClientRect().top")
            assert top >= 0 and not page.value(f"document.getElementById('{part}')"), f"#{part}: the tabs are at {top}"


def filtered(small, large):
    """Insights of a chosen player and of the filtered list; the page computes the same figures as the program."""
    for page in (small, large):
        browser = page.browser
        page.open("#insights")
        browser.wait("document.querySelectorAll('#figures .group').length > 3")
        if page is small:
            same = (
                "insights.computed('').then(made => ['games', 'moves', 'accuracy', 'average_loss', 'score_percent', 'blunders'].flatMap(key =>"
                " [[made.total, insights.data.all.total], ...Object.entries(insights.data.all.groups).flatMap(([name, rows]) => rows.map(row => [made.groups[name].find(one => one.name === row.name), row]))]"
                ".filter(([mine, theirs]) => !mine || Math.abs((mine[key] ?? -1) - (theirs[key] ?? -1)) > 0.5).map(([, theirs]) => [key, theirs.name])))"
            )
            wrong = page.value(same)
            assert wrong == [], f"other figures than the program's: {wrong}"
        name = page.value("skewer.rows[0].white")
        page.value(f"(e => {{ e.value = {json.dumps(name)}; e.dispatchEvent(new Event('change')); }})(document.getElementById('scope'))")
        games = page.value(f"skewer.rows.filter(row => [row.white, row.black].includes({json.dumps(name)})).length")
        browser.wait(f"[...document.querySelectorAll('#figures dd')][0].textContent === '{games}'")
        page.value("(e => { e.value = '0-1'; e.dispatchEvent(new Event('change')); })(document.getElementById('f-result'))")
        browser.click("#tab-games")
        browser.click("#tab-insights")
        browser.wait("document.getElementById('scope-games').textContent.startsWith('Among')")
        page.value("document.getElementById('clear').click()")


def in_view(small, _large):
    """Board, verdict, evaluation and moves are seen together, on a desk and on a phone."""
    page, browser = small, small.browser
    for width, height in ((1366, 768), (1440, 900), (390, 844)):
        browser.emulate(width, height, "light")
        page.open("#1.10")
        hidden = page.value(
            "['board', 'value', 'say', 'forward'].filter(id => document.getElementById(id).getBoundingClientRect().bottom > innerHeight)"
            ".concat(document.querySelector('.move.on').getBoundingClientRect().bottom > innerHeight ? ['the move'] : [])"
        )
        assert not hidden, f"{width} x {height}: {hidden} out of view"
    browser.emulate(1280, 900, "light")


WINDOWS = [(1366, 768), (1920, 1080), (390, 844), (844, 390)]


def columns(_small, large):
    """The list of games has every column at every width, with a game open, and each of them sorts."""
    page, browser = large, large.browser
    for width, height in [*WINDOWS, (1000, 800)]:
        browser.emulate(width, height, "light")
        page.open("#1.0")
        names = page.value("[...document.querySelectorAll('#games-table th button')].map(b => b.dataset.sort)")
        assert len(names) == 9, names
        out = page.value(
            "[...document.querySelectorAll('#games-table th button'), ...document.querySelectorAll('#rows tr:nth-child(-n+5) td')].filter(e => {"
            " const box = e.getBoundingClientRect(); return !box.width || !box.height || box.left < 0 || box.right > innerWidth; }).map(e => e.textContent)"
        )
        assert not out, f"{width} x {height}: {out} cannot be seen"
        for name in names:
            browser.click(f"[data-sort='{name}']")
            order = page.value(f"document.querySelector(\"[data-sort='{name}']\").parentNode.ariaSort")
            assert order in ("ascending", "descending"), f"{name} does not sort at {width} x {height}"
    browser.emulate(1280, 900, "light")


def room(_small, large):
    """On a desk the moves fill the window down to its end, the graph is whole, and the page is as wide as the window."""
    page, browser = large, large.browser
    for width, height in WINDOWS[:2]:
        browser.emulate(width, height, "light")
        page.open("#1.20")
        top, bottom, graph, view, board = page.value(
            "(box => [box('moves').top, box('moves').bottom, box('graph').bottom, box('view').width, box('board').width])(id => document.getElementById(id).getBoundingClientRect())"
        )
        assert height - 60 <= bottom <= height and bottom - top > 0.75 * height, f"{width} x {height}: the moves are from {top} to {bottom}"
        assert graph <= height, f"{width} x {height}: the graph ends at {graph}"
        assert view >= width - 60 and board >= 0.65 * height, f"{width} x {height}: the game is {view} wide, the board {board}"
    browser.emulate(1280, 900, "light")


def beside(_small, large):
    """The column beside the moves is wide enough for text and graphs, also in a high and narrow window."""
    page, browser = large, large.browser
    for width in range(1200, 1501, 50):
        for height in range(700, 1101, 100):
            browser.emulate(width, height, "light")
            page.open("#1.20")
            column, moves, graph, board = page.value(
                "['beside', 'moves', 'graph', 'board']"
                ".map(id => document.getElementById(id).getBoundingClientRect().toJSON())"
            )
            what = f"{width} x {height}"
            assert column["left"] >= moves["right"], f"{what}: the column stands below the moves"
            narrow = min(column["width"], graph["width"])
            assert narrow >= 300, f"{what}: the column or its graph is {narrow} wide"
            assert board["width"] >= 400, f"{what}: the board is {board['width']} wide"
    browser.emulate(1280, 900, "light")


# Words of the names of rows, and of the headings of columns, that stand on more than one line.
BROKEN = """[...document.querySelectorAll('.group th')].filter(e => e.offsetParent).flatMap(e => {
  const walker = document.createTreeWalker(e, NodeFilter.SHOW_TEXT), broken = [];
  for (let text = walker.nextNode(); text; text = walker.nextNode()) for (const word of text.data.matchAll(/[^ -]+/g)) {
    const range = document.createRange();
    range.setStart(text, word.index);
    range.setEnd(text, word.index + word[0].length);
    if (range.getClientRects().length > 1) broken.push(word[0]);
  }
  return broken;
})"""


def phones(_small, large):
    """A phone held upright and across: the board fits, the next game is one touch away, no table is cut, no word breaks."""
    page, browser = large, large.browser
    for width, height in WINDOWS[2:]:
        browser.emulate(width, height, "light")
        page.open("#1.0")
        for name in ("board", "forward", "next-game"):
            bottom = page.value(f"document.getElementById('{name}').getBoundingClientRect().bottom")
            assert 0 < bottom <= height, f"{width} x {height}: {name} ends at {bottom}"
        browser.click("#next-game")
        page.expect(2, 0, "the next game")
        browser.click("#previous-game")
        page.expect(1, 0, "the previous game")
        for part, rows, least in (("insights", "#figures .group tbody tr", 8), ("repertoire", "#repertoire-lines tbody tr", 8), ("tree", "#tree-moves tr", 2)):
            page.open("#" + part)
            browser.wait(f"document.querySelectorAll('{rows}').length > {least}")
            cut = page.value("[...document.querySelectorAll('.scroll-x')].filter(e => e.offsetParent && e.scrollWidth > e.clientWidth + 1).map(e => e.ariaLabel)")
            assert not cut, f"{width} x {height}: {part}: {cut} are cut"
            broken = page.value(BROKEN)
            assert not broken, f"{width} x {height}: {part}: {broken} break in the middle"
    browser.emulate(1280, 900, "light")


def notes(small, _large):
    """Comments, glyphs and variations of the file are shown, can be stepped, and are in the PGN of the page."""
    page, browser = small, small.browser
    page.open("#1.1")
    said = page.value("[...document.querySelectorAll('#moves .said')].map(e => e.textContent)")
    assert said[:2] == ["A famous trap", "Best by test"], said
    assert said[2] == "(1… c5!? Sicilian 2. Nf3 (2. c3))", said
    assert "Best by test" in page.text("#say")
    browser.click("#moves .said .variation .variation .step")
    assert page.value("view.line") == ["c7c5", "c2c3"], page.value("view.line")
    page.value("navigator.clipboard.writeText = async text => { window.copied = text; }")
    browser.click("#copy-pgn")
    browser.wait("window.copied !== undefined")
    pgn = page.value("window.copied")
    game = chess.pgn.read_game(io.StringIO(pgn))
    assert not game.errors and game.comment == "A famous trap", pgn
    first = game.variations[0]
    assert "Best by test" in first.comment and [one.move.uci() for one in first.variations][1] == "c7c5", pgn
    assert first.variations[1].nags == {5} and len(first.variations[1].variations) == 2, pgn


def unbroken(small, large):
    """No line of the PGN ends within a command such as [%eval 0.16], and none is too long."""
    for page, game in ((small, "#3.0"), (large, "#1.0"), (large, "#2.0")):
        page.open(game)
        page.browser.wait("Boolean(view.game)")
        pgn = page.value("pgn.text(view.game, chess.line(view.game.fen, view.game.moves.map(move => move.u)))")
        moves = pgn.split("\n\n", 1)[1]
        assert "[%eval" in moves
        for line in moves.split("\n"):
            assert line.count("[%") == line.count("]") and len(line) <= 80, line


def paper(small, large):
    """Printed games have diagrams every few moves and no raw commands; the browser's own command prints the open game."""
    for page, button, games in ((small, "#print-game", 1), (small, "#print-all", 3), (large, "#print-game", 1)):
        browser = page.browser
        page.open("#1.0")
        page.value("window.print = () => { window.printed = [document.querySelectorAll('#print article').length,"
                   " document.querySelectorAll('#print svg.diagram').length, document.getElementById('print').textContent]; }")
        browser.click(button)
        browser.wait("window.printed !== undefined")
        articles, diagrams, text = page.value("window.printed")
        assert articles == games and diagrams >= games, f"{articles} games with {diagrams} diagrams"
        if page is large:
            plies = page.value("view.game.moves.length")
            assert diagrams == 1 + (plies - 1) // 16, f"{diagrams} diagrams for {plies} plies"
        else:
            assert "Best by test" in text and "Sicilian" in text, text
        assert "[%" not in text and "arrow keys" not in text, text
        assert page.value("document.body.classList.contains('printing')") is False
    page, browser = small, small.browser
    page.open("#1.0")
    page.value("dispatchEvent(new Event('beforeprint')), true")
    shown = page.value("[...document.querySelectorAll('header, #part-games, #print')].map(e => getComputedStyle(e).display !== 'none')")
    page.value("dispatchEvent(new Event('afterprint')), true")
    assert shown == [False, False, True], f"header, game, paper: {shown}"


def back(small, _large):
    """Back returns to the part and the game that were seen before, and does not leave the report."""
    page, browser = small, small.browser
    page.open("#1.3")
    browser.click("#tab-insights")
    browser.wait("!document.getElementById('part-insights').hidden")
    browser.click("#tab-repertoire")
    browser.wait("!document.getElementById('part-repertoire').hidden")
    page.value("history.back(), true")
    browser.wait("location.hash === '#insights' && !document.getElementById('part-insights').hidden")
    page.value("history.back(), true")
    page.expect(1, 3, "Back from the insights")
    browser.press("j")
    page.expect(3, 0, "the next game")
    page.value("history.back(), true")
    page.expect(1, 3, "Back from the next game")


def theme(small, _large):
    """A switch chooses light or dark whatever the system says, and the choice is kept."""
    page, browser = small, small.browser
    color = "getComputedStyle(document.body).backgroundColor"
    browser.emulate(1280, 900, "light")
    page.open("#1.0")
    light = page.value(color)
    browser.click("#theme")
    browser.click("#theme")
    dark = page.value(color)
    assert "dark" in page.text("#theme") and dark != light, f"{light} and {dark}"
    page.open("#1.0")
    assert page.value(color) == dark, "the choice is not kept"
    browser.click("#theme")
    assert "system" in page.text("#theme") and page.value(color) == light
    browser.emulate(1280, 900, "dark")
    assert page.value(color) == dark, "the system is not followed"
    browser.emulate(1280, 900, "light")


def one_side(_small, large):
    """The next weak move is one of the side that is chosen, with the button and the keys."""
    page, browser = large, large.browser
    page.open("#1.0")
    for side, rest in (("white", 0), ("black", 1)):
        page.value(f"(e => {{ e.value = '{side}'; e.dispatchEvent(new Event('change')); }})(document.getElementById('weak-side'))")
        weak = page.value(f"view.game.moves.flatMap((move, i) => move.g >= 4 && i % 2 === {rest} ? [i + 1] : [])")
        browser.press("Home")
        for number, ply in enumerate(weak):
            browser.press("n") if number % 2 else browser.click("#next-weak")
            page.expect(1, ply, f"the next weak move of {side}")
        browser.click("#next-weak")
        assert "No further weak move" in page.text("#status")
    page.value("(e => { e.value = ''; e.dispatchEvent(new Event('change')); })(document.getElementById('weak-side'))")


def certainty(small, large):
    """Each label says how sure it is. Unsure labels have a mark, and count only if the user chooses so."""
    page, browser = large, large.browser
    page.open("#1.0")
    weak = page.value("view.game.moves.flatMap((move, i) => move.g >= 4 ? [[i + 1, move.c, move.c >= skewer.info.sureFrom]] : [])")
    assert any(not sure for _, _, sure in weak), "every label of 60 nodes is sure"
    for ply, percent, sure in weak:
        page.open(f"#1.{ply}")
        text, mark = page.text("#say"), page.text(".move.on .san")
        assert f"{percent}%" in text and ("unsure" in text) != sure, text
        sentence = page.text("#say .sentence")
        start = sentence if sure else sentence.removeprefix(f"Unsure ({percent}%). ")
        assert (sure or start != sentence) and start[0].isupper(), sentence
        assert mark.endswith("~") != sure, mark
    counted = "[skewer.rows.reduce((sum, row) => sum + row.marks.flat().reduce((a, b) => a + b), 0), insights.data && insights.data.all.total.blunders]"
    page.open("#insights")
    browser.wait("document.querySelectorAll('#figures .group').length > 8")
    few, blunders = page.value(counted)
    browser.click("#part-insights .count-unsure")
    every, all_blunders = page.value(counted)
    assert few < every and blunders <= all_blunders, f"{few} of {every} labels, {blunders} of {all_blunders} blunders"
    assert page.value("document.querySelector('#filters .count-unsure').checked"), "the boxes differ"
    browser.click("#part-insights .count-unsure")
    browser.wait(f"{counted}[0] === {few}")
    # Exercises have sure labels alone.
    page = small
    page.open("#exercises")
    browser.wait("!document.getElementById('exercise').hidden")
    assert page.value("exercises.tasks.every(({ game, i }) => game.moves[i].c >= skewer.info.exerciseFrom)")
    limit = page.value("skewer.info.exerciseFrom")
    assert f"at least {limit}%" in page.text("#part-exercises p"), page.text("#part-exercises p")
    page.value("exercises.tasks.forEach(({ game, i }) => { game.moves[i].c = skewer.info.exerciseFrom - 1; })")
    page.value("exercises.open()")
    browser.wait("document.getElementById('exercise').hidden")


def several_right(small, _large):
    """A move of the lines is right if it loses less than 5 points against the best move; a worse move is not."""
    page, browser = small, small.browser
    page.open("#exercises")
    browser.wait("!document.getElementById('exercise').hidden")
    for cost, right in ((0, True), (4, True), (6, False)):
        page.value("(({ game, i }) => { const now = exercises.position(), played = game.moves[i].u, best = now.white ? 300 : -300;"
                   " const [first, second] = chess.moves(now).filter(move => move !== played); game.moves[i].w = now.white ? 1 : 99;"
                   f" game.lines[i] = [[best, first, now.white ? 75 : 25], [best, second, now.white ? 75 - {cost} : 25 + {cost}]]; window.second = second; }})(exercises.task)")
        page.value("exercises.answer(window.second)")
        assert page.text("#exercise-answer").startswith("Right") == right, page.text("#exercise-answer")


def chosen(_small, large):
    """Exercises lose as much as an inaccuracy, and are chosen by kind, phase and opening; what was solved is kept, and comes
    last."""
    page, browser = large, large.browser
    page.open("#exercises")
    browser.wait("document.getElementById('exercise-count').textContent !== ''")
    page.value("localStorage.removeItem('skewer.exercises'), skewer.info.exerciseFrom = 1, exercises.open()")
    browser.wait("exercises.tasks.length > 20")
    every = page.value("exercises.tasks.length")
    # A move that loses less than an inaccuracy would be a right answer itself.
    page.value("(({ game, i }) => { window.one = game.moves[i]; window.win = one.w; one.w = game.lines[i][0][2] + (exercises.position().white ? -4.9 : 4.9); })(exercises.task), exercises.open()")
    browser.wait(f"exercises.tasks.length === {every - 1}")
    page.value("one.w = win, exercises.open()")
    browser.wait(f"exercises.tasks.length === {every}")
    for field, test in (("kind", "(task.game.moves[task.i].q || ['other']).includes(value)"), ("phase", "PHASES[task.game.moves[task.i].p] === value"), ("opening", "task.row.opening.includes(value)")):
        value = f"document.getElementById('exercise-{field}')"
        page.value(f"(e => {{ e.selectedIndex = 1; e.dispatchEvent(new Event('change')); }})({value})")
        assert page.value(f"exercises.tasks.length > 0 && exercises.tasks.length < {every} && exercises.tasks.every(task => {{ const value = {value}.value; return {test}; }})"), field
        page.value(f"(e => {{ e.selectedIndex = 0; e.dispatchEvent(new Event('change')); }})({value})")
    assert page.value("exercises.tasks.length") == every
    name = "`${exercises.task.game.n}.${exercises.task.i}`"
    first = page.value(name)
    page.value("exercises.answer(exercises.task.game.lines[exercises.task.i][0][1].split(' ')[0])")
    browser.wait("document.getElementById('exercise-answer').textContent.startsWith('Right')")
    assert "1 solved" in page.text("#exercise-count"), page.text("#exercise-count")
    page.value("exercises.choose()")
    assert page.value(name) != first and "1 solved" in page.text("#exercise-count")
    page.value("localStorage.removeItem('skewer.exercises'), true")


def worksheets(_small, large):
    """A worksheet has a diagram for each exercise, seen from the side to move, and the answers on another page."""
    page, browser = large, large.browser
    page.open("#exercises")
    browser.wait("document.getElementById('exercise-count').textContent !== ''")
    page.value("skewer.info.exerciseFrom = 1, exercises.open()")
    browser.wait("exercises.tasks.length > 20")
    page.value("window.print = () => { window.printed = [document.querySelectorAll('#print svg.diagram').length, document.querySelectorAll('#print .answers li').length,"
               " getComputedStyle(document.querySelector('#print .answers')).breakBefore, document.querySelector('#print .sheet').textContent, document.querySelector('#print .answers li').textContent]; }")
    browser.click("#worksheet-print")
    browser.wait("window.printed !== undefined")
    diagrams, answers, breaks, sheet, answer = page.value("window.printed")
    assert diagrams == answers == 12 and breaks == "page", f"{diagrams} diagrams, {answers} answers, {breaks}"
    assert sheet.count("to move") == 12 and "Played" not in sheet and "Played" in answer, sheet
    best = page.value("view.words(exercises.positionOf(exercises.tasks[0]), [exercises.tasks[0].game.lines[exercises.tasks[0].i][0][1].split(' ')[0]])[0]")
    assert answer.startswith(best), f"{answer} does not begin with {best}"


def openings(small, large):
    """The opening tree counts every game once a move, for a player and a colour, and leads to the games."""
    page, browser = small, small.browser
    page.open("#tree")
    browser.wait("document.querySelectorAll('#tree-moves tr').length > 0")
    rows = page.value("[...document.querySelectorAll('#tree-moves tr')].map(row => [...row.cells].map(cell => cell.textContent))")
    assert [row[:3] for row in rows] == [["1. e4", "1", "50%"], ["1. f3", "1", "50%"]], rows
    assert rows[0][3] == "100% (1/0/0)" and rows[1][3] == "0% (0/0/1)", rows
    browser.click("#tree-moves .open")
    assert page.value("tree.path") == ["e4"] and "1. e4" in page.text("#tree-path")
    browser.click("#tree-back")
    assert page.value("tree.path") == []
    page, browser = large, large.browser
    page.open("#tree")
    browser.wait("document.querySelectorAll('#tree-moves tr').length > 1")
    name = page.value("skewer.rows[0].white")
    page.value(f"(e => {{ e.value = {json.dumps(name)}; e.dispatchEvent(new Event('change')); }})(document.getElementById('tree-player'))")
    page.value("(e => { e.value = '0'; e.dispatchEvent(new Event('change')); })(document.getElementById('tree-color'))")
    games = page.value(f"skewer.rows.filter(row => row.white === {json.dumps(name)}).length")
    browser.wait(f"[...document.querySelectorAll('#tree-moves tr')].reduce((sum, row) => sum + Number(row.cells[1].textContent), 0) === {games}")
    page.value("tree.go([...tree.node.moves.keys()][0])")
    browser.click("#tree-games a")
    browser.wait("!document.getElementById('part-games').hidden && Boolean(view.game)")
    assert page.value("view.ply") == 1


def compared(_small, large):
    """Two players, or two periods, stand side by side with the same figures as alone."""
    page, browser = large, large.browser
    page.open("#insights")
    browser.wait("document.querySelectorAll('#figures .group').length > 8")
    page.value("document.getElementById('compare').open = true")
    browser.wait("document.querySelectorAll('#compared tbody tr').length > 10")
    names = page.value("[...document.getElementById('compare-player-a').options].slice(1, 3).map(option => option.value)")
    for side, name in zip("ab", names):
        page.value(f"(e => {{ e.value = {json.dumps(name)}; e.dispatchEvent(new Event('change')); }})(document.getElementById('compare-player-{side}'))")
    browser.wait(f"document.querySelector('#compared thead').textContent.includes({json.dumps('B: ' + names[1])})")
    page.value("compare.draw()")
    table = "[...document.querySelectorAll('#compared table')[0].rows].map(row => [...row.cells].map(cell => cell.textContent))"
    rows = {row[0]: row[1:3] for row in page.value(table)}
    for side, name in enumerate(names):
        games, moves = page.value(f"insights.computed({json.dumps(name)}).then(made => [made.total.games, made.total.moves])")
        assert [rows["Games"][side], rows["Moves"][side]] == [str(games), str(moves)], f"{name}: {rows}"
    # A period without a game.
    page.value("(e => { e.value = '1850-01-01'; e.dispatchEvent(new Event('change')); })(document.getElementById('compare-to-b'))")
    browser.wait("document.getElementById('compared').textContent.includes('B has no game')")


def given(_small, _large):
    """With the evaluations of the games alone, unknown figures are shown as unknown, and not as zero."""
    page, browser = GIVEN, GIVEN.browser
    page.open("#exercises")
    browser.wait("document.getElementById('exercise-count').textContent.length > 0")
    assert "refine" in page.text("#exercise-count")
    page.open("#1.1")
    best = page.value("[...document.querySelectorAll('#grades tr')].find(row => row.cells[0].textContent.trim() === 'best').textContent")
    assert best == "best––", best
    assert "not known" in page.text("#say")


def words(small, _large):
    """Figures say what they are: no empty percentages, no depth beside a mate, and why there is no engine."""
    page, browser = small, small.browser
    page.open("#1.12")
    assert "depth" not in page.text("#say"), page.text("#say")
    search = page.text("#settings")
    assert ", up to 36,000 on average." in search, search
    legend = page.text("#legend")
    for said in ("the average of two means: one weighted by", "compared with the engine's evaluation of the position"):
        assert said in legend, legend
    if not ENGINE:
        assert "--page-engine none" in page.text("#no-engine") and not page.value("document.getElementById('no-engine').hidden")
    page.open("#insights")
    browser.wait("document.querySelectorAll('#figures .group').length > 3")
    page.value("(e => { e.value = skewer.rows[0].white; e.dispatchEvent(new Event('change')); })(document.getElementById('scope'))")
    browser.wait("[...document.querySelectorAll('#figures dt')].some(e => e.textContent === 'Score')")
    facts = page.value("[...document.querySelectorAll('#figures dd')].map(e => e.textContent)")
    assert not any("-%" in fact or "–%" in fact for fact in facts) and "100%" in facts, facts
    page.open("#repertoire")
    browser.wait("document.querySelectorAll('#repertoire-lines th[scope=row]').length > 0")
    rows = page.value("[...document.querySelectorAll('#repertoire-lines th[scope=row]')].map(e => e.textContent)")
    assert all(row.split()[0].rstrip(".…").isdigit() for row in rows), rows


SIZES = [(1280, 900), (700, 900), (390, 844)]


def appearance(small, large):
    """Light and dark, wide and narrow: nothing overflows."""
    browser = small.browser
    backgrounds = {}
    for scheme in ("light", "dark"):
        for width, height in SIZES:
            browser.emulate(width, height, scheme)
            for page, place, name in ((small, "#1.9", "small"), (large, "#1.20", "large"), (large, "#insights", "insights")):
                page.open(place)
                if name == "insights":
                    browser.wait("document.querySelectorAll('#figures .group').length > 8")
                what = f"{name} {scheme} {width}"
                if page.screenshots:
                    browser.picture(page.screenshots / f"{name}-{scheme}-{width}.png")
                across = page.value("document.documentElement.scrollWidth")
                assert across <= width, f"{what}: the page is {across} wide"
                if name == "insights":
                    continue
                box = page.value("(b => [b.width, b.height])(document.getElementById('board').getBoundingClientRect())")
                assert abs(box[0] - box[1]) < 2 and box[0] > 280, f"{what}: the board is {box}"
                out = page.value(
                    "[...document.querySelectorAll('button, #say, #moves, #lines, .player, #games-box')].filter(e =>"
                    " e.offsetParent && (e.getBoundingClientRect().right > innerWidth + 1 || e.closest('#games-table') === null && e.scrollWidth > e.clientWidth + 1))"
                    ".map(e => e.id || e.className)"
                )
                assert not out, f"{what}: {out} overflow"
            backgrounds[scheme] = browser.value("getComputedStyle(document.body).backgroundColor")
    browser.emulate(1280, 900, "light")
    assert backgrounds["light"] != backgrounds["dark"], f"light and dark look alike: {backgrounds}"


def accessible(small, large):
    """axe-core finds no serious violation."""
    browser = small.browser
    for scheme in ("light", "dark"):
        for width, height in SIZES[::2]:
            browser.emulate(width, height, scheme)
            for page, place in ((small, "#1.9"), (large, "#1.20"), (large, "#insights")):
                page.open(place)
                if place == "#insights":
                    browser.wait("document.querySelectorAll('#figures .group').length > 8")
                elif ENGINE:
                    browser.press("e")
                    browser.wait("document.querySelectorAll('#engine-lines li').length > 1")
                page.value(AXE.read_text(encoding="utf-8") + "; true")
                found = page.value(
                    "axe.run().then(r => r.violations.map(v => [v.impact, v.id, v.nodes.length, v.nodes[0].html.slice(0, 150)]))"
                )
                serious = [one for one in found if one[0] in ("serious", "critical")]
                assert not serious, f"{place} {scheme} {width}: {serious}"
    browser.emulate(1280, 900, "light")


CHECKS = [keys, clicks, lines, board_input, copies, address, unscrolled, content, self_contained, policy, search, insight, keyboard, tried, studies, filtered, in_view, appearance, columns, room, beside, phones, notes, unbroken, paper, back, theme, one_side, certainty, several_right, chosen, worksheets, openings, compared, given, words, promotion]
AXE = ENGINE = GIVEN = RULED = None


def analyse(program, files, *more, status=0):
    command = [program, "games", *map(str, files), "--hash", "1", "--quiet", *map(str, more)]
    assert subprocess.run(command, stderr=subprocess.DEVNULL).returncode == status


def main():
    global AXE, ENGINE, GIVEN, RULED
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--analyse", required=True, help="the program skewer-analyse")
    parser.add_argument("--chromium", default="chromium")
    parser.add_argument("--axe", type=Path, help="axe.min.js of axe-core, for the accessibility check")
    parser.add_argument("--engine", type=Path, help="skewer.wasm, for the check of the engine in the page")
    parser.add_argument("--screenshots", type=Path, help="a folder for pictures of the pages")
    parser.add_argument("--only", help="the name of one check")
    arguments = parser.parse_args()
    path = shutil.which(arguments.chromium)
    if not path:
        sys.exit(f"{arguments.chromium} is not installed: install it, or name another with --chromium")
    checks = list(CHECKS)
    if arguments.axe:
        AXE = arguments.axe
        checks.append(accessible)
    if arguments.engine:
        ENGINE = arguments.engine
        checks += [engine, by_the_rules]
    if arguments.only:
        checks = [check for check in checks if check.__name__ == arguments.only]
        if not checks:
            sys.exit(
                f"there is no check {arguments.only} (accessible needs --axe, engine and by_the_rules need --engine); "
                f"the others are {', '.join(check.__name__ for check in CHECKS)}"
            )
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / "games.pgn").write_text(GAMES)
        (folder / "games-evals.pgn").write_text(EVALS)
        (folder / "games-rules.pgn").write_text(RULES)
        small, large = folder / "small" / "report.html", folder / "large"
        small.parent.mkdir()
        page_engine = ["--page-engine", arguments.engine or "none"]
        # One of the games is bad.
        options = ["--nodes", 20000, "--multipv", 3, "--html", small, *page_engine]
        analyse(arguments.analyse, [folder / "games.pgn"], *options, status=1)
        analyse(arguments.analyse, [DATA] * COPIES, "--nodes", 60, "--html-folder", large, *page_engine)
        evals = folder / "given.html"
        analyse(arguments.analyse, [folder / "games-evals.pgn"], "--pgn-evals", "use", "--html", evals, "--page-engine", "none")
        ruled = folder / "ruled.html"
        analyse(arguments.analyse, [folder / "games-rules.pgn"], "--nodes", 20000, "--multipv", 3, "--html", ruled, *page_engine)
        if arguments.screenshots:
            arguments.screenshots.mkdir(parents=True, exist_ok=True)
        browser = Browser(path, folder / "profile")
        try:
            files = (small, large / "index.html", evals, ruled)
            *pages, GIVEN, RULED = [Page(browser, file, arguments.screenshots) for file in files]
            for check in checks:
                started = time.monotonic()
                try:
                    check(*pages)
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
