"""`skewer.chess.pgn` and python-chess read and write the same games."""

import io
import logging

import chess.pgn
import pytest
import skewer.chess.pgn as mine
from conftest import DATA

logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)


@pytest.mark.parametrize("path", sorted(DATA.glob("*.pgn")), ids=lambda path: path.stem)
def test_files(path):
    text = path.read_text("utf-8-sig", errors="replace")
    ours, theirs = io.StringIO(text), io.StringIO(text)
    headers = io.StringIO(text)
    while (expected := chess.pgn.read_game(theirs)) is not None:
        game = mine.read_game(ours)
        assert str(game) == str(expected) and len(game.errors) == len(expected.errors)
        assert ours.tell() == theirs.tell()
        assert dict(mine.read_headers(headers))["White"] == expected.headers["White"]
        for node, other in zip(game.mainline(), expected.mainline()):
            assert node.clock() == other.clock() and node.nags == other.nags
            score, other_score = node.eval(), other.eval()
            assert (score and score.relative.score()) == (other_score and other_score.relative.score())
    assert mine.read_game(ours) is None and mine.read_headers(headers) is None


def test_edits_are_kept():
    game = mine.read_game(io.StringIO('[White "A"]\n\n1. e4 (1. d4 d5) 1... e5 {good} *'))
    game.headers["White"] = "Me"
    game[0].comment = "mine"
    again = mine.read_game(io.StringIO(str(game)))
    assert again.headers["White"] == "Me" and again[0].comment == "mine"
    assert [str(child.move) for child in again.variations] == ["e2e4", "d2d4"]
