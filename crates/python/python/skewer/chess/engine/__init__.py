"""Engines in processes of their own, by the Universal Chess Interface.

For the engine of this package in the same process see :class:`skewer.Engine`.
"""

import asyncio
from typing import Any, Literal

import skewer.chess as chess  # noqa: F401  # Programs read `chess.engine.chess`.
from skewer._score import (
    Cp as Cp,
    Mate as Mate,
    MateGiven as MateGiven,
    MateGivenType as MateGivenType,
    PovScore as PovScore,
    Score as Score,
)
from skewer._wdl import PovWdl as PovWdl, Wdl as Wdl
from skewer._names import adopt
from skewer.chess.engine._analysis import AnalysisResult as AnalysisResult
from skewer.chess.engine._info import (
    UCI_REGEX as UCI_REGEX,
    AnalysisComplete as AnalysisComplete,
    BestMove as BestMove,
    EngineError as EngineError,
    EngineTerminatedError as EngineTerminatedError,
    Info as Info,
    InfoDict as InfoDict,
    Limit as Limit,
    Opponent as Opponent,
    PlayResult as PlayResult,
    parse_best_move as _parse_uci_bestmove,
    parse_info as _parse_uci_info,
)
from skewer.chess.engine._options import (
    MANAGED_OPTIONS as MANAGED_OPTIONS,
    ConfigMapping as ConfigMapping,
    ConfigValue as ConfigValue,
    Option as Option,
    UciOptionMap as UciOptionMap,
)
from skewer.chess.engine._protocol import (
    LOGGER as LOGGER,
    MockTransport as MockTransport,
    Protocol as Protocol,
    ProtocolT as ProtocolT,
)
from skewer.chess.engine._simple import (
    SimpleAnalysisResult as SimpleAnalysisResult,
    SimpleEngine as SimpleEngine,
    popen_uci as popen_uci,
    run_in_background as run_in_background,
)
from skewer.chess.engine._uci import UciProtocol as UciProtocol
from skewer.chess.engine._xboard import (
    XBoardProtocol as XBoardProtocol,
    popen_xboard as popen_xboard,
)

WdlModel = Literal["sf", "sf16.1", "sf16", "sf15.1", "sf15", "sf14", "sf12", "lichess"]

INFO_NONE = Info.NONE
INFO_BASIC = Info.BASIC
INFO_SCORE = Info.SCORE
INFO_PV = Info.PV
INFO_REFUTATION = Info.REFUTATION
INFO_CURRLINE = Info.CURRLINE
INFO_ALL = Info.ALL

adopt(__name__, globals())


def __getattr__(name: str) -> Any:
    # Later Pythons warn about policies as soon as one is looked at.
    if name == "EventLoopPolicy":
        return asyncio.DefaultEventLoopPolicy
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
