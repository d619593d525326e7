"""Wrong input raises the exceptions that a user of python-chess expects."""

import random
import subprocess
import sys

import chess
import pytest
import skewer

FENS = {
    "": "piece placement",
    "8/8/8/8/8/8/8/8 w - - 0 1": "no king",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1": "rank 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1": "side to move",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq z9 0 1": "en passant",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w XYZ - 0 1": "castling",
    "4k3/8/8/8/8/8/4r3/4K3 b - - 0 1": "in check",
}


@pytest.mark.parametrize("fen", FENS)
def test_fens(fen):
    with pytest.raises(ValueError, match=FENS[fen]):
        skewer.Board(fen)


def test_moves():
    board = skewer.Board()
    for text in ("", "e4", "e2e", "i2i4", "e2e9", "e7e8x", "e7e8Q", "e2e4e5", "ää", "e2e2", "\0"):
        with pytest.raises(skewer.InvalidMoveError):
            skewer.Move.from_uci(text)
        with pytest.raises(ValueError):
            board.parse_uci(text)
    for san, error in {
        "": skewer.InvalidMoveError,
        "Nf9": skewer.InvalidMoveError,
        "hello": skewer.InvalidMoveError,
        "é4": skewer.InvalidMoveError,
        "Ke2": skewer.IllegalMoveError,
        "e5": skewer.IllegalMoveError,
        "O-O": skewer.IllegalMoveError,
    }.items():
        with pytest.raises(error):
            board.parse_san(san)
        with pytest.raises(getattr(chess, error.__name__)):
            chess.Board().parse_san(san)
    knights = "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1"
    with pytest.raises(skewer.AmbiguousMoveError):
        skewer.Board(knights).parse_san("Nd2")
    illegal = skewer.Move.from_uci("e2e5")
    for call in (board.push, board.san, board.lan, board.gives_check):
        with pytest.raises(skewer.IllegalMoveError, match="e2e5"):
            call(illegal)
    with pytest.raises(skewer.IllegalMoveError):
        board.find_move(skewer.E2, skewer.E5)
    with pytest.raises(IndexError):
        board.pop()
    with pytest.raises(IndexError):
        board.peek()
    assert board == skewer.Board()
    for error in (skewer.InvalidMoveError, skewer.IllegalMoveError, skewer.AmbiguousMoveError,
                  skewer.PgnError):
        assert issubclass(error, ValueError)


def test_push_all_plays_all_or_nothing():
    board = skewer.Board()
    board.push_all(["e2e4", "e5", skewer.Move.from_uci("g1f3")])
    assert len(board.move_stack) == 3
    before = board.fen()
    with pytest.raises(ValueError):
        board.push_all(["Nc6", "Ke3"])
    assert board.fen() == before and len(board.move_stack) == 3


def test_numbers_out_of_range():
    board = skewer.Board()
    for square in (-1, 64, 10**30):
        for call in (board.piece_at, board.color_at, board.attacks, skewer.square_name,
                     lambda s: board.attackers(True, s), lambda s: skewer.Move(s, 1)):
            with pytest.raises((ValueError, OverflowError)):
                call(square)
    for call in (lambda: skewer.Piece(0, True), lambda: skewer.Piece(7, True),
                 lambda: board.pieces(9, True), lambda: skewer.Piece.from_symbol("x"),
                 lambda: skewer.Piece.from_symbol(""), lambda: skewer.Move(0, 1, 9),
                 lambda: skewer.Move.from_int(40_000), lambda: skewer.parse_square("z1"),
                 lambda: skewer.Board.from_chess960_pos(960), lambda: skewer.Board(None),
                 lambda: board.fen(en_passant="maybe"), lambda: skewer.svg.board(fill={0: '"'}),
                 lambda: skewer.Engine(evaluation="")):
        with pytest.raises((ValueError, OverflowError)):
            call()


def test_sets_take_masks_of_any_width_and_squares_of_the_board_alone():
    assert int(skewer.SquareSet(3 << 63)) == 1 << 63 and int(skewer.SquareSet(-1)) == skewer.BB_ALL
    squares = skewer.SquareSet(7)
    for call in (lambda: skewer.SquareSet([64]), lambda: squares.add(64), lambda: squares.discard(-65),
                 lambda: squares.remove(64), lambda: 64 in squares, lambda: squares | [64]):
        with pytest.raises(IndexError):
            call()
    # As in a list of 64 items, squares below 0 count from the end.
    assert -1 not in squares and -64 in squares and int(squares) == 7


def test_edits_that_break_a_rule_change_nothing():
    board = skewer.Board()
    before = board.fen()
    for edit in (
        lambda: board.remove_piece_at(skewer.E1),
        lambda: board.set_piece_at(skewer.E4, skewer.Piece.from_symbol("K")),
        lambda: board.set_piece_at(skewer.A1, skewer.Piece.from_symbol("P")),
        lambda: board.set_piece_map({}),
        lambda: board.set_fen("nonsense"),
    ):
        with pytest.raises(ValueError):
            edit()
        assert board.fen() == before
    check = skewer.Board("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")
    with pytest.raises(ValueError, match="in check"):
        check.turn = skewer.BLACK


def test_random_texts():
    """For any text the result is a value or a ValueError."""
    rng = random.Random(5)
    letters = "rnbqkpRNBQKP12345678/ wb-KQkqabcdefgh0x=+#O{}()[]\"$%;.!?\n\0é♞"
    seeds = [skewer.Board().fen(), "e2e4", "Nbxd7+", "O-O-O", "e8=Q#", '[FEN "x"]\n\n1. e4 (d4) *']
    board = skewer.Board()
    calls = [
        skewer.Board, skewer.Move.from_uci, board.parse_san, board.parse_uci, skewer.parse_pgn,
        skewer.Piece.from_symbol, skewer.parse_square, lambda text: skewer.to_arrays([text]),
        lambda text: skewer.Board(text, chess960=True),
    ]
    answers = 0
    for _ in range(3_000):
        text = list(rng.choice(seeds))
        for _ in range(rng.randrange(1, 5)):
            place = rng.randrange(len(text) + 1)
            text[place : place + rng.randrange(3)] = rng.choices(letters, k=rng.randrange(3))
        text = "".join(text)
        for call in calls:
            try:
                call(text)
                answers += 1
            except ValueError:
                pass
    assert answers > 100


def test_random_moves_and_positions():
    """Any pair of squares on any board is legal or raises IllegalMoveError."""
    rng = random.Random(6)
    board = skewer.Board()
    for _ in range(3_000):
        bits = rng.randrange(1 << 15)
        try:
            move = skewer.Move.from_int(bits)
        except ValueError:
            continue
        assert skewer.Move.from_int(int(move)) == move
        for call in (board.is_legal, board.is_capture, board.is_castling, board.is_en_passant,
                     board.is_zeroing, board.uci, board.is_kingside_castling):
            call(move)
        legal = move in board.legal_moves
        assert legal == board.is_legal(move)
        try:
            board.push(move)
            assert legal or not move
        except skewer.IllegalMoveError:
            assert not legal
            moves = list(board.legal_moves)
            if moves:
                board.push(rng.choice(moves))
            else:
                board.reset()


NO_THREADS = """
import resource, skewer

pages = int(open("/proc/self/statm").read().split()[0])
limit = pages * resource.getpagesize() + (1 << 20)
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
board = skewer.Board()
try:
    skewer.perft(board, 2)
except BaseException as error:
    print(type(error).__name__, error)
print(len(board.legal_moves))
"""


def test_a_system_without_threads_is_an_exception():
    """Work on every core raises an exception that gives the reason, and the process goes on."""
    run = subprocess.run([sys.executable, "-c", NO_THREADS], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    raised, moves = run.stdout.splitlines()
    assert raised.startswith("RuntimeError cannot start threads")
    assert moves == "20"


def test_wrong_types():
    board = skewer.Board()
    for call in (lambda: board.push("e2e4"), lambda: board.push(None), lambda: skewer.Board(5),
                 lambda: skewer.Move("e2", "e4"), lambda: board.piece_at("e4"),
                 lambda: "e2e4" in board.legal_moves, lambda: skewer.SquareSet(["e4"]),
                 lambda: skewer.encode_moves([1]), lambda: skewer.read_pgn(None)):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(TypeError):
        hash(board)
    assert (board == "a board") is False and (skewer.Move(1, 2) == "b1c1") is False
