"""Subinterpreters and Pythons without a lock are refused with a sentence."""

import subprocess
import sys

SUBINTERPRETER = """
import skewer
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
other = interpreters.create()
script = '''
try:
    import skewer
except ImportError as error:
    print(error, flush=True)
'''
interpreters.run_string(other, script)
"""

# What a free-threaded Python says of itself when the lock is forbidden.
WITHOUT_LOCK = """
import sys
sys._is_gil_enabled = lambda: False
try:
    import skewer
except ImportError as error:
    print(error)
"""


def said_by(program):
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    return run.stdout + run.stderr


def test_a_second_interpreter_is_told_to_use_processes_or_threads():
    said = said_by(SUBINTERPRETER)
    assert "skewer works in one interpreter of a process" in said, said


def test_a_python_without_its_lock_is_told_how_to_run():
    assert "skewer needs the global interpreter lock" in said_by(WITHOUT_LOCK)
