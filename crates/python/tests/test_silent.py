"""Calls that once gave wrong answers without an error give the answers of python-chess, in `skewer` as well."""

import io
import random

import chess
import chess.pgn
import pytest
import skewer
import skewer.chess
import skewer.chess.pgn

GAME = '[White "a"]\n\n1. e4 {good} e5 (1... c5 2. Nf3) 2. Nf3 {[%eval 0.5]} Nc6 {[%eval -0.3]} *'
PIECES = {4: "K", 60: "k", 0: "R"}


def headers(of):
    game = of.pgn.read_game(io.StringIO(GAME))
    game.headers["White"] = "Me"
    game.headers["ECO"] = "C44"
    return str(game)


def evaluations(of):
    game = of.pgn.read_game(io.StringIO(GAME))
    scores = [node.eval() for node in game.mainline()]
    return [score and (repr(score.relative), score.turn) for score in scores]


def expectation(of):
    wdl = of.engine.Cp(0).wdl(model="lichess")
    return wdl.expectation(), of.engine.PovScore(of.engine.Mate(2), False).wdl().white().losses


def complements(of):
    board = of.Board()
    return list(of.SquareSet(~board.occupied)), list(of.SquareSet(-1)), len(~of.SquareSet(1))


def overridden(of):
    played = []

    class Own(of.Board):
        def push(self, move):
            played.append(move.uci())
            super().push(move)

    board = Own()
    board.push_san("e4")
    board.push_uci("e7e5")
    board.push_xboard("g1f3")
    return played, board.copy().fen()


def clocks(of):
    board = of.Board("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 5 9")
    board.set_piece_map({square: of.Piece.from_symbol(piece) for square, piece in PIECES.items()})
    return board.fen()


def short_fens(of):
    texts = "4k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/4K3 b", "4k3/8/8/8/8/8/8/4K3 b - - 7"
    return [of.Board(text).fen() for text in texts]


def operations(of):
    return [
        [move.uci() for move in of.Board.from_epd(f"4k3/8/8/8/8/8/8/4K2R w K - {extra}bm O-O;")[1]["bm"]]
        for extra in ("", "- ")
    ]


def castling_masks(of):
    board = of.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    return [move.uci() for move in board.generate_castling_moves(of.BB_E1, of.BB_H1 | of.BB_G1)]


def seeded_game(of):
    rng, board = random.Random(1), of.Board()
    while not board.is_game_over() and board.ply() < 120:
        board.push(rng.choice(list(board.legal_moves)))
    return board.fen(), [move.uci() for move in board.move_stack]


@pytest.mark.parametrize("fault", [
    headers, evaluations, expectation, complements, overridden, clocks, short_fens, operations,
    castling_masks, seeded_game,
])
def test_the_answer_equals_the_answer_of_python_chess(fault):
    import chess.engine
    import skewer.chess.engine

    assert fault(skewer.chess) == fault(chess)


def test_skewer_itself():
    game = skewer.parse_pgn(GAME)
    game.headers["White"] = "Me"
    game.headers["Result"] = "1-0"
    assert '[White "Me"]' in str(game) and str(game).endswith("1-0")
    assert skewer.parse_pgn(str(game)).headers == game.headers
    assert '[White "a"]' in str(skewer.parse_pgn(GAME))
    expected = evaluations(chess)
    assert [(s := node.eval()) and (repr(s.relative), s.turn) for node in game.mainline()] == expected
    for same in (complements, clocks, operations):
        assert same(skewer) == same(chess)
