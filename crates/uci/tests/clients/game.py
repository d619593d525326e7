"""A game between two engine processes, with clocks; all output is checked strictly."""

import collections
import math

import chess

from lines import check_search, key
from pipe import Failure
from watch import Stopwatch, stall_time

# An engine that answers this much later than its clock counts as hung, in seconds.
HUNG_AFTER = 10.0
# The same on a busy machine.
HUNG_AFTER_IF_BUSY = 120.0
# Longer games, in plies, are stopped.
LONGEST = 500
# A game is adjudicated as won if the score is at least this many centipawns for this many plies.
DECIDED = (1000, 6)
# A game is adjudicated as drawn if the score is at most this many centipawns from zero for this many plies, but
# not before this ply of the game.
DRAWN = (10, 12, 90)


class Stall(Failure):
    """A flag that fell because the machine stalled or other processes had the cores."""


def go_words(left, increment):
    """The clocks of both sides, in seconds, as arguments of `go`."""
    clock = {side: max(1, math.floor(1000 * seconds)) for side, seconds in left.items()}
    step = math.floor(1000 * increment)
    return (
        f"wtime {clock[chess.WHITE]} btime {clock[chess.BLACK]} winc {step} binc {step}"
    )


class Game:
    """One game from a position.

    `rules` has `chess960`, `seconds` and `increment`; `threads` of an engine; `busy` if clocks count
    what the engines compute and not the time that goes by; and `watched`, the files in which `watch.py` records stalls of the machine."""

    def __init__(self, fen, rules, whole):
        self.start = fen
        self.rules = rules
        self.whole = whole
        self.searches = {chess.WHITE: [], chess.BLACK: []}
        self.scores = []
        self.board = chess.Board(fen, chess960=rules["chess960"])
        self.left = {chess.WHITE: rules["seconds"], chess.BLACK: rules["seconds"]}
        self.least = rules["seconds"]
        self.longest = 0.0
        self.moves = []
        self.positions = collections.Counter([key(self.board)])

    def play(self, engines):
        """Plays to the end and returns the result. `engines` has an engine for each colour."""
        for engine in engines.values():
            engine.new_game()
        while len(self.moves) < LONGEST:
            outcome = self.board.outcome(claim_draw=True)
            if outcome:
                return outcome.result()
            decision = None if self.whole else self.decision()
            if decision:
                return decision
            self.move(engines[self.board.turn])
        return "*"

    def decision(self):
        """The adjudicated result, if there is one."""
        beyond, plies = DECIDED
        last = self.scores[-plies:]
        if len(last) == plies and (min(last) >= beyond or max(last) <= -beyond):
            return "1-0" if last[0] > 0 else "0-1"
        within, plies, since = DRAWN
        last = self.scores[-plies:]
        if len(self.scores) >= since and max(map(abs, last)) <= within:
            return "1/2-1/2"
        return None

    def move(self, engine):
        engine.silent()
        color = self.board.turn
        moves = f" moves {' '.join(self.moves)}" if self.moves else ""
        engine.send(f"position fen {self.start}{moves}")
        go = f"go {go_words(self.left, self.rules['increment'])}"
        allowance = HUNG_AFTER_IF_BUSY if self.rules["busy"] else HUNG_AFTER
        watch = Stopwatch(engine.pid, self.rules["threads"])
        output = engine.ask(go, "bestmove", self.left[color] + allowance)
        spent = watch.wall_time()
        self.searches[color].append((watch.began, watch.began + spent))
        if self.rules["busy"]:
            spent = watch.cpu_time()
        self.left[color] -= spent
        self.least = min(self.least, self.left[color])
        self.longest = max(self.longest, spent)
        if self.left[color] < 0:
            raise self.late(color, go, watch.waiting_time())
        self.left[color] += self.rules["increment"]
        move, score = check_search(self.board, self.positions, output)
        self.scores.append(score)
        self.moves.append(output[-1].split()[1])
        self.board.push(move)
        self.positions[key(self.board)] += 1

    def late(self, color, go, waited):
        """The exception for a fallen flag: a `Stall` if the machine was stalled for at least as long, or
        if the engine waited for a core for at least as long in its last move."""
        late, searches = -self.left[color], self.searches[color]
        began, ended = searches[-1]
        text = f"{1000 * late:.1f} ms late, {1000 * (ended - began):.1f} ms for {go}"
        if self.rules["busy"]:
            return Failure(f"time: {text}, in CPU time")
        in_game = stall_time(self.rules["watched"], searches)
        text += (
            f"; the engine waited for a core for {1000 * waited:.1f} ms of it, and the machine was"
            f" stalled for {1000 * in_game:.1f} ms of all moves of the game"
        )
        machine = max(waited, in_game) >= late
        return Stall(f"machine: {text}") if machine else Failure(f"time: {text}")
