"""PGN files: trees of moves, visitors, reading and writing."""

import re

import skewer.chess as chess  # noqa: F401  # Programs read `chess.pgn.chess`.
from skewer._names import adopt
from skewer.chess.pgn._annotations import (
    ARROWS_REGEX as ARROWS_REGEX,
    CLOCK_REGEX as CLOCK_REGEX,
    EMT_REGEX as EMT_REGEX,
    EVAL_REGEX as EVAL_REGEX,
)
from skewer.chess.pgn._builders import (
    LOGGER as LOGGER,
    BoardBuilder as BoardBuilder,
    GameBuilder as GameBuilder,
    HeadersBuilder as HeadersBuilder,
    SkipVisitor as SkipVisitor,
)
from skewer.chess.pgn._export import (
    FileExporter as FileExporter,
    StringExporter as StringExporter,
    StringExporterMixin as StringExporterMixin,
)
from skewer.chess.pgn._headers import (
    TAG_NAME_REGEX as TAG_NAME_REGEX,
    TAG_ROSTER as TAG_ROSTER,
    Headers as Headers,
    HeadersT as HeadersT,
)
from skewer.chess.pgn._nags import *  # noqa: F403
from skewer.chess.pgn._parser import (
    read_game as read_game,
    read_headers as read_headers,
    skip_game as skip_game,
)
from skewer.chess.pgn._time import (
    TimeControl as TimeControl,
    TimeControlPart as TimeControlPart,
    TimeControlType as TimeControlType,
    parse_time_control as parse_time_control,
)
from skewer.chess.pgn._tree import (
    ChildNode as ChildNode,
    Game as Game,
    GameNode as GameNode,
    GameT as GameT,
)
from skewer.chess.pgn._visitor import (
    SKIP as SKIP,
    BaseVisitor as BaseVisitor,
    ResultT as ResultT,
    SkipType as SkipType,
)
from skewer.chess.pgn._walk import Mainline as Mainline, MainlineMapT as MainlineMapT

#: A line with a tag.
TAG_REGEX = re.compile(r"^\[([A-Za-z0-9][A-Za-z0-9_+#=:-]*)\s+\"([^\r]*)\"\s*\]\s*$")

adopt(__name__, globals())
