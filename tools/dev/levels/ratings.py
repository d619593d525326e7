"""Ratings of levels from games against the levels of another engine, for `reference.py` and
`calibrate.py`."""

import json
import math
from pathlib import Path

import numpy

# Ratings further than this, in Elo, outside the range of the opponents are discarded.
REACH = 650
# One Elo in logarithms of odds.
UNIT = math.log(10) / 400


def reading(rounds):
    """The rating of a level from its rounds [[Elo of the opponent, points of pairs], ..] by maximum
    likelihood on a logistic curve, and half of its 95 % interval."""
    # One more draw against the weakest and the strongest opponent keeps the rating finite.
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


def slope(readings, own):
    """The factor from differences in games between our levels to differences against the reference: least
    squares, each reading weighted by its error."""
    levels = list(readings)
    places, errors = zip(*readings.values())
    return numpy.polyfit([own[level] for level in levels], places, 1, w=[1 / error for error in errors])[0]


def places(readings, own, leads):
    """The ratings of all levels on the reference's scale, and the factor of :func:`slope`. The rating of a level with a
    reading is the reading. A level between two readings gets a rating between them; a level outside all readings is
    placed by its scaled leads over its neighbours. `own` has the ratings by our own games alone, and `leads` the lead
    of each level but the first over the level below, with its error."""
    factor = slope(readings, own)
    levels = sorted(own)
    ends = levels.index(min(readings)), levels.index(max(readings))
    measured = sorted(readings)
    result = {
        level: float(numpy.interp(own[level], [own[at] for at in measured], [readings[at][0] for at in measured]))
        for level in levels[ends[0] : ends[1] + 1]
    }
    for level, below in reversed(list(zip(levels[: ends[0] + 1], levels[1 : ends[0] + 1]))):
        result[level] = result[below] - factor * leads[below][0]
    for below, level in zip(levels[ends[1] :], levels[ends[1] + 1 :]):
        result[level] = result[below] + factor * leads[level][0]
    return dict(sorted(result.items())), factor


def readings_of(path):
    """The reference's name and the readings of a file that `reference.py` wrote, without levels that scored nothing
    or are far outside the range of their opponents."""
    played = json.loads(Path(path).read_text())
    readings = {}
    for level, rounds in played["levels"].items():
        if not any(point for _, points in rounds for point in points):
            continue
        place, error = reading(rounds)
        met = [at for at, _ in rounds]
        if min(met) - REACH <= place <= max(met) + REACH:
            readings[float(level)] = place, error
    return played["reference"], readings
