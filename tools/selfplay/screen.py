#!/usr/bin/env python3
"""Screen up to 31 changes of the search at once, by matches of our engine against itself.

A Hadamard design (Plackett and Burman, 1946) of 16 runs, or of 32 for more than 15 changes: in each
run one engine plays with half of the switches set and the other engine with the other half. Every
game then counts for every switch, so that N games estimate each effect as exactly as a match of N
games for it alone. Effects are assumed to add; confirm a result by a sequential test of the switch
itself.

    tools/selfplay/screen.py --out results/screen +evaluation-history -killers -counter-moves

+NAME switches on a technique that is off by default, -NAME switches one off, and NAME=VALUE, or
NAME=VALUE+NAME=VALUE, sets parameters (in a build with `--features tune`). Run it again to play another
round; --report prints the effects of what has been played.
"""
import argparse
import json
import math
import pathlib
import subprocess
import sys


def hadamard(size):
    """A square matrix of 1 and -1 with orthogonal rows (Sylvester, 1867)."""
    if size == 1:
        return [[1]]
    half = hadamard(size // 2)
    return [row + row for row in half] + [row + [-x for x in row] for row in half]


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


def play(arguments, design):
    """Plays one round: a match for every run of the design."""
    done = len(list(arguments.out.glob("round-*")))
    folder = arguments.out / f"round-{done + 1}"
    folder.mkdir(parents=True)
    for run, row in enumerate(design):
        sides = [[], []]
        for switch, sign in zip(arguments.switches, row[1:]):
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


def report(arguments, design):
    """Prints the effect of every switch with its 95% interval."""
    sums, games = [0.0] * len(arguments.switches), 0
    for path in arguments.out.glob("round-*/*.json"):
        won, drawn, lost = json.loads(path.read_text())["games"]
        games += won + drawn + lost
        for index in range(len(sums)):
            sums[index] += design[int(path.stem)][index + 1] * (won - lost) / 2
    if not games:
        sys.exit(f"{arguments.out}: no finished match; run without --report first")
    # Near an even score, a hundredth of a point is worth about 6.95 Elo. A game varies by 0.36 points.
    elo = 695
    error = 1.96 * 0.36 / math.sqrt(games) * elo
    print(f"{games} games, 95% interval about +/- {error:.1f} Elo")
    for switch, total in sorted(zip(arguments.switches, sums), key=lambda pair: -pair[1]):
        print(f"{switch:32} {total / games * elo:+.1f}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("switches", nargs="+", metavar="+NAME|-NAME|NAME=VALUE", help="at most 31")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder of the matches")
    parser.add_argument("--selfplay", default="target/release/skewer-selfplay", help="the match runner")
    parser.add_argument("--tc", default="1+0.01@800", help="time control; @NODES counts nodes as time")
    parser.add_argument("--openings", help="file of openings [default: random balanced ones]")
    parser.add_argument("--games", type=int, default=24, help="games a run; a round has 16 or 32 runs")
    parser.add_argument("--report", action="store_true", help="print the effects and play nothing")
    arguments, unknown = parser.parse_known_args()
    # argparse takes -NAME for an option.
    arguments.switches += unknown
    bad = [switch for switch in arguments.switches if not ("=" in switch or switch[0] in "+-")]
    if bad or len(arguments.switches) > 31:
        parser.error(f"give at most 31 switches as +NAME, -NAME or NAME=VALUE{': ' + bad[0] if bad else ''}")
    design = hadamard(16 if len(arguments.switches) <= 15 else 32)
    if not arguments.report:
        play(arguments, design)
    report(arguments, design)


if __name__ == "__main__":
    main()
