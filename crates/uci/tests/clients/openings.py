"""Random balanced openings, from the engine itself."""

import subprocess

PREFIX = "info string genfens "


def random_openings(path, count, seed, chess960=False, book="None"):
    """`count` positions as FEN; `book` is a file of positions to start from."""
    words = [f"setoption name UCI_Chess960 value {str(chess960).lower()}"]
    words += [f"genfens {count} seed {seed} book {book}", "quit"]
    said = subprocess.run([path, *words], capture_output=True, text=True, check=True).stdout
    fens = [line[len(PREFIX) :] for line in said.splitlines() if line.startswith(PREFIX)]
    assert len(fens) == count, f"{len(fens)} openings in place of {count}: {said[-200:]}"
    return fens
