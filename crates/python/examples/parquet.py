"""Positions of chosen games as a Parquet file."""

import skewer

rows = skewer.write_parquet(
    "games.pgn",
    "games.parquet",
    elo=(1500, 3000),
    time_controls=["blitz", "rapid"],
    plies=range(8, 200),
    clocks=True,
    tags=["White", "Black", "ECO"],
)
print(rows, "positions")
