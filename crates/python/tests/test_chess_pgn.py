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


def read_all(text):
    file = io.StringIO(text)
    games = []
    while (game := mine.read_game(file)) is not None:
        games.append(game)
    return games


def test_characters_outside_ascii_are_moves():
    """python-chess reads a knight's move as a pawn's here, and passes over the castling."""
    logging.getLogger("skewer.chess.pgn").setLevel(logging.CRITICAL)
    line = "1. ♘f3\u00a0♞f6 2. g3 g6 3. Bg2 Bg7 4. О–О {♘ stays} 0–0 ½–½"
    (game,) = read_all(line)
    assert [move.uci() for move in game.mainline_moves()] == "g1f3 g8f6 g2g3 g7g6 f1g2 f8g7 e1g1 e8g8".split()
    assert game.errors == [] and game.headers["Result"] == "1/2-1/2"
    assert [node.comment for node in game.mainline() if node.comment] == ["♘ stays"]


@pytest.mark.parametrize("word", ["Sf3", "Кf3", "¤f3"])
def test_no_part_of_a_word_is_a_move(word):
    logging.getLogger("skewer.chess.pgn").setLevel(logging.CRITICAL)
    (game,) = read_all(f"1. {word} d5 *")
    assert len(game.errors) == 1 and word in str(game.errors[0]) and not list(game.mainline())


@pytest.mark.parametrize("size", [0, *range(8130, 8200)])
def test_a_carriage_return_alone_ends_a_line(size):
    """The carriage return may be the last character of a part of a StringIO that is read at once."""
    comment = "x" * size
    text = f'[Event "x"]\n\n1. e4 {{{comment}}} ; rest\n% d5\n1... e5 *\n\n[Event "y"]\n\n1. d4 *\n'
    for end in ["\n", "\r", "\r\n"]:
        first, second = read_all(text.replace("\n", end))
        assert first.errors == [] and [move.uci() for move in first.mainline_moves()] == ["e2e4", "e7e5"]
        assert first.variation(0).comment == comment
        assert second.headers["Event"] == "y" and second.end().san() == "d4"


def test_an_unclosed_comment_ends_at_the_next_game():
    logging.getLogger("skewer.chess.pgn").setLevel(logging.CRITICAL)
    cut = '[Event "x"]\n\n1. e4 {oh\n e5 *\n\n[Event "y"]\n[White "B"]\n\n1. d4 {ok} d5 *\n'
    first, second = read_all(cut)
    assert [str(error) for error in first.errors] == ["a comment has no closing brace"]
    assert second.headers["Event"] == "y" and second.end().san() == "d5"
    quote = '[Event "x"]\n\n1. e4 {\n[Event "y"]\n[White "B"]\n\n1. d4 *\n} e5 *\n'
    (game,) = read_all(quote)
    assert game.errors == [] and game.end().san() == "e5"


def test_comments_between_tags_do_not_split_a_game():
    (game,) = read_all('[Event "x"]\n{c}\n; note\n[White "A"]\n\n1. e4 *\n')
    assert game.headers["White"] == "A" and game.comment == "c" and len(list(game.mainline())) == 1


def test_evaluations_with_a_slash():
    (game,) = read_all("1. e4 {[%eval 0.16/16]} *")
    assert game[0].eval_depth() == 16 and game[0].eval().white().score() == 16
