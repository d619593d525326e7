"""Statements that change, compare and copy moves, pieces, sets and boards do the same as with python-chess."""

import copy
import dataclasses
import inspect
import pickle

import chess
import chess.engine
import chess.gaviota
import chess.pgn
import chess.svg
import chess.variant
import numpy as np
import pytest
import skewer
import skewer.chess
import skewer.chess.engine
import skewer.chess.gaviota
import skewer.chess.pgn
import skewer.chess.svg
import skewer.chess.variant


def fields(of):
    move = of.Move(of.A7, of.A8)
    move.promotion = of.QUEEN
    other = of.Move.from_uci("e2e4")
    other.to_square = of.E3
    return move.uci(), repr(other), other == of.Move(12, 20), hash(other) == hash(of.Move(12, 20))


def changed_moves_of_a_list(of):
    board = of.Board("8/P6k/8/8/8/8/8/K7 w - - 0 1")
    before = list(board.legal_moves)
    before[0].promotion = of.KNIGHT
    before[1].from_square = of.H1
    return [m.uci() for m in before], [m.uci() for m in board.legal_moves], of.Move.from_uci("a7a8q").uci()


def one_move_used_again(of):
    board, move = of.Board(), of.Move(of.E2, of.E4)
    board.push(move)
    move.from_square, move.to_square = of.E7, of.E5
    board.push(move)
    return [m.uci() for m in board.move_stack], board.fen(), board.pop().uci()


def replaced(of):
    move = dataclasses.replace(of.Move(48, 56), promotion=of.ROOK)
    piece = dataclasses.replace(of.Piece(of.PAWN, of.WHITE), color=of.BLACK)
    names = [[f.name for f in dataclasses.fields(cls)] for cls in (of.Move, of.Piece)]
    return move.uci(), piece.symbol(), names, dataclasses.astuple(move), dataclasses.asdict(piece)


def variables(of):
    move, piece = of.Move(48, 56, 5), of.Piece(of.KING, of.BLACK)
    move.score = 3
    return vars(move), vars(piece), move.score, hasattr(piece, "score"), of.Move.__match_args__


def subclassed(of):
    class Scored(of.Move):
        def __init__(self, uci, score):
            plain = of.Move.from_uci(uci)
            super().__init__(plain.from_square, plain.to_square, plain.promotion)
            self.score = score

    class Named(of.Piece):
        def name(self):
            return of.piece_name(self.piece_type)

    board, move = of.Board(), Scored("e2e4", 7)
    answers = (move.score, move.uci(), board.is_legal(move), board.san(move), move in board.legal_moves,
               move == of.Move(12, 28), Named(of.KNIGHT, True).name(), isinstance(move, of.Move))
    board.push(move)
    return answers, board.fen(), type(board.peek()) is of.Move, Named.from_symbol("q").name()


def lax_arguments(of):
    board = of.Board()
    one, zero = np.int64(1), np.int64(0)
    return (
        board.king(1), board.king(0), board.king(one), board.is_attacked_by(board.turn ^ 1, of.E6),
        board.is_attacked_by(zero, 40), int(board.pieces(1, 1)), int(board.attackers(one, of.F3)),
        board.has_castling_rights(1), board.has_kingside_castling_rights(zero), board.is_pinned(1, 12),
        board.has_insufficient_material(1), str(board.piece_at(np.int64(4))), int(board.attacks(np.int8(1))),
        of.Move(np.int64(12), np.int64(28)).uci(), of.Piece(1, 1).symbol(), of.Piece(np.int64(2), 0).symbol(),
        of.Piece(1, 1) == of.Piece(1, True), hash(of.Piece(1, 1)) == hash(of.Piece(1, True)),
    )


def odd_moves(of):
    board = of.Board()
    same, zero = of.Move(of.B1, of.B1), of.Move(12, 28, 0)
    return (
        same.uci(), bool(same), board.is_legal(same), same in board.legal_moves, bool(of.Move(0, 0)),
        zero.uci(), zero.promotion, board.is_legal(zero), zero in board.legal_moves,
        zero in list(board.legal_moves), zero == of.Move(12, 28), board.san(zero), None in board.legal_moves,
        board.is_legal(of.Move.null()), of.Move(3, 3, 5).promotion, of.Move(0, 1, None, 2).drop,
        of.Move(28, 28, drop=of.KNIGHT).uci(), of.Move.null() == of.Move(0, 0),
    )


def copies(of):
    move, piece = of.Move(48, 56, 5), of.Piece(of.PAWN, True)
    piece.color = False
    again = pickle.loads(pickle.dumps([move, piece, of.Move(12, 28, 0)]))
    deep = copy.deepcopy(move)
    deep.promotion = None
    return [repr(x) for x in again], again[0] == move, move.uci(), deep.uci(), copy.copy(piece) == piece


def masks_by_side(of):
    board = of.Board()
    board.occupied_co[of.WHITE] &= ~of.BB_A1
    board.rooks &= ~of.BB_A1
    board.occupied &= ~of.BB_A1
    return board.board_fen(), board.occupied_co[of.WHITE], list(board.occupied_co)


def shifted_in_place(of):
    squares = kept = of.SquareSet([0, 9])
    squares <<= 8
    squares >>= 1
    return list(kept), kept is squares


def tables(of):
    lines = "DIAG", "FILE", "RANK"
    masks = [getattr(of, f"BB_{line}_MASKS") for line in lines]
    attacks = [getattr(of, f"BB_{line}_ATTACKS")[27] for line in lines]
    steps = of.BB_KING_ATTACKS, of.BB_KNIGHT_ATTACKS, of.BB_PAWN_ATTACKS
    return masks, attacks, of.BB_RAYS, steps, of._attack_table([-9, 9])[0], list(of._carry_rippler(5))


def helpers(of):
    board = of.Board("4k3/8/8/8/7b/8/5N2/r3K2R w K - 0 1")
    knight = of.Move(of.F2, of.D3)
    king = board.king(True)
    blockers = board._slider_blockers(king)
    text = board._algebraic_without_suffix(knight)
    answers = (blockers, text, board._is_safe(king, blockers, knight), board._valid_ep_square(),
               board._reduces_castling_rights(of.Move(7, 6)),
               [m.uci() for m in board._generate_evasions(king, of.BB_A1)])
    board._set_piece_at(of.A3, of.QUEEN, False)
    board._remove_piece_at(of.A1)
    key = board._transposition_key() == board.copy()._transposition_key()
    return answers, board.board_fen(), key, board._to_chess960(of.Move(4, 6)).uci()


def squares_on_another_board(of):
    def swap(board):
        board.clear_board()
        board.set_piece_at(3, of.Piece(5, True))
        return board.fen(), board.turn, board.castling_rights

    empty = of.Board.empty()
    fresh = of.Board()
    fresh.reset()
    return swap(of.Board()), empty.fen(), fresh.fen(), of.BaseBoard().board_fen()


def names(of):
    regexes = [getattr(of.pgn, name) for name in ("CLOCK_REGEX", "EMT_REGEX", "EVAL_REGEX", "ARROWS_REGEX")]
    comment = "x [%clk 1:02:03.5] [%emt 0:00:07] [%eval #-3,20] [%cal Ga1b2,Rc3] y"
    variants = [(v.__name__, v.uci_variant, v.aliases) for v in of.variant.VARIANTS]
    return (
        of.__version__, [r.search(comment).groupdict() for r in regexes], sorted(of.svg.PIECES), variants,
        of.variant.find_variant("Standard") is of.Board, of.variant.find_variant("koth").__name__,
        issubclass(of.gaviota.MissingTableError, KeyError), of.engine.EventLoopPolicy().__class__.__name__,
        of.Board.tbw_magic, of.Board.tbz_magic, bool(of.engine.UCI_REGEX.match("e7e8q")),
    )


def two_squares(of):
    found = []
    for fen in ("4k3/8/8/8/8/8/PPPPPPPP/4K2R w KQkq - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
                "4k3/P7/8/8/8/8/8/4K2R w K - 0 1", "8/8/8/8/8/8/8/R6R w - - 0 1"):
        for text in ("h1g1", "e1g1", "e1h1", "Ke1g1", "Kg1", "Kh1", "O-O", "a7a8", "a7a8q", "a8=N", "Rh1h3",
                     "h1-h2", "a1h1", "Rxh1", "h1xh3", "xe4", "a1", "h", "", "Rh9", "a1b1+"):
            try:
                found.append(of.Board(fen).parse_san(text).uci())
            except ValueError as error:
                found.append(type(error).__name__)
    return found


def pseudo_legal(of):
    answers = []
    for fen, uci in (("4k3/8/8/r2pP2K/8/8/8/8 w - d6 0 1", "e5d6"), ("4k3/8/8/8/7b/8/5N2/4K3 w - - 0 1", "f2d3"),
                     ("4k3/4r3/8/8/8/8/4Q3/4K3 w - - 0 1", "e2a6"), ("4k3/8/8/8/8/8/8/R3K2r w Q - 0 1", "e1d1")):
        board, move = of.Board(fen), of.Move.from_uci(uci)
        answers.append([getattr(board, name)(move) for name in (
            "is_capture", "is_en_passant", "gives_check", "is_zeroing", "is_irreversible", "is_castling",
            "san", "lan", "is_pseudo_legal", "is_legal", "is_into_check")])
        board.push(move)
        answers.append((board.fen(), board.pop().uci()))
    return answers


@pytest.mark.parametrize("statements", [
    fields, changed_moves_of_a_list, one_move_used_again, replaced, variables, subclassed, lax_arguments,
    odd_moves, copies, masks_by_side, shifted_in_place, tables, helpers, squares_on_another_board, names,
    two_squares, pseudo_legal,
])
def test_statements_do_the_same_as_with_python_chess(statements):
    assert statements(skewer.chess) == statements(chess)


def test_what_is_not_there_says_so_when_it_is_used():
    for use in (
        lambda: skewer.chess.gaviota.open_tablebase("."),
        lambda: skewer.chess.variant.find_variant("crazyhouse")(),
        lambda: skewer.chess.engine.SimpleEngine.popen_xboard("xboard"),
    ):
        with pytest.raises(NotImplementedError, match="skewer"):
            use()
    with pytest.raises(ValueError):
        skewer.chess.variant.find_variant("draughts")
    assert skewer.chess.variant.find_variant("Chess960") is skewer.chess.Board


def test_moves_of_skewer_stay_strict():
    for change in (lambda: setattr(skewer.Move(12, 28), "promotion", 5), lambda: skewer.Move(5, 5),
                   lambda: setattr(skewer.Piece(1, True), "color", False), lambda: skewer.Move(12, 28, 0)):
        with pytest.raises((AttributeError, ValueError)):
            change()
    board = skewer.Board()
    board.push(skewer.chess.Move(12, 28))
    assert board.peek() == skewer.chess.Move(12, 28) == skewer.Move(12, 28)
    assert board.king(1) == 4


def test_every_public_name_of_python_chess_is_there():
    # Names of `typing` that python-chess imports.
    skipped = ("ClassVar", "Counter", "Generic", "Hashable", "Mapping", "Optional", "Type", "TypeVar")
    absent = [name for name in dir(chess) if not name.startswith("_") and name not in skipped
              and not inspect.ismodule(getattr(chess, name)) and not hasattr(skewer.chess, name)]
    assert absent == []
    for cls in ("Move", "Piece", "BaseBoard", "Board", "SquareSet", "LegalMoveGenerator", "Outcome"):
        mine, theirs = getattr(skewer.chess, cls), getattr(chess, cls)
        assert [n for n in dir(theirs) if not n.startswith("__") and not hasattr(mine, n)] == [], cls
