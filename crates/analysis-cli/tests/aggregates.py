"""Recomputes every aggregate of a summary from the JSON Lines of the same run:

    python aggregates.py GAMES.jsonl SUMMARY.json

Written from docs/analysis.md and docs/analysis.schema.json alone, with nothing but the standard
library. Prints "N passed, N failed" and fails if a figure differs.
"""

import json
import sys
from collections import defaultdict

LABELS = ["inaccuracy", "mistake", "blunder"]
PLURALS = ["inaccuracies", "mistakes", "blunders"]
RATINGS = [(-200, "-200 and less"), (-50, "-199 to -50"), (49, "-49 to +49"), (199, "+50 to +199"), (10**9, "+200 and more")]
LEFT = [(10, "under 10 s"), (30, "10 to 30 s"), (60, "30 to 60 s"), (180, "1 to 3 min"), (600, "3 to 10 min"), (1e99, "10 min and more")]
SPENT = [(1, "under 1 s"), (3, "1 to 3 s"), (10, "3 to 10 s"), (30, "10 to 30 s"), (120, "30 s to 2 min"), (1e99, "2 min and more")]


def below(value, buckets):
    return next(name for limit, name in buckets if value < limit)


class Sums:
    def __init__(self):
        self.games = {}
        self.moves = []

    def figures(self):
        games = list(self.games.values())
        finished = [game for game in games if game["points"] is not None]
        rated = [game for game in finished if game["expected"] is not None]
        mean = lambda values: sum(values) / len(values) if values else None
        timed = [move["time_spent"] for move in self.moves if "time_spent" in move]
        labels = [move.get("label") for move in self.moves]
        blunders = labels.count("blunder")
        return {
            "games": len(games),
            "wins": sum(game["points"] == 1 for game in finished),
            "draws": sum(game["points"] == 0.5 for game in finished),
            "losses": sum(game["points"] == 0 for game in finished),
            "score_percent": mean([100 * game["points"] for game in finished]),
            "rated_games": len(rated),
            "rated_score_percent": mean([100 * game["points"] for game in rated]),
            "expected_percent": mean([100 * game["expected"] for game in rated]),
            "moves": len(self.moves),
            "accuracy": mean([move["accuracy"] for move in self.moves]),
            "average_loss": mean([move["loss"] for move in self.moves]),
            **{plural: labels.count(label) for label, plural in zip(LABELS, PLURALS)},
            "blunder_percent": 100 * blunders / len(labels) if labels else None,
            "timed_moves": len(timed),
            "seconds": mean(timed),
        }


class Scope:
    def __init__(self, player):
        self.player = player
        self.total = Sums()
        self.groups = defaultdict(Sums)
        self.conversions = defaultdict(int)
        self.motifs = defaultdict(lambda: [0, 0.0])
        self.recurring = defaultdict(lambda: [0, 0.0])

    def has(self, name):
        return self.player is None or name.strip().lower() in self.player

    def add(self, game):
        for color, other in (("white", "black"), ("black", "white")):
            own, opponent = game["players"][color], game["players"][other]
            if not self.has(own["name"]):
                continue
            result = self.result(game, color)
            points = result["points"]
            # A null move has no UCI text, and counts in no figure.
            moves = [move for move in game["moves"] if move["color"] == color and move["uci"]]
            keys = [("color", color)]
            keys.append(("player", own["name"].strip() or "?") if self.player is None else ("opponent", opponent["name"].strip() or "?"))
            if "opening" in game:
                keys += [("opening", game["opening"]["name"].split(":")[0]), ("eco", game["opening"]["eco"])]
            if "elo" in own and "elo" in opponent:
                difference = own["elo"] - opponent["elo"]
                keys.append(("rating_difference", next(name for limit, name in RATINGS if difference <= limit)))
            if "speed" in game:
                keys.append(("time_control", game["speed"]))
            if len(game.get("date", "")) >= 7:
                keys.append(("month", game["date"][:7]))
            # Over all players, a group counts a game once, with White's result, unless the group is of a player, a
            # colour or a rating difference.
            once = (game["number"], self.result(game, "white")) if self.player is None else None
            own = ((game["number"], color), result)
            for key in [None] + keys:
                sums = self.total if key is None else self.groups[key]
                is_of_player = key is not None and key[0] in ("player", "opponent", "color", "rating_difference")
                place, known = own if is_of_player or once is None else once
                sums.games[place] = known
                sums.moves += moves
            place, known = once or own
            for move in moves:
                for key in self.of_move(move):
                    self.groups[key].games[place] = known
                    self.groups[key].moves.append(move)
                self.weak(move, color)
            self.convert(moves, points)

    @staticmethod
    def result(game, color):
        own, opponent = (game["players"][side] for side in (("white", "black") if color == "white" else ("black", "white")))
        points = {"1-0": 1, "0-1": 0, "1/2-1/2": 0.5}.get(game["result"])
        if points is not None and color == "black":
            points = 1 - points
        expected = None
        if "elo" in own and "elo" in opponent and points is not None:
            expected = round(1 / (1 + 10 ** ((opponent["elo"] - own["elo"]) / 400)), 4)
        return {"points": points, "expected": expected}

    @staticmethod
    def of_move(move):
        yield ("phase", move["phase"])
        yield ("position", move["position"])
        if "piece" in move:
            yield ("piece", move["piece"])
        if "time_left" in move:
            yield ("time_left", below(move["time_left"], LEFT))
        if "time_spent" in move:
            yield ("time_spent", below(move["time_spent"], SPENT))

    def weak(self, move, color):
        if "label" not in move:
            return
        lost = move["win_before"] - move["win"]
        lost = lost if color == "white" else -lost
        lost = max(0, round(lost, 2))
        for kind in [motif["kind"] for motif in move.get("motifs", [])] or ["other"]:
            self.motifs[kind][0] += 1
            self.motifs[kind][1] += lost
        key = (" ".join(move["fen"].split()[:4]), move["san"])
        self.recurring[key][0] += 1
        self.recurring[key][1] += lost

    def convert(self, moves, points):
        if points is None:
            return
        met = {move["position"] for move in moves}
        conversions = self.conversions
        if "winning" in met:
            conversions["winning"] += 1
            conversions[{1: "converted", 0.5: "winning_drawn", 0: "winning_lost"}[points]] += 1
        if "losing" in met:
            conversions["losing"] += 1
            conversions["saved"] += points > 0
            conversions["losing_won"] += points == 1


class Comparison:
    def __init__(self):
        self.passed = self.failed = 0

    def same_mean(self, name, found, expected, count):
        """The program adds exact losses, and the moves carry losses rounded to hundredths. So the two sums differ by at
        most 0.01 for each of the `count` moves."""
        is_same = abs(found - expected) <= 0.011 * count
        self.equal(name, found if not is_same else expected, expected)

    def equal(self, what, found, expected):
        if isinstance(expected, float) or isinstance(found, float):
            same = found is not None and expected is not None and abs(found - expected) <= 0.0051
        else:
            same = found == expected
        self.passed += same
        self.failed += not same
        if not same and self.failed < 30:
            print(f"{what}: {found}, not {expected}")

    def figures(self, what, found, expected):
        for name, value in expected.items():
            self.equal(f"{what} {name}", found[name], value)

    def scope(self, name, found, expected):
        self.figures(f"{name} total", found["total"], expected.total.figures())
        names = {(dimension, row["name"]) for dimension, rows in found["groups"].items() for row in rows}
        self.equal(f"{name} groups", sorted(names), sorted(expected.groups))
        for dimension, rows in found["groups"].items():
            for row in rows:
                if (dimension, row["name"]) in expected.groups:
                    self.figures(f"{name} {dimension} {row['name']}", row, expected.groups[dimension, row["name"]].figures())
        for key, value in found["conversions"].items():
            self.equal(f"{name} {key}", value, expected.conversions[key])
        self.equal(f"{name} motifs", {row["kind"]: row["count"] for row in found["motifs"]}, {kind: count for kind, (count, _) in expected.motifs.items()})
        for row in found["motifs"]:
            self.same_mean(f"{name} {row['kind']} lost", row["lost"], expected.motifs[row["kind"]][1], row["count"])
        for row in found["recurring"]:
            count, lost = expected.recurring[row["position"], row["played"]]
            self.equal(f"{name} recurring {row['played']}", row["count"], count)
            self.same_mean(f"{name} recurring {row['played']} lost", row["lost"], lost, count)
        recurring = sum(count > 1 for count, _ in expected.recurring.values())
        self.equal(f"{name} recurring mistakes", len(found["recurring"]), min(50, recurring))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[2], encoding="utf-8") as file:
        summary = json.load(file)
    scopes = {"all": Scope(None)}
    if "player" in summary:
        scopes["player"] = Scope({name.strip().lower() for name in summary["player"]["names"]})
    games = bad = 0
    comparison = Comparison()
    with open(sys.argv[1], encoding="utf-8") as lines:
        for line in map(json.loads, lines):
            bad += line["kind"] == "bad"
            if line["kind"] != "game":
                continue
            games += 1
            before = None
            for move in line["moves"]:
                # The state of the game follows from the chances, which are recorded with the previous move.
                if before:
                    win, _, loss = before if move["color"] == "white" else reversed(before)
                    state = "winning" if win >= 750 else "losing" if loss >= 750 else "level"
                    comparison.equal(f"game {line['number']} {move['san']} position", move["position"], state)
                before = move["wdl"]
            for scope in scopes.values():
                scope.add(line)
    comparison.equal("games", summary["games"], games)
    comparison.equal("bad games", summary["bad_games"], bad)
    for name, scope in scopes.items():
        comparison.scope(name, summary[name], scope)
    # A game counts for both of its players, and a move for one player only.
    players, total = summary["all"]["groups"]["player"], summary["all"]["total"]
    decided = total["wins"] + total["losses"]
    shared = {"games": 2 * total["games"], "draws": 2 * total["draws"], "wins": decided, "losses": decided}
    for figure in [*shared, "moves", *PLURALS]:
        comparison.equal(f"sum of players' {figure}", sum(row[figure] for row in players), shared.get(figure, total[figure]))
    print(f"{comparison.passed} passed, {comparison.failed} failed")
    return 1 if comparison.failed or not comparison.passed else 0


sys.exit(main())
