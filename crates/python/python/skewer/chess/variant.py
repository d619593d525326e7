"""The names of other kinds of chess, for programs that ask about them.

Skewer has the rules of standard chess and Chess960. The classes here can be looked up and asked about by
`isinstance`; making a board of one raises NotImplementedError.
"""

from __future__ import annotations

from typing import Any, ClassVar, List, Optional, Type

import skewer.chess as chess  # noqa: F401  # Programs read `chess.variant.chess`.
from skewer.chess._board import Board


class _Missing(Board):
    """A variant of chess that the package does not support."""

    tbw_suffix: ClassVar[Optional[str]] = None
    tbz_suffix: ClassVar[Optional[str]] = None
    tbw_magic: ClassVar[Optional[bytes]] = None
    tbz_magic: ClassVar[Optional[bytes]] = None

    def __init__(self, fen: Optional[str] = None, **named: Any) -> None:
        name = self.aliases[0]
        raise NotImplementedError(f"skewer has no rules of {name}: only standard chess and Chess960")


class SuicideBoard(_Missing):
    captures_compulsory: ClassVar[bool] = True
    connected_kings: ClassVar[bool] = True
    one_king: ClassVar[bool] = False
    aliases: ClassVar[List[str]] = ["Suicide", "Suicide chess"]
    uci_variant: ClassVar[Optional[str]] = "suicide"
    xboard_variant: ClassVar[Optional[str]] = "suicide"


class GiveawayBoard(SuicideBoard):
    aliases: ClassVar[List[str]] = ["Giveaway", "Giveaway chess", "Give away", "Give away chess"]
    uci_variant: ClassVar[Optional[str]] = "giveaway"
    xboard_variant: ClassVar[Optional[str]] = "giveaway"


class AntichessBoard(GiveawayBoard):
    starting_fen: ClassVar[str] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"
    aliases: ClassVar[List[str]] = ["Antichess", "Anti chess", "Anti"]
    uci_variant: ClassVar[Optional[str]] = "antichess"


class AtomicBoard(_Missing):
    connected_kings: ClassVar[bool] = True
    aliases: ClassVar[List[str]] = ["Atomic", "Atom", "Atomic chess"]
    uci_variant: ClassVar[Optional[str]] = "atomic"
    xboard_variant: ClassVar[Optional[str]] = "atomic"


class KingOfTheHillBoard(_Missing):
    aliases: ClassVar[List[str]] = ["King of the Hill", "KOTH", "kingOfTheHill"]
    uci_variant: ClassVar[Optional[str]] = "kingofthehill"
    xboard_variant: ClassVar[Optional[str]] = "kingofthehill"


class RacingKingsBoard(_Missing):
    starting_fen: ClassVar[str] = "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1"
    aliases: ClassVar[List[str]] = ["Racing Kings", "Racing", "Race", "racingkings"]
    uci_variant: ClassVar[Optional[str]] = "racingkings"
    xboard_variant: ClassVar[Optional[str]] = "racingkings"


class HordeBoard(_Missing):
    starting_fen: ClassVar[str] = (
        "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1"
    )
    aliases: ClassVar[List[str]] = ["Horde", "Horde chess"]
    uci_variant: ClassVar[Optional[str]] = "horde"
    xboard_variant: ClassVar[Optional[str]] = "horde"


class ThreeCheckBoard(_Missing):
    starting_fen: ClassVar[str] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1"
    aliases: ClassVar[List[str]] = ["Three-check", "Three check", "Threecheck", "Three check chess",
                                   "3-check", "3 check", "3check"]  # fmt: skip
    uci_variant: ClassVar[Optional[str]] = "3check"
    xboard_variant: ClassVar[Optional[str]] = "3check"


class CrazyhouseBoard(_Missing):
    starting_fen: ClassVar[str] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1"
    aliases: ClassVar[List[str]] = ["Crazyhouse", "Crazy House", "House", "ZH"]
    uci_variant: ClassVar[Optional[str]] = "crazyhouse"
    xboard_variant: ClassVar[Optional[str]] = "crazyhouse"


VARIANTS: List[Type[Board]] = [
    Board, SuicideBoard, GiveawayBoard, AntichessBoard, AtomicBoard, KingOfTheHillBoard,
    RacingKingsBoard, HordeBoard, ThreeCheckBoard, CrazyhouseBoard,
]  # fmt: skip

_CHESS960 = ("chess960", "chess 960", "fischerandom", "fischerrandom")


def find_variant(name: str) -> Type[Board]:
    """The class of a kind of chess, by one of its names. Raises ValueError for any other text."""
    wanted = name.lower()
    if wanted in _CHESS960:
        return Board
    for variant in VARIANTS:
        if wanted in (alias.lower() for alias in variant.aliases):
            return variant
    raise ValueError(f"unsupported variant: {name}")
