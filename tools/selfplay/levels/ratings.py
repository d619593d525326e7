"""Ratings of levels from games against the levels of another engine, for `reference.py` and
`calibrate.py`."""

import json
import math
from pathlib import Path

# Ratings further than this, in Elo, outside the range of the opponents are discarded.
REACH = 250
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
    weights = {level: 1 / error**2 for level, (_, error) in readings.items()}
    total = sum(weights.values())
    mean = sum(weight * own[level] for level, weight in weights.items()) / total
    wide = sum(weight * (own[level] - mean) ** 2 for level, weight in weights.items())
    both = sum(
        weight * (own[level] - mean) * readings[level][0] for level, weight in weights.items()
    )
    return both / wide


def rising(readings):
    """The readings made monotone: neighbours that fall get their mean, weighted by error (pool adjacent
    violators)."""
    blocks = []
    for level, (place, error) in sorted(readings.items()):
        blocks.append([place, 1 / error**2, [level]])
        while len(blocks) > 1 and blocks[-2][0] >= blocks[-1][0]:
            place, weight, levels = blocks.pop()
            before = blocks[-1]
            both = before[1] + weight
            blocks[-1] = [(before[0] * before[1] + place * weight) / both, both, before[2] + levels]
    return {level: place for place, _, levels in blocks for level in levels}


def places(readings, own):
    """The ratings of all levels on the reference's scale: measured ones as they are; the others by games
    between our levels, scaled from the nearest measured one. Also returns the factor."""
    measured = rising(readings)
    factor = slope(readings, own)
    ends = min(measured), max(measured)
    result = {}
    for level in own:
        if level in measured:
            result[level] = measured[level]
        else:
            nearest = ends[0] if level < ends[0] else ends[1]
            result[level] = measured[nearest] + factor * (own[level] - own[nearest])
    return result, factor


def readings_of(path):
    """The reference's name and the readings of a file that `reference.py` wrote, without levels far outside
    the range of their opponents."""
    played = json.loads(Path(path).read_text())
    readings = {}
    for level, rounds in played["levels"].items():
        if not rounds:
            continue
        place, error = reading(rounds)
        met = [at for at, _ in rounds]
        if min(met) - REACH <= place <= max(met) + REACH:
            readings[int(level)] = place, error
    return played["reference"], readings
