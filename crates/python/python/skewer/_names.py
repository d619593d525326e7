"""The names under which classes, functions and methods are printed, pickled and found by `help`."""

from __future__ import annotations

import sys
from types import BuiltinFunctionType, FunctionType
from typing import Any, Dict, Iterable, Iterator


def adopt(module: str, namespace: Dict[str, Any]) -> None:
    """Names the public package as the module of the classes and functions that its private modules define."""
    for value in list(namespace.values()):
        if isinstance(value, type) and _is_private(value, module):
            parts = [base for base in value.__mro__ if _is_private(base, module)]
            for part in parts:
                _evaluate_annotations(part)
            _adopt_functions(module, (member for part in parts for member in vars(part).values()))
            value.__module__ = module
    _adopt_functions(module, namespace.values())


def _evaluate_annotations(cls: type) -> None:
    """Replaces annotations that are texts by what they mean in the module in which a class was written.

    `typing.get_type_hints`, which libraries for dataclasses use, looks for names in the module that the
    attribute `__module__` of the class gives, and :func:`adopt` changes this attribute.
    """
    names = vars(sys.modules[cls.__module__])
    annotations = vars(cls).get("__annotations__", {})
    for name, text in annotations.items():
        if isinstance(text, str):
            try:
                annotations[name] = eval(text, dict(names))
            except NameError:
                # The name is known to type checkers only.
                pass


def functions_of(member: Any) -> Iterator[FunctionType]:
    """The Python functions in a member of a class: in a method, a class method or a property."""
    for name in ("__func__", "fget", "fset"):
        inner = getattr(member, name, None)
        if isinstance(inner, FunctionType):
            yield inner
    if isinstance(member, FunctionType):
        yield member


def _is_private(value: Any, module: str) -> bool:
    """Whether a class or a function is of a private module of a package, or of a module that is written in Rust."""
    return str(value.__module__).startswith((f"{module}._", "_skewer"))


def _adopt_functions(module: str, values: Iterable[Any]) -> None:
    for value in list(values):
        found = [value] if isinstance(value, BuiltinFunctionType) else functions_of(value)
        for function in found:
            if _is_private(function, module):
                function.__module__ = module
