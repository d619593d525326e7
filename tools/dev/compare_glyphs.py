#!/usr/bin/env python3
"""Compares the labels of skewer-analyse with the glyphs that a file of lichess has beside its evaluations.

    compare_glyphs.py --analyse PROGRAM GAMES.pgn...
    compare_glyphs.py --analyse PROGRAM GAMES.pgn... --searched ["OPTIONS"]

Counts games, moves and agreements, and every class of disagreement with its reason. lichess writes no glyph for a move
that was the first choice of lichess's engine. The file does not tell which moves were first choices, so moves that
may have been first choices are a class of their own. The exit status is 1 if a disagreement has no class.

With --searched, skewer-analyse searches the games itself, with these options of `skewer-analyse games`. The script then
counts the glyphs for which skewer-analyse has the same label, another label or no label, and the labels where lichess
has no glyph. Needs nothing but Python.
"""

import argparse
import collections
import json
import re
import subprocess
import sys

GLYPHS = {"?!": "inaccuracy", "?": "mistake", "??": "blunder", "!?": None, "!": None, "!!": None, "": None}


def written(path):
    """The glyphs of the main line of every game of a file."""
    text = open(path, encoding="utf-8", errors="replace").read()
    for part in re.split(r"(?=^\[Event )", text, flags=re.M)[1:]:
        moves = re.sub(r"^\[.*\]$", "", part, flags=re.M)
        moves = re.sub(r"\{[^}]*\}", " ", moves)
        while re.search(r"\([^()]*\)", moves):
            moves = re.sub(r"\([^()]*\)", " ", moves)
        words = [word for word in moves.split() if not re.fullmatch(r"\d+\.+|1-0|0-1|1/2-1/2|\*", word)]
        yield [GLYPHS.get(re.search(r"[?!]*$", word).group()) for word in words]


def chances(value):
    cp = value.get("cp")
    cp = (1000 if value["mate"] > 0 else -1000) if cp is None else max(-1000, min(1000, cp))
    return 2 / (1 + 2.718281828459045 ** (-0.00368208 * cp)) - 1


def reason(move, lichess):
    """The class of a disagreement; None if there is none."""
    ours = move.get("label")
    sign = 1 if move["color"] == "white" else -1
    drop = sign * (chances(move["best"]) - chances(move["eval"]))
    if abs(drop - 0.1) < 0.0015:
        return "the drop is at the limit, to within the rounding of the evaluations"
    if ours and lichess is None:
        return "lichess wrote no glyph: the move may be its engine's first choice, for which it writes none"
    return None


def searched(arguments, glyphs):
    """Compares the labels of the program's own searches with the glyphs."""
    command = [arguments.analyse, "games", *arguments.games, "--quiet", "--jsonl", "-", *arguments.searched.split()]
    games = [line for line in map(json.loads, subprocess.run(command, check=True, capture_output=True).stdout.splitlines()) if line["kind"] == "game"]
    counts = collections.Counter()
    for game in games:
        for move, lichess in zip(game["moves"], glyphs[game["number"] - 1], strict=True):
            ours = move.get("label")
            if lichess is None and ours is None:
                continue
            counts["too many" if lichess is None else "none" if ours is None else "the same" if ours == lichess else "another"] += 1
    total = sum(counts.values()) - counts["too many"]
    print(f"{total} glyphs in {len(games)} games: {counts['the same']} the same label, {counts['another']} another one, "
          f"{counts['none']} none; {counts['too many']} labels without a glyph")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--analyse", required=True)
    parser.add_argument("games", nargs="+")
    parser.add_argument("--searched", nargs="?", const="", help="search the games, with these options")
    arguments = parser.parse_args()
    if arguments.searched is not None:
        return searched(arguments, [game for path in arguments.games for game in written(path)])
    command = [arguments.analyse, "games", *arguments.games, "--pgn-evals", "use", "--quiet", "--jsonl", "-"]
    lines = map(json.loads, subprocess.run(command, check=True, capture_output=True).stdout.splitlines())
    games = {line["number"]: line for line in lines if line["kind"] == "game"}
    glyphs = [game for path in arguments.games for game in written(path)]
    count, agreed, weak, both = 0, 0, 0, 0
    classes = collections.defaultdict(list)
    for number, game in games.items():
        if len(glyphs[number - 1]) != len(game["moves"]):
            sys.exit(f"game {number}: {len(glyphs[number - 1])} moves in the file, {len(game['moves'])} analysed")
        for move, lichess in zip(game["moves"], glyphs[number - 1]):
            ours = move.get("label")
            count += 1
            weak += lichess is not None
            both += lichess is not None and ours == lichess
            agreed += ours == lichess
            if ours != lichess:
                place = f"game {number}, {move['number']}{'.' if move['color'] == 'white' else '...'} {move['san']}: {lichess} there, {ours} here"
                classes[reason(move, lichess) or "UNEXPLAINED"].append(place)
    print(f"{len(games)} of {len(glyphs)} games have evaluations; {count} moves, {agreed} agree; {weak} glyphs, {both} the same")
    for name, places in classes.items():
        print(f"{len(places)}: {name}")
        for place in places:
            print("   ", place)
    return int("UNEXPLAINED" in classes)


if __name__ == "__main__":
    sys.exit(main())
