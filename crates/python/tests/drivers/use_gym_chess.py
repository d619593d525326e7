"""Random games in the environment of gym-chess: AlphaZero's encodings of moves and boards, and rewards."""

import hashlib
import random

import numpy

# gym-chess was written for NumPy before 1.20.
numpy.int = int
import gym_chess  # noqa: E402

random.seed(1)
for _ in range(4):
    env = gym_chess.Chess()
    moves, boards = gym_chess.MoveEncoding(env), gym_chess.BoardEncoding(env)
    board = env.reset()
    # Later versions of gym reset an environment with other results, so the encodings are used without `reset`.
    for _ in range(60):
        actions = sorted(moves.legal_actions)
        move = random.choice(sorted(env.legal_moves, key=str))
        number = moves.encode(move)
        back = moves.decode(number)
        seen = hashlib.md5(boards.observation(board).tobytes()).hexdigest()
        board, reward, done, _ = env.step(move)
        print(move, number, back, actions, reward, done, seen)
        if done:
            break
