"""The names under which classes are printed and pickled."""

from __future__ import annotations

from typing import Any, Dict


def name_classes(module: str, namespace: Dict[str, Any]) -> None:
    """Makes the classes of a package's private modules classes of the package, as they are in python-chess."""
    for value in namespace.values():
        if isinstance(value, type) and value.__module__.startswith(f"{module}._"):
            value.__module__ = module
