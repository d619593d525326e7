"""The tables that pgn2data makes of games."""

import csv
import os

from converter.pgn_data import PGNData

PGNData(os.environ["GAMES"], "out").export()
for name in ("out_game_info.csv", "out_moves.csv"):
    with open(name, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            # Without the numbers that are drawn at random, and without the time of the run.
            print({key: text for key, text in row.items() if key not in ("game_id", "file_name", "date_created")})
