"""Games of reconchess between its bots: every turn as the history of the game has it."""

import json
import random

from reconchess import GameHistoryEncoder, LocalGame, play_local_game
from reconchess.bots.attacker_bot import AttackerBot
from reconchess.bots.random_bot import RandomBot

for seed in range(6):
    random.seed(seed)
    bots = RandomBot(), AttackerBot()
    winner, reason, history = play_local_game(*bots[:: 1 if seed % 2 else -1], game=LocalGame())
    print(winner, reason, history.num_turns())
    for name, turns in json.loads(json.dumps(history, cls=GameHistoryEncoder)).items():
        print(name, json.dumps(turns, sort_keys=True))
