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


def test_what_one_new_board_keeps_is_not_kept_by_another():
    """Moves that a board in Rust refuses, and promotions, are taken back on each board as if it were alone."""
    # Each pair of moves: the first promotes or breaks the rules, the second does something else on another board.
    fen = "4k3/P7/8/8/8/8/8/R3K3 w - - 0 1"
    for one, other in (("a7a8q", "e1e2"), ("a1c3", "a1h8"), ("a1c3", "a7a8q"), ("e1e2", "a7a8n")):
        boards = [skewer.chess.Board(fen), skewer.chess.Board(fen), skewer.chess.Board()]
        for board, uci in zip(boards, (one, other)):
            board.push(skewer.chess.Move.from_uci(uci))
        untouched = boards.pop()
        untouched.push_san("e4")
        assert untouched.pop().uci() == "e2e4" and untouched.promoted == 0
        for board, uci in zip(boards[::-1], (other, one)):
            assert board.pop().uci() == uci
            assert board.fen(promoted=True) == fen and board.promoted == 0
            assert board._stack == [] and board == skewer.chess.Board(fen)


def replaced_lists(of):
    board = of.Board()
    board.push_san("e4")
    first = board.move_stack
    board.move_stack = list(first)
    board.push_san("e5")
    sides = board.occupied_co
    board.occupied_co = list(sides)
    board.push_san("Nf3")
    found = [len(first), len(board.move_stack), list(sides), list(board.occupied_co), board.fen()]
    copied = board.copy()
    copied.pop()
    board.move_stack = board.move_stack[:]
    found += [board.pop().uci(), board.pop().uci(), len(first), list(board.occupied_co), len(copied.move_stack)]
    board.clear_stack()
    board.push_san("d5")
    return found, board.fen(), [move.uci() for move in board.move_stack]


def test_moves_are_played_on_lists_that_a_program_has_replaced():
    assert replaced_lists(skewer.chess) == replaced_lists(chess)
