#!/usr/bin/env python3
"""Count the games of match journals again, without the program that played them.

    tools/dev/recount.py benches/results/journals/*.xz

Reads the journals that `skewer-selfplay match --out` writes, plain or compressed by xz, and prints
for each the engines, games, pairs and Elo with its 95% interval, from the first engine's side. Exits
with 1 if a journal is damaged, has a pair twice, or records a result that differs from its PGN.
`--publish FOLDER` in front writes each journal without the moves, compressed by xz, into a folder.
"""

import json
import lzma
import math
import pathlib
import sys
import zlib


def lines(path):
    """The objects of a journal. Checks the lines that have a checksum."""
    opened = lzma.open(path, "rt") if path.endswith(".xz") else open(path, encoding="utf-8")
    with opened as text:
        for number, line in enumerate(text, 1):
            prefix = '{"crc32":"'
            if line.startswith(prefix):
                digits, fields = line.rstrip("\n")[len(prefix):].split('",', 1)
                if f"{zlib.crc32(fields.encode()):08x}" != digits:
                    raise ValueError(f"line {number} is damaged")
            fields = json.loads(line)
            if not isinstance(fields, dict):
                raise ValueError(f"line {number} is not an object")
            yield fields


def publish(path, folder):
    """Writes a journal into a folder: checked, without the moves, compressed."""
    def compact(line):
        line.pop("crc32", None)
        for game in line.get("games", []):
            game["pgn"] = game["pgn"].split("\n\n")[0]
        fields = json.dumps(line, separators=(",", ":"), ensure_ascii=False)[1:] + "\n"
        return f'{{"crc32":"{zlib.crc32(fields[:-1].encode()):08x}",{fields}'

    name = pathlib.Path(path).name.removesuffix(".xz") + ".xz"
    text = "".join(map(compact, list(lines(path))))
    with lzma.open(pathlib.Path(folder, name), "wt", preset=9) as out:
        out.write(text)


def elo(score):
    if score <= 0:
        return -math.inf
    return math.inf if score >= 1 else 400 * math.log10(score / (1 - score))


def count(path):
    """The heading of a journal, its wins, draws and losses, the pairs by points, and the forfeits."""
    heading, *pairs = list(lines(path)) or [None]
    if not pairs:
        raise ValueError("the journal has no games")
    games, points, forfeits = [0, 0, 0], [0] * 5, 0
    seen = set()
    for pair in pairs:
        if pair["pair"] in seen:
            raise ValueError(f"pair {pair['pair']} occurs twice")
        seen.add(pair["pair"])
        for index, game in enumerate(pair["games"]):
            half_points = game["half_points"]
            white = half_points if index == 0 else 2 - half_points
            result = ["0-1", "1/2-1/2", "1-0"][white]
            if f'[Result "{result}"]' not in game["pgn"]:
                raise ValueError(f"pair {pair['pair']}: the PGN has another result")
            games[2 - half_points] += 1
            forfeits += game["forfeit"] is not None
        points[sum(game["half_points"] for game in pair["games"])] += 1
    return heading, games, points, forfeits


def rating(points):
    """Elo and its 95% interval, from the pairs by points."""
    total = sum(points)
    mean = sum(n * k / 4 for k, n in enumerate(points)) / total
    variance = sum(n * (k / 4 - mean) ** 2 for k, n in enumerate(points)) / total
    half = 1.959964 * math.sqrt(variance / total)
    return elo(mean) + 0.0, (elo(mean + half) - elo(mean - half)) / 2


def report(path):
    heading, (wins, draws, losses), points, forfeits = count(path)
    value, error = rating(points)
    first, second = heading["engines"]
    print(f"{path}: {first} against {second}, {heading['conditions']}")
    print(f"  games {2 * sum(points)}: +{wins} ={draws} -{losses}")
    print(f"  pairs of 0, 1/2, 1, 1 1/2, 2 points: {', '.join(map(str, points))}")
    print(f"  Elo {value:+.1f} +/- {error:.1f} (95%)")
    print(f"  lost on time, by illegal moves or failures: {forfeits}")


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help") or sys.argv[1:3] == ["--publish"]:
        print(__doc__.strip())
        return 0 if sys.argv[1:2] in (["-h"], ["--help"]) else 2
    paths, folder = sys.argv[1:], None
    if paths[0] == "--publish":
        _, folder, *paths = paths
    for path in paths:
        try:
            report(path)
            if folder:
                publish(path, folder)
        except (OSError, ValueError, KeyError, EOFError, lzma.LZMAError) as error:
            print(f"{path}: {error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
