"""Training data as arrays."""

import numpy as np
import skewer

for shard, positions in enumerate(skewer.iter_positions("games.pgn", batch_size=100_000)):
    # Positions with a result, seen from the side to move, which the result is for as well.
    positions = positions[positions.results != skewer.NO_RESULT]
    planes = positions.planes(perspective="mover")            # uint8 (n, 12, 8, 8)
    result = np.where(positions.turn, positions.results, -positions.results)
    np.savez_compressed(f"shard-{shard:04}.npz", planes=planes, moves=positions.moves, result=result)
