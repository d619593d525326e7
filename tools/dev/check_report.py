#!/usr/bin/env python3
"""Checks the statements of a report by another engine: exercises, motifs, and wins or draws that were let go.

    check_report.py --analyse PROGRAM GAMES.jsonl... [--engine /usr/games/stockfish] [--nodes 1000000] [--each 50]
                    [--kinds exercise,lost_win,...] [--known FILE] [--show]

GAMES.jsonl are results of `skewer-analyse games --jsonl`. Takes up to `--each` weak moves of each kind, at random but
the same on every run, and asks the engine about the position before the move, after it, and after the move that the
report names, unless the engine plays the named move itself. Win percentages are lichess's, chances to win and lose
are logistic curves through 50% at 100 centipawns. A statement is true if

    exercise                the move loses 5 points of win% or more, and the answer keeps all but 5 points of the best move
    lost_win                the chance to win is at least 75% before the move, and below 50% after it
    lost_draw               the chance to lose is below 25% before the move, and at least 75% after it
    missed_mate, allowed_mate   the engine sees the mate, or ten pawns
    in_won_game, in_lost_game   the chance to win, or to lose, is at least 75% before the move and after it
    hung_piece, lost_material, allowed_fork, allowed_promotion    the move loses 3 points or more, the named reply
                            keeps all but 5 points of the best one, and the engine's line after it wins a pawn or more
    missed_capture, missed_material, missed_fork, missed_promotion    the same for the better move in place of the reply
    hung_pawn, missed_capture of a pawn    the same, but the pawn is won after the exchanges that follow the capture at once
    missed_threat, allowed_threat, wrong_capture, wrong_promotion, allowed_reply, exchange, undeveloped, not_castled,
    wrong_square
                            the move loses 3 points or more, and the better move or the reply keeps all but 5 points of the
                            best one (the rest follows from the rules)

Draws by repetition are not checked.

Prints how many are true and, with --show, each that is not. With --known, what the engine found is kept in the file, for
one engine and one number of nodes, so that an interrupted or a changed check goes on; the file may begin with results of
`skewer-analyse games --engine ... --jsonl` for the same games. With --only-known the engine is not asked: what it has
not searched is left out and counted. Needs the Python package `chess`.
"""

import argparse
import collections
import json
import math
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import chess

VALUES = {chess.PAWN: 100, chess.KNIGHT: 300, chess.BISHOP: 300, chess.ROOK: 500, chess.QUEEN: 900, chess.KING: 0}
# The plies of the engine's line, and of the exchanges after them. DEPTH is as in
# crates/analysis/src/motifs/material.rs, where lines of 4, 6, 8 and 10 plies are compared.
PLIES = DEPTH = 8
SURE_EXERCISE = 0.9
# Positions for which an engine is started.
BATCH = 20
WEAK, GOOD, ANY = 5, 5, 3
OF_REPLY = {"hung_piece", "hung_pawn", "lost_material", "allowed_fork", "allowed_promotion", "allowed_threat", "allowed_reply"}
# What the rules of chess show, if the move is weak.
BY_RULES = {"missed_threat", "wrong_capture", "wrong_promotion", "exchange", "undeveloped", "not_castled", "wrong_square"}
OF_BEST = {"exercise", "missed_capture", "missed_material", "missed_fork", "missed_promotion"} | BY_RULES
# The engine is asked about positions alone: it does not know which positions stood before.
NOT_ASKED = {"missed_repetition", "allowed_repetition"}
MATERIAL = (OF_REPLY | OF_BEST) - BY_RULES - {"exercise", "allowed_threat", "allowed_reply"}


def statements(paths):
    """(kind, game, move, the next move's best line) of every statement of the results."""
    for path in paths:
        for game in map(json.loads, open(path, encoding="utf-8")):
            moves = game["moves"] if game["kind"] == "game" else []
            for at, move in enumerate(moves):
                if "label" not in move or not move["uci"]:
                    continue
                reply = moves[at + 1]["best"]["uci"] if at + 1 < len(moves) else []
                kinds = [motif["kind"] for motif in move.get("motifs", []) if motif["kind"] not in NOT_ASKED]
                lost = abs(move["win_before"] - move["win"])
                if move["label"] != "inaccuracy" and move.get("sure", 0) >= SURE_EXERCISE and lost >= WEAK:
                    kinds.append("exercise")
                for kind in kinds:
                    if (kind not in OF_BEST or move["best"]["uci"]) and (kind not in OF_REPLY or reply):
                        yield kind, game, move, reply


class Statement:
    """A statement with the positions that decide it."""

    def __init__(self, kind, game, move, reply):
        self.kind, self.move, self.where = kind, move, f"game {game['number']}, {move['number']}{'.' if move['color'] == 'white' else '…'} {move['san']}"
        self.before = chess.Board(move["fen"], chess960=chess.Board(move["fen"]).has_chess960_castling_rights())
        self.after = self.before.copy(stack=False)
        self.after.push_uci(move["uci"])
        self.named = None
        if kind in OF_BEST | OF_REPLY:
            self.named = (self.before if kind in OF_BEST else self.after).copy(stack=False)
            self.named.push_uci((move["best"]["uci"] if kind in OF_BEST else reply)[0])

        self.base = self.before if kind in OF_BEST else self.after

    def takes_pawn(self):
        """Whether the statement is that a move takes a pawn."""
        motifs = self.move.get("motifs", [])
        return self.kind == "hung_pawn" or {"kind": "missed_capture", "piece": "pawn"} in motifs and self.kind == "missed_capture"

    def boards(self):
        return [self.before, self.after]

    def is_own(self, found):
        """Whether the engine itself plays the named move."""
        row = found.get(self.base.fen())
        return row is not None and row["pv"].split()[:1] == [self.named.peek().uci()]

    def is_known(self, found):
        """Whether the engine has searched every position that decides."""
        others = [self.named] if self.named is not None and not self.is_own(found) else []
        return all(board.is_game_over() or board.fen() in found for board in self.boards() + others)

    def of_named(self, found):
        """The engine's evaluation and line after the named move."""
        row = found.get(self.base.fen() if self.is_own(found) else self.named.fen())
        return row and {**row, "pv": row["pv"].partition(" ")[2]} if self.is_own(found) else row


def engine_says(arguments, boards):
    """The engine's evaluation, for White, and line of each position."""
    known = dict(known_rows(arguments.known)) if arguments.known and arguments.known.exists() else {}
    if arguments.only_known:
        return known
    fens = [fen for fen in dict.fromkeys(board.fen() for board in boards if not board.is_game_over()) if fen not in known]
    for start in range(0, len(fens), BATCH):
        batch = fens[start:start + BATCH]
        for fen, row in zip(batch, asked(arguments, batch), strict=True):
            known[fen] = {"fen": fen, **{field: row[field] for field in ("cp", "mate", "pv")}}
            if arguments.known:
                with open(arguments.known, "a", encoding="utf-8") as out:
                    out.write(json.dumps(known[fen]) + "\n")
    return known


def known_rows(path):
    """The position and the row of everything in a file of --known."""
    for row in map(json.loads, open(path, encoding="utf-8")):
        if "fen" in row:
            yield row["fen"], row
        for move in row.get("moves", []):
            best = move["best"]
            fen = chess.Board(move["fen"]).fen()
            yield fen, {"fen": fen, "cp": best.get("cp"), "mate": best.get("mate"), "pv": " ".join(best["uci"])}


def asked(arguments, fens):
    with tempfile.TemporaryDirectory() as folder:
        source, out = Path(folder, "positions.epd"), Path(folder, "out.jsonl")
        source.write_text("\n".join(fens) + "\n")
        subprocess.run([arguments.analyse, "positions", source, "--engine", arguments.engine, "--nodes", str(arguments.nodes), "--threads", str(arguments.threads), "--jsonl", out, "--quiet"], check=True)
        return [json.loads(line) for line in open(out, encoding="utf-8")]


def centipawns(row, board, color):
    """The evaluation for a player in centipawns; a mate has the largest value."""
    if board.is_checkmate():
        white = -10_000 if board.turn == chess.WHITE else 10_000
    elif board.is_game_over():
        white = 0
    elif row["mate"] is not None:
        white = 10_000 if row["mate"] > 0 else -10_000
    else:
        white = row["cp"]
    return white if color == chess.WHITE else -white


def win(cp):
    return 100 / (1 + math.exp(-0.00368208 * max(-1000, min(1000, cp))))


def chance(cp):
    """The chance to win."""
    return 1 / (1 + math.exp(min(50, (100 - cp) / 62)))


def balance(board, color):
    return sum(VALUES[piece.piece_type] * (1 if piece.color == color else -1) for piece in board.piece_map().values())


def settled(board, depth, least, most):
    """The balance of the side to move when both sides go on capturing as long as it pays."""
    least = max(least, balance(board, board.turn))
    if depth:
        for move in board.generate_legal_captures():
            if least >= most:
                break
            board.push(move)
            least = max(least, -settled(board, depth - 1, -most, -least))
            board.pop()
    return least


def won(board, line, color, start, plies=PLIES):
    at = board.copy(stack=False)
    for move in line[:plies]:
        at.push_uci(move)
    found = settled(at, DEPTH, -100_000, 100_000)
    return (found if at.turn == color else -found) - balance(start, color)


def is_true(one, found):
    color = one.before.turn
    at = lambda board: centipawns(found.get(board.fen()), board, color)
    before, after = at(one.before), at(one.after)
    lost = win(before) - win(after)
    if one.kind == "lost_win":
        return chance(before) >= 0.75 and chance(after) < 0.5
    if one.kind == "lost_draw":
        return chance(-before) < 0.25 and chance(-after) >= 0.75
    if one.kind in ("missed_mate", "allowed_mate"):
        return before >= 1000 if one.kind == "missed_mate" else after <= -1000
    if one.kind in ("in_won_game", "in_lost_game"):
        sign = 1 if one.kind == "in_won_game" else -1
        return min(chance(sign * before), chance(sign * after)) >= 0.75
    best = before if one.kind in OF_BEST else after
    row = one.of_named(found)
    named = centipawns(row, one.named, color)
    is_good = abs(win(named) - win(best)) < GOOD or (win(named) > win(best)) == (one.kind in OF_BEST)
    if not is_good or lost < (WEAK if one.kind == "exercise" else ANY):
        return False
    if one.kind not in MATERIAL:
        return True
    # The report does not claim that the line keeps the pawn.
    plies = 0 if one.takes_pawn() else PLIES
    gain = won(one.named, row["pv"].split() if row else [], color, one.before, plies)
    return gain >= 100 if one.kind in OF_BEST else gain <= -100 or named <= -1000


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("games", nargs="+")
    parser.add_argument("--analyse", required=True, help="the program skewer-analyse")
    parser.add_argument("--engine", default="/usr/games/stockfish")
    parser.add_argument("--nodes", type=int, default=1_000_000)
    parser.add_argument("--each", type=int, default=50, help="statements of a kind")
    parser.add_argument("--kinds", help="these kinds alone, separated by commas")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--known", type=Path, help="file of what the engine found")
    parser.add_argument("--only-known", action="store_true", help="ask the engine nothing")
    parser.add_argument("--show", action="store_true", help="print what is not true")
    arguments = parser.parse_args()
    kinds = collections.defaultdict(list)
    for kind, *rest in statements(arguments.games):
        if not arguments.kinds or kind in arguments.kinds.split(","):
            kinds[kind].append(Statement(kind, *rest))
    total = both = 0
    for kind, every in sorted(kinds.items()):
        sample = random.Random(1).sample(every, min(arguments.each, len(every)))
        found = engine_says(arguments, [board for one in sample for board in one.boards()])
        others = [one.named for one in sample if one.named is not None and not one.is_own(found)]
        found |= engine_says(arguments, others)
        if arguments.only_known:
            left = [one for one in sample if one.is_known(found)]
            print(f"{kind}: {len(sample) - len(left)} of {len(sample)} not known")
            sample = left
        wrong = [one for one in sample if not is_true(one, found)]
        total, both = total + len(sample), both + len(sample) - len(wrong)
        print(f"{kind}: {len(sample) - len(wrong)} of {len(sample)} true", flush=True)
        for one in wrong if arguments.show else []:
            values = ", ".join(str(centipawns(found.get(board.fen()), board, one.before.turn)) for board in one.boards())
            if one.named is not None:
                values += f", {centipawns(one.of_named(found), one.named, one.before.turn)}"
            print(f"    {one.where}, best {' '.join(one.move['best']['moves'][:3])}; {values}; sure {one.move.get('sure')}; {one.before.fen()}")
    print(f"all: {both} of {total} true")


if __name__ == "__main__":
    sys.exit(main())
