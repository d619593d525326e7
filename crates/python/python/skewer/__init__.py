"""Chess at Rust's speed, with the names of python-chess.

>>> import skewer
>>> board = skewer.Board()
>>> board.push_san("e4")
Move.from_uci('e2e4')
>>> board.legal_moves.count()
20
"""

from skewer import _interpreter  # noqa: F401, I001  # first: it refuses interpreters that cannot work

from skewer import engine as engine, pgn as pgn, polyglot as polyglot, svg as svg
from skewer._analyse import (
    AnalysedGame as AnalysedGame,
    AnalysedGames as AnalysedGames,
    AnalysedMove as AnalysedMove,
    Line as Line,
    PlayerFigures as PlayerFigures,
    Table as Table,
    analyse_games as analyse_games,
)
from skewer._engine import Limit as Limit, PlayResult as PlayResult
from skewer._label import (
    Label as Label,
    label as label,
    label_bag as label_bag,
    write_labels as write_labels,
)
from skewer._outcome import Outcome as Outcome, Termination as Termination
from skewer._positions import (
    Positions as Positions,
    decode_moves as decode_moves,
    iter_positions as iter_positions,
    read_positions as read_positions,
    to_arrays as to_arrays,
    write_parquet as write_parquet,
)
from skewer._score import (
    Cp as Cp,
    Mate as Mate,
    MateGiven as MateGiven,
    PovScore as PovScore,
    Score as Score,
)
from skewer._skewer import (
    NO_RESULT as NO_RESULT,
    AmbiguousMoveError as AmbiguousMoveError,
    Analysis as Analysis,
    Board as Board,
    Engine as Engine,
    EngineError as EngineError,
    Game as Game,
    GameNode as GameNode,
    GameReader as GameReader,
    IllegalMoveError as IllegalMoveError,
    InvalidMoveError as InvalidMoveError,
    LegalMoves as LegalMoves,
    Move as Move,
    PgnError as PgnError,
    Piece as Piece,
    SquareSet as SquareSet,
    __version__ as __version__,
    count_games as count_games,
    encode_moves as encode_moves,
    evaluate as evaluate,
    evaluate_many as evaluate_many,
    legal_moves_of as legal_moves_of,
    parse_fens as parse_fens,
    parse_pgn as parse_pgn,
    perft as perft,
    perft_divide as perft_divide,
    read_pgn as read_pgn,
)
from skewer._names import adopt as _adopt
from skewer._squares import *  # noqa: F403

_adopt(__name__, globals())
