#!/usr/bin/env python3
"""Find sentences with a pronoun in the place of a noun: "those" or "that" before "of".

    words.py [--except PREFIX]...

Reads all text files that git tracks, except files whose path begins with PREFIX. A reader has to look back for what
such a pronoun stands for, so write the noun. Prints the place of each phrase, and exits with 1 if there is one.
"""

import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Between the two words there may be the end of a line, and the marks of a comment or of a string that goes on.
PHRASE = re.compile(r"\b(those|that)[\s/!#*\\]+of\b", re.IGNORECASE)


def find(text):
    """Yields (line, phrase) for each phrase of a text; lines count from 1."""
    for match in PHRASE.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, f"{match[1]} of"


def texts(left_out):
    """Yields (path, text) for each tracked text file whose path begins with none of these prefixes."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True)
    for path in filter(None, listed.stdout.split("\0")):
        file = ROOT / path
        if path.startswith(left_out) or file.is_symlink() or not file.is_file():
            continue
        try:
            yield path, file.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # not a text


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--except", action="append", default=[], metavar="PREFIX", dest="left_out",
                        help="leave out the files whose path begins so; may be given more than once")
    left_out = tuple(parser.parse_args().left_out)
    found = [(path, line, phrase) for path, text in texts(left_out) for line, phrase in find(text)]
    for path, line, phrase in found:
        print(f'{path}:{line}: "{phrase}": write the noun')
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
