"""The engine, under the names of ``chess.engine``."""

from skewer._engine import Limit, PlayResult
from skewer._score import Cp, Mate, MateGiven, PovScore, Score
from skewer._skewer import Analysis, Engine, EngineError

__all__ = [
    "Analysis",
    "Cp",
    "Engine",
    "EngineError",
    "Limit",
    "Mate",
    "MateGiven",
    "PlayResult",
    "PovScore",
    "Score",
]
