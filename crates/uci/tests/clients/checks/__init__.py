"""The checks of `run.py`, by subject. A check is a function that takes the context; it raises if
something is wrong, and `Skip` if a program or file that it needs is missing. Its docstring says what it
checks."""
