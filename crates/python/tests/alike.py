#!/usr/bin/env python3
"""Looks for lines of `skewer.chess` that are alike in python-chess, which is under the GPL.

Prints the longest runs of lines that are equal in a file of python-chess and a file of `skewer.chess`, without white
space, comments and docstrings. Signatures, imports and constants are the interface, which is the same by intention:
their lines are not counted.

    alike.py [LONGEST]    fails if a run is longer (4)
"""

import ast
import io
import sys
import tokenize
from pathlib import Path

import suite

PACKAGE = Path(__file__).resolve().parents[1] / "python" / "skewer"
# Beginnings of lines that the interface or the language dictates.
INTERFACE = ("def", "async def", "class", "import", "from", "@", "self,", "return self", ")", "]", "}")


def documented(tree):
    """The lines of docstrings, signatures, imports, constants and declarations."""
    lines = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                lines.update(range(first.lineno, first.end_lineno + 1))
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                lines.update(range(node.lineno, node.body[0].lineno))
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            lines.update(range(node.lineno, node.end_lineno + 1))
        if isinstance(node, (ast.ClassDef, ast.Module)):
            for part in node.body:
                plain = (ast.Constant, ast.Attribute, ast.BinOp, type(None))
                if isinstance(part, (ast.Assign, ast.AnnAssign)) and isinstance(part.value, plain):
                    lines.update(range(part.lineno, part.end_lineno + 1))
    return lines


def normalised(path):
    """The lines that count, each with its number, without spaces and comments."""
    text = path.read_text(encoding="utf-8")
    passed_over = documented(ast.parse(text))
    comments = {}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            comments[token.start[0]] = token.start[1]
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        line = "".join(line[: comments.get(number)].split())
        if line and number not in passed_over and not line.startswith(INTERFACE):
            found.append((number, line))
    return found


def runs(ours, theirs):
    """The starts of runs of equal lines in our file, by length."""
    at = {}
    for index, (_, line) in enumerate(theirs):
        at.setdefault(line, []).append(index)
    found, before = {}, {}
    for index, (_, line) in enumerate(ours):
        before = {other: before.get(other - 1, 0) + 1 for other in at.get(line, [])}
        for length in before.values():
            found.setdefault(length, index - length + 1)
    return found


def report(longest):
    """Prints the runs of more lines than that, and returns the longest length."""
    most = 0
    theirs = {path: normalised(path) for path in sorted((suite.source() / "chess").glob("*.py"))}
    for path in sorted(PACKAGE.rglob("*.py")):
        ours = normalised(path)
        for other, lines in theirs.items():
            for length, start in runs(ours, lines).items():
                most = max(most, length)
                if length > longest:
                    place = f"{path.relative_to(PACKAGE)}:{ours[start][0]}"
                    print(f"{length:3} lines: {place} and {other.name}")
    print(f"the longest run has {most} lines")
    return most


if __name__ == "__main__":
    limit = int(sys.argv[1]) if len(sys.argv) > 1 else 4
    sys.exit(report(limit) > limit)
