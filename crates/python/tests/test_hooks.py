"""A subclass of `skewer.chess.Board` that overrides a rule is asked wherever python-chess asks it."""

import abc
import inspect
import types
from unittest import mock

import chess
import pytest
import skewer.chess
from skewer.chess import _hooks

FENS = (
    chess.STARTING_FEN,
    "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 2",
    "4k3/8/8/8/7b/8/8/4K2R w K - 99 60",
    "4k3/8/8/r2pP2K/8/8/8/8 w - d6 0 1",
    "8/P6k/8/8/8/8/8/K7 w - - 0 1",
)


def first(of, board):
    """A move that can be made without asking the board."""
    return of.Move.from_uci({
        FENS[0]: "g1f3", FENS[1]: "e1g1", FENS[2]: "e1d1", FENS[3]: "e5d6", FENS[4]: "a7a8q",
    }[board.begin])


def played(of, board):
    board.push(first(of, board))
    answer = board.fen()
    board.pop()
    return answer


QUESTIONS = {
    "moves": lambda of, b: [m.uci() for m in b.legal_moves],
    "some": lambda of, b: any(b.generate_legal_moves()),
    "count": lambda of, b: b.legal_moves.count(),
    "pseudo": lambda of, b: [m.uci() for m in b.pseudo_legal_moves],
    "captures": lambda of, b: [m.uci() for m in b.generate_legal_captures()],
    "ep": lambda of, b: [m.uci() for m in b.generate_legal_ep()],
    "contains": lambda of, b: first(of, b) in b.legal_moves,
    "is_pseudo_legal": lambda of, b: b.is_pseudo_legal(first(of, b)),
    "into check": lambda of, b: b.is_into_check(first(of, b)),
    "gives check": lambda of, b: b.gives_check(first(of, b)),
    "capture": lambda of, b: b.is_capture(first(of, b)),
    "irreversible": lambda of, b: b.is_irreversible(first(of, b)),
    "wing": lambda of, b: (b.is_kingside_castling(first(of, b)), b.is_queenside_castling(first(of, b))),
    "san": lambda of, b: b.san(first(of, b)),
    "lan": lambda of, b: b.lan(first(of, b)),
    "parse": lambda of, b: b.parse_san("O-O" if b.begin == FENS[1] else "Kd1").uci(),
    "find": lambda of, b: b.find_move(first(of, b).from_square, first(of, b).to_square).uci(),
    "uci": lambda of, b: b.parse_uci(first(of, b).uci()).uci(),
    "variation": lambda of, b: b.variation_san([first(of, b)]),
    "fen": lambda of, b: b.fen(),
    "shredder": lambda of, b: b.shredder_fen(en_passant="xfen"),
    "text": lambda of, b: str(b),
    "check": lambda of, b: b.is_check(),
    "mate": lambda of, b: (b.is_checkmate(), b.is_stalemate()),
    "checkers": lambda of, b: int(b.checkers()),
    "draws": lambda of, b: (b.is_fifty_moves(), b.can_claim_fifty_moves(), b.is_insufficient_material()),
    "threefold": lambda of, b: (b.can_claim_threefold_repetition(), b.is_repetition(2)),
    "outcome": lambda of, b: b.result(claim_draw=True),
    "rights": lambda of, b: (b.has_castling_rights(True), b.has_kingside_castling_rights(False)),
    "wings": lambda of, b: (b.has_queenside_castling_rights(True), b.has_chess960_castling_rights()),
    "status": lambda of, b: int(b.status()),
    "attacks": lambda of, b: (int(b.attacks(4)), b.is_attacked_by(True, 4), int(b.attackers(False, 4))),
    "pin": lambda of, b: (int(b.pin(True, 4)), b.is_pinned(True, 4)),
    "pieces": lambda of, b: (int(b.pieces(1, True)), str(b.piece_at(4)), len(b.piece_map())),
    "equal": lambda of, b: b == b,
    "played": played,
}

# The methods that the first test below replaces, one at a time: all hooks but the methods that find the end of a game
# (ENDS) and that set a position up (SETUP).
RULES = sorted(_hooks.RULES | _hooks.PLAY)


def spying(of, name, called):
    def method(self, *arguments, **named):
        called.append(name)
        return getattr(super(Spy, self), name)(*arguments, **named)

    Spy = type("Spy", (of.Board,), {name: method})
    return Spy


def answer(of, cls, fen, question):
    board = cls(fen)
    board.begin = fen
    try:
        return QUESTIONS[question](of, board)
    except (ValueError, AssertionError) as error:
        return type(error).__name__


@pytest.mark.parametrize("name", RULES)
def test_an_overridden_method_is_called_where_python_chess_calls_it(name):
    missing = []
    for fen in FENS[1:4]:
        for question in QUESTIONS:
            ours, theirs = [], []
            found = answer(skewer.chess, spying(skewer.chess, name, ours), fen, question)
            expected = answer(chess, spying(chess, name, theirs), fen, question)
            assert found == expected, (question, fen)
            if theirs and not ours:
                missing.append((question, fen))
    assert missing == []


NEVER = ("is_check", "is_checkmate", "is_legal", "is_pseudo_legal", "is_into_check", "is_variant_end",
         "is_en_passant", "is_castling", "is_zeroing", "is_irreversible", "has_legal_en_passant",
         "is_capture", "is_attacked_by")
NOTHING = ("generate_legal_moves", "generate_pseudo_legal_moves", "generate_castling_moves",
           "generate_pseudo_legal_ep", "generate_legal_ep")
EMPTY = ("clean_castling_rights", "attacks_mask", "attackers_mask", "checkers_mask", "pin_mask")
ANSWERS = {**{name: True for name in NEVER}, **{name: () for name in NOTHING},
           **{name: 0 for name in EMPTY}}


def changed(of, name, how):
    """A board on which a method has another answer, as a subclass or as an attribute."""
    value = ANSWERS[name]

    def method(self, *arguments, **named):
        return iter(value) if value == () else value

    if how == "subclass":
        return type("Own", (of.Board,), {name: method})
    if how == "mixin":
        return type("Own", (type("Mixin", (), {name: method}), of.Board), {})
    cls = type("Own", (of.Board,), {})
    if how == "class":
        setattr(cls, name, method)
        return cls

    def make(fen):
        board = cls(fen)
        setattr(board, name, method.__get__(board))
        return board

    return make


@pytest.mark.parametrize("how", ["subclass", "mixin", "class", "board"])
@pytest.mark.parametrize("name", sorted(ANSWERS))
def test_another_rule_has_the_same_consequences(name, how):
    # One board is enough to see that a rule is noticed however it is replaced.
    for fen in FENS if how == "subclass" else FENS[1:2]:
        for question in QUESTIONS if how == "subclass" else ("moves", "fen", "san", "mate", "played"):
            if name == "pin_mask" and question in ("pin",):
                continue
            mine = answer(skewer.chess, changed(skewer.chess, name, how), fen, question)
            theirs = answer(chess, changed(chess, name, how), fen, question)
            assert mine == theirs, (question, fen)


def test_a_rule_can_be_patched_for_a_while():
    board = skewer.chess.Board()
    with mock.patch.object(board, "generate_legal_moves", lambda *_: iter(())):
        assert board.is_stalemate() and board.legal_moves.count() == 0
    assert board.legal_moves.count() == 20
    with mock.patch.object(skewer.chess.Board, "is_variant_end", lambda _: True):
        assert board.legal_moves.count() == 0 and not any(skewer.chess.Board().legal_moves)
    assert board.legal_moves.count() == 20 and board._rust


def test_a_rule_that_was_replaced_late_holds_for_moves_taken_back():
    board = skewer.chess.Board()
    board.push_san("e4")
    board.push_san("e5")
    board.is_variant_end = lambda: True
    board.pop()
    assert not any(board.legal_moves) and board.pop().uci() == "e2e4" and not any(board.legal_moves)


def test_boards_without_changed_rules_are_answered_by_rust():
    class Plain(skewer.chess.Board):
        def evaluate(self):
            return 0

    class Counting(skewer.chess.Board):
        def push(self, move):
            super().push(move)

    class Abstract(skewer.chess.Board, abc.ABC):
        pass

    for cls in (skewer.chess.Board, Plain, Counting, Abstract):
        board = cls()
        assert board._core is not None and board.copy()._core is not None, cls
    assert isinstance(Plain(), skewer.chess.Board)


def test_a_copy_of_a_subclass_is_made_as_in_python_chess():
    def copied(of):
        class Own(of.Board):
            def __init__(self, fen=of.STARTING_FEN, extra=1):
                super().__init__(fen)
                self.extra = extra

        board = Own(extra=5)
        board.push_san("e4")
        return board.copy().extra, board.copy().fen(), [m.uci() for m in board.copy().move_stack]

    assert copied(skewer.chess) == copied(chess)


# Methods that python-chess calls and that are no hooks: if a program overrides one of them, Rust gives the same answers
# as before.
BY_NAME = set(
    """
    _epd_operations _parse_epd_ops _validate_epd_opcode apply_mirror apply_transform copy empty fen
    chess960_pos parse_uci remove_piece_at result set_piece_at xboard find_move
    has_chess960_castling_rights outcome parse_san parse_xboard peek san san_and_push
    set_castling_fen set_chess960_pos set_epd set_piece_map status uci legal_moves
    """.split()
)


def codes(code):
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from codes(constant)


def test_every_method_that_python_chess_calls_is_a_hook():
    methods = {
        name: method for name, method in inspect.getmembers(chess.Board, inspect.isfunction)
        if not name.startswith("__")
    }
    called = {
        name for method in methods.values() for code in codes(method.__code__) for name in code.co_names
    }
    assert (called & methods.keys()) - _hooks.HOOKS - BY_NAME == set()
