"""The checks of `run.py`, by subject. A check is a function that takes the context; it raises if
something is wrong, and `Skip` if what it needs is not there. The first line of its docstring says what it
checks."""
