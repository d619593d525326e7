"""Analysis: principal variations, their number, moves and ends; mates; win, draw and loss chances."""

import chess
import chess.engine

from checks.context import KIWIPETE, Skip
from lines import check_all, check_info

# Greater than every mate in the list, so that scores can be compared.
MATE_SCORE = 100_000


def analysis(context):
    """Every line of a search is legal to its end, and the first move of the last line is played."""
    positions = [
        chess.STARTING_FEN,
        KIWIPETE,
        "8/8/8/8/8/4k3/4p3/4K3 b - - 0 1",
        "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1",
        "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
        "k7/8/1K6/8/8/8/8/7R w - - 99 90",
    ]
    for threads in (1, 2):
        with context.open(Threads=threads) as engine:
            for fen in positions:
                board = chess.Board(fen)
                with engine.analysis(board, chess.engine.Limit(time=0.3)) as lines:
                    last = {}
                    for info in lines:
                        check_info(board, info)
                        if "pv" in info:
                            last = info
                    best = lines.wait().move
                assert last and last["pv"][0] == best, f"{best} after {last} in {fen}"


def ends_of_lines(context):
    """A line ends where the game does: by the fifty-move rule, a threefold repetition or insufficient material."""
    perpetual = "fen 6k1/6p1/8/6KQ/1r6/q2b4/8/8 w - - 0 32"
    once_round = " h5e8 g8h7 e8h5 h7g8"
    knights = " g1f3 g8f6 f3g1 f6g8"
    cases = [
        ("fen 8/8/4k3/8/8/3QK3/8/8 w - - 99 100", 1),
        ("fen 8/8/4k3/8/8/3QK3/8/8 w - - 98 100", 2),
        ("fen 8/8/4k3/8/8/3QK3/8/8 w - - 94 100", 6),
        ("fen 8/8/8/8/8/4k3/3p4/3K4 b - - 0 1", None),
        ("fen 8/8/4k3/8/8/3pK3/8/8 w - - 0 1", None),
        # White only has perpetual check, so repetitions decide the score.
        (perpetual, None),
        (f"{perpetual} moves{once_round}", 4),
        (f"{perpetual} moves{once_round} h5e8 g8h7", 2),
        (f"startpos moves{knights} g1f3 g8f6 f3g1", None),
        (f"startpos moves{knights}{knights}", None),
    ]
    for threads in (1, 2):
        with context.pipe(Threads=threads) as engine:
            for position, longest in cases:
                engine.new_game()
                output = engine.go(position, "depth 12")
                lines = check_all(board_of(position), output)
                if longest is not None and lines[-1].mate is None:
                    assert len(lines[-1].pv) <= longest, lines[-1].text


def board_of(position):
    """The board, with its game, of the arguments of `position`."""
    start, _, moves = position.partition(" moves ")
    fen = chess.STARTING_FEN if start == "startpos" else start.removeprefix("fen ")
    board = chess.Board(fen)
    for move in moves.split():
        board.push_uci(move)
    return board


def multi_pv(context):
    """Five lines, different and in order; and no more lines than moves."""
    with context.open() as engine:
        board = chess.Board()
        infos = engine.analyse(board, chess.engine.Limit(depth=7), multipv=5)
        assert len(infos) == 5, infos
        assert len({info["pv"][0] for info in infos}) == 5
        scores = [info["score"].relative.score(mate_score=MATE_SCORE) for info in infos]
        assert scores == sorted(scores, reverse=True), scores
        for info in infos:
            check_info(board, info)
        board = chess.Board("7k/8/8/8/8/8/R7/6K1 b - - 0 1")
        infos = engine.analyse(board, chess.engine.Limit(depth=5), multipv=50)
        assert len(infos) == board.legal_moves.count(), infos


def search_moves(context):
    """Only the moves of `searchmoves` are considered."""
    with context.open() as engine:
        board = chess.Board()
        only = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h4")]
        result = engine.play(board, chess.engine.Limit(depth=6), root_moves=only)
        assert result.move in only, result.move


def mates(context):
    """Shortest mates are found, and after a mate there is no move to ponder on."""
    cases = [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1, "mate 1"),
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1, "depth 12"),
        ("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 2, "mate 2"),
        ("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 2, "depth 12"),
        # The first move sacrifices the rook; only a search for mates is certain to find it.
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2, "mate 2"),
        ("k7/8/1K6/8/8/8/8/7R b - - 0 1", -1, "mate 1"),
        ("k7/8/1K6/8/8/8/8/7R b - - 0 1", -1, "depth 12"),
    ]
    with context.pipe() as engine:
        for fen, moves, limits in cases:
            engine.new_game()
            output = engine.go(f"fen {fen}", limits)
            last = check_all(chess.Board(fen), output)[-1]
            assert last.mate == moves, f"{fen}, {limits}: {last.text}"
            if moves == 1:
                assert "ponder" not in output[-1], output[-1]
        mated = "8/8/8/8/8/1k6/1q6/K7 w - - 0 1"
        assert engine.go(f"fen {mated}", "depth 5")[-1] == "bestmove (none)"


def win_draw_loss(context):
    """The chances add up to 1000 and agree with the score."""
    with context.open() as engine:
        if "UCI_ShowWDL" not in engine.options:
            raise Skip("no UCI_ShowWDL")
        engine.configure({"UCI_ShowWDL": True})
        for fen, low, high in [
            (chess.STARTING_FEN, 0.4, 0.7),
            ("6k1/8/8/8/8/8/8/QQ4K1 w - - 0 1", 0.95, 1.0),
            ("6k1/8/8/8/8/8/8/QQ4K1 b - - 0 1", 0.0, 0.05),
        ]:
            wdl = engine.analyse(chess.Board(fen), chess.engine.Limit(depth=8))["wdl"].relative
            assert wdl.total() == 1000, wdl
            assert low <= wdl.expectation() <= high, f"{fen}: {wdl}"
