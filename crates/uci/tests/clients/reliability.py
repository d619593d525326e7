#!/usr/bin/env python3
"""Plays many fast games of the engine against itself and says whether anything went wrong.

    reliability.py --engine PATH [--games 2000] [--tc 0.5+0.005] [--out FILE.json]

2,000 games at 0.5+0.005 take about half an hour on two cores that do nothing else: a 1-thread game
0.7 s, as two are played at a time, and a 2-thread game 1.2 s.

The games are shared out over 1 and 2 threads, 1 and 16 MiB of hash, standard chess and Chess960.
As many are played at a time as the cores allow (one for two cores at 2 threads). Each engine
process lives through all its games, so that its memory can be watched. Every fourth game is played
to its end; the others stop when both sides have agreed for some moves on who wins, or that nobody
does. Counted as failures:

- a flag that falls: the clock runs from before `go` is written until `bestmove` has been read;
- a move or a line of moves that is not legal (judged by python-chess), a line that does not begin
  with the move that is played, that goes on after the end of the game, or that is not as long as
  its mate says;
- an engine that dies, hangs, leaves with an error or writes to standard error;
- a line that nobody asked for: an answer twice, output between searches, `info string` remarks;
- memory that grows from game to game.

The last line is `N games, F failures`; the exit status is 1 if there was any.
"""

import argparse
import collections
import json
import math
import multiprocessing
import os
import select
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import chess

# How much later than its clock an engine may answer before it counts as hung, in seconds.
HUNG_AFTER = 10.0
# How long an engine may take to get ready or to leave, in seconds.
PATIENCE = 60.0
# How much more memory than in its first games an engine may hold in its last, in KiB.
GROWTH = 2048
# Games of this many half-moves are broken off.
LONGEST = 500
# A game is decided when the scores, in hundredths of a pawn, were beyond this for so many half-moves.
DECIDED = (1000, 6)
# A game is drawn when they were within this for so many, from so many half-moves on.
DRAWN = (10, 12, 90)


class Failure(Exception):
    """Something that must not happen; its text says what."""


class Engine:
    """The engine at the other end of pipes, with nothing in between that could be forgiving."""

    def __init__(self, path, options):
        self.stderr = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.stderr, bufsize=0
        )
        self.out = self.process.stdout.fileno()
        self.rest = b""
        self.lines = []
        self.send("uci")
        self.until("uciok")
        for name, value in options.items():
            self.send(f"setoption name {name} value {value}")
        self.ready()

    def send(self, line):
        try:
            self.process.stdin.write(line.encode() + b"\n")
        except OSError as error:
            raise Failure(f"crash: {error} on {line}") from error

    def fetch(self, seconds):
        """Reads what is there within `seconds`; whether anything was."""
        readable, _, _ = select.select([self.out], [], [], seconds)
        if not readable:
            return False
        data = os.read(self.out, 1 << 16)
        if not data:
            raise Failure(f"crash: the output ended, exit status {self.process.wait(PATIENCE)}")
        *whole, self.rest = (self.rest + data).split(b"\n")
        self.lines += [line.decode() for line in whole]
        return True

    def until(self, prefix, seconds=PATIENCE):
        """The lines up to the one that begins with `prefix`."""
        deadline = time.perf_counter() + seconds
        seen = 0
        while True:
            for number in range(seen, len(self.lines)):
                if self.lines[number].startswith(prefix):
                    heard, self.lines = self.lines[: number + 1], self.lines[number + 1 :]
                    return heard
            seen = len(self.lines)
            left = deadline - time.perf_counter()
            if left <= 0 or not self.fetch(left):
                raise Failure(f"hang: no {prefix} after {seconds:.1f} s")

    def ready(self):
        """Waits until the engine is ready; it may say nothing else."""
        self.send("isready")
        heard = self.until("readyok")
        if len(heard) > 1:
            raise Failure(f"stray output: {heard[0]}")

    def silent(self):
        """Nothing may have been said since the last answer."""
        while self.fetch(0):
            pass
        if self.lines or self.rest:
            raise Failure(f"stray output: {(self.lines + [self.rest.decode()])[0]}")

    def resident(self):
        """Memory in use, in KiB; 0 where the system does not say so."""
        try:
            pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        except OSError:
            return 0
        return int(pages) * os.sysconf("SC_PAGE_SIZE") // 1024

    def leave(self):
        """Ends the engine as a client does; it must leave well."""
        self.silent()
        self.send("quit")
        try:
            status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired as error:
            raise Failure("hang: it does not leave") from error
        self.stderr.seek(0)
        said = self.stderr.read().decode(errors="replace")
        if status != 0 or said:
            raise Failure(f"crash: exit status {status}, standard error: {said[:200]!r}")

    def kill(self):
        self.process.kill()
        self.process.wait()


def key(board):
    """What counts for repetitions, with the rights that python-chess keeps to itself."""
    return board._transposition_key()  # pylint: disable=protected-access


def check_search(board, before, heard):
    """The lines of one search, the last of them `bestmove`, by the strict rules; the move, and its
    score in hundredths of a pawn for White.

    `before` counts the positions of the game."""
    for line in heard[:-1]:
        words = line.split()
        if words[:1] != ["info"] or words[1] == "string":
            raise Failure(f"stray output: {line}")
    words = heard[-1].split()
    move = read_move(board, words[1])
    last = next((line for line in reversed(heard) if " pv " in line), None)
    if last is None:
        raise Failure(f"no line before {heard[-1]} in {board.fen()}")
    words = last.split()
    line = words[words.index("pv") + 1 :]
    if line[0] != heard[-1].split()[1]:
        raise Failure(f"{heard[-1]} is not what the last line says: {last}")
    after = board.copy(stack=False)
    seen = before.copy()
    for number, text in enumerate(line):
        after.push(read_move(after, text))
        seen[key(after)] += 1
        over = after.is_insufficient_material() or after.halfmove_clock >= 100
        if number + 1 < len(line) and (over or seen[key(after)] >= 3):
            raise Failure(f"illegal line: it goes on after the end: {last} in {board.fen()}")
    kind, value = words[words.index("score") + 1 : words.index("score") + 3]
    score = int(value) * (1 if kind == "cp" else 10_000) * (1 if board.turn else -1)
    if kind == "mate" and "upperbound" not in words and "lowerbound" not in words:
        mate = int(value)
        plies = 2 * mate - 1 if mate > 0 else -2 * mate
        if len(line) != plies or not after.is_checkmate():
            raise Failure(f"illegal line: mate {mate} by {len(line)} plies: {last} in {board.fen()}")
    return move, score


def read_move(board, text):
    try:
        return board.parse_uci(text)
    except ValueError as error:
        raise Failure(f"illegal move: {error}") from error


class Game:
    """One game from a position, with clocks."""

    def __init__(self, fen, chess960, seconds, increment, whole):
        self.start = fen
        self.whole = whole
        self.scores = []
        self.board = chess.Board(fen, chess960=chess960)
        self.left = {chess.WHITE: seconds, chess.BLACK: seconds}
        self.increment = increment
        self.least = seconds
        self.longest = 0.0
        self.moves = []
        self.positions = collections.Counter([key(self.board)])

    def play(self, engines):
        """Plays to the end and returns the result; engines by colour."""
        for engine in engines.values():
            engine.send("ucinewgame")
            engine.ready()
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
        """The result that both sides agree on, if they do."""
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
        clock = {side: max(1, math.floor(1000 * left)) for side, left in self.left.items()}
        increment = math.floor(1000 * self.increment)
        go = (
            f"go wtime {clock[chess.WHITE]} btime {clock[chess.BLACK]}"
            f" winc {increment} binc {increment}"
        )
        started = time.perf_counter()
        engine.send(go)
        heard = engine.until("bestmove", self.left[color] + HUNG_AFTER)
        spent = time.perf_counter() - started
        self.left[color] -= spent
        self.least = min(self.least, self.left[color])
        self.longest = max(self.longest, spent)
        if self.left[color] < 0:
            raise Failure(
                f"time: {1000 * -self.left[color]:.1f} ms late, {1000 * spent:.1f} ms for {go}"
            )
        self.left[color] += self.increment
        move, score = check_search(self.board, self.positions, heard)
        self.scores.append(score)
        self.moves.append(heard[-1].split()[1])
        self.board.push(move)
        self.positions[key(self.board)] += 1


def openings(path, count, chess960, seed):
    """Random balanced openings, from the engine itself."""
    words = [f"setoption name UCI_Chess960 value {str(chess960).lower()}"]
    words += [f"genfens {count} seed {seed} book None", "quit"]
    said = subprocess.run([path, *words], capture_output=True, text=True, check=True).stdout
    prefix = "info string genfens "
    return [line[len(prefix) :] for line in said.splitlines() if line.startswith(prefix)]


def work(job):
    """Plays some games with two engine processes; what came of them."""
    result = {
        "games": 0,
        "plies": 0,
        "results": {},
        "failures": [],
        "least_clock": math.inf,
        "longest_move": 0.0,
        "memory": [[], []],
        "growth": 0,
    }
    options = {"Threads": job["threads"], "Hash": job["hash"]}
    options["UCI_Chess960"] = str(job["chess960"]).lower()
    players = []

    def stop():
        for player in players:
            try:
                player.leave()
            except Failure as failure:
                player.kill()
                result["failures"].append(str(failure))
        players.clear()

    for number, fen in enumerate(job["openings"]):
        whole = number % 4 == 0
        game = Game(fen, job["chess960"], job["seconds"], job["increment"], whole)
        try:
            while len(players) < 2:
                players.append(Engine(job["path"], options))
            white = number % 2
            ending = game.play({chess.WHITE: players[white], chess.BLACK: players[1 - white]})
        except Failure as failure:
            ending = "failed"
            result["failures"].append(f"{failure} (game from {fen}, ply {len(game.moves)})")
            for player in players:
                player.kill()
            players.clear()
        for memory, player in zip(result["memory"], players):
            memory.append(player.resident())
        result["games"] += 1
        result["plies"] += len(game.moves)
        result["results"][ending] = result["results"].get(ending, 0) + 1
        result["least_clock"] = min(result["least_clock"], game.least)
        result["longest_move"] = max(result["longest_move"], game.longest)
    stop()
    for memory in result["memory"]:
        share = max(1, len(memory) // 4)
        if len(memory) >= 8:
            growth = max(memory[-share:]) - max(memory[:share])
            result["growth"] = max(result["growth"], growth)
            if growth > GROWTH:
                result["failures"].append(f"memory: {growth} KiB more in the last games: {memory}")
    return result


def configurations():
    for chess960 in (False, True):
        for threads in (1, 2):
            for megabytes in (1, 16):
                yield {"threads": threads, "hash": megabytes, "chess960": chess960}


def shares(items, parts):
    """`items` in so many parts of nearly the same length."""
    return [items[part::parts] for part in range(parts) if items[part::parts]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", required=True)
    parser.add_argument("--games", type=int, default=2000, help="over all settings together")
    parser.add_argument("--tc", default="0.5+0.005", help="SECONDS+INCREMENT")
    parser.add_argument("--cores", type=int, default=os.cpu_count(), help="cores to use")
    parser.add_argument("--seed", type=int, default=1, help="of the openings")
    parser.add_argument("--out", help="a file for the figures, as JSON")
    arguments = parser.parse_args()
    path = str(Path(arguments.engine).resolve())
    seconds, increment = map(float, arguments.tc.split("+"))
    settings = list(configurations())
    figures, games, failures = [], 0, 0
    began = time.perf_counter()
    for number, setting in enumerate(settings):
        count = arguments.games * (number + 1) // len(settings) - games
        fens = openings(path, count, setting["chess960"], arguments.seed + number)
        assert len(fens) == count, f"{len(fens)} openings in place of {count}"
        at_once = max(1, arguments.cores // setting["threads"])
        jobs = [
            {
                **setting,
                "path": path,
                "openings": share,
                "seconds": seconds,
                "increment": increment,
            }
            for share in shares(fens, at_once)
        ]
        if not jobs:
            continue
        started = time.perf_counter()
        with multiprocessing.Pool(len(jobs)) as pool:
            results = pool.map(work, jobs, chunksize=1)
        row = {
            **setting,
            "at_once": len(jobs),
            "seconds": round(time.perf_counter() - started, 1),
            "games": sum(result["games"] for result in results),
            "plies": sum(result["plies"] for result in results),
            "results": {},
            "least_clock_ms": round(1000 * min(result["least_clock"] for result in results), 1),
            "longest_move_ms": round(1000 * max(result["longest_move"] for result in results), 1),
            "memory_kib": [
                [memory[0], max(memory), memory[-1]]
                for result in results
                for memory in result["memory"]
                if memory
            ],
            "growth_kib": max(result["growth"] for result in results),
            "failures": [failure for result in results for failure in result["failures"]],
        }
        for result in results:
            for ending, times in result["results"].items():
                row["results"][ending] = row["results"].get(ending, 0) + times
        figures.append(row)
        games += row["games"]
        failures += len(row["failures"])
        endings = ", ".join(f"{times} {ending}" for ending, times in sorted(row["results"].items()))
        print(
            f"{row['threads']} threads, hash {row['hash']:2}, "
            f"{'Chess960' if row['chess960'] else 'standard'}: {row['games']} games ({endings}), "
            f"{row['plies']} moves, least clock {row['least_clock_ms']} ms, longest move "
            f"{row['longest_move_ms']} ms, memory first/most/last KiB "
            f"{'; '.join('/'.join(map(str, memory)) for memory in row['memory_kib'])}, "
            f"{len(row['failures'])} failures, {row['seconds']} s",
            flush=True,
        )
        for failure in row["failures"]:
            print(f"    {failure}", flush=True)
    kinds = {}
    for row in figures:
        for failure in row["failures"]:
            kind = failure.split(":")[0]
            kinds[kind] = kinds.get(kind, 0) + 1
    if kinds:
        print("failures by kind: " + ", ".join(f"{kinds[kind]} {kind}" for kind in sorted(kinds)))
    if arguments.out:
        report = {
            "tc": arguments.tc,
            "games": games,
            "failures": failures,
            "seconds": round(time.perf_counter() - began, 1),
            "configurations": figures,
        }
        Path(arguments.out).write_text(json.dumps(report, indent=1) + "\n")
    print(f"{games} games, {failures} failures")
    return 1 if failures or not games else 0


if __name__ == "__main__":
    sys.exit(main())
