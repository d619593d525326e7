"""Refuses interpreters in which the compiled part cannot work, with a message that says what to do."""

import sys
from typing import Callable

try:
    from skewer import _skewer as _skewer
except ImportError as error:
    if "subinterpreter" not in str(error):
        raise
    raise ImportError(
        "skewer works in one interpreter of a process, and another one has imported it: "
        "use processes or threads in the place of subinterpreters"
    ) from error

# The compiled part makes a free-threaded Python take its lock, unless a program forbids that.
_has_lock: Callable[[], bool] = getattr(sys, "_is_gil_enabled", lambda: True)
if not _has_lock():
    raise ImportError(
        "skewer needs the global interpreter lock: run Python without -X gil=0 and PYTHON_GIL=0"
    )
