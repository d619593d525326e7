#!/usr/bin/env python3
"""Screen up to 63 changes of the search at once, by matches of our engine against itself.

A Hadamard design (Plackett and Burman, 1946) of 16, 32 or 64 runs, more than there are changes: in each
run one engine plays with some of the switches set and the other engine with the rest, about half each. Every
game then counts for every switch, so that N games estimate each effect about as exactly as a match of N games for
that switch alone. Effects are assumed to add; confirm a result by a sequential test of the switch itself. Leave out
changes worth 50 Elo or more: where one side wins every game, nothing else is seen.

    tools/dev/screen.py --out results/screen +evaluation-history -killers -counter-moves

+NAME switches on a technique that is off by default, -NAME switches one off, and NAME=VALUE, or
NAME=VALUE+NAME=VALUE, sets parameters (in a build with `--features tune`). Run the script again to finish the
round or to play another; --report prints the effects of what has been played. With --each there is a match for every
switch instead, between the engine with the switch and the engine without it. Use --each for changes worth more, or
for the worth of a technique beside all others.
"""
import argparse
import csv
import datetime
import json
import math
import pathlib
import re
import subprocess
import sys


def hadamard(size):
    """A square matrix of 1 and -1 with orthogonal rows and columns (Sylvester, 1867)."""
    def odd(bits):
        return bits.bit_count() % 2

    # A bent function (O. Rothaus, 1976) changes the signs of columns, so that no run has nearly all
    # changes on one side.
    bent = [odd(column & column >> 1 & 0b10101) for column in range(size)]
    return [[-1 if odd(row & column) ^ bent[column] else 1 for column in range(size)] for row in range(size)]


def engine(switches, name):
    """Our engine with these switches set, as the match runner reads it."""
    text = f"ours,hash=8,name={name}"
    for sign, option in (("+", "with"), ("-", "without")):
        names = [switch[1:] for switch in switches if switch[0] == sign]
        if names:
            text += f",{option}={'+'.join(names)}"
    for switch in switches:
        if "=" in switch:
            text += "".join(f",set.{setting}" for setting in switch.split("+"))
    return text


def matches(arguments):
    """The rows of the design: for each switch, 1 or -1 for the side that has it, or 0 for neither."""
    count = len(arguments.switches)
    if arguments.each:
        return [[int(run == switch) for switch in range(count)] for run in range(count)]
    size = next(size for size in (16, 32, 64) if size > count)
    return [row[1:count + 1] for row in hadamard(size)]


def play(arguments, design):
    """Plays one round, a match for every row of the design, or the rest of a round that was broken off."""
    def finished(path):
        return path.exists() and json.loads(path.read_text())["finished"]

    done = 0
    while all(finished(arguments.out / f"round-{done + 1}" / f"{run}.json") for run in range(len(design))):
        done += 1
    folder = arguments.out / f"round-{done + 1}"
    folder.mkdir(parents=True, exist_ok=True)
    for run, row in enumerate(design):
        if finished(folder / f"{run}.json"):
            continue
        sides = [[], []]
        for switch, sign in zip(arguments.switches, row):
            if sign:
                sides[0 if sign > 0 else 1].append(switch)
        command = [arguments.selfplay, "match", "--engine", engine(sides[0], "first"),
                   "--engine", engine(sides[1], "second"), "--tc", arguments.tc,
                   "--games", str(arguments.games), "--seed", str(1000 + len(design) * done + run),
                   "--resign", "4:900", "--draw", "40:6:10", "--out", folder / str(run)]
        if arguments.openings:
            command += ["--openings", arguments.openings]
        try:
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        except OSError as error:
            sys.exit(f"cannot run {arguments.selfplay}: {error}; build it or give --selfplay")
        except subprocess.CalledProcessError:
            sys.exit(f"{folder}: match {run} failed; see its message above")


def elo(pairs):
    """The Elo of the first side and its variance, from the numbers of pairs with 0 to 4 half points."""
    # Half a pair more for either side keeps the logarithm finite.
    counts = [count + (0.5 if points in (0, 4) else 0) for points, count in enumerate(pairs)]
    total = sum(counts)
    mean = sum(points / 4 * count for points, count in enumerate(counts)) / total
    variance = sum((points / 4 - mean) ** 2 * count for points, count in enumerate(counts)) / total ** 2
    slope = 400 / math.log(10) / (mean * (1 - mean))
    return -400 * math.log10(1 / mean - 1), variance * slope ** 2


def report(arguments, design):
    """Prints the effect of every switch with its 95% interval, as CSV."""
    runs = {}
    for path in arguments.out.glob("round-*/*.json"):
        pairs = json.loads(path.read_text())["pairs"]
        total = runs.setdefault(int(path.stem), [0] * 5)
        runs[int(path.stem)] = [a + b for a, b in zip(total, pairs)]
    if len(runs) < len(design):
        sys.exit(f"{arguments.out}: {len(runs)} of {len(design)} matches have a result; run without --report first")
    results = [elo(runs[run]) + (2 * sum(runs[run]),) for run in range(len(design))]
    rows = []
    for index, switch in enumerate(arguments.switches):
        used = [(row[index], *result) for row, result in zip(design, results) if row[index]]
        effect = sum(sign * value for sign, value, _, _ in used) / len(used)
        error = 1.96 * math.sqrt(sum(variance for _, _, variance, _ in used)) / len(used)
        rows.append([switch, sum(games for *_, games in used), f"{effect:+.1f}", f"{error:.1f}"])
    rows.sort(key=lambda row: -float(row[2]))
    words = ["tools/dev/screen.py", "--tc", arguments.tc, "--games", str(arguments.games)]
    words += ["--openings", arguments.openings.name] if arguments.openings else []
    command = " ".join(words + ["--each"] * arguments.each + arguments.switches)
    notes = ["made by", f"{command}; {arguments.build}; {datetime.date.today()}"] + [""] * len(rows)
    table = [["switch", "games", "Elo", "error (95%)"], *rows]
    csv.writer(sys.stdout, lineterminator="\n").writerows([*row, note] for row, note in zip(table, notes))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("switches", nargs="+", metavar="+NAME|-NAME|NAME=VALUE", help="at most 63")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder of the matches")
    parser.add_argument("--selfplay", default="target/release/skewer-selfplay", help="the match runner")
    parser.add_argument("--tc", default="1+0.01@800", help="time control; @NODES counts nodes as time")
    parser.add_argument("--openings", type=pathlib.Path, help="file of openings [default: random balanced ones]")
    parser.add_argument("--games", type=int, default=24, help="games a match; a round has 16, 32 or 64 matches, or with --each one a switch")
    parser.add_argument("--each", action="store_true", help="a match for each switch instead of the design")
    parser.add_argument("--build", default="", help="what the table says of the build, such as its bench")
    parser.add_argument("--report", action="store_true", help="print the effects and play nothing")
    # argparse takes -NAME for an option, unless a space comes first.
    words = sys.argv[1:]
    arguments = parser.parse_args([f" {word}" if re.match("-[a-z][a-z-]", word) else word for word in words])
    arguments.switches = [switch.strip() for switch in arguments.switches]
    bad = [switch for switch in arguments.switches if not ("=" in switch or switch[0] in "+-")]
    if bad or not arguments.each and len(arguments.switches) > 63:
        parser.error(f"give at most 63 switches as +NAME, -NAME or NAME=VALUE{': ' + bad[0] if bad else ''}")
    design = matches(arguments)
    if not arguments.report:
        play(arguments, design)
    report(arguments, design)


if __name__ == "__main__":
    main()
