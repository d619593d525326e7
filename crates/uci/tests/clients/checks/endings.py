"""Endings, with and without endgame tables, and the options of tables."""

import random

import chess
import chess.engine
import chess.syzygy

from checks.context import TABLES
from lines import check_all

# The least score of a won game, and the greatest score of a drawn game, in hundredths of a pawn.
WON = 1000
LEVEL = 20


class Ending:
    """A won ending without pawns: the pieces of the strong side, the most moves until mate, and a
    position that needs as many."""

    def __init__(self, pieces, moves, longest):
        self.pieces = pieces
        self.moves = moves
        self.longest = longest

    def positions(self, tables, count):
        """The longest win, and `count` random wins; the strong side is White, to move."""
        yield chess.Board(self.longest)
        rng = random.Random(2026)
        while count:
            board = chess.Board(None)
            squares = rng.sample(range(64), 2 + len(self.pieces))
            board.set_piece_at(squares[0], chess.Piece(chess.KING, chess.WHITE))
            board.set_piece_at(squares[1], chess.Piece(chess.KING, chess.BLACK))
            for square, piece in zip(squares[2:], self.pieces):
                board.set_piece_at(square, chess.Piece(piece, chess.WHITE))
            if board.is_valid() and board.legal_moves and tables.probe_wdl(board) == 2:
                count -= 1
                yield board


LONGEST_BISHOP_AND_KNIGHT = "K2k4/3B4/8/8/8/8/6N1/8 w - - 0 1"
ENDINGS = [
    Ending([chess.QUEEN], 10, "8/8/3k4/8/8/8/6Q1/7K w - - 0 1"),
    Ending([chess.ROOK], 16, "7K/8/8/8/8/8/2k5/1R6 w - - 0 1"),
    Ending([chess.BISHOP, chess.KNIGHT], 33, LONGEST_BISHOP_AND_KNIGHT),
]


def hardest_defence(tables, board):
    """The move that loses latest, or does not lose."""

    def until_lost(move):
        board.push(move)
        wins = tables.probe_wdl(board) > 0
        distance = abs(tables.probe_dtz(board))
        board.pop()
        return distance if wins else 1000

    return max(board.legal_moves, key=until_lost)


def win(engine, tables, board, limit):
    """Lets the engine play White against the hardest defence. Returns the number of moves until mate,
    or None if there was none."""
    game = object()
    while not (board.is_game_over() or board.is_repetition(3) or board.is_fifty_moves()):
        if board.turn:
            board.push(engine.play(board, limit, game=game).move)
        else:
            board.push(hardest_defence(tables, board))
    return (board.ply() + 1) // 2 if board.is_checkmate() else None


def open_tables():
    return chess.syzygy.open_tablebase(str(TABLES))


def tablebases(context):
    """Queen, rook, and bishop and knight against the bare king: with tables, the engine mates within
    the most moves that the ending needs, and its score shows a win."""
    with open_tables() as tables, context.open() as engine:
        engine.configure({"SyzygyPath": str(TABLES)})
        for ending in ENDINGS:
            taken = []
            for board in ending.positions(tables, 8):
                start = board.fen()
                info = engine.analyse(board, chess.engine.Limit(depth=6))
                assert info["score"].relative.score(mate_score=100000) > WON, info
                assert info["tbhits"] > 0, info
                moves = win(engine, tables, board, chess.engine.Limit(nodes=5000))
                assert moves is not None, f"{start} ended as {board.fen()}"
                assert moves <= ending.moves, f"{start}: mate took {moves} moves"
                taken.append(moves)
            print(f"    {board.fen().split()[0]}: mates in {taken}, at most {ending.moves}")


def endings_without_tables(context):
    """The same endings are won without tables, within the fifty moves that the rules allow."""
    with open_tables() as tables, context.open() as engine:
        for ending in ENDINGS:
            taken = []
            for board in ending.positions(tables, 3):
                start = board.fen()
                moves = win(engine, tables, board, chess.engine.Limit(nodes=50_000))
                assert moves is not None, f"{start} ended as {board.fen()}"
                taken.append(moves)
            print(f"    {board.fen().split()[0]}: mates in {taken}")


def last_line(engine, fen, limits):
    """The last line of a search that begins with an empty table."""
    engine.new_game()
    return check_all(chess.Board(fen), engine.go(f"fen {fen}", limits))[-1]


def table_options(context):
    """SyzygyProbeLimit and SyzygyProbeDepth limit the probes; with 0 pieces or no path there are none."""
    open_tables().close()
    # After an exchange of queens, tables cover the position.
    fen = "8/8/3k4/8/3q4/8/2PQ4/3K4 w - - 0 1"
    limits = "nodes 20000"
    with context.pipe(SyzygyPath=TABLES) as engine:
        always = last_line(engine, fen, limits)
        assert always.tbhits > 0, always.text
        engine.set({"SyzygyProbeDepth": 100})
        rarely = last_line(engine, fen, limits)
        assert rarely.tbhits < always.tbhits / 2, f"{rarely.text} but {always.text}"
        engine.set({"SyzygyProbeDepth": 1})
        assert last_line(engine, fen, limits).tbhits == always.tbhits
        for option, off, on in [("SyzygyProbeLimit", 0, 7), ("SyzygyPath", "", TABLES)]:
            engine.set({option: off})
            for position in (fen, LONGEST_BISHOP_AND_KNIGHT):
                never = last_line(engine, position, limits)
                assert never.tbhits == 0, f"{option} {off}: {never.text}"
            engine.set({option: on})
            assert last_line(engine, fen, limits).tbhits == always.tbhits


def fifty_move_rule(context):
    """A win that takes too long is a draw with the fifty-move rule, and a win without it. No win with
    four pieces takes fifty moves, so the count of the FEN is high from the start."""
    fields = LONGEST_BISHOP_AND_KNIGHT.split()[:4]
    with open_tables() as tables, context.pipe(SyzygyPath=TABLES) as engine:
        dtz = tables.probe_dtz(chess.Board(" ".join([*fields, "0", "1"])))
        for count, rule, won in [
            (0, True, True),
            (0, False, True),
            (101 - dtz, True, False),
            (101 - dtz, False, True),
        ]:
            engine.set({"Syzygy50MoveRule": rule})
            line = last_line(engine, " ".join([*fields, str(count), "80"]), "nodes 20000")
            right = line.score > WON if won else abs(line.score) <= LEVEL
            assert right, f"count {count}, rule {rule}: {line.text}"
            assert line.tbhits > 0, line.text
