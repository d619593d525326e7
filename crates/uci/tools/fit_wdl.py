#!/usr/bin/env python3
"""Fits the chances of win and loss to self-play games: the numbers of crates/types/src/chances.rs.

    fit_wdl.py [--write] GAMES.vf [GAMES.vf ...]

The files hold games in viriformat: a packed position of 32 bytes (the result, 0, 1 or 2 for
White, in the one before the last), then pairs of a move and White's score of 16 bits each,
ended by a pair of zeros. The chance to win is 1 / (1 + exp((even - score) / spread)); both numbers
are chosen by maximum likelihood. `--write` puts them into the module. Needs nothing beyond the standard library.
"""

import math
import re
import struct
import sys
from pathlib import Path

MODULE = Path(__file__).resolve().parents[2] / "types" / "src" / "chances.rs"

# Evaluations beyond this are decided games and say nothing about the curve.
GREATEST = 1500
# Scores are gathered in bins this wide.
BIN = 10


def games(path):
    data = open(path, "rb").read()
    at = 0
    while at + 32 <= len(data):
        result = data[at + 30]
        at += 32
        scores = []
        while at + 4 <= len(data):
            move, score = struct.unpack_from("<Hh", data, at)
            at += 4
            if move == 0 and score == 0:
                yield result, scores
                break
            scores.append(score)


def main():
    bins = {}
    count = 0
    files = [word for word in sys.argv[1:] if word != "--write"]
    for path in files:
        for result, scores in games(path):
            count += 1
            for score in scores:
                if abs(score) <= GREATEST:
                    # Each game counts for both sides, so that the curve is symmetric.
                    for points, own in ((result, score), (2 - result, -score)):
                        entry = bins.setdefault(round(own / BIN) * BIN, [0, 0])
                        entry[0] += points == 2
                        entry[1] += 1
    if not bins:
        sys.exit("no games")

    def cost(even, spread):
        total = 0.0
        for score, (wins, all_) in bins.items():
            p = 1 / (1 + math.exp(max(-60.0, min(60.0, (even - score) / spread))))
            p = min(max(p, 1e-9), 1 - 1e-9)
            total -= wins * math.log(p) + (all_ - wins) * math.log(1 - p)
        return total

    best = (cost(150.0, 90.0), 150.0, 90.0)
    step = 64.0
    while step >= 0.25:
        around = [
            (best[1] + a * step, best[2] + b * step)
            for a in (-1, 0, 1)
            for b in (-1, 0, 1)
            if best[2] + b * step > 1
        ]
        nearest = min((cost(even, spread), even, spread) for even, spread in around)
        if nearest[0] < best[0]:
            best = nearest
        else:
            step /= 2
    scores = sum(all_ for _, all_ in bins.values()) // 2
    print(f"{count} games, {scores} scores: EVEN = {best[1]:.1f}, SPREAD = {best[2]:.1f}")
    if "--write" in sys.argv[1:]:
        text = MODULE.read_text()
        text = re.sub(r"(EVEN: f64 = )[\d.]+", rf"\g<1>{best[1]:.0f}.0", text)
        text = re.sub(r"(SPREAD: f64 = )[\d.]+", rf"\g<1>{best[2]:.0f}.0", text)
        text = re.sub(r"From the fit to .* games", f"From the fit to {count} games", text)
        MODULE.write_text(text)
    for low in range(-400, 401, 100):
        wins = sum(bins.get(s, (0, 0))[0] for s in range(low - 20, low + 21, BIN))
        all_ = sum(bins.get(s, (0, 0))[1] for s in range(low - 20, low + 21, BIN))
        model = 1 / (1 + math.exp((best[1] - low) / best[2]))
        if all_:
            print(f"  score {low:5}: won {wins / all_:.3f}, model {model:.3f} ({all_} scores)")


if __name__ == "__main__":
    main()
