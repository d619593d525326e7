#!/usr/bin/env python3
"""Nodes a second of programs that speak UCI, on the same positions in turn: their medians, and the ratios to the first.

    speed.py [--seconds S] [--rounds N] [--at-least RATIO] NAME=COMMAND...

Figures need a quiet machine; `.ci/run deep_speed` makes them for the npm package and stockfish.js. With `--at-least` it
is a test, of one or more programs that must not be much slower than the first.
"""

import argparse
import re
import shlex
import statistics
import subprocess
import sys

POSITIONS = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bq1rk1/pp1n1pbp/2pp1np1/4p3/2PPP3/2N2N1P/PP2BPP1/R1BQ1RK1 w - - 0 10",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "8/pp3k2/2p2np1/2P1p2p/1P2P2P/P2N1KP1/8/8 w - - 0 1",
]


class Program:
    def __init__(self, text):
        self.name, command = text.split("=", 1)
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(shlex.split(command), stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)
        self.rates = []
        self.ask("uci", "uciok")
        self.ask("setoption name Hash value 16\nisready", "readyok")

    def ask(self, text, end):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()
        lines = []
        while not lines or not lines[-1].startswith(end):
            line = self.process.stdout.readline()
            assert line, f"{self.name} has ended"
            lines.append(line.strip())
        return lines

    def search(self, fen, milliseconds):
        self.ask("ucinewgame\nisready", "readyok")
        lines = self.ask(f"position fen {fen}\ngo movetime {milliseconds}", "bestmove")
        counts = [match for line in lines if (match := re.search(r" nodes (\d+) .*\btime (\d+)", line))]
        nodes, time = map(int, counts[-1].groups())
        self.rates.append(nodes / max(time, 1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3, help="for each search (default: 3)")
    parser.add_argument("--rounds", type=int, default=3, help="searches of each position (default: 3)")
    parser.add_argument("--at-least", type=float, default=0, metavar="RATIO",
                        help="fail if a program has fewer nodes a second than RATIO times the first")
    parser.add_argument("programs", nargs="+", metavar="NAME=COMMAND")
    arguments = parser.parse_args()
    programs = [Program(text) for text in arguments.programs]
    for _ in range(arguments.rounds):
        for fen in POSITIONS:
            for program in programs:
                program.search(fen, round(arguments.seconds * 1000))
    print("| program | thousand nodes a second | times the first |\n|---|---|---|")
    slow = []
    for program in programs:
        ratio = statistics.median(own / first for own, first in zip(program.rates, programs[0].rates, strict=True))
        print(f"| {program.name} | {statistics.median(program.rates):.0f} | {ratio:.2f} |")
        if program is not programs[0] and ratio < arguments.at_least:
            slow.append(f"error: {program.name} has {ratio:.2f} times the nodes a second of {programs[0].name}, "
                        f"fewer than {arguments.at_least:g} times")
        program.process.communicate("quit\n", timeout=60)
    if slow:
        sys.exit("\n".join(slow))


if __name__ == "__main__":
    main()
