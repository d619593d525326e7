#!/usr/bin/env python3
"""Check benches/results/experiments.csv, and compare its counts of games with the journals that it names.

    tools/dev/check_experiments.py [FILE]

Exits with 1 and a line for each error. benches/results/README.md describes the columns.
"""
import csv
import datetime
import pathlib
import sys

import recount

RESULTS = pathlib.Path(__file__).resolve().parents[2] / "benches" / "results"

COLUMNS = ("date,area,change,base,opponent,setting,games,wins,draws,losses,figure,low,high,unit,"
           "verdict,journal,note").split(",")
AREAS = "analysis evaluation movegen search speed strength textbook threads time training".split()
VERDICTS = ["kept", "dropped", "not shown", "measured"]
WHOLE = ["games", "wins", "draws", "losses"]
# What makes a row another measurement.
KEY = ["date", "area", "change", "base", "opponent", "setting", "games", "unit"]


def number(text, kind):
    """The number of a cell, or None if it is empty."""
    return kind(text) if text else None


def row_errors(row):
    datetime.date.fromisoformat(row["date"])
    if row["area"] not in AREAS:
        yield f"unknown area {row['area']!r}"
    if row["verdict"] not in VERDICTS:
        yield f"unknown verdict {row['verdict']!r}"
    if not row["change"]:
        yield "no change is named"
    games, *results = (number(row[name], int) for name in WHOLE)
    low, figure, high = (number(row[name], float) for name in ("low", "figure", "high"))
    if (figure is None) != (row["unit"] == ""):
        yield "a figure needs a unit, and a unit a figure"
    if None not in (low, figure) and low > figure or None not in (high, figure) and high < figure:
        yield "the figure lies outside its interval"
    if any(result is not None for result in results):
        if None in results or games != sum(results):
            yield "wins, draws and losses do not add up to the games"
        elif row["unit"] == "elo":
            value = recount.elo((results[0] + results[1] / 2) / games)
            if abs(value - figure) > (0.051 if figure % 1 else 0.501):
                yield f"the games give {value:+.1f} Elo"


def journal_errors(row):
    _, results, points, _ = recount.count(str(RESULTS / "journals" / row["journal"]))
    value, error = recount.rating(points)
    counted = [sum(results), *results] + [round(x, 1) for x in (value, error)]
    figure, low, high = (float(row[name]) for name in ("figure", "low", "high"))
    written = [int(row[name]) for name in WHOLE] + [figure, round((high - low) / 2, 1)]
    if counted != written:
        yield f"{row['journal']} has {counted}, the row {written}"


def errors(path):
    with open(path, encoding="utf-8", newline="") as text:
        reader = csv.DictReader(text, strict=True)
        rows = list(reader)
    if reader.fieldnames != COLUMNS:
        yield 1, f"the columns are not {','.join(COLUMNS)}"
        return
    seen, before = {}, ""
    for line, row in enumerate(rows, 2):
        if None in row or None in row.values():
            yield line, "another number of cells than columns"
            continue
        try:
            checks = [row_errors, journal_errors] if row["journal"] else [row_errors]
            for check in checks:
                for error in check(row):
                    yield line, error
        except (OSError, ValueError) as error:
            yield line, error
        if row["date"] < before:
            yield line, f"{row['date']} stands after {before}"
        before = row["date"]
        key = tuple(row[name] for name in KEY)
        if key in seen:
            yield line, f"the same as row {seen[key]}"
        seen[key] = line
    named = {row["journal"] for row in rows}
    for journal in sorted((RESULTS / "journals").glob("*.xz")):
        if journal.name not in named:
            yield len(rows) + 1, f"no row names {journal.name}"


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else RESULTS / "experiments.csv"
    found = list(errors(path))
    for line, error in found:
        print(f"{path}:{line}: {error}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
