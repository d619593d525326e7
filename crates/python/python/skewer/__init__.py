"""Chess at Rust's speed, with the names of python-chess.

>>> import skewer
>>> board = skewer.Board()
>>> board.push_san("e4")
Move.from_uci('e2e4')
>>> board.legal_moves.count()
20
"""

from skewer import engine, pgn, polyglot, svg
from skewer._analyse import (
    AnalysedGame,
    AnalysedGames,
    AnalysedMove,
    Line,
    PlayerFigures,
    Table,
    analyse_games,
)
from skewer._engine import Limit, PlayResult
from skewer._outcome import Outcome, Termination
from skewer._positions import Positions, decode_moves, iter_positions, read_positions, to_arrays
from skewer._score import Cp, Mate, MateGiven, PovScore, Score
from skewer._skewer import (
    NO_RESULT,
    AmbiguousMoveError,
    Analysis,
    Board,
    Engine,
    EngineError,
    Game,
    GameNode,
    GameReader,
    IllegalMoveError,
    InvalidMoveError,
    LegalMoves,
    Move,
    PgnError,
    Piece,
    SquareSet,
    __version__,
    count_games,
    encode_moves,
    evaluate,
    evaluate_many,
    legal_moves_of,
    parse_fens,
    parse_pgn,
    perft,
    perft_divide,
    read_pgn,
)
from skewer._squares import *  # noqa: F403
