"""Texts of crates/pgn/tests/data/cases.txt: both interfaces read games as the Rust reader does."""

import io
import logging
import pathlib
import re

import pytest
import skewer
import skewer.chess.pgn as mine

logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)

PATH = pathlib.Path(__file__).parents[3] / "crates/pgn/tests/data/cases.txt"
ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}


def cases():
    found = []
    for line in PATH.read_text("utf-8").splitlines():
        if line.startswith("= "):
            found.append([line[2:], None, []])
        elif line.startswith("> "):
            found[-1][2].append(line[2:])
        elif found and found[-1][1] is None:
            found[-1][1] = re.sub(
                r"\\(?:u\{(\w+)\}|(.))", lambda m: chr(int(m[1], 16)) if m[1] else ESCAPES[m[2]], line
            )
    assert len(found) > 20 and all(games for _, _, games in found)
    return found


CASES = cases()


def check(read, expected):
    """Compares games, as their moves, result and errors, with the lines of a case."""
    assert len(read) == len(expected)
    for (sans, result, errors), line in zip(read, expected):
        moves, sign, error = re.fullmatch(r"([^!~]*)([!~]?)(.*)", line).groups()
        assert sans == (moves.split() if sign == "!" else moves.split()[:-1])
        if sign != "!":
            assert result == moves.split()[-1]
        if sign:
            assert any(error.strip() in text for text in errors)


@pytest.mark.parametrize(("text", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
class TestCases:
    def test_native(self, text, expected):
        games = skewer.read_pgn(io.StringIO(text))
        check([(game.sans(), game.result, game.errors) for game in games], expected)

    def read(self, file):
        games = []
        while (game := mine.read_game(file)) is not None:
            sans = [node.san() for node in game.mainline()]
            games.append((sans, game.headers["Result"], [str(error) for error in game.errors]))
        return games

    def test_python_chess(self, text, expected, tmp_path):
        check(self.read(io.StringIO(text)), expected)
        path = tmp_path / "games.pgn"
        path.write_bytes(text.encode())
        with open(path, encoding="utf-8") as file:
            check(self.read(file), expected)

    def test_tags_read_alone_equal_the_tags_of_the_games(self, text, expected):
        headers, count = io.StringIO(text), io.StringIO(text)
        for _ in expected:
            assert mine.read_headers(headers) is not None and mine.skip_game(count)
        assert mine.read_headers(headers) is None and not mine.skip_game(count)


def test_a_file_that_cannot_go_back():
    """Text after the end of a game, before an empty line, belongs to the game, as in python-chess."""

    class Pipe(io.StringIO):
        def seekable(self):
            return False

    file = Pipe("1. e4 e5 *\n2. d4 d5\n\n1. c4 *")
    assert [move.uci() for move in mine.read_game(file).mainline_moves()] == ["e2e4", "e7e5", "d2d4", "d7d5"]
    assert [move.uci() for move in mine.read_game(file).mainline_moves()] == ["c2c4"]


def test_clocks_of_two_parts_in_rows():
    """A clock of two parts has hours and minutes if the time control leaves no other reading, and else is unknown."""
    moves = "1. e4 {[%clk 1:30]} e5 {[%clk 1:29]} 2. d4 {[%clk 1:28]} d5 {[%clk 0:01:02]} *\n"
    for control, expected in [
        ("5400+30", [5400.0, 5340.0, 5280.0, 62.0]),
        ("90+1", [None, None, None, 62.0]),
        ("?", [None, None, None, 62.0]),
    ]:
        text = f'[TimeControl "{control}"]\n\n{moves}\n' * 2
        rows = skewer.read_positions(io.StringIO(text), clocks=True).clocks
        assert [None if clock != clock else clock for clock in rows] == expected * 2
