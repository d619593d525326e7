#!/usr/bin/env python3
"""Plays many fast games of the engine against itself and says whether anything went wrong.

    reliability.py --engine PATH [--games 2000] [--tc 0.5+0.005] [--out FILE.json]
                   [--threads 1 2] [--hash 1 16] [--variant standard chess960]

2,000 games at 0.5+0.005 take about half an hour on two cores that do nothing else: a 1-thread game
0.7 s, as two are played at a time, and a 2-thread game 1.2 s.

The games are shared out over 1 and 2 threads, 1 and 16 MiB of hash, standard chess and Chess960.
As many are played at a time as the cores allow (one for two cores at 2 threads). Each engine
process lives through all its games, so that its memory can be watched. Every fourth game is played
to its end; the others stop when both sides have agreed for some moves on who wins, or that nobody
does. Counted as failures:

- a flag that falls: the clock runs from before `go` is written until `bestmove` has been read. A
  watcher on each core, which does nothing but sleep for a millisecond at a time, knows when the
  core itself stood still (other guests of the same host, as a rule). A flag that falls by no more
  than the core stood still during the game is told apart: no engine could have moved in time;
- a move or a line of moves that is not legal (judged by python-chess), a line that does not begin
  with the move that is played, that goes on after the end of the game, or that is not as long as
  its mate says;
- an engine that dies, hangs, leaves with an error or writes to standard error;
- a line that nobody asked for: an answer twice, output between searches, `info string` remarks;
- memory that grows from game to game.

The last line is `N games, F failures, S flags fell as the machine stood still`; the exit status is
1 if there was any failure, or if more than one game in a hundred was lost to the machine, since
such a run shows nothing.
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
# What a watcher sleeps at a time, and from what delay on it says that its core stood still, in seconds.
# Well above what a process that has just slept waits for its turn beside two busy ones.
NAP = 0.001
STOOD_STILL = 0.015
# More games than one in so many that are lost to the machine, and the run shows nothing.
LOST_TO_MACHINE = 100
# Games of this many half-moves are broken off.
LONGEST = 500
# A game is decided when the scores, in hundredths of a pawn, were beyond this for so many half-moves.
DECIDED = (1000, 6)
# A game is drawn when they were within this for so many, from so many half-moves on.
DRAWN = (10, 12, 90)


class Failure(Exception):
    """Something that must not happen; its text says what."""


class Stall(Failure):
    """A flag that fell because the machine stood still."""


def watch(core, path):
    """Writes down when `core` stood still, a line each: when it began and when it ended."""
    if core is not None:
        os.sched_setaffinity(0, {core})
    with open(path, "w", buffering=1, encoding="ascii") as file:
        before = time.perf_counter()
        while True:
            time.sleep(NAP)
            now = time.perf_counter()
            if now - before > STOOD_STILL:
                file.write(f"{before} {now}\n")
            before = now


class Watchers:
    """A watcher on each core, while a run lasts."""

    def __init__(self):
        pinned = hasattr(os, "sched_setaffinity")
        cores = sorted(os.sched_getaffinity(0)) if pinned else [None]
        self.folder = tempfile.TemporaryDirectory()
        self.paths = [str(Path(self.folder.name, f"core-{core}")) for core in cores]
        self.processes = [
            multiprocessing.Process(target=watch, args=pair, daemon=True)
            for pair in zip(cores, self.paths)
        ]

    def __enter__(self):
        for process in self.processes:
            process.start()
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.terminate()
            process.join()
        self.folder.cleanup()


def stood_still(paths, moves):
    """For how long the machine stood still while these moves were thought about, in seconds: the
    longest of its cores. A move is when it began and when it ended."""
    # A watcher that was held up itself writes a little later.
    time.sleep(10 * NAP)
    longest = 0.0
    for path in paths:
        try:
            lines = Path(path).read_text(encoding="ascii").splitlines()
        except OSError:
            continue
        stalls = [tuple(map(float, line.split())) for line in lines]
        common = (
            min(end, ended) - max(begin, began) for begin, end in stalls for began, ended in moves
        )
        longest = max(longest, sum(length for length in common if length > 0))
    return longest


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
        # What it has to say of its options is welcome.
        self.send("isready")
        self.until("readyok")

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

    def __init__(self, fen, chess960, seconds, increment, whole, watched):
        self.start = fen
        self.watched = watched
        self.thoughts = {chess.WHITE: [], chess.BLACK: []}
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
        ended = time.perf_counter()
        spent = ended - started
        self.thoughts[color].append((started, ended))
        self.left[color] -= spent
        self.least = min(self.least, self.left[color])
        self.longest = max(self.longest, spent)
        if self.left[color] < 0:
            raise self.late(color, go)
        self.left[color] += self.increment
        move, score = check_search(self.board, self.positions, heard)
        self.scores.append(score)
        self.moves.append(heard[-1].split()[1])
        self.board.push(move)
        self.positions[key(self.board)] += 1


    def late(self, color, go):
        """A flag has fallen: by the engine's fault or the machine's."""
        late, thoughts = -self.left[color], self.thoughts[color]
        began, ended = thoughts[-1]
        still = stood_still(self.watched, thoughts[-1:])
        in_game = stood_still(self.watched, thoughts)
        text = (
            f"{1000 * late:.1f} ms late, {1000 * (ended - began):.1f} ms for {go}; the machine stood"
            f" still for {1000 * still:.1f} ms of it, for {1000 * in_game:.1f} ms of all its moves"
        )
        return Stall(f"machine: {text}") if in_game >= late else Failure(f"time: {text}")


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
        "stalls": [],
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
        game = Game(
            fen, job["chess960"], job["seconds"], job["increment"], whole, job["watched"]
        )
        try:
            while len(players) < 2:
                players.append(Engine(job["path"], options))
            white = number % 2
            ending = game.play({chess.WHITE: players[white], chess.BLACK: players[1 - white]})
        except Failure as failure:
            ending = "failed"
            kind = "stalls" if isinstance(failure, Stall) else "failures"
            result[kind].append(f"{failure} (game from {fen}, ply {len(game.moves)})")
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


def configurations(arguments):
    for variant in arguments.variant:
        for threads in arguments.threads:
            for megabytes in arguments.hash:
                yield {"threads": threads, "hash": megabytes, "chess960": variant == "chess960"}


def shares(items, parts):
    """`items` in so many parts of nearly the same length."""
    return [items[part::parts] for part in range(parts) if items[part::parts]]


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", required=True)
    parser.add_argument("--games", type=int, default=2000, help="over all settings together")
    parser.add_argument("--tc", default="0.5+0.005", help="SECONDS+INCREMENT")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2], help="of an engine")
    parser.add_argument("--hash", type=int, nargs="+", default=[1, 16], help="in MiB")
    variants = ["standard", "chess960"]
    parser.add_argument("--variant", nargs="+", choices=variants, default=variants)
    parser.add_argument("--cores", type=int, default=os.cpu_count(), help="cores to use")
    parser.add_argument("--seed", type=int, default=1, help="of the openings")
    parser.add_argument("--out", help="a file for the figures, as JSON")
    return parser.parse_args()


def play_setting(setting, fens, cores, common):
    """Plays the games of one setting and returns its figures."""
    at_once = max(1, cores // setting["threads"])
    jobs = [{**setting, **common, "openings": share} for share in shares(fens, at_once)]
    started = time.perf_counter()
    with multiprocessing.Pool(len(jobs)) as pool:
        results = pool.map(work, jobs, chunksize=1)
    endings = collections.Counter()
    for result in results:
        endings.update(result["results"])
    return {
        **setting,
        "at_once": len(jobs),
        "seconds": round(time.perf_counter() - started, 1),
        "games": sum(result["games"] for result in results),
        "plies": sum(result["plies"] for result in results),
        "results": dict(endings),
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
        "stalls": [stall for result in results for stall in result["stalls"]],
    }


def show(row):
    """The figures of one setting, for people."""
    endings = ", ".join(f"{times} {ending}" for ending, times in sorted(row["results"].items()))
    print(
        f"{row['threads']} threads, hash {row['hash']:2}, "
        f"{'Chess960' if row['chess960'] else 'standard'}: {row['games']} games ({endings}), "
        f"{row['plies']} moves, least clock {row['least_clock_ms']} ms, longest move "
        f"{row['longest_move_ms']} ms, memory first/most/last KiB "
        f"{'; '.join('/'.join(map(str, memory)) for memory in row['memory_kib'])}, "
        f"{len(row['failures'])} failures, {len(row['stalls'])} lost to the machine, "
        f"{row['seconds']} s",
        flush=True,
    )
    for text in row["failures"] + row["stalls"]:
        print(f"    {text}", flush=True)


def main():
    arguments = parse()
    seconds, increment = map(float, arguments.tc.split("+"))
    common = {
        "path": str(Path(arguments.engine).resolve()),
        "seconds": seconds,
        "increment": increment,
    }
    settings = list(configurations(arguments))
    figures, games = [], 0
    began = time.perf_counter()
    with Watchers() as watchers:
        common["watched"] = watchers.paths
        for number, setting in enumerate(settings):
            count = arguments.games * (number + 1) // len(settings) - games
            if count == 0:
                continue
            fens = openings(common["path"], count, setting["chess960"], arguments.seed + number)
            assert len(fens) == count, f"{len(fens)} openings in place of {count}"
            figures.append(play_setting(setting, fens, arguments.cores, common))
            games += count
            show(figures[-1])
    failures = [failure for row in figures for failure in row["failures"]]
    stalls = sum(len(row["stalls"]) for row in figures)
    kinds = collections.Counter(failure.split(":")[0] for failure in failures)
    if kinds:
        print("failures by kind: " + ", ".join(f"{kinds[kind]} {kind}" for kind in sorted(kinds)))
    if arguments.out:
        report = {
            "tc": arguments.tc,
            "games": games,
            "failures": len(failures),
            "lost_to_the_machine": stalls,
            "seconds": round(time.perf_counter() - began, 1),
            "configurations": figures,
        }
        Path(arguments.out).write_text(json.dumps(report, indent=1) + "\n")
    print(f"{games} games, {len(failures)} failures, {stalls} flags fell as the machine stood still")
    return 1 if failures or not games or stalls * LOST_TO_MACHINE > games else 0


if __name__ == "__main__":
    sys.exit(main())
