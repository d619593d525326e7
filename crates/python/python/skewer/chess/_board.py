"""The board: :class:`Board`, with the way to and from :class:`skewer.Board`."""

from __future__ import annotations

import functools
from typing import (
    Any,
    Callable,
    ClassVar,
    Dict,
    List,
    Optional,
    Tuple,
    TypeVar,
    Union,
    cast,
)
from weakref import ref

import skewer
from skewer._outcome import Outcome
from skewer.chess._base import BaseBoard
from skewer.chess import _hooks, _play
from skewer.chess._epd import EpdMixin, Operand
from skewer._names import functions_of
from skewer.chess._position import OWN, Sides, set_attributes, sides_of
from skewer.chess._squares import (
    BB_CORNERS,
    BB_RANKS,
    BB_SQUARES,
    STARTING_FEN,
    Bitboard,
    Color,
    Move,
    Piece,
    PieceType,
    Square,
    flip_vertical,
    mask_of,
    scan_forward,
)
from skewer.chess._stack import _BoardState, states_of
from skewer.chess._status import StatusMixin

BoardT = TypeVar("BoardT", bound="Board")
Method = TypeVar("Method", bound=Callable[..., Any])


def _forgetting(edit: Method) -> Method:
    """A method of Board that calls the method of BaseBoard and forgets the moves."""

    @functools.wraps(edit)
    def edit_and_forget(self: Any, *arguments: Any, **named: Any) -> Any:
        result = edit(self, *arguments, **named)
        self.clear_stack()
        return result

    return cast(Method, edit_and_forget)


class Board(EpdMixin, StatusMixin):
    """A position with the moves that led to it, which may break the rules of chess.

    Without an argument the start position; with None an empty board. In Chess960 castling is the king
    taking its own rook. While the position is valid, moves come from a :class:`skewer.Board`.

    >>> from skewer import chess
    >>> board = chess.Board()
    >>> board.push_san("e4")
    Move.from_uci('e2e4')
    >>> board.legal_moves.count()
    20
    """

    aliases: ClassVar[List[str]] = [
        "Standard", "Chess", "Classical", "Normal", "Illegal", "From Position",
    ]  # fmt: skip
    uci_variant: ClassVar[Optional[str]] = "chess"
    xboard_variant: ClassVar[Optional[str]] = "normal"
    starting_fen: ClassVar[str] = STARTING_FEN
    tbw_suffix: ClassVar[Optional[str]] = ".rtbw"
    tbz_suffix: ClassVar[Optional[str]] = ".rtbz"
    tbw_magic: ClassVar[Optional[bytes]] = b"\x71\xe8\x23\x5d"
    tbz_magic: ClassVar[Optional[bytes]] = b"\xd7\x66\x0c\xa5"
    pawnless_tbw_suffix: ClassVar[Optional[str]] = None
    pawnless_tbz_suffix: ClassVar[Optional[str]] = None
    pawnless_tbw_magic: ClassVar[Optional[bytes]] = None
    pawnless_tbz_magic: ClassVar[Optional[bytes]] = None
    connected_kings: ClassVar[bool] = False
    one_king: ClassVar[bool] = True
    captures_compulsory: ClassVar[bool] = False

    def __init__(self, fen: Optional[str] = STARTING_FEN, *, chess960: bool = False) -> None:
        if self._rust_setup and fen == STARTING_FEN:
            self._start(_START.copy() if not chess960 else skewer.Board(chess960=True), chess960, _KNOWN)
            return
        self._start(None, chess960)
        if fen is not None and fen != type(self).starting_fen:
            self.set_fen(fen)
        elif fen is not None:
            self.reset()
        elif not self._rust_setup:
            self.clear()

    @classmethod
    def empty(cls: "type[BoardT]", *, chess960: bool = False) -> BoardT:
        """A board without pieces."""
        return cls(None, chess960=chess960)

    @classmethod
    def from_epd(
        cls: "type[BoardT]", epd: str, *, chess960: bool = False
    ) -> Tuple[BoardT, Dict[str, Operand]]:
        """A board and the operations of an EPD."""
        new = cls(None, chess960=chess960)
        return new, new.set_epd(epd)

    @classmethod
    def from_chess960_pos(cls: "type[BoardT]", scharnagl: int) -> BoardT:
        """A start position of Chess960, by its number from 0 to 959."""
        start = cls(None, chess960=True)
        start.set_chess960_pos(scharnagl)
        return start

    # To and from the board with legal positions only.

    @classmethod
    def from_skewer(cls: "type[BoardT]", board: skewer.Board) -> BoardT:
        """A board with the position and the moves of a :class:`skewer.Board`."""
        moves = board._move_stack()
        core = board.copy()
        new = cls(None)
        if any(move.promotion for move in moves):
            # A board in Rust does not know which pieces were pawns.
            new._start(core.root())
            for move in moves:
                new.push(move)
        else:
            new._start(core.copy(stack=False))
            new.__dict__["_core"], new.move_stack = core, moves
        return new

    def to_skewer(self) -> skewer.Board:
        """The position as a :class:`skewer.Board`, for everything that :mod:`skewer` offers.

        Its stack has the last moves of this stack, as far back as all of them are legal. Raises ValueError if the
        position breaks the rules.
        """
        core = self._core or self._fast()
        if core is None:
            raise ValueError(f"not a legal position: {self.fen()}: {self.status()!r}")
        return core.copy()

    def _set_fast(self, fen: str) -> bool:
        """Sets up the position of a FEN if Rust understands it in exactly the same way."""
        if not self._rust_setup:
            return False
        try:
            core = skewer.Board(fen, chess960=self.chess960)
        except (ValueError, TypeError):
            return False
        if core.fen(en_passant="fen") != fen:
            return False
        if core.ep_square is not None:
            other = type(self).__new__(type(self))
            Board._start(other, core)
            if other._valid_ep_square() is None:
                return False
        self._start(core)
        return True

    # Setting up.

    def reset(self) -> None:
        """Sets up the start position, and forgets the moves."""
        self._begin(STARTING_FEN)
        if self._core is None or not self._rust_setup:
            self.reset_board()

    def clear(self) -> None:
        """Removes pieces and moves; White is to move."""
        self._begin(None)
        self.clear_board()

    def _begin(self, fen: Optional[str]) -> None:
        """Sets up the start position or an empty one without calling methods that a program may have replaced."""
        chess960 = self.chess960
        core = skewer.Board(chess960=chess960) if fen is not None and self._rust else None
        self._start(core, chess960)
        if core is None and fen is not None:
            self.castling_rights = BB_CORNERS

    # As on a BaseBoard, and the moves are forgotten.
    reset_board = _forgetting(BaseBoard.reset_board)
    clear_board = _forgetting(BaseBoard.clear_board)
    remove_piece_at = _forgetting(BaseBoard.remove_piece_at)
    set_piece_at = _forgetting(BaseBoard.set_piece_at)
    set_board_fen = _forgetting(BaseBoard.set_board_fen)
    set_piece_map = _forgetting(BaseBoard.set_piece_map)

    def _set_chess960_pos(self, scharnagl: int) -> None:
        super()._set_chess960_pos(scharnagl)
        self.chess960 = True
        self.turn, self.castling_rights, self.ep_square = True, self.rooks, None
        self.halfmove_clock, self.fullmove_number = 0, 1

    set_chess960_pos = _forgetting(BaseBoard.set_chess960_pos)

    def chess960_pos(
        self,
        *,
        ignore_turn: bool = False,
        ignore_castling: bool = False,
        ignore_counters: bool = True,
    ) -> Optional[int]:
        """The number of the start position of Chess960 on the board, or None."""
        if not ignore_turn and not self.turn:
            return None
        if not ignore_castling and self.clean_castling_rights() != self.rooks:
            return None
        counters = (self.halfmove_clock, self.fullmove_number)
        if self.ep_square is not None or not ignore_counters and counters != (0, 1):
            return None
        return super().chess960_pos()

    # Looking: by Rust where it has the position.

    _piece_any = BaseBoard.piece_at
    _piece_type_any = BaseBoard.piece_type_at

    def piece_map(self, *, mask: Bitboard = 2**64 - 1) -> Dict[Square, Piece]:
        """The pieces by square."""
        core = self._core
        if core is None:
            return super().piece_map(mask=mask)
        return core._piece_map(mask_of(mask))

    def attacks_mask(self, square: Square) -> Bitboard:
        """The squares that the piece on a square attacks, as a mask."""
        core = self._core
        if core is None or not BB_SQUARES[square]:
            return BaseBoard.attacks_mask(self, square)
        return core.attacks_mask(square & 63)

    def attackers_mask(
        self, color: Color, square: Square, occupied: Optional[Bitboard] = None
    ) -> Bitboard:
        """The pieces of a side that attack a square; `occupied` replaces the squares in the way."""
        core = self._core
        if core is None or not BB_SQUARES[square]:
            return super().attackers_mask(color, square, occupied)
        return core.attackers_mask(color, square & 63, occupied)

    def outcome(self, *, claim_draw: bool = False) -> Optional[Outcome]:
        """How the game ended, or None while it goes on; with `claim_draw`, also by a claim."""
        core = self._core
        # Rust may not know all moves of the stack.
        if core is None or self._saved or self._base or not self._rust_ends:
            return super().outcome(claim_draw=claim_draw)
        return core.outcome(claim_draw=claim_draw)

    def board_fen(self, *, promoted: Optional[bool] = False) -> str:
        """The first field of the FEN; with `promoted`, promoted pieces are marked by a tilde."""
        core = self._core
        return super().board_fen(promoted=promoted) if core is None or promoted else core.board_fen()

    def has_castling_rights(self, color: Color) -> bool:
        """Whether a side may still castle."""
        return bool(self.clean_castling_rights() & BB_RANKS[0 if color else 7])

    def _has_wing(self, color: Color, right: bool) -> bool:
        """Whether a rook on one side of the king may castle."""
        rank = BB_RANKS[0 if color else 7]
        kings = self.kings & self.occupied_co[color] & rank & ~self.promoted
        rooks = self.clean_castling_rights() & rank
        return bool(kings) and any((1 << rook > kings) == right for rook in scan_forward(rooks))

    def has_kingside_castling_rights(self, color: Color) -> bool:
        """Whether a side may still castle towards the h file."""
        return self._has_wing(color, right=True)

    def has_queenside_castling_rights(self, color: Color) -> bool:
        """Whether a side may still castle towards the a file."""
        return self._has_wing(color, right=False)

    def has_chess960_castling_rights(self) -> bool:
        """Whether there is a castling right that only Chess960 has."""
        probe = self.copy(stack=False)
        probe.chess960 = True
        rights = probe.clean_castling_rights()
        probe.chess960 = False
        return bool(rights & ~probe.clean_castling_rights())

    def ply(self) -> int:
        """Plies since the start of the game, by the move number and the turn."""
        return 2 * (self.fullmove_number - 1) + (not self.turn)

    # Copies, comparison and symmetry.

    def root(self: BoardT) -> BoardT:
        """A copy with the position before the first move of the stack."""
        board = self.copy()
        while board.move_stack:
            board.pop()
        return board

    @property
    def _stack(self) -> List[_BoardState]:
        """The positions before each move of the stack, as a new list."""
        return states_of(self)

    def copy(self: BoardT, *, stack: Union[bool, int] = True) -> BoardT:
        """A copy, with the stack, with its last moves only (an integer), or without it (False)."""
        cls, mine = type(self), self.__dict__
        moves, core, base = mine["move_stack"], mine["_core"], mine["_base"]
        cut = 0 if stack is True else _left_out(stack, len(moves))
        if cls is Board or cls.__init__ is Board.__init__:
            board, own = cls.__new__(cls), mine.copy()
            if len(own) > len(OWN):
                for name in mine.keys() - OWN:
                    del own[name]
            set_attributes(board, own)
        else:
            # As in python-chess, a subclass makes an empty board.
            board = cls(None)
            own = board.__dict__
            own.update((name, mine[name]) for name in OWN)
        # As `sides_of` does; a call would take longer than its work.
        own["occupied_co"] = sides = Sides(mine["occupied_co"])
        sides.board = ref(board)
        own["move_stack"] = moves[cut:]
        if own["_saved"]:
            own["_saved"] = _kept(own["_saved"], cut)
        if own["_promotions"]:
            own["_promotions"] = [(at - cut, mask) for at, mask in own["_promotions"] if at >= cut]
        if core is not None:
            own["_core"] = core._copy(len(moves) - (cut if cut > base else base))
            own["_base"] = base - cut if base > cut else 0
            if not board._rust:
                board._loosen()
        return board

    def __repr__(self) -> str:
        mode = ", chess960=True" if self.chess960 else ""
        return f"{type(self).__name__}({self.fen()!r}{mode})"

    def _repr_svg_(self) -> str:
        from skewer.chess import svg

        check = self.king(self.turn) if self.is_check() else None
        last = self.peek() if self.move_stack else None
        return svg.board(board=self, size=390, lastmove=last, check=check)

    def __eq__(self, board: object) -> bool:
        if not isinstance(board, Board):
            return NotImplemented if not isinstance(board, BaseBoard) else super().__eq__(board)
        return (
            self._transposition_key() == board._transposition_key()
            and self.halfmove_clock == board.halfmove_clock
            and self.fullmove_number == board.fullmove_number
            and self.uci_variant == board.uci_variant
        )

    __hash__ = None  # type: ignore[assignment]

    def apply_transform(self, f: Callable[[Bitboard], Bitboard]) -> None:
        """Applies a function on masks to pieces, castling rights and en passant square."""
        super().apply_transform(f)
        self.clear_stack()
        if self.ep_square is not None:
            self.ep_square = f(1 << self.ep_square).bit_length() - 1
        self.castling_rights = f(self.castling_rights)

    def transform(self: BoardT, f: Callable[[Bitboard], Bitboard]) -> BoardT:
        """A copy without moves to which a function on masks was applied."""
        changed = self.copy(stack=False)
        changed.apply_transform(f)
        return changed

    def apply_mirror(self) -> None:
        """Exchanges the sides: the board upside down, colours and turn swapped."""
        super().apply_mirror()
        self.castling_rights = flip_vertical(self.castling_rights)
        if self.ep_square is not None:
            self.ep_square ^= 56
        self.turn = not self.turn
        self.clear_stack()

    def mirror(self: BoardT) -> BoardT:
        """A copy with the sides exchanged."""
        turned = self.copy(stack=False)
        turned.apply_mirror()
        return turned

    def __reduce_ex__(self, protocol: Any) -> Any:
        core, own = self._core, self.__dict__
        plain = core is not None and len(own) == len(OWN) and not self.promoted
        if plain and not self._saved and not self._base and not self._promotions:
            return _thaw, (type(self), *core.__reduce__()[1])
        return _new, (type(self),), own.copy()

    def __setstate__(self, state: Dict[str, Any]) -> None:
        own = self.__dict__
        own.update(state)
        own["occupied_co"] = sides_of(self, own["occupied_co"])


# The methods in Rust come before the methods of BaseBoard.
for _name in ("push", "pop", "piece_at", "piece_type_at"):
    type.__setattr__(Board, _name, vars(_play.Board)[_name])
_hooks.remember(Board)

# The start position: a board in Rust and the attributes, to be copied.
_START, _KNOWN = skewer.Board(), {}
_first = Board.__new__(Board)
_first._start(_START)
_KNOWN.update(_first.__dict__)

# Every method is a method of Board itself, as in python-chess, also a method that another file of the package defines.
for _part in Board.__mro__:
    if _part.__module__.startswith("skewer.") and _part is not BaseBoard:
        for _name, _method in list(vars(_part).items()):
            for _written in functions_of(_method):
                if _written not in vars(BaseBoard).values():
                    _written.__qualname__ = f"Board.{_name}"
            if not _name.startswith("__"):
                type.__setattr__(Board, _name, vars(Board).get(_name, _method))


def _new(cls: "type[BoardT]") -> BoardT:
    return cls.__new__(cls)


def _thaw(cls: "type[BoardT]", fen: str, chess960: bool, moves: List[int]) -> BoardT:
    """A board of which Rust knows everything."""
    board, core = cls.__new__(cls), skewer.Board._restore(fen, chess960, moves)
    board._start(None, chess960)
    own = board.__dict__
    core._show(own)
    own["_core"], own["move_stack"] = core, core._move_stack()
    return board


def _left_out(stack: int, height: int) -> int:
    """How many of the first moves a copy with `stack` moves leaves out, of `height` moves."""
    if stack is False:
        return height
    # A negative number leaves out that many moves at the beginning, as a slice of the list does.
    return min(max(height - stack if stack >= 0 else -stack, 0), height)


def _kept(saved: Dict[int, Any], cut: int) -> Dict[int, Any]:
    """A copy of what a board has saved for the moves of its stack, without the first `cut` moves."""
    kept: Dict[int, Any] = {}
    for height, entry in saved.items():
        if height > cut:
            own = (entry[0].copy(), max(0, entry[1] - cut)) if len(entry) == 2 else entry
            kept[height - cut] = own
    return kept


__all__ = ["Board", "BaseBoard", "Move"]
