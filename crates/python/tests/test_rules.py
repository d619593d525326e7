"""The rules, with python-chess as oracle."""

import chess
import chess.polyglot
import pytest
import skewer
from conftest import random_games

#: The total number of random positions, and the number of tests that they are divided over.
POSITIONS, PARTS = 10_000, 8


def ours(board):
    """The same game on a `skewer.Board`."""
    root = board.root()
    copy = skewer.Board(root.fen(en_passant="fen"), chess960=board.chess960)
    copy.push_all([move.uci() for move in board.move_stack])
    return copy


def same_outcome(a, b):
    if a is None or b is None:
        return a is b
    return (a.termination.name, a.winner, a.result()) == (b.termination.name, b.winner, b.result())


@pytest.mark.parametrize("part", range(PARTS))
def test_random_positions(part):
    seen = 0
    for theirs in random_games(2026 + part, POSITIONS // PARTS):
        board = ours(theirs)
        compare(board, theirs)
        seen += 1
    assert seen == POSITIONS // PARTS


def compare(board, theirs):
    fen = theirs.fen()
    assert board.fen() == fen
    assert board.fen(en_passant="fen") == theirs.fen(en_passant="fen"), fen
    assert board.fen(en_passant="xfen") == theirs.fen(en_passant="xfen"), fen
    assert board.shredder_fen() == theirs.shredder_fen()
    assert board.epd() == theirs.epd()
    assert str(board) == str(theirs)
    assert board.unicode() == theirs.unicode()
    assert board.ply() == theirs.ply()
    assert board.castling_rights == theirs.clean_castling_rights(), fen
    assert board.ep_square == theirs.ep_square
    assert board.polyglot_key() == chess.polyglot.zobrist_hash(theirs), fen
    assert [move.uci() for move in board.move_stack] == [m.uci() for m in theirs.move_stack]

    # Moves: the legal ones, their text, their properties, and the positions after them.
    moves = {move.uci(): move for move in board.legal_moves}
    expected = {move.uci(): move for move in theirs.legal_moves}
    assert moves.keys() == expected.keys(), fen
    assert board.legal_moves.count() == len(moves) == len(board.legal_moves)
    for uci, move in moves.items():
        their = expected[uci]
        san = theirs.san(their)
        assert board.san(move) == san, (fen, uci)
        assert board.parse_san(san) == move, (fen, san)
        assert board.lan(move) == theirs.lan(their), (fen, uci)
        assert board.is_capture(move) == theirs.is_capture(their)
        assert board.is_castling(move) == theirs.is_castling(their)
        assert board.is_en_passant(move) == theirs.is_en_passant(their)
        assert board.is_zeroing(move) == theirs.is_zeroing(their)
        assert board.gives_check(move) == theirs.gives_check(their)
        board.push(move)
        theirs.push(their)
        assert board.fen() == theirs.fen(), (fen, uci)
        assert board.pop() == move
        theirs.pop()
    assert board.fen() == fen

    # Squares.
    for color in (chess.WHITE, chess.BLACK):
        for square in chess.SQUARES:
            attackers = board.attackers_mask(color, square)
            assert attackers == theirs.attackers_mask(color, square), (fen, color, square)
        for square in chess.scan_forward(theirs.occupied_co[color]):
            assert board.pin_mask(color, square) == theirs.pin_mask(color, square), (fen, square)
            assert board.attacks_mask(square) == theirs.attacks_mask(square)
        assert board.king(color) == theirs.king(color)
        for kind in chess.PIECE_TYPES:
            assert board.pieces_mask(kind, color) == theirs.pieces_mask(kind, color)
    assert int(board.checkers()) == int(theirs.checkers())

    # The end.
    for claim in (False, True):
        assert same_outcome(board.outcome(claim_draw=claim), theirs.outcome(claim_draw=claim)), fen
        assert board.result(claim_draw=claim) == theirs.result(claim_draw=claim)
    assert board.can_claim_draw() == theirs.can_claim_draw(), fen
    assert board.can_claim_threefold_repetition() == theirs.can_claim_threefold_repetition(), fen
    assert board.can_claim_fifty_moves() == theirs.can_claim_fifty_moves(), fen
    for count in (2, 3, 5):
        assert board.is_repetition(count) == theirs.is_repetition(count), fen
    for color in (chess.WHITE, chess.BLACK):
        expected = theirs.has_insufficient_material(color)
        assert board.has_insufficient_material(color) == expected, fen


def test_mirror_copy_and_pickle():
    import copy
    import pickle

    for theirs in random_games(7, 300):
        board = ours(theirs)
        assert board.mirror().fen() == theirs.mirror().fen()
        for twin in (copy.copy(board), copy.deepcopy(board), board.copy(),
                     pickle.loads(pickle.dumps(board))):
            assert twin == board and twin.move_stack == board.move_stack
            assert twin.fen(en_passant="fen") == board.fen(en_passant="fen")
            if twin.move_stack:
                twin.pop()
                assert twin != board
        assert board.copy(stack=False).move_stack == []
        assert board.copy(stack=2).move_stack == board.move_stack[-2:]
        assert board.root().fen() == theirs.root().fen()
        assert board.variation_san([]) == ""
        line = board.root().variation_san(board.move_stack)
        assert line == theirs.root().variation_san(theirs.move_stack)


def test_every_chess960_start():
    for number in range(960):
        board = skewer.Board.from_chess960_pos(number)
        assert board.fen() == chess.Board.from_chess960_pos(number).fen()
        assert board.chess960_pos() == number


def test_draws_by_rule():
    board = skewer.Board()
    for _ in range(2):
        for uci in ("g1f3", "g8f6", "f3g1", "f6g8"):
            board.push_uci(uci)
    assert board.is_repetition() and not board.is_fivefold_repetition()
    assert board.outcome(claim_draw=True).termination == skewer.Termination.THREEFOLD_REPETITION
    for _ in range(2):
        for uci in ("g1f3", "g8f6", "f3g1", "f6g8"):
            board.push_uci(uci)
    assert board.outcome().termination == skewer.Termination.FIVEFOLD_REPETITION
    assert board.is_game_over() and board.result() == "1/2-1/2"


def test_null_moves():
    board = skewer.Board()
    board.push(skewer.Move.null())
    assert board.turn == skewer.BLACK and board.peek() == skewer.Move.null()
    assert not board.pop()
    assert board.san(skewer.Move.null()) == "--"
    assert board.parse_san("--") == skewer.Move.null()
    check = skewer.Board("4k3/8/8/8/8/8/8/4R1K1 b - - 0 1")
    with pytest.raises(skewer.IllegalMoveError):
        check.push(skewer.Move.null())


def test_castling_in_both_forms():
    board = skewer.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    for uci in ("e1g1", "e1h1"):
        assert board.parse_uci(uci).uci() == "e1g1"
        assert skewer.Move.from_uci(uci) in board.legal_moves
    move = skewer.Move.from_uci("e1c1")
    assert board.is_queenside_castling(move) and not board.is_kingside_castling(move)
    assert board.uci(move, chess960=True) == "e1a1"


def test_square_sets():
    theirs = chess.SquareSet(0x8040_2010_0804_0201)
    mine = skewer.SquareSet(int(theirs))
    assert list(mine) == list(theirs) and str(mine) == str(theirs) and repr(mine) == repr(theirs)
    assert list(reversed(mine)) == list(reversed(theirs))
    assert mine.tolist() == theirs.tolist()
    other = skewer.SquareSet([skewer.A1, skewer.B1])
    assert mine | other == int(mine) | 3 and mine & [skewer.A1] == 1 and mine - other == int(mine) ^ 1
    assert other ^ 1 == skewer.SquareSet.from_square(skewer.B1)
    assert ~other == skewer.BB_ALL ^ 3 and other.mirror() == 3 << 56
    assert other.issubset(mine) is False and other.isdisjoint([skewer.H8])
    assert sorted(other.carry_rippler()) == [0, 1, 2, 3]
    other.add(skewer.C1)
    other.discard(skewer.D1)
    other.remove(skewer.A1)
    with pytest.raises(KeyError):
        other.remove(skewer.A1)
    assert other.pop() == skewer.B1 and len(other) == 1
    for a in chess.SQUARES:
        for b in chess.SQUARES:
            assert int(skewer.SquareSet.between(a, b)) == chess.between(a, b)
            assert int(skewer.SquareSet.ray(a, b)) == chess.ray(a, b)


def test_names_agree_with_python_chess():
    for name in dir(chess):
        value = getattr(chess, name)
        public = name.isupper() and not name.startswith(("BB_", "STATUS_", "PIECE_", "UNICODE"))
        if public and isinstance(value, (int, str, bool)) and hasattr(skewer, name):
            assert getattr(skewer, name) == value, name
    for square in chess.SQUARES:
        name = chess.square_name(square)
        assert skewer.square_name(square) == name and skewer.parse_square(name) == square
        assert getattr(skewer, name.upper()) == square
        assert getattr(skewer, "BB_" + name.upper()) == chess.BB_SQUARES[square]
        assert skewer.square_mirror(square) == chess.square_mirror(square)
        for other in chess.SQUARES:
            assert skewer.square_distance(square, other) == chess.square_distance(square, other)
    # Only attributes listed in docs/python.md are missing.
    missing = {name for name in dir(chess.Board) if not name.startswith("_")}
    missing -= set(dir(skewer.Board))
    assert missing == NOT_THERE, missing ^ NOT_THERE


#: Attributes of chess.Board that skewer.Board lacks on purpose; "Differences" in docs/python.md
#: says what to use instead. A board is never empty or illegal, and no other variants are played.
NOT_THERE = set(
    """
    aliases apply_transform captures_compulsory clear clear_board connected_kings empty
    generate_pseudo_legal_captures generate_pseudo_legal_ep generate_pseudo_legal_moves
    is_into_check is_pseudo_legal is_variant_draw is_variant_end is_variant_loss is_variant_win
    one_king parse_xboard pawnless_tbw_magic pawnless_tbw_suffix pawnless_tbz_magic
    pawnless_tbz_suffix pseudo_legal_moves push_xboard reset_board set_board_fen set_castling_fen
    set_epd starting_fen tbw_magic tbw_suffix tbz_magic tbz_suffix transform uci_variant xboard
    xboard_variant
    """.split()
)


def test_epd():
    line = '8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - bm Rxb2; pv Rxb2 Rxb2; id "WAC.002"; dm 3;'
    board, operations = skewer.Board.from_epd(line)
    theirs, expected = chess.Board.from_epd(line)
    assert board.fen() == theirs.fen() and operations.keys() == expected.keys()
    assert [m.uci() for m in operations["bm"]] == [m.uci() for m in expected["bm"]]
    assert [m.uci() for m in operations["pv"]] == [m.uci() for m in expected["pv"]]
    assert operations["id"] == expected["id"] and operations["dm"] == expected["dm"]
    with pytest.raises(ValueError):
        skewer.Board.from_epd("nonsense")
    for four in ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3", "1r2k2r/8/8/8/8/8/8/1R2K2R w KQkq -"):
        board, theirs = skewer.Board.from_epd(four)[0], chess.Board.from_epd(four)[0]
        assert board == skewer.Board(four + " 0 1") and board.ep_square == theirs.ep_square


def test_piece_maps():
    board = skewer.Board()
    pieces = board.piece_map()
    theirs = chess.Board().piece_map()
    assert {s: str(p) for s, p in pieces.items()} == {s: str(p) for s, p in theirs.items()}
    assert skewer.Board.from_piece_map(pieces).board_fen() == board.board_fen()
    assert board.remove_piece_at(skewer.A1) == skewer.Piece.from_symbol("R")
    assert board.piece_at(skewer.A1) is None
    assert not board.has_queenside_castling_rights(skewer.WHITE)
    board.remove_piece_at(skewer.A2)
    board.set_piece_at(skewer.A1, skewer.Piece(skewer.QUEEN, skewer.WHITE))
    assert board.fen() == "rnbqkbnr/pppppppp/8/8/8/8/1PPPPPPP/QNBQKBNR w Kkq - 0 1"
    board.turn = skewer.BLACK
    board.halfmove_clock, board.fullmove_number = 7, 12
    board.castling_rights = skewer.BB_H1
    assert board.fen() == "rnbqkbnr/pppppppp/8/8/8/8/1PPPPPPP/QNBQKBNR b K - 7 12"
