"""Which questions on a board Rust may answer, when a program has replaced methods.

A subclass may override any rule, and so may an assignment to a class or to one board. Rust knows
nothing of that. So each class and each board knows which of its methods are not the package's own.
An answer that depends on a replaced method is computed in Python, by calls of the same methods as in
python-chess.
"""

from __future__ import annotations

import gc
from abc import ABCMeta
from typing import Any, Dict, FrozenSet, Iterable

# Methods on which every answer of Rust may depend.
RULES = frozenset(
    """
    _attacked_for_king _ep_skewered _from_chess960 _generate_evasions _is_safe _push_capture
    _reduces_castling_rights _remove_piece_at _set_piece_at _slider_blockers _to_chess960
    _transposition_key _valid_ep_square _algebraic _algebraic_and_push _algebraic_without_suffix
    _is_halfmoves attackers_mask attacks_mask board_fen castling_shredder_fen castling_xfen
    checkers_mask clean_castling_rights color_at epd generate_castling_moves generate_legal_captures
    generate_legal_ep generate_legal_moves generate_pseudo_legal_captures generate_pseudo_legal_ep
    generate_pseudo_legal_moves has_insufficient_material has_legal_en_passant
    has_pseudo_legal_en_passant is_attacked_by is_capture is_castling is_check is_checkmate
    is_en_passant is_insufficient_material is_into_check is_irreversible is_kingside_castling
    is_legal is_pseudo_legal is_queenside_castling is_stalemate is_variant_draw is_variant_end
    is_variant_loss is_variant_win is_zeroing king piece_at piece_type_at pieces_mask pin_mask
    was_into_check
    """.split()
)

# Methods that make moves. Answers about the position after a move depend on them as well.
PLAY = frozenset(("push", "pop"))

# Methods by which the end of a game is found.
ENDS = frozenset(
    """
    can_claim_draw can_claim_fifty_moves can_claim_threefold_repetition is_fifty_moves
    is_fivefold_repetition is_repetition is_seventyfive_moves
    """.split()
)

# Methods that set a position up.
SETUP = frozenset(
    """
    _clear_board _reset_board _set_board_fen _set_castling_fen clear clear_board clear_stack reset
    reset_board set_board_fen set_fen
    """.split()
)

HOOKS = RULES | PLAY | ENDS | SETUP

_NONE: FrozenSet[str] = frozenset()
_own: Dict[str, Any] = {}


def flags(replaced: FrozenSet[str]) -> Dict[str, Any]:
    """The attributes of a class or a board that say what Rust may answer."""
    return {
        "_replaced": replaced,
        "_rust": replaced.isdisjoint(RULES),
        "_rust_play": replaced.isdisjoint(RULES | PLAY),
        "_rust_ends": not replaced,
        "_rust_setup": replaced.isdisjoint(RULES | SETUP),
    }


def remember(board: type) -> None:
    """Takes the methods of a class as the package's own."""
    _own.update((name, _found(board, name)) for name in HOOKS)


def _found(cls: type, name: str) -> Any:
    """The attribute of a class as it is written, without binding it."""
    return next((vars(base)[name] for base in cls.__mro__ if name in vars(base)), None)


class Hooked(ABCMeta):
    """The metaclass of boards: it notices methods that are overridden, also after the class was made.

    It is an ABCMeta so that a subclass can also be an abstract class.
    """

    _replaced: FrozenSet[str]
    __instancecheck__ = type.__instancecheck__
    __subclasscheck__ = type.__subclasscheck__

    def __init__(cls, name: str, bases: "tuple[type, ...]", namespace: Dict[str, Any], **more: Any):
        super().__init__(name, bases, namespace, **more)
        cls._note()

    def _note(cls) -> None:
        replaced = _NONE
        if _own and hasattr(cls, "_rust"):
            replaced = frozenset(name for name in HOOKS if _found(cls, name) is not _own[name])
        if hasattr(cls, "_replaced") and replaced == cls._replaced:
            return
        for name, flag in flags(replaced).items():
            type.__setattr__(cls, name, flag)

    def _changed(cls) -> None:
        """Notes a method that was replaced after the class was made, also for the boards that exist already."""
        cls._note_all()
        for found in gc.get_objects():
            if cls in type(found).__mro__ and "_core" in vars(found):
                found._note_hooks()

    def _note_all(cls) -> None:
        cls._note()
        subclasses: Iterable[Any] = type.__subclasses__(cls)
        for subclass in subclasses:
            subclass._note_all()

    def __setattr__(cls, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if name in HOOKS:
            cls._changed()

    def __delattr__(cls, name: str) -> None:
        super().__delattr__(name)
        if name in HOOKS:
            cls._changed()
