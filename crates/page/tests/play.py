"""Checks of the part of the page in which games are played, for `browser.py`."""

import json

# Moves for White that are legal one after another against almost any answers. Illegal moves among them are skipped.
MOVES = "e4 Nf3 Bc4 d3 O-O c3 h3 Re1 Nbd2 Bb3 Nf1 Ng3 a4 Bg5 Qc2 Rad1 a5 b4 Kh1 Kh2 b3 g3 Kg2".split()


def choose(page, field, value):
    """Sets a field as a person does."""
    page.browser.value(
        f"(e => {{ e.value = {json.dumps(value)}; e.dispatchEvent(new Event('change')); }})(document.querySelector('#play-{field}'))"
    )


def new_game(page, level="800", side="white", fen="", number=None, minutes="", seconds=""):
    """Begins a game, and waits until it has begun."""
    choose(page, "level", level)
    choose(page, "side", side)
    choose(page, "start", "fen" if fen else "usual" if number is None else "chess960")
    choose(page, "fen", fen)
    choose(page, "number", "" if number is None else str(number))
    choose(page, "minutes", minutes)
    choose(page, "seconds", seconds)
    page.browser.value("window.before = play.game")
    page.browser.value("document.querySelector('#play-setup').open = true")
    page.browser.click("#play-setup-form button")
    page.browser.wait("play.game !== window.before && (play.game.over || play.position().white === play.game.white)")


def open_part(page):
    """Opens the part, with the levels of the engine."""
    page.open()
    page.browser.click("#tab-play")
    page.browser.wait("document.querySelector('#play-level').options.length === 20")


def count(page):
    return page.browser.value("play.game.moves.length")


def typed(page, san):
    """Types a move, and waits for the answer or the end of the game."""
    before = count(page)
    page.browser.value("document.querySelector('#play-move').focus()")
    page.browser.type(san)
    page.browser.press("Enter")
    page.browser.wait(f"play.game.moves.length > {before}")
    answered(page)


def answered(page):
    ready = "document.querySelector('#play-say').textContent.includes('Your move')"
    page.browser.wait(f"play.game.over || (play.position().white === play.game.white && {ready})")


def square(name, flipped=False):
    """Where the middle of a square lies on the board."""
    across, down = (ord(name[0]) - 97 + 0.5) / 8, (8 - int(name[1]) + 0.5) / 8
    return (1 - across, 1 - down) if flipped else (across, down)


def said(page):
    return page.text("#play-say")


def ten_moves_are_played_at_a_low_level(page):
    open_part(page)
    new_game(page)
    # By two clicks, by dragging, and by typing.
    for name in ("e2", "e4"):
        page.browser.click("#play-board", *square(name))
    page.browser.wait("play.game.moves.length === 2")
    answered(page)
    page.browser.drag("#play-board", square("g1"), square("f3"))
    page.browser.wait("play.game.moves.length === 4")
    answered(page)
    for san in MOVES[2:]:
        if count(page) == 20:
            break
        if page.browser.value(f"chess.read(play.position(), {json.dumps(san)}).length === 1"):
            typed(page, san)
    assert count(page) == 20, said(page)
    # A text that is not a move gets a message, and changes nothing.
    page.browser.type("Ke5")
    page.browser.press("Enter")
    page.browser.wait("document.querySelector('#play-say').textContent.includes('Ke5 is not a legal move')")
    assert count(page) == 20


def a_move_is_taken_back_hinted_and_the_game_resigned(page):
    new_game(page, side="black")
    assert count(page) == 1
    page.browser.click("#play-back")
    page.browser.wait("document.querySelector('#play-say').textContent.includes('no move of yours')")
    typed(page, "c5")
    first = page.browser.value("play.game.moves.map(move => move.s)")
    assert first[1] == "c5" and len(first) == 3, first
    page.browser.click("#play-back")
    assert page.browser.value("play.game.moves.map(move => move.s)") == first[:1]
    page.browser.click("#play-hint")
    page.browser.wait("document.querySelector('#play-say').textContent.startsWith('A good move: ')")
    san = said(page).removeprefix("A good move: ").rstrip(".")
    assert page.browser.value("document.querySelectorAll('#play-board .arrow').length") == 1
    typed(page, san)
    page.browser.click("#play-resign")
    assert said(page) == "1-0: Skewer wins (Black resigned).", said(page)
    # A game that is over takes no move, and goes on after a move was taken back.
    assert page.browser.value("document.querySelector('#play-move').disabled")
    page.browser.click("#play-back")
    assert page.browser.value("[play.game.result, play.game.moves.length]") == ["*", 1]


def the_rules_end_the_game(page):
    for fen, moves, words in [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", ["Ra8"], "1-0: you win (checkmate)."),
        ("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", ["Qf7"], "1/2-1/2: a draw (stalemate)."),
        ("k7/8/8/8/8/8/1p6/K7 w - - 0 1", ["Kxb2"], "1/2-1/2: a draw (insufficient material)."),
        ("k7/8/8/8/8/8/8/K6R w - - 99 90", ["Rh2"], "1/2-1/2: a draw (fifty-move rule)."),
        # Black has one legal move each time.
        ("k7/7R/8/8/8/8/8/2R1K3 w - - 0 1", ["Ke2", "Ke1"] * 2, "1/2-1/2: a draw (threefold repetition)."),
    ]:
        new_game(page, fen=fen)
        for san in moves:
            typed(page, san)
        assert said(page) == words, (fen, said(page))


def a_promotion_asks_for_the_piece(page):
    """By clicks and by typing; Escape makes no move, and the end of the game takes the question away."""
    for typing in (False, True):
        new_game(page, fen="8/P6k/8/8/8/8/8/K7 w - - 0 1")
        for piece in ("", "n"):
            if typing:
                page.browser.value("document.querySelector('#play-move').focus()")
                page.browser.type("a8")
                page.browser.press("Enter")
            else:
                for name in ("a7", "a8"):
                    page.browser.click("#play-board", *square(name))
            page.browser.wait("document.querySelectorAll('dialog[open] button').length === 4")
            if piece:
                page.browser.click(f"dialog [value='a7a8{piece}']")
            else:
                page.browser.press("Escape")
                page.browser.wait("document.querySelector('dialog') === null")
                assert count(page) == 0 and page.browser.value("play.position().white")
        page.browser.wait("play.game.over")
        assert page.browser.value("play.game.moves[0].s") == "a8=N"
        assert "insufficient material" in said(page), said(page)
    new_game(page, side="black", fen="7k/8/8/8/8/8/K5p1/8 b - - 0 1", minutes="0.1")
    for name in ("g2", "g1"):
        page.browser.click("#play-board", *square(name, flipped=True))
    page.browser.wait("document.querySelector('dialog[open] [value=g2g1q]') !== null")
    page.browser.wait("play.game.over && document.querySelector('dialog') === null")
    assert "ran out of time" in said(page) and count(page) == 0, said(page)


def a_game_is_lost_on_time(page):
    for fen, words in [
        ("", "0-1: Skewer wins (White ran out of time)."),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "1/2-1/2: a draw (White ran out of time, and Black cannot give mate)."),
    ]:
        new_game(page, fen=fen, minutes="0.005")
        page.browser.wait("play.game.over")
        assert said(page) == words, said(page)
        assert page.text("#play-bottom").endswith("0:00.0"), page.text("#play-bottom")
    # The increment is added, and a move that is taken back gives its time back.
    new_game(page, minutes="5", seconds="30")
    typed(page, "e4")
    seconds = page.browser.value("play.game.left[0] / 1000")
    assert 320 < seconds <= 330, seconds
    page.browser.click("#play-back")
    assert page.browser.value("play.game.left") == [300_000, 300_000]


def a_game_is_saved_as_pgn(page):
    page.browser.value(
        "(() => { const make = URL.createObjectURL; URL.createObjectURL = blob => { window.saved = blob.text(); return make.call(URL, blob); };"
        " HTMLAnchorElement.prototype.click = function () { window.savedName = this.download; }; })()"
    )
    new_game(page, number=0, minutes="5", seconds="2")
    assert page.browser.value("play.game.fen").startswith("bbqnnrkr/pppppppp/"), "not number 0"
    typed(page, "Nd3")
    page.browser.click("#play-resign")
    page.browser.click("#play-save")
    saved, name = page.browser.value("window.saved"), page.browser.value("window.savedName")
    assert name == "played.pgn"
    for tag in ('[Variant "Chess960"]', '[White "Player"]', '[Black "Skewer (level 800)"]', '[TimeControl "300+2"]', '[Termination "White resigned"]'):
        assert tag in saved, saved
    # Read by another program: the analysis.
    game = json.loads(page.native(saved, "played.pgn").decode().splitlines()[-1])
    assert game["result"] == "0-1" and [move["san"] for move in game["moves"]] == page.browser.value("play.game.moves.map(move => move.s)"), game
    page.browser.click("#play-analyse")
    page.chosen("1 game in played.pgn")
    page.run(1)
    page.done()
    # Another game is added, and the first is not searched again.
    page.browser.click("#tab-play")
    page.browser.click("#play-analyse")
    page.chosen("2 games in played.pgn, 2-played.pgn")
    assert page.browser.value("analysis.done") == 1
    page.run(1)
    page.done()
    assert page.browser.value("analysis.done") == 2 and page.browser.value("storage.read().then(kept => kept.found.size)") == 2
    page.browser.value("location.hash = '#play'")


def a_wrong_start_is_named(page):
    open_part(page)
    choose(page, "start", "fen")
    choose(page, "fen", "8/8/8/8/8/8/8/8 w - - 0 1")
    page.browser.click("#play-setup-form button")
    page.browser.wait("document.querySelector('#play-problem').textContent.includes('king')")
    assert page.browser.value("play.game") is None


def a_position_of_the_report_is_played_on(page):
    page.fresh()
    page.paste('[White "a"]\n[Black "b"]\n[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n')
    page.chosen("1 game")
    page.run(1)
    page.done()
    page.browser.click("#tab-games")
    page.browser.wait("document.querySelectorAll('#rows tr').length === 1")
    page.browser.click("#rows tr button")
    page.browser.wait("Boolean(view.game)")
    page.browser.value("view.show(2)")
    page.browser.click("#play-here")
    page.browser.wait("play.game !== null")
    assert page.browser.value("chess.key(play.position()) === chess.key(view.current()) && play.game.white")
    assert page.browser.value("location.hash") == "#play"
    typed(page, "Nc3")
    # The saved game says how its first position came about.
    assert "{ Played on after 1. f3 e5 }" in page.browser.value("play.text()"), page.browser.value("play.text()")
    page.browser.click("#tab-exercises")
    page.browser.wait("exercises.tasks.length > 0")
    page.browser.click("#exercise-play")
    page.browser.wait("play.game.moves.length === 0 && play.game.positions[0].number === 2")
    assert page.browser.value("chess.key(play.position()) === chess.key(exercises.position())")
    # The same works in a saved report, which has the engine too.
    path = page.folder / "saved.html"
    path.write_bytes(page.saved("html"))
    page.browser.open(path.as_uri())
    page.browser.wait("Boolean(view.game)")
    page.browser.value("view.show(1)")
    page.browser.click("#play-here")
    page.browser.wait("play.game !== null && !play.game.white")
    assert page.browser.value("document.querySelector('#play-analyse').hidden"), "nothing can analyse it here"
    typed(page, "e5")


# Black has one legal move each time. The positions after 4 and 8 half-moves are the first one.
SHUFFLED = """[White "a"]
[Black "b"]
[Result "1/2-1/2"]
[SetUp "1"]
[FEN "k7/7R/8/8/8/8/8/2R1K3 w - - 0 1"]

1. Ke2 Kb8 2. Ke1 Ka8 3. Ke2 Kb8 4. Ke1 Ka8 5. Ke2 1/2-1/2
"""


def earlier_occurrences_count_where_a_game_is_played_on(page):
    """A position that occurred twice in the report's game, and once where it is played on, is a draw. A start that occurred
    three times is none, and nothing before it counts."""
    page.fresh()
    page.paste(SHUFFLED)
    page.chosen("1 game")
    page.run(1)
    page.done()
    for ply, before, result in ((4, 4, "1/2-1/2"), (8, 0, "*")):
        page.browser.value(f"location.hash = '#1.{ply}'")
        page.browser.wait(f"view.game !== null && view.ply === {ply} && !document.querySelector('#part-games').hidden")
        page.browser.value("window.before = play.game")
        page.browser.click("#play-here")
        page.browser.wait("play.game !== window.before")
        assert page.browser.value("[play.game.result, play.game.before.length]") == ["*", before], ply
        for san in ("Ke2", "Ke1"):
            typed(page, san)
        assert page.browser.value("[play.game.result, play.game.moves.length]") == [result, 4], (ply, said(page))
        assert ("threefold repetition" in said(page)) == (result != "*"), said(page)


def play_by_keyboard_and_on_a_phone(page):
    open_part(page)
    page.browser.value("document.querySelector('#play-level').focus()")
    for field in ("play-side", "play-start", "play-minutes", "play-seconds"):
        page.browser.press("Tab")
        assert page.browser.value("document.activeElement.id") == field, field
    page.browser.press("Enter")
    page.browser.wait("play.game !== null")
    answered(page)
    typed(page, "d4")
    seen = set()
    for _ in range(12):
        page.browser.press("Tab")
        seen.add(page.browser.value("document.activeElement.id"))
    assert {"play-back", "play-hint", "play-resign", "play-flip", "play-moves", "play-save", "play-analyse"} <= seen, seen
    for width, height in [(390, 844), (844, 390), (1366, 768), (1920, 1080)]:
        for scheme in ["light", "dark"]:
            page.browser.emulate(width, height, scheme)
            over = page.browser.value("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            if page.screenshots:
                page.browser.picture(page.screenshots / f"play-{width}-{scheme}.png")
            assert over <= 0, f"{over} px too wide at {width}"
            board = page.browser.value("(b => [b.width, b.height])(document.querySelector('#play-board').getBoundingClientRect())")
            assert abs(board[0] - board[1]) < 1 and 200 < board[0] <= max(width, height), board
    page.browser.emulate(390, 844, "light")
    for name in ("c1", "f4"):
        page.browser.click("#play-board", *square(name))
    page.browser.wait("play.game.moves.length >= 3 && play.game.moves[2].s.startsWith('Bf4')")
    page.browser.emulate(1280, 800, "light")


def axe_finds_nothing_in_a_game(page):
    open_part(page)
    new_game(page, fen="8/P6k/8/8/8/8/8/K7 w - - 0 1", minutes="5")
    for name in ("a7", "a8"):
        page.browser.click("#play-board", *square(name))
    page.browser.wait("document.querySelector('dialog[open]') !== null")
    page.axe_finds_nothing()
    page.browser.press("Escape")
    page.browser.wait("document.querySelector('dialog') === null")
    page.browser.value("document.querySelector('#play-setup').open = true")
    page.axe_finds_nothing()


CHECKS = [
    ten_moves_are_played_at_a_low_level, a_move_is_taken_back_hinted_and_the_game_resigned, the_rules_end_the_game,
    a_promotion_asks_for_the_piece, a_game_is_lost_on_time, a_game_is_saved_as_pgn, a_wrong_start_is_named,
    a_position_of_the_report_is_played_on, earlier_occurrences_count_where_a_game_is_played_on,
    play_by_keyboard_and_on_a_phone, axe_finds_nothing_in_a_game,
]  # fmt: skip
