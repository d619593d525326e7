"""Where levels stand by games against the levels of another engine: for `yardstick.py`, which plays them,
and `calibrate.py`, which draws the scale."""

import json
import math
from pathlib import Path

# A level that seems to be further than this from every level of the yardstick that it met was not
# measured.
REACH = 100
# An Elo is so much in logarithms of odds.
UNIT = math.log(10) / 400


def reading(rounds):
    """Where a level stands by its rounds [[yardstick's Elo, points of pairs], ..], the likeliest by a
    logistic curve, and half of its 95 % interval."""
    # A drawn pair more than were played, at each end of what was met: no result is beyond doubt.
    met = [at for at, _ in rounds]
    games = [(at, pair / 2) for at, points in rounds for pair in points]
    games += [(min(met), 0.5), (max(met), 0.5)]
    place = sum(met) / len(met)
    for _ in range(100):
        shares = [1 / (1 + math.exp(UNIT * (at - place))) for at, _ in games]
        slope = UNIT * sum(points - share for (_, points), share in zip(games, shares))
        curve = UNIT**2 * sum(share * (1 - share) for share in shares)
        place += max(-200.0, min(200.0, slope / curve))
    # The spread of pairs, not of games: the two games of a pair are not independent.
    spread = UNIT**2 * sum((points - share) ** 2 for (_, points), share in zip(games, shares))
    return place, 1.96 * math.sqrt(spread) / curve


def line(readings, own):
    """Offset and slope that take places by games between our own levels to those by the yardstick:
    the least squares, each reading with the weight of its error."""
    weights = {level: 1 / error**2 for level, (_, error) in readings.items()}
    total = sum(weights.values())
    mean = sum(weight * own[level] for level, weight in weights.items()) / total
    height = sum(weight * readings[level][0] for level, weight in weights.items()) / total
    wide = sum(weight * (own[level] - mean) ** 2 for level, weight in weights.items())
    both = sum(
        weight * (own[level] - mean) * (readings[level][0] - height)
        for level, weight in weights.items()
    )
    slope = both / wide
    return height - slope * mean, slope


def readings_of(path):
    """The yardstick's name and the readings of a file that `yardstick.py` wrote, without the levels that
    are beyond its reach."""
    played = json.loads(Path(path).read_text())
    readings = {}
    for level, rounds in played["levels"].items():
        place, error = reading(rounds)
        met = [at for at, _ in rounds]
        if min(met) - REACH <= place <= max(met) + REACH:
            readings[int(level)] = place, error
    return played["yardstick"], readings
