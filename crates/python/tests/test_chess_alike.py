"""`skewer.chess` and python-chess give the same, on positions that keep the rules and that break them."""

import copy
import pickle
import random

import chess as theirs_of
import pytest
import skewer
import skewer.chess as mine_of

FIRST_QUESTIONS = (
    "fen", "shredder_fen", "board_fen", "epd", "is_check", "is_checkmate", "is_stalemate", "status",
    "is_insufficient_material", "castling_xfen", "castling_shredder_fen", "has_legal_en_passant",
    "has_pseudo_legal_en_passant", "clean_castling_rights", "checkers_mask", "was_into_check",
    "is_fifty_moves", "is_seventyfive_moves", "can_claim_fifty_moves", "ply", "result", "is_valid",
    "has_chess960_castling_rights", "chess960_pos", "is_repetition", "can_claim_threefold_repetition",
    "__str__", "__repr__",
)
ATTRIBUTES = (
    "turn", "castling_rights", "ep_square", "halfmove_clock", "fullmove_number", "pawns", "knights",
    "bishops", "rooks", "queens", "kings", "occupied", "promoted", "chess960",
)
GENERATORS = (
    "generate_legal_moves", "generate_pseudo_legal_moves", "generate_legal_captures",
    "generate_pseudo_legal_captures", "generate_legal_ep", "generate_pseudo_legal_ep",
    "generate_castling_moves",
)


def ucis(moves):
    return [move.uci() for move in moves]


def compare(mine, theirs, draw, deep=True):
    """All that can be asked of a board; `deep` asks about every move as well."""
    for name in ATTRIBUTES:
        assert getattr(mine, name) == getattr(theirs, name), (name, theirs.fen())
    assert tuple(mine.occupied_co) == tuple(theirs.occupied_co)
    for name in FIRST_QUESTIONS:
        assert getattr(mine, name)() == getattr(theirs, name)(), (name, theirs)
    for spec in ("fen", "xfen"):
        assert mine.fen(en_passant=spec, promoted=True) == theirs.fen(en_passant=spec, promoted=True)
    for name in GENERATORS:
        expected = ucis(getattr(theirs, name)())
        assert ucis(getattr(mine, name)()) == expected, (name, theirs)
        masks = draw.getrandbits(64), draw.getrandbits(64)
        assert ucis(getattr(mine, name)(*masks)) == ucis(getattr(theirs, name)(*masks)), (name, theirs)
    for color in (True, False):
        for name in ("king", "has_insufficient_material", "has_castling_rights",
                     "has_kingside_castling_rights", "has_queenside_castling_rights"):
            assert getattr(mine, name)(color) == getattr(theirs, name)(color), (name, theirs)
        for square in range(64):
            for name in ("attackers_mask", "pin_mask"):
                found, expected = (getattr(b, name)(color, square) for b in (mine, theirs))
                assert found == expected, (name, color, square, theirs)
    for square in range(64):
        assert mine.attacks_mask(square) == theirs.attacks_mask(square)
        assert str(mine.piece_at(square)) == str(theirs.piece_at(square))
    outcome = theirs.outcome(claim_draw=True)
    found = mine.outcome(claim_draw=True)
    assert (outcome and (outcome.termination.name, outcome.winner)) == (
        found and (found.termination.name, found.winner)
    ), theirs
    if not deep:
        return
    for move in list(theirs.generate_pseudo_legal_moves()):
        own = mine_of.Move.from_uci(move.uci())
        for name in ("is_legal", "is_pseudo_legal", "is_into_check", "gives_check", "is_capture",
                     "is_zeroing", "is_irreversible", "is_castling", "is_en_passant",
                     "is_kingside_castling", "is_queenside_castling", "uci", "san", "lan"):
            found, expected = getattr(mine, name)(own), getattr(theirs, name)(move)
            assert found == expected, (name, move, theirs)
        assert mine.xboard(own) == theirs.xboard(move)
        if theirs.is_legal(move):
            san = theirs.san(move)
            assert mine.parse_san(san).uci() == theirs.parse_san(san).uci()
    for _ in range(30):
        uci = theirs_of.Move(draw.randrange(64), draw.randrange(64)).uci()
        if uci[:2] != uci[2:]:
            move, own = theirs_of.Move.from_uci(uci), mine_of.Move.from_uci(uci)
            assert mine.is_pseudo_legal(own) == theirs.is_pseudo_legal(move), (uci, theirs)
            assert mine.is_legal(own) == theirs.is_legal(move), (uci, theirs)


def broken(draw):
    """A FEN of pieces put anywhere."""
    board = theirs_of.Board(None)
    for _ in range(draw.randint(0, 20)):
        piece = theirs_of.Piece(draw.choice([1, 1, 1, 2, 3, 4, 4, 5, 6]), draw.random() < 0.5)
        board.set_piece_at(draw.randrange(64), piece)
    if draw.random() < 0.8:
        for color in (True, False):
            square = draw.choice([4 if color else 60, draw.randrange(64)])
            board.set_piece_at(square, theirs_of.Piece(6, color))
        for square in (0, 7, 56, 63):
            if draw.random() < 0.3:
                board.set_piece_at(square, theirs_of.Piece(4, square < 8))
    rights = "".join(letter for letter in "KQkq" if draw.random() < 0.4) or "-"
    ep = draw.choice(["-", draw.choice("abcdefgh") + draw.choice("36")])
    turn = draw.choice("wb")
    return f"{board.board_fen()} {turn} {rights} {ep} {draw.randrange(160)} {draw.randint(1, 90)}"


def pair(fen, chess960=False):
    return mine_of.Board(fen, chess960=chess960), theirs_of.Board(fen, chess960=chess960)


@pytest.mark.parametrize("seed", range(6))
def test_boards_that_break_rules(seed):
    draw = random.Random(seed)
    for _ in range(40):
        fen = broken(draw)
        mine, theirs = pair(fen, chess960=draw.random() < 0.3)
        compare(mine, theirs, draw)


@pytest.mark.parametrize("seed", range(6))
def test_games_with_moves_that_break_rules(seed):
    draw = random.Random(seed)
    for _ in range(4):
        if draw.random() < 0.5:
            mine, theirs = pair(theirs_of.STARTING_FEN)
        else:
            number = draw.randrange(960)
            mine, theirs = (of.Board.from_chess960_pos(number) for of in (mine_of, theirs_of))
        for _ in range(6):
            moves = list(theirs.generate_legal_moves())
            roll = draw.random()
            if roll < 0.08:
                moves = list(theirs.generate_pseudo_legal_moves())
            if roll > 0.97 or not moves:
                move = theirs_of.Move.null()
            else:
                move = draw.choice(moves)
            if 0.1 < roll < 0.13 and theirs.move_stack:
                assert mine.pop().uci() == theirs.pop().uci()
                continue
            if 0.2 < roll < 0.22:
                # python-chess looks for repetitions by moves that do not fit the turn any more.
                for board in (mine, theirs):
                    board.clear_stack()
                    board.turn = not board.turn
                continue
            theirs.push(move)
            mine.push(mine_of.Move.from_uci(move.uci()))
            compare(mine, theirs, draw, deep=draw.random() < 0.1)
        for other in (mine.copy(), copy.deepcopy(mine), pickle.loads(pickle.dumps(mine))):
            assert other == mine and other.move_stack == mine.move_stack
        some = draw.randrange(10)
        short, theirs_short = mine.copy(stack=some), theirs.copy(stack=some)
        assert short.root().fen() == theirs_short.root().fen()
        while theirs.move_stack:
            assert mine.pop().uci() == theirs.pop().uci()
            assert mine.fen(en_passant="fen") == theirs.fen(en_passant="fen")
            assert mine.promoted == theirs.promoted
        assert not mine.move_stack
        compare(mine, theirs, draw)


@pytest.mark.parametrize("seed", range(4))
def test_edits_and_symmetries(seed):
    draw = random.Random(seed)
    for _ in range(6):
        fen = broken(draw)
        mine, theirs = pair(fen)
        assert mine.mirror().fen() == theirs.mirror().fen()
        for name in ("flip_vertical", "flip_horizontal", "flip_diagonal", "flip_anti_diagonal",
                     "shift_up", "shift_left"):
            change, their_change = getattr(mine_of, name), getattr(theirs_of, name)
            found, expected = mine.transform(change), theirs.transform(their_change)
            assert found.fen(en_passant="fen") == expected.fen(en_passant="fen"), name
            assert found.castling_rights == expected.castling_rights
        square = draw.randrange(64)
        assert str(mine.remove_piece_at(square)) == str(theirs.remove_piece_at(square))
        kind, color = draw.randint(1, 6), draw.random() < 0.5
        mine.set_piece_at(square ^ 9, mine_of.Piece(kind, color))
        theirs.set_piece_at(square ^ 9, theirs_of.Piece(kind, color))
        compare(mine, theirs, draw, deep=False)


def test_the_way_to_skewer_and_back():
    draw = random.Random(5)
    held = 0
    for _ in range(1500):
        board = mine_of.Board(broken(draw), chess960=draw.random() < 0.2)
        try:
            core = board.to_skewer()
        except ValueError:
            assert not board.is_valid()
            continue
        held += 1
        assert core.fen(en_passant="fen") == board.fen(en_passant="fen")
        assert mine_of.Board.from_skewer(core) == board
    assert held > 20
    core = skewer.Board()
    for san in ("e4", "c5", "Nf3"):
        core.push_san(san)
    board = mine_of.Board.from_skewer(core)
    assert board.move_stack == core.move_stack and board.root() == mine_of.Board()
    board.push_san("d6")
    assert len(core.move_stack) == 3
    assert board.to_skewer().move_stack == board.move_stack


@pytest.mark.parametrize("chess960", [False, True])
@pytest.mark.parametrize("uci", ["e1g1", "e1h1", "e1c1", "e1a1"])
def test_both_forms_of_castling(uci, chess960):
    boards = pair("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", chess960)
    stacks = []
    for of, board in zip((mine_of, theirs_of), boards):
        move = of.Move.from_uci(uci)
        answers = board.is_legal(move), move in board.legal_moves, board.san(move), board.uci(move)
        board.push(move)
        stacks.append((answers, ucis(board.move_stack), board.fen()))
    assert stacks[0] == stacks[1]
