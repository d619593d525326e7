"""The Universal Chess Interface: :class:`UciProtocol`."""

from __future__ import annotations

import asyncio
from typing import Any, Dict, Iterable, List, Optional, Tuple, Union, overload

from skewer.chess._board import Board
from skewer.chess._squares import STARTING_FEN, Color, Move
from skewer.chess.engine._analysis import AnalysisResult
from skewer.chess.engine._info import (
    MOST_LINES,
    BestMove,
    EngineError,
    Info,
    InfoDict,
    Limit,
    Opponent,
    PlayResult,
    parse_best_move,
    parse_info,
)
from skewer.chess.engine._options import (
    ConfigMapping,
    ConfigValue,
    UciOptionMap,
    parse_option,
)
from skewer.chess.engine._protocol import LOGGER, Protocol

# No game yet: the first search begins one.
_NO_GAME = object()


class _Search:
    """A search that the engine has not ended yet."""

    def __init__(self, board: Board, wanted: Info) -> None:
        self.board = board
        self.wanted = wanted
        self.info: InfoDict = {}
        self.result: Optional[AnalysisResult] = None
        self.stopped = False
        # The position of a search of the expected answer.
        self.pondering: Optional[Tuple[str, List[Move]]] = None
        self.best: "asyncio.Future[Any]"


class UciProtocol(Protocol):
    """An engine that speaks UCI."""

    def __init__(self) -> None:
        super().__init__()
        # The values of options: the present ones of the engine, and those that `configure` has set.
        self.config: "UciOptionMap[ConfigValue]" = UciOptionMap()
        self.target_config: "UciOptionMap[ConfigValue]" = UciOptionMap()
        self.game: object = _NO_GAME
        self.opponent: Optional[Opponent] = None
        self._told: Optional[Opponent] = None
        self._search: Optional[_Search] = None

    # Before searches.

    async def initialize(self) -> None:
        """Greets the engine and learns its options."""
        async with self._lock:
            self._check_alive()
            if self.initialized:
                raise EngineError("the engine was initialized before")
            future = self._future()
            self.send_line("uci")
            await self._wait_for(future, self._greeting)
            self.initialized = True
            self._listener = self._searching

    def _greeting(self, line: str) -> bool:
        word, _, rest = line.strip().partition(" ")
        if word == "id":
            key, _, value = rest.partition(" ")
            self.id[key] = value.strip()
        elif word == "option":
            option = parse_option(rest.strip())
            self.options[option.name] = option
            if option.default is not None:
                self.config[option.name] = option.default
        return word == "uciok"

    async def ping(self) -> None:
        """Waits until the engine answers."""
        async with self._lock:
            self._check_initialized()
            await self._ready()

    async def _ready(self) -> None:
        future = self._future()
        self.send_line("isready")

        def answered(line: str) -> bool:
            # A search may go on meanwhile.
            self._searching(line)
            return line.strip() == "readyok"

        try:
            await self._wait_for(future, answered)
        finally:
            self._listener = self._searching

    def debug(self, on: bool = True) -> None:
        """Turns the engine's mode for finding faults on or off."""
        self.send_line("debug on" if on else "debug off")

    def _set_option(self, name: str, value: ConfigValue) -> None:
        """Sets an option if it has another value."""
        option = self.options.get(name)
        if option is None:
            raise EngineError(f"the engine has no option {name}: its options are {', '.join(self.options)}")
        parsed = option.parse(value)
        if option.type == "button":
            self.send_line(f"setoption name {option.name}")
        elif self.config.get(name) != parsed:
            text = str(parsed).lower() if isinstance(parsed, bool) else str(parsed)
            self.send_line(f"setoption name {option.name} value {text or '<empty>'}")
            self.config[name] = parsed

    async def configure(self, options: ConfigMapping) -> None:
        """Sets options. They keep their values until they are set again."""
        async with self._lock:
            self._check_initialized()
            await self._end_search()
            for name, value in options.items():
                option = self.options.get(name)
                if option is not None and option.is_managed():
                    raise EngineError(f"searches set the option {name} themselves")
                self._set_option(name, value)
                self.target_config[name] = value

    def _apply(self, options: ConfigMapping, managed: Dict[str, ConfigValue]) -> None:
        """Sets the options of a search, and takes back the options of the search before.

        In the order of python-chess, which programs' tests compare: the options that a search sets itself, its
        arguments, and the rest.
        """
        for name in options:
            if name in self.options and self.options[name].is_managed():
                raise EngineError(f"searches set the option {name} themselves")
        wanted: "UciOptionMap[ConfigValue]" = UciOptionMap(options)
        kept: "UciOptionMap[ConfigValue]" = UciOptionMap(
            {name: option.default for name, option in self.options.items() if option.type != "button"}
        )
        # The opponent belongs to a game, not to a search.
        kept.pop("UCI_Opponent", None)
        kept.update(self.target_config)
        for name, value in managed.items():
            if name in self.options and name not in wanted and name not in self.target_config:
                self._set_option(name, value)
                kept.pop(name, None)
        for name, value in kept.items():
            managed_later = name in self.options and self.options[name].is_managed()
            if not managed_later and (name not in self.options or self.options[name].type != "button"):
                wanted.setdefault(name, value)
        for name, value in wanted.items():
            if name not in self.options or self.options[name].type != "button":
                self._set_option(name, value)

    async def send_opponent_information(
        self, *, opponent: Optional[Opponent] = None, engine_rating: Optional[int] = None
    ) -> None:
        """Tells the engine its opponent, from the next game on."""
        self.opponent = opponent
        self._opponent_text(opponent)

    def _opponent_text(self, opponent: Optional[Opponent]) -> str:
        """The value of the option UCI_Opponent; empty without one."""
        if opponent is None:
            return ""
        rating = "none" if opponent.rating is None else str(opponent.rating)
        kind = "computer" if opponent.is_engine else "human"
        text = " ".join([opponent.title or "none", rating, kind, opponent.name or "(unknown)"])
        if "\n" in text or "\r" in text:
            raise EngineError(f"a line break in the name of the opponent: {text!r}")
        return text

    async def _new_game(self, game: object, opponent: Optional[Opponent]) -> None:
        """Announces a game, unless it and the opponent are the same as before."""
        if self.game is not _NO_GAME and game == self.game and opponent == self._told:
            return
        self.game, self._told = game, opponent
        self.send_line("ucinewgame")
        if "UCI_Opponent" in self.options:
            self._set_option("UCI_Opponent", self._opponent_text(opponent))
        await self._ready()

    # Searches.

    def _searching(self, line: str) -> None:
        """Handles a line during a search or after it."""
        search = self._search
        word, _, rest = line.strip().partition(" ")
        if search is None:
            if word not in ("info", "readyok", ""):
                LOGGER.warning("%s: unexpected line: %r", self, line)
        elif word == "info":
            # Spaces at the end of a text belong to it.
            said = parse_info(line.lstrip().partition(" ")[2], search.board, search.wanted)
            if said.get("multipv", 1) > MOST_LINES:
                LOGGER.warning("%s: no search has so many lines: %.200r", self, line)
            elif search.result is not None:
                search.result.post(said)
            else:
                search.info.update(said)
        elif word == "bestmove":
            self._found(search, rest)

    def _found(self, search: _Search, rest: str) -> None:
        """The engine has ended a search."""
        self._search = None
        if search.best.done():
            return
        try:
            best = parse_best_move(search.board, rest)
        except EngineError as error:
            # If nothing awaits the move, the error has no effect.
            search.best.set_exception(error)
            return
        search.best.set_result(best)

    async def _end_search(self) -> None:
        """Ends a search that goes on, and waits until the engine has."""
        search = self._search
        if search is not None:
            self._stop(search)
            try:
                await asyncio.shield(search.best)
            except EngineError as error:
                self._check_alive()
                LOGGER.warning("%s: %s", self, error)

    def _stop(self, search: _Search) -> None:
        if self._search is search and not search.stopped:
            search.stopped = True
            self.send_line("stop")

    def _position(self, board: Board) -> Tuple[str, List[Move]]:
        """The position from which the moves on a stack lead to a board, and the moves."""
        root = board.copy()
        moves: List[Move] = []
        # The protocol has no null moves.
        while root.move_stack and root.move_stack[-1]:
            moves.append(root.pop())
        root.clear_stack()
        moves.reverse()
        return root.fen(shredder=board.chess960, en_passant="fen"), moves

    def _send_position(self, board: Board) -> None:
        for name, value in (("UCI_Variant", "chess"), ("UCI_Chess960", board.chess960)):
            if name in self.options or value is True:
                self._set_option(name, value)
        fen, moves = self._position(board)
        text = "startpos" if fen == STARTING_FEN else f"fen {fen}"
        if moves:
            text += " moves " + " ".join(move.uci() for move in moves)
        self.send_line(f"position {text}")

    def _go(
        self,
        board: Board,
        limit: Optional[Limit],
        root_moves: Optional[Iterable[Move]],
        wanted: Info,
        ponder: bool = False,
    ) -> _Search:
        """Begins a search."""
        words = ["go", "ponder"] if ponder else ["go"]
        words += ["infinite"] if limit is None else limit_words(limit)
        if root_moves is not None:
            # Without a move, the engine would search all moves.
            words += ["searchmoves", *([board.uci(move) for move in root_moves] or ["0000"])]
        self._send_position(board)
        # From here on nothing fails but the engine: a search that was never asked for would be waited for without end.
        search = _Search(board.copy(stack=False), wanted)
        search.best = self._future()
        self._search = search
        self.send_line(" ".join(words))
        return search

    def _check_variant(self, board: Board) -> None:
        if board.uci_variant != "chess":
            raise EngineError(f"only standard chess and Chess960, not {board.uci_variant}")

    async def play(
        self,
        board: Board,
        limit: Limit,
        *,
        game: object = None,
        info: Info = Info.NONE,
        ponder: bool = False,
        draw_offered: bool = False,
        root_moves: Optional[Iterable[Move]] = None,
        options: ConfigMapping = {},
        opponent: Optional[Opponent] = None,
    ) -> PlayResult:
        """Finds a move; with `ponder`, the engine goes on with the answer that it expects."""
        async with self._lock:
            self._check_initialized()
            against = self.opponent if opponent is None else opponent
            self._opponent_text(against)
            moves = None if root_moves is None else list(root_moves)
            self._check_variant(board)
            managed: Dict[str, ConfigValue] = {"UCI_AnalyseMode": False, "Ponder": ponder, "MultiPV": 1}
            search = self._hit(board, moves, game, against, options, managed)
            if search is None:
                await self._end_search()
                self._apply(options, managed)
                await self._new_game(game, against)
                search = self._go(board, limit, moves, info)
            else:
                search.wanted, search.pondering = info, None
                self.send_line("ponderhit")
            best = await self._best(search)
            if ponder and best.move and best.ponder:
                self._ponder(board, best, limit, info)
            return PlayResult(best.move, best.ponder, search.info)

    async def _best(self, search: _Search) -> BestMove:
        """Waits for the end of a search; ends it if the caller gives up."""
        try:
            best: BestMove = await asyncio.shield(search.best)
        except asyncio.CancelledError:
            if not self.returncode.done():
                self._stop(search)
            raise
        return best

    def _hit(
        self,
        board: Board,
        root_moves: Optional[List[Move]],
        game: object,
        opponent: Optional[Opponent],
        options: ConfigMapping,
        managed: Dict[str, ConfigValue],
    ) -> Optional[_Search]:
        """The search of the expected answer, if that was played and nothing else has changed."""
        search = self._search
        if search is None or search.pondering is None or root_moves is not None:
            return None
        if search.pondering != self._position(board) or (game, opponent) != (self.game, self._told):
            return None
        defaults = {name: option.default for name, option in self.options.items()}
        wanted: "UciOptionMap[ConfigValue]" = UciOptionMap(defaults)
        for values in (managed, self.target_config, options):
            wanted.update({name: value for name, value in values.items() if name in self.options})
        wanted.pop("UCI_Opponent", None)
        same = all(
            self.options[name].type == "button"
            or self.options[name].parse(value) == self.config.get(name)
            for name, value in wanted.items()
        )
        return search if same else None

    def _ponder(self, board: Board, best: BestMove, limit: Limit, info: Info) -> None:
        """Begins to search the position after the expected answer."""
        after = board.copy()
        assert best.move is not None and best.ponder is not None
        after.push(best.move)
        after.push(best.ponder)
        if not after.is_game_over():
            search = self._go(after, limit, None, info, ponder=True)
            search.pondering = self._position(after)

    async def analysis(
        self,
        board: Board,
        limit: Optional[Limit] = None,
        *,
        multipv: Optional[int] = None,
        game: object = None,
        info: Info = Info.ALL,
        root_moves: Optional[Iterable[Move]] = None,
        options: ConfigMapping = {},
    ) -> AnalysisResult:
        """Starts a search, without end unless there is a limit."""
        async with self._lock:
            self._check_initialized()
            lines = 1 if multipv is None else int(multipv)
            self._check_variant(board)
            if lines > 1 and "MultiPV" not in self.options:
                raise EngineError("the engine has no option MultiPV")
            managed: Dict[str, ConfigValue] = {"Ponder": False, "UCI_AnalyseMode": True, "MultiPV": lines}
            await self._end_search()
            self._apply(options, managed)
            await self._new_game(game, self.opponent)
            search = self._go(board, limit, root_moves, info)
            result = AnalysisResult(stop=lambda: self._stop(search))
            search.result = result
            search.best.add_done_callback(lambda done: _finish(result, done))
            return result

    @overload
    async def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: None = None,
        game: object = None,
        info: Info = Info.ALL,
        root_moves: Optional[Iterable[Move]] = None,
        options: ConfigMapping = {},
    ) -> InfoDict: ...

    @overload
    async def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: int,
        game: object = None,
        info: Info = Info.ALL,
        root_moves: Optional[Iterable[Move]] = None,
        options: ConfigMapping = {},
    ) -> List[InfoDict]: ...

    async def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: Optional[int] = None,
        game: object = None,
        info: Info = Info.ALL,
        root_moves: Optional[Iterable[Move]] = None,
        options: ConfigMapping = {},
    ) -> Union[List[InfoDict], InfoDict]:
        """Searches, and returns the information about the best line; with `multipv`, about several lines."""
        search = await self.analysis(
            board, limit, multipv=multipv, game=game, info=info, root_moves=root_moves,
            options=options,
        )  # fmt: skip
        with search:
            await search.wait()
        return search.info if multipv is None else search.multipv

    async def send_game_result(
        self,
        board: Board,
        winner: Optional[Color] = None,
        game_ending: Optional[str] = None,
        game_complete: bool = True,
    ) -> None:
        """Does nothing, because UCI has no command for it."""

    async def quit(self) -> None:
        """Asks the engine to end, and waits until it has."""
        self.send_line("quit")
        await asyncio.shield(self.returncode)


def _finish(result: AnalysisResult, best: "asyncio.Future[Any]") -> None:
    if best.cancelled():
        result.set_exception(EngineError("the search was cancelled"))
    elif best.exception() is not None:
        result.set_exception(best.exception())  # type: ignore[arg-type]
    else:
        result.set_finished(best.result())


def limit_words(limit: Limit) -> List[str]:
    """The words of ``go`` for a limit."""

    def milliseconds(seconds: Optional[float], least: int) -> Optional[int]:
        return None if seconds is None else max(least, round(1000 * seconds))

    def at_least_one(number: Optional[int]) -> Optional[int]:
        return None if number is None else max(1, int(number))

    values = {
        "wtime": milliseconds(limit.white_clock, 1),
        "btime": milliseconds(limit.black_clock, 1),
        "winc": milliseconds(limit.white_inc, 0),
        "binc": milliseconds(limit.black_inc, 0),
        "movestogo": limit.remaining_moves or None,
        "depth": at_least_one(limit.depth),
        "nodes": at_least_one(limit.nodes),
        "mate": at_least_one(limit.mate),
        "movetime": milliseconds(limit.time, 1),
    }
    return [
        word
        for name, value in values.items()
        if value is not None
        for word in (name, str(int(value)))
    ]
